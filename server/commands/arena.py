"""`ulm arena`: bots against each other, every deal from each seat, with tables, intervals and ratings."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bots import arena, levels, pools, tally
from replays.checking import available_cores
from replays.commands import options
from server.commands import CommandError
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS
from server.settings import Settings

VARIANTS = {"basic": False, "advanced": True}


def add_parser(subparsers: Any) -> None:
    """Add `arena`."""
    parser = subparsers.add_parser(
        "arena",
        help="let bots play against each other, and tell how often each won",
        epilog=f"Bots: {', '.join(levels.BOTS)}; with options as in flat:seconds=0.1. docs/bots.md tells more.",
    )
    parser.add_argument("bots", nargs="+", metavar="BOT", help="two or more; each plays each")
    parser.add_argument(
        "--players", type=int, nargs="+", default=[2], choices=range(MIN_PLAYERS, MAX_PLAYERS + 1), help="default: 2"
    )
    parser.add_argument("--variant", nargs="+", default=["basic"], choices=list(VARIANTS), help="default: basic")
    parser.add_argument("--lineup", action="store_true", help="the bots named are one line-up, instead of each two")
    parser.add_argument("--deals", type=int, default=10, help="deals, each played once from every seat (default: 10)")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--word", default="arena", help="what the deals follow from: another word, other deals")
    options.add_jobs(parser)
    parser.add_argument("--results", type=Path, help="keep each game as a line of this file, and go on from it")
    parser.add_argument("--json", action="store_true", help="print rows and ratings as one JSON object")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Play what is not played yet, then print the tables; 0."""
    try:
        for name in args.bots:
            levels.bot(name)
    except (levels.UnknownBotError, OSError) as error:
        raise CommandError(str(error)) from error
    if len(args.bots) < 2:
        raise CommandError("name two bots at least")
    if args.lineup:
        lineups = [tuple(args.bots)]
    else:
        lineups = [lineup for players in args.players for lineup in arena.lineups(args.bots, players)]
    wanted = list(arena.games(lineups, [VARIANTS[name] for name in args.variant], args.deals, args.word, args.first))
    results: list[arena.Result] = []
    with (
        pools.workers(args.jobs or available_cores()) as pool,
        tqdm(desc="arena", unit=" games", total=len(wanted), delay=1, leave=False, disable=args.json or None) as bar,
    ):
        for result in arena.run_all(wanted, args.results, pool, args.jobs or available_cores()):
            results.append(result)
            bar.update()
    found, rated = tally.rows(results), tally.ratings(results)
    if args.json:
        print(json.dumps({"rows": [row._asdict() for row in found], "ratings": [one._asdict() for one in rated]}))
        return 0
    print(tally.table(found))
    print()
    for one in rated:
        print(f"{one.bot:<40} {one.elo:6.0f} ± {one.give:.0f} Elo in {one.games} games")
    return 0
