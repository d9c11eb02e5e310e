"""Anonymise: names, ids and times out of a record, everything else still verifiable."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from replays import variations
from server.engine.record import MoveEntry, Record


def anonymise(record: Record) -> Record:
    """The same game without its people.

    Players are called by their seat, the game by a part of a hash of its log, so that one game gets the same name
    wherever it was stored; times are null; unknown keys, which could hold anything, are left out, and of variations
    only the moves stay. The texts that players gave for the seed have to stay: without them the shuffle could not be
    checked. Who chose a name or an address for that text told it to every opponent.
    """
    moves = [MoveEntry(entry.text, entry.seat, None) for entry in record.moves]
    played = "\n".join(f"{entry.seat} {entry.text}" for entry in moves)
    name = "game-" + sha256(f"{record.commitment}\n{played}".encode()).hexdigest()[:12]
    kept = [{"ply": one.ply, "moves": [[move.text, move.seat, None] for move in one.moves]}
            for one in variations.of(record)]  # fmt: skip
    return replace(
        record, id=name, name=name, players=[{"name": f"seat {seat}"} for seat in range(len(record.players))],
        moves=moves, extra={variations.FIELD: kept} if kept else {}, seed_extra={},
    )  # fmt: skip
