"""Find positions of finished games in which one turn clearly beats all others, by what the seat on move knew."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import NamedTuple

from replays.analysis import puzzles, telling
from replays.analysis.puzzles import PuzzleForm
from replays.commands import options
from replays.errors import ReadError, Source
from replays.files import Item
from replays.reading import parse, verified
from replays.replay import Replay
from server.engine.record import Record

NAME = "puzzles"


class Found(NamedTuple):
    """What came of one record."""

    source: Source
    record: Record | None
    puzzles: list[PuzzleForm]
    problem: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_thinking(parser, "puzzle")


def run(args: argparse.Namespace) -> int:
    """Look through all games. 0, or 1 when some cannot be; a game without a puzzle is none of these."""
    bad = 0
    with options.Corpus(NAME, args.paths, args.quiet) as given:
        for found in options.spread(searched, given.items, args):
            given.passed()
            with given.bar.external_write_mode(sys.stdout):
                if found.record is None or found.problem is not None:
                    bad += 1
                    print(options.printable(f"{found.source}: {found.problem}"), file=sys.stderr)
                    continue
                for puzzle in found.puzzles:
                    if args.json:
                        print(json.dumps({"source": str(found.source), "id": found.record.id, **puzzle}))
                    else:
                        print(options.printable("\n".join(_text(found.record, puzzle))))
    return 1 if bad else 0


def searched(item: Item) -> Found:
    """Return the puzzles of one record, which is checked first."""
    try:
        record = parse(item)
        verified(item.source, record)
        if record.result is None:
            return Found(item.source, record, [], "is not finished: only positions of a finished game make puzzles")
        return Found(item.source, record, list(puzzles.puzzles(Replay(record))), None)
    except ReadError as error:
        return Found(item.source, None, [], error.message)


def _text(record: Record, puzzle: PuzzleForm) -> Iterator[str]:
    replay = Replay(record)
    ply, seat, best = puzzle["ply"], puzzle["seat"], puzzle["moves"]
    where = f"{record.name or record.id}, ply {ply}, round {puzzle['round']}"
    yield f"{where}: {replay.names[seat]} to move, {puzzle['level']}, {puzzle['turns']} turns to choose from"
    told = " ".join(telling.words(replay, ply, seat, best))
    yield from options.wrapped(f"{puzzle['chance']:.0%} {', '.join(best)}: {told}")
    for other in puzzle["others"][:1]:
        yield from options.wrapped(f"{other['chance']:.0%} {', '.join(other['moves'])}")
    yield from options.wrapped(f"played: {', '.join(puzzle['played'])}")
