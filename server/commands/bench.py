"""`ulm bench grow`: make a large store, to see what becomes slow in it. What makes it lies beside the sources."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Any

from server.commands import CommandError
from server.settings import Settings

_MAKER = "benchmarks.grown_store"


def add_parser(subparsers: Any) -> None:
    """Add `bench` with its own sub-command."""
    parser = subparsers.add_parser("bench", help="make a store as large as after years, to measure in (in a checkout)")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    action = actions.add_parser("grow", help="fill an empty database with games; never the server's own by itself")
    action.add_argument("--games", type=_number, default=10_000, metavar="N", help="how many (10000)")
    action.add_argument("--database", default="sqlite:///grown.sqlite3", metavar="ADDRESS", help="where (%(default)s)")
    action.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Make it and print what is in it."""
    try:
        maker = importlib.import_module(_MAKER)
    except ModuleNotFoundError as error:
        if error.name not in ("benchmarks", _MAKER):
            raise
        raise CommandError(
            "what makes such a store is not in the installed package: run this in a checkout of the sources"
        ) from None
    try:
        sizes = maker.make(args.database, args.games)
    except ValueError as error:
        raise CommandError(str(error)) from None
    print(f"{sizes.games} games, {sizes.moves} moves, {sizes.players} players in {args.database.rpartition('@')[2]}")
    return 0


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:12]) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of games from 1 to 10000000")
    return int(text)
