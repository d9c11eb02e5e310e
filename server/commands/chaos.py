"""`ulm chaos`: games under kills, cuts, full disks and wrong clocks. What it needs comes with the tests."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

from server.commands import CommandError
from server.commands.terminal import number
from server.settings import Settings

_ROOT = Path(__file__).parents[2]
_LONG = 60


def add_parser(subparsers: Any) -> None:
    """Add `chaos`."""
    parser = subparsers.add_parser("chaos", help="play on a site of its own while everything breaks (in a checkout)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite", help="on which kind (sqlite)")
    parser.add_argument("--kills", type=number, metavar="N", help="end after so many kills (100)")
    parser.add_argument("--minutes", type=number, metavar="N", help="end after so many minutes, or before by --kills")
    parser.add_argument("--seed", type=number, default=1, help="another one lets other things happen (1)")
    parser.add_argument(
        "--full-disk", action="store_true",
        help="fill PostgreSQL's disk, too, one of its own in memory: for root, who may mount (on SQLite it always is)",
    )  # fmt: skip
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Run, print what was found, and figures; 1 when something was. The database of the settings is not touched."""
    sys.path.insert(0, str(_ROOT))
    try:
        main = importlib.import_module("tests.chaos.command").main
    except ImportError as error:
        raise CommandError(
            f"`ulm chaos` runs in a checkout, with the tools of `make test`, and not all of it is here: {error}"
        ) from error
    kills = args.kills or (10**9 if args.minutes else 100)
    return int(main(args.database, args.seed, kills, args.minutes or _LONG, args.full_disk))
