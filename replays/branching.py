"""Playing on from any ply of a record, beside what was played.

A branch of a finished game is a record of its own: the moves up to the ply, then others, under the same seed, so it
verifies like any other. Of a running game only a seat's view is to be had: its branch is a `sandbox.Sandbox`, with
everything that the seat does not know dealt anew.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from replays import sandbox, variations
from replays.positions import plausible
from replays.replay import Replay
from replays.sandbox import Sandbox
from server.engine import record as records
from server.engine.errors import IllegalMoveError, InvalidMoveError, RecordError
from server.engine.record import MoveEntry, Record
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State

FIELD = "branch"
"""The field of a branch that says where it comes from: `{"of": id, "ply": N}`."""


def branch(record: Record, ply: int, moves: Sequence[str] = (), rng: random.Random | None = None,
           plies: int = 0) -> Record:  # fmt: skip
    """A record that leaves `record` after `ply` and goes on with `moves`, then with up to `plies` drawn by `rng`.

    The moves are those of whoever is to move; their times are null. Digests and result are computed. Raises
    `RecordError` naming the ply that cannot be played, `IndexError` when there is no such ply.
    """
    state = Replay(record).state(ply)
    added = continuation(state, moves, rng, plies)
    extra = {key: value for key, value in record.extra.items() if key != variations.FIELD}
    bare = replace(
        record, moves=[*record.moves[:ply], *added], digests={}, result=None,
        id=f"{record.id}-branch-{ply}", extra={**extra, FIELD: {"of": record.id, "ply": ply}},
    )  # fmt: skip
    return records.completed(bare)


def with_variation(record: Record, ply: int, name: str, moves: Sequence[str] = (), rng: random.Random | None = None,
                   plies: int = 0) -> Record:  # fmt: skip
    """The record itself, with the moves kept as a variation. Arguments and errors as of `branch`."""
    added = continuation(Replay(record).state(ply), moves, rng, plies)
    return variations.add(record, ply, added, name)


def of_view(seen: View, names: Sequence[str], rng: random.Random, identity: str,
            origin: Mapping[str, object]) -> Sandbox:  # fmt: skip
    """A sandbox that begins as a seat sees a running game; `rng` deals what it does not see.

    `origin` is kept in the field `branch`. Raises `InvalidStateError` when `seen` is no view of a running game.
    """
    state = plausible(seen, rng)
    return sandbox.make(state, names, identity, identity, {FIELD: dict(origin)})


def continuation(state: State, moves: Sequence[str], rng: random.Random | None = None,
                 plies: int = 0) -> list[MoveEntry]:  # fmt: skip
    """The log that `moves` make from `state` on, then up to `plies` more by `rng`. Raises `RecordError`."""
    log: list[MoveEntry] = []
    for text in moves:
        if state.active is None:
            raise RecordError(state.ply + 1, f"{text[:60]!r}: the game is over")
        seat = state.active
        try:
            move = state.rules.parse_move(text)
            state = state.rules.apply(state, seat, move).state
        except (InvalidMoveError, IllegalMoveError) as error:
            raise RecordError(state.ply + 1, str(error)) from error
        log.append(MoveEntry(format_move(move), seat))
    for _ in range(plies if rng is not None else 0):
        if state.active is None or rng is None:
            break
        seat = state.active
        move = rng.choice(state.rules.legal_moves(state))
        state = state.rules.apply(state, seat, move).state
        log.append(MoveEntry(format_move(move), seat))
    return log
