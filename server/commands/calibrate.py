"""`ulm calibrate`: find out what chance to win a margin is, and whether such chances come true."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bots import pools
from bots.chances import calibration, odds
from replays.checking import available_cores
from replays.commands import options
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS
from server.settings import Settings


def add_parser(subparsers: Any) -> None:
    """Add `calibrate`."""
    parser = subparsers.add_parser(
        "calibrate",
        help="find out what chance to win a margin is, by games of bots against themselves",
        epilog="Half of the games are for the fit, the others for the table. docs/analysis.md tells more.",
    )
    parser.add_argument("folder", type=Path, help="where games and chances are kept; what is there is gone on with")
    parser.add_argument("--players", type=int, nargs="+", default=[2], choices=range(MIN_PLAYERS, MAX_PLAYERS + 1))
    parser.add_argument("--games", type=int, default=2000, help="games of each number of players (default: 2000)")
    parser.add_argument("--word", default="calibrate", help="what all deals and all chance follow from")
    options.add_jobs(parser)
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Play what is not played yet, write FOLDER/N-players.json, print the tables; 0."""
    args.folder.mkdir(parents=True, exist_ok=True)
    with pools.workers(args.jobs or available_cores()) as pool:
        for players in args.players:
            path = args.folder / f"games-{players}.jsonl"
            found = calibration.samples(players, args.games, args.word, path, pool)
            games = list(
                tqdm(found, desc="calibrate", unit=" games", total=args.games, delay=1, leave=False, disable=None)
            )
            fit, check = games[::2], games[1::2] or games
            spread = calibration.fitted(fit)
            about = {"players": players, "games": len(fit), "word": args.word}
            (args.folder / f"{players}-players.json").write_text(odds.to_json(spread, about), "utf-8")
            _tell(players, len(fit), check, spread)
    return 0


def _tell(players: int, fitted: int, check: list[calibration.Sample], spread: odds.Spread) -> None:
    table = calibration.reliability(check, spread)
    print(f"{players} players: fitted to {fitted} games, looked at in {len(check)} others")
    print("| said | positions | said, mean | came true |")
    print("|---|--:|--:|--:|")
    for place, one in enumerate(table):
        low, high = (100 * (place + more) // len(table) for more in (0, 1))
        print(f"| {low} to {high} % | {one.number:,} | {one.said:.1%} | {one.came:.1%} |")
    off = calibration.off_by(table)
    print(f"Off by {off:.1%} in the mean; the spread is {spread.points(5):.1f} points with five rounds to come.")
