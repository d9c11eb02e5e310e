"""What happened at each ply of a replay, for a bar to scrub along and a page to read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any, TypedDict

from replays.replay import Replay
from replays.sight import in_words
from server.engine.ulm1.shapes import UtcTime
from server.engine.ulm1.state import Player as PlayerState
from server.engine.ulm1.state import State, Turn

#: Parts of the state that are compared as they are; `players` and `turn` are compared field by field.
_OTHERS = ("rules", "seed", "ply", "chance", "players", "turn", "rotate_start", "advanced")
PLAIN = tuple(field.name for field in fields(State) if field.name not in _OTHERS)
OF_TURN = tuple(field.name for field in fields(Turn))
OF_PLAYER = tuple(field.name for field in fields(PlayerState))

Holdings = dict[str, Any]
"""A row of `resources`. Any: numbers, texts, None; columns for each seat."""


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


def timeline(replay: Replay) -> list[TimelinePly]:
    """One entry for each ply from 1 on, nothing withheld.

    Takes time and memory in step with the plies.
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


def resources(replay: Replay) -> Iterator[Holdings]:
    """One row for each ply from 0 on, flat enough for a table: what everybody has, and how quickly it goes.

    `{ply, round, seat, move, at, seconds, turn_ply}` and, by seat, `vp_0, coins_0, sparrows_0, tiles_0, cards_0 (in
    hand), seals_0, barge_0, vp_1 …`. `seconds` is the time since the ply before, None where either has none; `turn_ply`
    counts the plies of the turn. Seat, move and times are None at ply 0.
    """
    yield {"ply": 0, "round": 1, "seat": None, "move": None, "at": None, "seconds": None, "turn_ply": 0,
           **_holdings(replay.state(0))}  # fmt: skip
    earlier: str | None = None
    count, fresh = 0, True
    for step in replay.steps():
        count = 1 if fresh else count + 1
        fresh = step.before.active != step.state.active or step.before.round != step.state.round
        yield {
            "ply": step.ply,
            "round": step.before.round,
            "seat": step.entry.seat,
            "move": step.entry.text,
            "at": step.entry.time,
            "seconds": _between(earlier, step.entry.time),
            "turn_ply": count,
            **_holdings(step.state),
        }
        earlier = step.entry.time


def _holdings(state: State) -> dict[str, int]:
    row: dict[str, int] = {}
    for seat, player in enumerate(state.players):
        row |= {
            f"vp_{seat}": player.vp,
            f"coins_{seat}": player.coins,
            f"sparrows_{seat}": player.sparrows,
            f"tiles_{seat}": sum(player.tiles),
            f"cards_{seat}": len(player.hand),
            f"seals_{seat}": player.seals,
            f"barge_{seat}": player.barge,
        }
    return row


def _between(earlier: str | None, later: str | None) -> float | None:
    """Seconds from one time of a record to another; None where either is missing or no time at all (such as day 99)."""
    if earlier is None or later is None:
        return None
    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    except ValueError:
        return None
