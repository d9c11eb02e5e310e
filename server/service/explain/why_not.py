"""What is not possible now, and which activated tiles are of no use, each with the reason that the engine gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.engine.events import Event
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Reason, Remaining
from server.engine.ulm1.state import NOBODY, Player, State
from server.engine.ulm1.tables import COLORS, LEVIES, LINES, QUARTERS, SLOTS
from server.language import N_, listing, ngettext
from server.language import gettext as _
from server.service.explain import game_words


def try_move(mask: State, move: Move) -> tuple[State, list[Event]]:
    """Play a legal move on a copy of a mask: the position after it, and what happened."""
    after, events = mask.copy(), list[Event]()
    mask.rules.advance(after, move, events)
    return after, events


class Impossible(NamedTuple):
    """Something that cannot be done now: what it is called, why not, and the id of the rule in docs/rules.md."""

    label: str
    why: str
    rule: str


def impossible(state: State, seat: int, legal: Sequence[Move]) -> dict[str, list[Impossible]]:
    """What `seat`, which is to move, cannot do, by the kind of group (`move_choices`); `legal` are its legal moves."""
    found: dict[str, list[Impossible]] = {}
    speaker = game_words.speaker(state.rules, cards_in_short=True)  # which tiles a card asks for is the reason itself
    for kind, label, why in _found(state, seat, frozenset(legal)):
        found.setdefault(kind, []).append(Impossible(label, why.said(speaker), why.rule))
    return found


_Found = Iterator[tuple[str, str, Reason]]


def _found(state: State, seat: int, legal: frozenset[Move]) -> _Found:
    if state.pending:
        yield from _coats(state, seat, legal)
        return
    if state.phase == "push":
        yield from _gates(state, seat)
        yield from _swap(state, seat, legal)
    left = state.rules.remaining(state, seat)
    yield from _actions(state, left)
    yield from _quarters(state, seat, left)
    yield from _hand(state, seat, legal)
    yield from _rights(state, seat, legal)


def _coats(state: State, seat: int, legal: frozenset[Move]) -> _Found:
    """Golden coats without a crest (W2)."""
    choice = state.pending[-1]
    if choice[0] == "coat":
        for coat in choice[1]:
            if ("coat", coat) not in legal:
                yield "choice", _("Coat of arms %(name)s", name=coat), state.rules.reason(state, seat, ("coat", coat))


def _gates(state: State, seat: int) -> _Found:
    """Blocked lines (K4), by their two gates."""
    for a, b in LINES:
        if state.outer[a] != NOBODY or state.outer[b] != NOBODY:
            yield "push", f"{SLOTS[a]}, {SLOTS[b]}", state.rules.reason(state, seat, ("push", SLOTS[a]))


def _swap(state: State, seat: int, legal: frozenset[Move]) -> _Found:
    """The exchange of the tile in hand, where there is none (L2)."""
    if state.turn.tiles and not any(move[0] == "swap" for move in legal):
        other = COLORS[state.turn.tiles[0] - 1]
        yield "swap", _("Swap the tile"), state.rules.reason(state, seat, ("swap", other))


_GROUPS = {"gray": "actions", "white": "actions", "turquoise": "actions", "brown": "buy", "orange": "seals"}
_CREDITS = {"step": ("actions", "turquoise"), "card": ("buy", "brown"), "seal": ("seals", "orange")}


def _actions(state: State, left: list[Remaining]) -> _Found:
    """What is activated or to one's credit and of no use now (A6)."""
    words, told = game_words.words(state.rules), set[str]()
    for one in left:
        kind, color = (_GROUPS[one.color], one.color) if one.color else _CREDITS[one.kind.partition("_")[0]]
        if one.why is not None and color not in told:
            told.add(color)
            yield kind, words.action_names[color], one.why


def _quarters(state: State, seat: int, left: list[Remaining]) -> _Found:
    """Where no seal can be placed although one could be paid: each full quarter in reach (A5), the far ones (D5)."""
    rules = state.rules
    if not any(one.at_once for one in left if "seal" in one.kind or one.color == "orange"):
        return
    words, player = game_words.words(rules), state.players[seat]
    near = (rules.reach_long if state.tower_tile == "long_reach" else rules.reach)[player.barge]
    for quarter in near:
        if len(state.quarters[quarter]) == rules.seal_spaces[quarter]:
            name = QUARTERS[quarter]
            # The reason names the quarter.
            yield "seals", words.action_names["orange"], rules.reason(state, seat, ("seal", name))
    far = [name for quarter, name in enumerate(QUARTERS) if quarter not in near]
    if far:
        why = rules.shared_reason(state, seat, [("seal", name) for name in far])
        yield "seals", listing([words.quarters[name] for name in far]), why


def _hand(state: State, seat: int, legal: frozenset[Move]) -> _Found:
    """Cards in hand: that none can be played now (B8), or the upper effects that cannot (B7)."""
    hand = state.players[seat].hand
    if not hand:
        return
    if ("play", hand[0], "table") not in legal:
        yield "play", _("Play a card"), state.rules.reason(state, seat, ("play", hand[0], "table"))
        return
    for card in hand:
        tops = state.rules.notation.tops[card]
        if not any(move in legal for move in tops):
            # The reason names the card.
            yield "play", _("Play a card"), state.rules.shared_reason(state, seat, tops)


def _rights(state: State, seat: int, legal: frozenset[Move]) -> _Found:
    """What Descendants and Tower tiles would allow: N6, V8 to V10."""
    words, why = game_words.words(state.rules), state.rules.shared_reason
    verbs = {move[0] for move in legal}
    if "merchant" in state.players[seat].descendants and "exchange" not in verbs:
        exchanges = [move for move in state.rules.notation.moves.values() if move[0] == "exchange"]
        yield "other", words.descendants["merchant"], why(state, seat, exchanges)
    if state.tower_tile in LEVIES and "levy" not in verbs and not state.turn.levy_paid:
        levy = ("levy",) if state.tower_tile == "coin_levy" else ("levy", COLORS[0], COLORS[0])
        yield "other", _("Pay the levy"), why(state, seat, [levy])
    kept = state.tower_tile == "keep_pushed" and state.phase == "actions" and not state.turn.salvaged
    if kept and "salvage" not in verbs:
        yield "actions", words.tower["keep_pushed"], why(state, seat, [("salvage",)])


class Unusable(NamedTuple):
    """How many tiles of a colour cannot be used and why: `Card of no use: a card costs 2 tiles, and you have 1`; 0
    where all can, once something else has brought what they need: `A card costs 2 tiles: first use a Clear tile`."""

    number: int
    why: str


def unusable(after: State, seat: int, activated: Sequence[str]) -> dict[str, Unusable]:
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
    """What is to be got before all tiles of a colour can be used; "" where more than tiles or coins is missing."""
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
_CHOICES = 3  # So many choices of a quarter are settled to see what it brings


def _source(after: State, seat: int, color: str) -> str:
    """What is to be done first, so that all left of a colour can be used, in words; "" beyond two things."""
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
        if _allows(try_move(after, move)[0], seat, color, _CHOICES):
            if move[0] in _BRINGS:
                return [_BRINGS[move[0]]], []
            quarters.append(game_words.quarter(move[1], after.rules))
    if quarters:
        return [], quarters
    for move in moves if steps > 1 else ():
        if move[0] in _BRINGS:
            used, then = _sources(try_move(after, move)[0], seat, color, steps - 1)
            if used or then:
                return [_BRINGS[move[0]], *used], then
    return [], []


def _allows(state: State, seat: int, color: str, choices: int) -> bool:
    """Whether all tiles left of a colour can be used at once, however what waits is settled."""
    if state.pending:
        moves = state.rules.legal_moves(state, seat) if choices else []
        return any(_allows(try_move(state, move)[0], seat, color, choices - 1) for move in moves)
    if color == "brown" and sum(state.players[seat].tiles) < 2:  # else a second card in hand were the reason
        return False
    return all(one.at_once == one.number for one in state.rules.remaining(state, seat) if one.color == color)


def _price(state: State, player: Player, left: Remaining) -> int:
    """What each seal costs where only coins for all are missing (A5); else 0, and where a Tower tile has a say."""
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
