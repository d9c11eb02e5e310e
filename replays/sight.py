"""What is looked at: a position or a game as one seat knew it, or with nothing withheld."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Annotated, NamedTuple, TypedDict

from server.board.events import sentences
from server.engine.events import Event
from server.engine.game import Game, GameStep
from server.engine.rulesets import Rules
from server.engine.ulm1.sentences import ENGLISH, Speaker, plain
from server.engine.ulm1.shapes import UtcTime, View
from server.engine.ulm1.state import Player as PlayerState
from server.engine.ulm1.state import State, Turn, choice_to_dict


def sight(replay: Game, ply: int, seat: int | None = None) -> View:
    """The view of `seat` at `ply` (a newest `draw` masked), or, for None, a view with every hand and offer in it. The
    open view is that of a spectator with `hand` for all players and `offer` for all choices: whoever draws views can
    draw it. Raises `IndexError` when there is no such ply."""
    if seat is not None:
        return replay.view(ply, seat)
    return open_view(replay.state(ply))


def sights(replay: Game, first: int, last: int, seat: int | None = None) -> Iterator[View]:
    """What `sight` gives for the plies `first` to `last`, in order; each move is played once. Raises `IndexError`."""
    if first == 0:
        yield sight(replay, 0, seat)
    for step in replay.steps(max(first, 1), last):
        if seat is None:
            yield open_view(step.state)
        else:
            yield step.seen_by(seat)


def open_view(state: State) -> View:
    """The view of a spectator from whom no hand and no offer is withheld."""
    seen = state.rules.view(state, None)
    for shown, player in zip(seen["players"], state.players, strict=True):
        shown["hand"] = list(player.hand)
    seen["pending"] = [choice_to_dict(choice) for choice in state.pending]
    return seen


class Line(NamedTuple):
    """One ply in words: `move` and `text` as the reader may know them, `at` in UTC or None, `vp` of all after it."""

    ply: int
    seat: int
    move: str
    at: str | None
    text: list[str]
    vp: list[int]


class Chapter(NamedTuple):
    """One turn: its round, whose it is, the Tower tile in force (None in the basic game), its plies."""

    round: int
    seat: int
    tower: str | None
    lines: list[Line]


def line(replay: Game, step: GameStep, seat: int | None = None, speaker: Speaker = ENGLISH) -> Line:
    """A ply in words, for `seat` or, for None, with nothing withheld."""
    by = step.entry.seat
    move = step.entry.text if seat is None else replay.record.rules.log_entry(step.move, by, seat)
    text = in_words(replay.record.rules, step.events, replay.names, by, move, seat, seat is None, speaker)
    return Line(step.ply, by, move, step.entry.time, text, [player.vp for player in step.state.players])


# Of these no event tells: nothing followed from them.
_UNHEARD = {"barge 0": plain("%(name)s sails no further."), "pass": plain("%(name)s takes nothing.")}
_UNHEARD_OF_YOU = {"barge 0": plain("You sail no further."), "pass": plain("You take nothing.")}


def in_words(
    rules: Rules,
    events: Sequence[Event],
    names: Sequence[str],
    seat: int,
    move: str,
    viewer: int | None = None,
    see_all: bool = False,
    speaker: Speaker = ENGLISH,
    you: int | None = None,
) -> list[str]:
    """What happened when `seat` played `move`, as `sentences` tells it; never nothing. `move` is its text as `viewer`
    may read it. The seat `you` is spoken to."""
    told = sentences(rules, events, names, viewer, see_all, speaker, you)
    if told:
        return told
    form = (_UNHEARD_OF_YOU if seat == you else _UNHEARD).get(move)
    return [speaker.say(form, 0) % {"name": names[seat]} if form else f"{names[seat]}: {move}."]


def chapters(replay: Game, seat: int | None = None, speaker: Speaker = ENGLISH) -> Iterator[Chapter]:
    """The turns of a game in order, as `seat` knew them, or for None with nothing withheld."""
    chapter: Chapter | None = None
    for step in replay.steps():
        before = step.before
        active = before.active if before.active is not None else step.entry.seat
        if chapter is None or (chapter.round, chapter.seat) != (before.round, active):
            if chapter is not None:
                yield chapter
            chapter = Chapter(before.round, active, before.tower_tile, [])
        chapter.lines.append(line(replay, step, seat, speaker))
    if chapter is not None:
        yield chapter


#: Parts of the state that are compared as they are; `players` and `turn` are compared field by field.
_OTHERS = ("rules", "seed", "ply", "chance", "players", "turn", "rotate_start", "advanced")
PLAIN = tuple(field.name for field in fields(State) if field.name not in _OTHERS)
OF_TURN = tuple(field.name for field in fields(Turn))
OF_PLAYER = tuple(field.name for field in fields(PlayerState))


class TimelinePly(TypedDict):
    """What a ply did."""

    ply: int
    seat: int
    move: str
    at: Annotated[UtcTime | None, "When it was made."]
    round: int
    vp: Annotated[list[int], "Of all seats, after it."]
    text: Annotated[list[str], "Sentences on what happened."]
    changed: Annotated[list[str], "Parts of the state that changed, as record.md §4 names them; `players.SEAT.FIELD`."]


def timeline(replay: Game) -> list[TimelinePly]:
    """One entry for each ply from 1 on, nothing withheld. Takes time and memory in step with the plies."""
    names = replay.names
    return [
        {
            "ply": step.ply,
            "seat": step.entry.seat,
            "move": step.entry.text,
            "at": step.entry.time,
            "round": step.state.round,
            "vp": [player.vp for player in step.state.players],
            "text": in_words(replay.record.rules, step.events, names, step.entry.seat, step.entry.text, see_all=True),
            "changed": changed(step.before, step.state),
        }
        for step in replay.steps()
    ]


def changed(before: State, after: State) -> list[str]:
    """The names of the parts of the state in which two states of one game differ, `ply` and `chance` left aside."""
    parts = [name for name in PLAIN if getattr(before, name) != getattr(after, name)]
    if any(getattr(before.turn, name) != getattr(after.turn, name) for name in OF_TURN):
        parts.append("turn")
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        parts += [f"players.{seat}.{name}" for name in OF_PLAYER if getattr(old, name) != getattr(new, name)]
    return parts
