"""Say what luck and what skill made of finished games: chances to win, errors by what was known, moves that decided."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from replays.analysis import results, telling
from replays.analysis.results import Analysis
from replays.commands import options
from replays.errors import ReadError, Source
from replays.files import Item
from replays.reading import parse, verified
from replays.replay import Replay
from server.engine.record import Record

NAME = "analyse"


class Found(NamedTuple):
    """What came of one record."""

    source: Source
    record: Record | None
    analysis: Analysis | None
    problem: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_thinking(parser, "game")


def run(args: argparse.Namespace) -> int:
    """Analyse all games. 0, or 1 when some cannot be."""
    bad = number = 0
    with options.Corpus(NAME, args.paths, args.quiet) as given:
        for found in options.spread(analysed, given.items, args, partial(analysed, quiet=args.quiet)):
            given.passed()
            with given.bar.external_write_mode(sys.stdout):
                if found.record is None or found.analysis is None:
                    bad += 1
                    print(options.printable(f"{found.source}: {found.problem}"), file=sys.stderr)
                elif args.json:
                    print(json.dumps({"source": str(found.source), "id": found.record.id, **found.analysis}))
                else:
                    print("\n" * bool(number) + options.printable("\n".join(_text(found.record, found.analysis))))
            number += 1
    return 1 if bad else 0


def analysed(item: Item, quiet: bool = True) -> Found:
    """Return the analysis of one record, which is checked first."""
    try:
        record = parse(item)
        verified(item.source, record)
        if record.result is None:
            return Found(item.source, record, None, "is not finished: only a finished game can be analysed")
        replay = Replay(record)
        if quiet:
            return Found(item.source, record, results.analyse(replay), None)
        with options.watched(NAME, replay, 1) as passing:
            return Found(item.source, record, results.analyse(passing), None)
    except ReadError as error:
        return Found(item.source, None, None, error.message)


def _text(record: Record, analysis: Analysis) -> Iterator[str]:
    replay = Replay(record)
    yield record.name or record.id
    yield f"{'':24}  before   after    luck  offered  errors  others'"
    for seat in analysis["seats"]:
        name = replay.names[seat["seat"]][:20]
        parts = (seat["luck"], seat["offered"], seat["error"], seat["others"])
        told = "".join(f" {100 * part:+7.1f}" for part in parts)
        yield f"  {name:20} {seat['first']:9.1%} {seat['last']:7.1%} {told}"
    yield "  (in hundredths of the game; docs/analysis.md says what each means)"
    if not analysis["moments"]:
        yield "  No move gave much away."
    for one in telling.moments(replay, analysis["moments"]):
        moment = one.moment
        name = replay.names[moment["seat"]]
        after = moment["before"] - moment["loss"]
        yield f"  ply {moment['ply'] + 1}, round {moment['round']}: {name}, {moment['before']:.0%} to {after:.0%}"
        yield from options.wrapped(f"{moment['move']}: {' '.join(one.played)}")
        yield from options.wrapped(f"better {', '.join(moment['instead'])}: {' '.join(one.better)}")
