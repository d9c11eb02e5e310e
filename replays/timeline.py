"""What happened at each ply of a replay, for a bar to scrub along and a page to read."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, TypedDict

from replays.sight import in_words
from server.engine.game import Game
from server.engine.ulm1.shapes import UtcTime
from server.engine.ulm1.state import Player as PlayerState
from server.engine.ulm1.state import State, Turn

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
