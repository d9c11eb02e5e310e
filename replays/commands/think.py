"""`analyse` and `puzzles`: what bots think of finished games. Each game takes seconds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from replays.analysis import puzzles as finding
from replays.analysis import results
from replays.analysis.puzzles import PuzzleForm
from replays.analysis.results import Analysis
from replays.checking import advance, in_parallel
from replays.commands import options
from replays.commands.options import JOBS, PATHS, QUIET, command
from replays.files import Item, ReadError, Source, printable
from replays.reading import parse, verified
from server.engine.game import Game
from server.engine.record import Record


class Found(NamedTuple):
    """What came of one record: what was found in it, or what stands against it."""

    source: Source
    found: list[Mapping[str, object]]
    record: Record | None = None
    problem: str | None = None


def _run(
    args: argparse.Namespace, work: Callable[[Item], Found], told: Callable[[Game, Any], Iterator[str]], between: str
) -> int:
    """Print what `work` finds in each game. 0, or 1 when some cannot be looked at."""
    bad = number = 0
    with options.Corpus(args.command, args.paths, args.quiet, plies=True) as given:
        for source, found, record, problem in in_parallel(given.items, work, args.jobs, 1, given.passed):
            if record is None or problem is not None:
                bad += 1
                given.say(printable(f"{source}: {problem}"), error=True)
                continue
            for one in found:
                if args.json:
                    given.say(json.dumps({"source": str(source), "id": record.id, **one}))
                else:
                    given.say(between * bool(number) + printable("\n".join(told(Game(record), one))))
                number += 1
    return 1 if bad else 0


def _finished(item: Item, work: Callable[[Game], list[Mapping[str, object]]], why: str) -> Found:
    """What `work` finds in one record, which is checked first."""
    try:
        record = parse(item)
        verified(item.source, record)
    except ReadError as error:
        return Found(item.source, [], problem=error.message)
    if record.result is None:
        return Found(item.source, [], problem=f"is not finished: {why}")
    return Found(item.source, work(Game(record)), record)


def analysed(item: Item) -> Found:
    """Return the analysis of one record."""
    return _finished(item, lambda game: [results.analyse(game, passed=advance)], "only a finished game can be analysed")


def searched(item: Item) -> Found:
    """Return the puzzles of one record; a game without one is no failure."""
    return _finished(item, _puzzles, "only positions of a finished game make puzzles")


def _puzzles(game: Game) -> list[Mapping[str, object]]:
    done = 0

    def passed(ply: int) -> None:
        nonlocal done
        advance(ply - done)
        done = ply

    found: list[Mapping[str, object]] = list(finding.puzzles(game, passed=passed))
    passed(game.plies)
    return found


def _analysis_text(game: Game, analysis: Analysis) -> Iterator[str]:
    yield game.record.name or game.record.id
    yield f"{'':24}  before   after    luck  offered  errors  others'"
    for seat in analysis["seats"]:
        name = game.names[seat["seat"]][:20]
        parts = (seat["luck"], seat["offered"], seat["error"], seat["others"])
        told = "".join(f" {100 * part:+7.1f}" for part in parts)
        yield f"  {name:20} {seat['first']:9.1%} {seat['last']:7.1%} {told}"
    yield "  (in hundredths of the game; docs/analysis.md says what each means)"
    if not analysis["moments"]:
        yield "  No move gave much away."
    for one in results.moments(game, analysis["moments"]):
        moment = one.moment
        after = moment["before"] - moment["loss"]
        name = game.names[moment["seat"]]
        yield f"  ply {moment['ply'] + 1}, round {moment['round']}: {name}, {moment['before']:.0%} to {after:.0%}"
        yield from options.wrapped(f"{moment['move']}: {' '.join(one.played)}")
        yield from options.wrapped(f"better {', '.join(moment['instead'])}: {' '.join(one.better)}")


def _puzzle_text(game: Game, puzzle: PuzzleForm) -> Iterator[str]:
    ply, seat, best = puzzle["ply"], puzzle["seat"], puzzle["moves"]
    where = f"{game.record.name or game.record.id}, ply {ply}, round {puzzle['round']}"
    yield f"{where}: {game.names[seat]} to move, {puzzle['level']}, {puzzle['turns']} turns to choose from"
    told = " ".join(results.words(game, ply, seat, best))
    yield from options.wrapped(f"{puzzle['chance']:.0%} {', '.join(best)}: {told}")
    for other in puzzle["others"][:1]:
        yield from options.wrapped(f"{other['chance']:.0%} {', '.join(other['moves'])}")
    yield from options.wrapped(f"played: {', '.join(puzzle['played'])}")


@command(
    "analyse",
    "Say what luck and what skill made of finished games: chances, errors by what was known, the costliest of them.",
    PATHS, JOBS, options.json_lines("game"), QUIET,
)  # fmt: skip
def analyse(args: argparse.Namespace) -> int:
    """Print an analysis of each game."""
    return _run(args, analysed, _analysis_text, "\n")


@command(
    "puzzles",
    "Find positions of finished games in which one turn clearly beats all others, by what the seat on move knew.",
    PATHS, JOBS, options.json_lines("puzzle"), QUIET,
)  # fmt: skip
def puzzles(args: argparse.Namespace) -> int:
    """Print the puzzles of each game."""
    return _run(args, searched, _puzzle_text, "")
