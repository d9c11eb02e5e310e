"""`ulm train`: let bots learn what positions are worth, by playing against themselves. The word fixes all chance."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bots import pools
from replays.checking import available_cores
from replays.commands import options
from server.commands import CommandError
from server.engine.ulm1.tables import MAX_PLAYERS, MIN_PLAYERS
from server.settings import Settings


def add_parser(subparsers: Any) -> None:
    """Add `train`."""
    parser = subparsers.add_parser(
        "train",
        help="let bots learn by playing against themselves (extra `training`)",
        epilog="The last round's weights are played with by: ulm arena journeyman:weights=FOLDER/round-N.json …",
    )
    parser.add_argument("folder", type=Path, help="where lessons and weights go; what is there is gone on with")
    parser.add_argument("--players", type=int, default=2, choices=range(MIN_PLAYERS, MAX_PLAYERS + 1))
    parser.add_argument("--rounds", type=int, default=3, help="rounds of self-play after the games of rules of thumb")
    parser.add_argument("--games", type=int, default=400, help="games of each round (default: 400)")
    parser.add_argument("--deals", type=int, default=20, help="deals of the contest after each round (default: 20)")
    parser.add_argument("--word", default="course", help="what all deals and all chance follow from")
    options.add_jobs(parser)
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Go through the course, print a line for each round; 0."""
    try:
        from bots import training  # needs numpy, an extra
    except ImportError as error:
        raise CommandError("learning needs the extra `training`: pip install 'ulm-by-mail[training]'") from error
    wanted = training.Course(args.players, args.rounds, args.games, args.folder, args.word, deals=args.deals)
    with (
        pools.workers(args.jobs or available_cores()) as pool,
        tqdm(desc="train", unit=" games", total=(args.rounds + 1) * args.games, delay=1, leave=False) as bar,
    ):
        for step in training.go(wanted, pool, bar.update):
            bar.write(
                f"round {step.round}: {step.lessons} games, {step.explained:.1%} of the points to come explained, "
                f"{step.won:.1%} ({step.low:.1%} to {step.high:.1%}) won against apprentice, {step.points:.1f} points"
            )
    return 0
