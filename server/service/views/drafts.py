"""Drafts: moves that a player has put together and not sent. A draft is an address: nothing of it is stored.

All of it is computed from a *mask* of the position (`Ruleset.masked`), in which what is hidden is made up, and chance
is another's: what a draft shows, or says will reveal something, cannot tell what that would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from server.engine.errors import UlmError
from server.engine.events import Event
from server.engine.ulm1.shapes import Score, View
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END, RESIGN
from server.service.explain import move_choices
from server.service.explain.history import ToldMove
from server.service.explain.move_choices import Group
from server.service.play.turns import MOVES_MAX

MOVED_ON, CANNOT = "moved on", "cannot"
"""What can be wrong with a draft: it was made for another position; a move of it is not possible there."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The position after the drafted moves, for the eyes of `seat`; `ply` is that of the game. `sending` holds the
    legal moves that cannot be drafted, because they reveal something (`revealing`) or end the turn."""

    seat: int
    ply: int
    position: State  # the position, as a mask: what `seat` does not know is made up in it
    view: View
    moves: list[str] = field(default_factory=list)
    told: list[ToldMove] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    sending: frozenset[str] = frozenset()
    revealing: frozenset[str] = frozenset()
    lost: list[str] = field(default_factory=list)  # what ending the turn after these moves would give away
    standing: list[Score] = field(default_factory=list)
    """What everybody would have if the game ended after these moves, by seat."""
    problem: str | None = None  # `MOVED_ON` or `CANNOT`: then the draft is empty, and the position the present one

    @property
    def text(self) -> str:
        """The moves as an address holds them."""
        return write(self.moves)

    @property
    def options(self) -> dict[str, move_choices.Option]:
        """Every legal move, by its text."""
        return {option.move: option for group in self.groups for option in group.options}


def write(moves: Sequence[str]) -> str:
    """Moves as an address holds them."""
    return ",".join(moves)


def read(text: str) -> list[str]:
    """The moves of an address; they may be none."""
    return [move for part in text.split(",", MOVES_MAX) if (move := " ".join(part.split()))]


def make(state: State, seat: int, names: list[str], ply: int | None = None, moves: list[str] | None = None) -> Draft:
    """The draft of `moves` by `seat`, which is to move in `state`, the newest position that it may see. `ply` is the
    one that the moves were meant for (None: the present one). Never raises: `problem` says what is wrong."""
    start = state.rules.masked(state, seat)
    if moves and ply is not None and ply != state.ply:
        return _at(start, seat, state.ply, [], [], MOVED_ON, names)
    wanted = list(moves or [])
    position, told = _follow(start, seat, wanted, names)
    if len(told) < len(wanted):
        return _at(start, seat, state.ply, [], [], CANNOT, names)
    return _at(position, seat, state.ply, wanted, told, None, names)


class Outlook(NamedTuple):
    """What more moves would come to: what happens, and the points if the game ended then, by seat."""

    told: list[ToldMove]
    standing: list[Score]


def look_ahead(draft: Draft, moves: Sequence[str], names: list[str]) -> Outlook:
    """What `moves` after a draft bring about, as far as nothing is revealed and the turn lasts."""
    position, told = _follow(draft.position, draft.seat, moves, names)
    return Outlook(told, position.rules.standing(position, position.scores))


def _follow(position: State, seat: int, moves: Sequence[str], names: list[str]) -> tuple[State, list[ToldMove]]:
    """The position after the moves, up to the first that cannot be drafted, and what they did."""
    told: list[ToldMove] = []
    for text in moves:
        following = _step(position, seat, text)
        if following is None:
            break
        position, events = following
        told.append(ToldMove(position.rules, position.ply, seat, text, False, False, events, names, seat, False))
    return position, told


def _step(position: State, seat: int, text: str) -> tuple[State, list[Event]] | None:
    """The position after a drafted move and what happened; None when it cannot be drafted there."""
    try:
        move = position.rules.parse_move(text)
        if position.active != seat or move in (END, RESIGN):
            return None
        applied = position.rules.apply(position, seat, move)
    except UlmError:
        return None
    return None if applied.reveals else (applied.state, applied.events)


def _at(
    position: State, seat: int, ply: int, moves: list[str], told: list[ToldMove], problem: str | None, names: list[str]
) -> Draft:
    groups = move_choices.groups(position, seat, names)
    options = [option for group in groups for option in group.options]
    revealing = frozenset(option.move for option in options if option.reveals)
    ends = {option.move for group in groups if group.kind == "end" for option in group.options}
    return Draft(
        seat=seat,
        ply=ply,
        position=position,
        view=position.rules.view(position, seat),
        moves=moves,
        told=told,
        groups=groups,
        sending=revealing | ends,
        revealing=revealing,
        lost=move_choices.lost_by_ending(position, seat),
        standing=position.rules.standing(position, position.scores),
        problem=problem,
    )
