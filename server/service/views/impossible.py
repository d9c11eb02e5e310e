"""What belongs to a step of the turn and is not possible now, with the reason in words and the rule behind it.

The reasons are those with which the engine refuses the moves (`refusals`, `remaining`): nothing is guessed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Reason, Remaining
from server.engine.ulm1.state import NOBODY, State
from server.engine.ulm1.tables import COLORS, LEVIES, LINES, QUARTERS, SLOTS
from server.language import gettext as _
from server.language import listing
from server.service.views import game_words


class Impossible(NamedTuple):
    """Something that cannot be done now: what it is called, why not, and the id of the rule in docs/rules.md."""

    label: str
    why: str
    rule: str


def of(state: State, seat: int, legal: Sequence[Move]) -> dict[str, list[Impossible]]:
    """What `seat`, which is to move, cannot do, by the kind of the group of moves that it belongs to (`move_choices`).

    `legal` are its legal moves.
    """
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
