"""Moves that the coach tries out, on what the learner may see; and what he says about pushes: which tiles of a line can
be used, and why one push is better than another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.tables import COLOR_INDEX
from server.language import gettext as _
from server.language import listing
from server.service.explain import game_words
from server.service.learning.lessons import LEARNER, OPPONENT

COLOR_WORTH = {"gray": 1.2, "white": 1.0, "brown": 2.0, "turquoise": 1.5, "orange": 4.0}
"""What a tile of a colour is worth to somebody who can use it."""


class Hint(NamedTuple):
    """A move that the coach would think of, how much, and why."""

    move: str
    worth: float
    why: str
    instead: bool = False
    """It can be done instead of the first move, and no longer after it."""


def legal(state: State, *verbs: str) -> list[Move]:
    """The learner's legal moves, or those of some verbs."""
    return [move for move in state.rules.legal_moves(state, LEARNER) if not verbs or move[0] in verbs]


def after_move(state: State, move: Move) -> State:
    """The position after a move of the learner."""
    return state.rules.apply(state, LEARNER, move).state


def me(state: State) -> Player:
    """The learner."""
    return state.players[LEARNER]


def total(state: State) -> int:
    """What the learner would have if the game ended now."""
    return state.rules.final_scores(state)[LEARNER]["total"]


def settled(state: State) -> State:
    """The position after all choices were answered somehow."""
    while state.pending and state.active == LEARNER:
        state = after_move(state, legal(state)[-1])
    return state


def uses(state: State, move: Move, color: str) -> bool:
    """Whether a move uses an activated tile of a colour: a play may be the free one instead."""
    index = COLOR_INDEX[color]
    return after_move(state, move).turn.activated[index] < state.turn.activated[index]


def hints(state: State) -> Iterator[Hint]:
    """Every push, with what its tiles are worth."""
    for move in legal(state, "push"):
        what = state.rules.pushed(state, move)
        usable = _usable(after_move(state, move), list(what.activates))
        words = game_words.words(state.rules)
        actions = listing([words.actions[color] for color in usable])
        worth = sum(COLOR_WORTH[color] for color in usable) - (1.0 if len(move) > 2 else 0.0)
        worth = round(worth + _SPARROW_WORTH * _sparrows(state, move), 3)  # what is worth the same is the same number
        if len(usable) == len(what.activates):
            why = _("All three tiles can be used.")  # which they are is told beside it
        elif usable:
            why = _("You can use: %(actions)s.", actions=actions)
        else:
            why = _("None of its tiles can be used.")
        yield Hint(format_move(move), worth, why)


_SPARROW_WORTH = 0.04
"""Less than any difference between tiles: it decides between pushes whose tiles are worth the same."""


def _sparrows(state: State, move: Move) -> int:
    """The sparrows that a push brings the learner, less those that it brings the others (K5)."""
    after = after_move(state, move)
    more = [now.sparrows - was.sparrows for was, now in zip(state.players, after.players, strict=True)]
    return 2 * more[LEARNER] - sum(more)


def why_first(state: State, found: list[Hint]) -> str:
    """Why the coach likes the first of these pushes best, of which there are two at least; "" where they are level."""
    first, second = found[:2]
    if first.worth == second.worth:
        return ""
    seen = state.rules.masked(state, LEARNER)
    one, two = (_ranked(seen, hint) for hint in (first, second))
    if one == two:
        mine = _sparrows(seen, seen.rules.parse_move(first.move)) > 0
        if len(found) > 2 and all(_ranked(seen, hint) == one for hint in found):
            if mine:
                return _("All three moves use the same tiles, but the first one brings you a sparrow.")
            return _("All three moves use the same tiles, but the first one gives %(name)s no sparrow.", name=OPPONENT)
        if mine:
            return _("The first two use the same tiles, but the first one brings you a sparrow.")
        return _("The first two use the same tiles, but the second one gives %(name)s a sparrow.", name=OPPONENT)
    if one > two:
        return _("A Seal tile helps most, then Card, Sail and Coin; Clear helps least.")
    return _("Taken together, its tiles help you most.")


def _ranked(state: State, hint: Hint) -> list[float]:
    """What the tiles of a push that can be used are worth, the best first."""
    move = state.rules.parse_move(hint.move)
    usable = _usable(after_move(state, move), list(state.rules.pushed(state, move).activates))
    return sorted((COLOR_WORTH[color] for color in usable), reverse=True)


def _usable(state: State, colors: list[str]) -> list[str]:
    """Those of the tiles just activated that can be used, one after the other, in some order: the quick ones first."""
    done: list[str] = []
    for color in sorted(colors, key=_ORDER.index):
        move = next((move for move in legal(state, *_USES[color]) if uses(state, move, color)), None)
        if move is None:
            continue
        state = settled(after_move(state, move))
        done.append(color)
    return done


_ORDER = ["gray", "turquoise", "orange", "white", "brown"]
_USES = {
    "gray": ("money",),
    "turquoise": ("river",),
    "orange": ("seal",),
    "white": ("clear",),
    "brown": ("buy", "play"),
}
