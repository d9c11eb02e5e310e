"""Which of the tiles that a push activates are of no use in the turn, or not at once, and why, in a few words.

The engine says both: what of the turn is lost however it is played on, and why an action cannot be carried out now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Reason, Remaining
from server.engine.ulm1.state import Player, State
from server.language import N_, listing, ngettext
from server.language import gettext as _
from server.service.views import game_words


class Unusable(NamedTuple):
    """So many tiles of a colour cannot be used, and what there is to say of it: `Card of no use: a card costs 2 tiles,
    and you have 1`.

    None where all can, once something else has brought what they need: `A card costs 2 tiles: first use a Clear tile`.
    """

    number: int
    why: str


def of(after: State, seat: int, activated: Sequence[str]) -> dict[str, Unusable]:
    """Those that `seat` cannot use at once, or not at all, in the turn whose push led to `after`, by their colour."""
    if after.active != seat or after.phase != "actions" or after.pending:
        return {}
    now = {one.color: one for one in after.rules.remaining(after, seat) if one.color in activated}
    if all(one.at_once == one.number for one in now.values()):
        return {}  # most pushes: what follows plays the turn on
    possible = {one.color: one.number for one in after.rules.lost_by_ending(after, seat) if one.kind == "tile"}
    found = {}
    for color in dict.fromkeys(activated):
        there, usable = activated.count(color), min(activated.count(color), possible.get(color, 0))
        if usable < there:
            found[color] = Unusable(there - usable, _why(after, seat, now[color], usable, there))
        elif now[color].at_once < there and (first := _first(after, seat, color, now[color])):
            found[color] = Unusable(0, first)
    return found


def _first(after: State, seat: int, color: str, left: Remaining) -> str:
    """What is to be done or got before all tiles of a colour can be used; "" where more than tiles or coins is
    wanting."""
    player = after.players[seat]
    if color == "brown" and left.number == 1 and left.why is not None and left.why.rule == "A3":
        if source := _source(after, seat, color):
            return _("A card costs 2 tiles: first %(do)s", do=source)
        if player.hand:
            return ""  # it is used to play a card
        return _("A card costs 2 tiles, and you have %(num)s", num=sum(player.tiles))
    if color == "orange" and (price := _price(after, player, left)):
        coins = game_words.coins(left.number * price)
        costs = ngettext("A seal costs %(coins)s", "%(num)s seals cost %(coins)s", left.number, coins=coins)
        if source := _source(after, seat, color):
            return _("%(costs)s: first %(do)s", costs=costs, do=source)
        return _("%(costs)s, and you have %(mine)s", costs=costs, mine=player.coins)
    return ""


_BRINGS = {"clear": "white", "money": "gray"}
"""Moves that bring tiles or coins at once, and the colour of the tiles that allow them."""
_CHOICES = 3
"""So many choices of a quarter are settled to see what it brings."""


def _source(after: State, seat: int, color: str) -> str:
    """What is to be done first, after which all that is left of a colour can be used: `use a Clear tile`, `use a Coin
    tile and place a seal in Tillage`; "" where it takes more than two things."""
    uses, quarters = _sources(after, seat, color, 2)
    kinds, times = game_words.words(after.rules).tile_kinds, Counter(uses)
    done = [
        ngettext("use a %(action)s tile", "use %(num)s %(action)s tiles", number, action=kinds[used])
        for used, number in times.items()
    ]
    if quarters:
        # Of two seals the first brings what the second costs.
        place = N_("place one in %(quarters)s") if color == "orange" else N_("place a seal in %(quarters)s")
        done.append(_(place, quarters=" / ".join(quarters)))
    return listing(done) if done else ""


def _sources(after: State, seat: int, color: str, steps: int) -> tuple[list[str], list[str]]:
    """The colours of the tiles to be used, and the quarters in one of which a seal is to be placed."""
    quarters = []
    moves = [move for move in after.rules.legal_moves(after, seat) if move[0] in _BRINGS or move[0] == "seal"]
    for move in moves:
        if _allows(_played(after, move), seat, color, _CHOICES):
            if move[0] in _BRINGS:
                return [_BRINGS[move[0]]], []
            quarters.append(game_words.quarter(move[1], after.rules))
    if quarters:
        return [], quarters
    for move in moves if steps > 1 else ():
        if move[0] in _BRINGS:
            used, then = _sources(_played(after, move), seat, color, steps - 1)
            if used or then:
                return [_BRINGS[move[0]], *used], then
    return [], []


def _allows(state: State, seat: int, color: str, choices: int) -> bool:
    """Whether all tiles of a colour that are left can be used at once, when what waits is settled in some way; Card
    tiles to buy cards."""
    if state.pending:
        moves = state.rules.legal_moves(state, seat) if choices else []
        return any(_allows(_played(state, move), seat, color, choices - 1) for move in moves)
    if color == "brown" and sum(state.players[seat].tiles) < 2:  # else a second card in hand were the reason
        return False
    return all(one.at_once == one.number for one in state.rules.remaining(state, seat) if one.color == color)


def _played(state: State, move: Move) -> State:
    """The position after a move of a mask: what chance decides does not count."""
    after = state.copy()
    after.rules.advance(after, move, [])
    return after


def _price(state: State, player: Player, left: Remaining) -> int:
    """What each seal costs where only coins for all of them are wanting (A5); 0 where something else is, or where a
    Tower tile has a say."""
    if left.why is not None:
        return left.why.number if _lacks_coins(left.why, player) else 0
    near = state.rules.reach[player.barge]
    free = sum(state.rules.seal_spaces[quarter] - len(state.quarters[quarter]) for quarter in near)
    if state.tower_tile is not None or min(free, player.seals) < left.number:
        return 0
    return state.rules.seal_price


def _lacks_coins(reason: Reason, player: Player) -> bool:
    """Whether it is coins for a seal (A5) that are wanting."""
    return reason.what == (str(player.coins),)


def _why(after: State, seat: int, left: Remaining, usable: int, there: int) -> str:
    player, color, reason = after.players[seat], left.color, left.why
    if usable:
        return _some(after, player, left, usable, there)
    action = game_words.words(after.rules).action_names[color]
    if reason is None:
        return _("%(action)s of no use", action=action)
    said = reason.said(game_words.speaker(after.rules))
    if color == "brown" and reason.rule == "A3" and player.hand and after.turn.free_play:
        # B8: whoever learned that a Card tile plays a card, too, wonders why it should not.
        said = _("you can play your card anyway, and another costs 2 tiles")
    elif color == "brown" and reason.rule == "A3":
        said = _("a card costs 2 tiles, and you have %(num)s", num=sum(player.tiles))
    elif color == "orange" and _lacks_coins(reason, player):  # shorter than the engine says it
        coins = game_words.coins(reason.number)
        said = _("a seal costs %(coins)s, and you have %(mine)s", coins=coins, mine=player.coins)
    elif color == "turquoise":
        said = _("no free space is left ahead of your barge")
    return _("%(action)s of no use: %(why)s", action=action, why=said)


def _some(after: State, player: Player, left: Remaining, usable: int, there: int) -> str:
    """Of how many tiles of a colour so many can be used, and why no more where that is clear."""
    color = left.color
    kind = game_words.words(after.rules).tile_kinds[color]
    said = _("only %(num)s of %(all)s %(action)s tiles of use", num=usable, all=there, action=kind)
    if color == "white" and usable == 1:
        return f"{said}: " + _("tiles lie on one side only")
    if color == "orange" and _price(after, player, left):
        return f"{said}: " + _("your coins do not pay for more")
    if color == "brown" and not player.hand:
        return f"{said}: " + _("your tiles do not pay for more")
    return said
