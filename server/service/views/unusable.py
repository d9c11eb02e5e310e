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
from server.language import gettext as _
from server.language import listing, ngettext
from server.service.views import game_words


class Unusable(NamedTuple):
    """So many tiles of a colour cannot be used, and what there is to say of it: `not Card: needs 2 tiles, you have 1`.

    None where all can, once something else has brought what they need: `Card: needs 2 tiles, so Clear first`.
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
            found[color] = Unusable(there - usable, _why(after, seat, color, usable, there))
        elif now[color].at_once < there and (first := _first(after, seat, color, now[color])):
            found[color] = Unusable(0, first)
    return found


def _first(after: State, seat: int, color: str, left: Remaining) -> str:
    """What is to be done or got before all tiles of a colour can be used; "" where more than tiles or coins is
    wanting."""
    action, player = game_words.words(after.rules).action_names[color], after.players[seat]
    if left.number > 1:
        action = f"{left.number} × {action}"
    if color == "brown" and left.number == 1 and left.why is not None and left.why.rule == "A3":
        if source := _source(after, seat, color):
            return _("%(action)s: needs 2 tiles, so %(first)s first", action=action, first=source)
        return _("%(action)s: needs 2 tiles, you have %(num)s so far", action=action, num=sum(player.tiles))
    if color == "orange" and (price := _price(after, player, left)):
        if source := _source(after, seat, color):
            return ngettext("%(action)s: costs %(num)s coin, so %(first)s first",
                            "%(action)s: costs %(num)s coins, so %(first)s first",
                            left.number * price, action=action, first=source)  # fmt: skip
        return ngettext("%(action)s: costs %(num)s coin, you have %(coins)s so far",
                        "%(action)s: costs %(num)s coins, you have %(coins)s so far",
                        left.number * price, action=action, coins=player.coins)  # fmt: skip
    return ""


_BRINGS = {"clear": "white", "money": "gray"}
"""Moves that bring tiles or coins at once, and the colour of the tiles that allow them."""
_CHOICES = 3
"""So many choices of a quarter are settled to see what it brings."""


def _source(after: State, seat: int, color: str) -> str:
    """What is to be done first, after which all that is left of a colour can be used: `Clear`, `2 × Coin`, `Coin and a
    seal in Tillage`; "" where it takes more than two things."""
    times = Counter(_sources(after, seat, color, 2))
    return listing([what if number == 1 else f"{number} × {what}" for what, number in times.items()]) if times else ""


def _sources(after: State, seat: int, color: str, steps: int) -> list[str]:
    words, quarters = game_words.words(after.rules), []
    moves = [move for move in after.rules.legal_moves(after, seat) if move[0] in _BRINGS or move[0] == "seal"]
    for move in moves:
        if _allows(_played(after, move), seat, color, _CHOICES):
            if move[0] in _BRINGS:
                return [words.action_names[_BRINGS[move[0]]]]
            quarters.append(game_words.quarter(move[1], after.rules))
    if quarters:
        return [_("a seal in %(quarters)s", quarters=" / ".join(quarters))]
    for move in moves if steps > 1 else ():
        if move[0] in _BRINGS and (then := _sources(_played(after, move), seat, color, steps - 1)):
            return [words.action_names[_BRINGS[move[0]]], *then]
    return []


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


def _why(after: State, seat: int, color: str, usable: int, there: int) -> str:
    action, player = game_words.words(after.rules).action_names[color], after.players[seat]
    if usable == 1 and color == "white":
        return _("%(action)s: only 1 of %(all)s usable, as tiles lie on one side only", action=action, all=there)
    if usable:
        return _("%(action)s: only %(num)s of %(all)s usable", action=action, num=usable, all=there)
    reason = next(one.why for one in after.rules.remaining(after, seat) if one.color == color)
    tiles = sum(player.tiles)
    if color == "brown" and reason is not None and reason.rule == "A3" and player.hand and after.turn.free_play:
        # B8: whoever learned that a Card tile plays a card, too, wonders why it should not.
        return _("%(action)s: not needed to play your card; a new one costs 2 tiles", action=action)
    if color == "brown" and reason is not None and reason.rule == "A3" and not tiles:
        return _("not %(action)s: needs 2 tiles, you have none", action=action)
    if color == "brown" and reason is not None and reason.rule == "A3":
        return _("not %(action)s: needs 2 tiles, you have %(num)s", action=action, num=tiles)
    if reason is None:
        return _("not %(action)s", action=action)
    if color == "orange" and _lacks_coins(reason, player):  # shorter than the engine says it
        return ngettext("not %(action)s: costs %(num)s coin, you have %(coins)s",
                        "not %(action)s: costs %(num)s coins, you have %(coins)s", reason.number,
                        action=action, coins=player.coins)  # fmt: skip
    if color == "turquoise":
        return _("not %(action)s: no free space is left ahead of your barge", action=action)
    return f"{action}: {reason.said(game_words.speaker(after.rules))}"
