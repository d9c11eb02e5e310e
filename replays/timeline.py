"""What happened at each ply of a replay, for a bar to scrub along and a page to read."""

from __future__ import annotations

from typing import Any

from replays.replay import Replay
from server.engine.sentences import sentences
from server.engine.state import Player as PlayerState
from server.engine.state import State, Turn

#: Parts of the state that are compared as they are; `players` and `turn` are compared field by field.
_OTHERS = ("seed", "ply", "chance", "players", "turn", "rotate_start", "advanced")
PLAIN = tuple(name for name in State.__slots__ if name not in _OTHERS)


def timeline(replay: Replay) -> list[dict[str, Any]]:
    """One entry for each ply from 1 on, nothing withheld.

    `{ply, seat, move, at (time in UTC or None), round, vp: by seat, text: sentences, changed: names of parts}`; parts
    are named as in record.md §4, players as `players.SEAT.FIELD`. Takes time and memory in step with the plies.
    """
    names = replay.names
    return [
        {
            "ply": step.ply,
            "seat": step.entry.seat,
            "move": step.entry.text,
            "at": step.entry.time,
            "round": step.state.round,
            "vp": [player.vp for player in step.state.players],
            # A barge move of 0 is a decision without an event.
            "text": sentences(step.events, names, see_all=True) or [f"{names[step.entry.seat]}: {step.entry.text}."],
            "changed": changed(step.before, step.state),
        }
        for step in replay.steps()
    ]


def changed(before: State, after: State) -> list[str]:
    """The names of the parts of the state in which two states of one game differ, `ply` and `chance` left aside."""
    parts = [name for name in PLAIN if getattr(before, name) != getattr(after, name)]
    if any(getattr(before.turn, name) != getattr(after.turn, name) for name in Turn.__slots__):
        parts.append("turn")
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        parts += [
            f"players.{seat}.{name}"
            for name in PlayerState.__slots__
            if getattr(old, name) != getattr(new, name)
        ]
    return parts
