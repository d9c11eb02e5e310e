"""`ulm db migrate`: bring the schema of the database up to date."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from server.settings import Settings
from server.storage.database import open_database
from server.storage.migrate import migrate, pending


def add_parser(subparsers: Any) -> None:
    """Add `db` with its own sub-commands."""
    parser = subparsers.add_parser("db", help="look after the database")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    action = actions.add_parser("migrate", help="bring the schema up to date (ulm serve does it too)")
    action.add_argument("--check", action="store_true", help="change nothing; exit 1 when something is to be done")
    action.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Apply what is pending and print its names; with `--check` only print them."""
    store = open_database(settings.database, threads=1)
    try:
        names = pending(store) if args.check else migrate(store)
    finally:
        store.close()
    for name in names:
        print(f"{'pending' if args.check else 'applied'}: {name}")
    if not names:
        print("The schema is up to date.")
    return 1 if args.check and names else 0
