"""`ulm backup`: a copy of the database while the server runs."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from server.commands import CommandError
from server.settings import Settings
from server.storage.backups import making, point_in_time
from server.storage.database import Store, open_database, sqlite_file


def add_parser(subparsers: Any) -> None:
    """Add `backup`."""
    parser = subparsers.add_parser("backup", help="copy the database while the server runs")
    to = parser.add_mutually_exclusive_group(required=True)
    to.add_argument("to", nargs="?", type=Path, metavar="FILE|FOLDER", help="a new file, or a folder for one")
    to.add_argument(
        "--base",
        type=Path,
        metavar="FOLDER",
        help="PostgreSQL: the whole cluster, from which any later moment can be had",
    )
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Make it, and print its name."""
    path = sqlite_file(settings.database)
    if path is not None and not path.exists():
        raise CommandError(f"there is no database {path}; ULM_DATA_DIR or ULM_DATABASE_URL says where it is")
    store = open_database(settings.database, threads=1)
    try:
        if args.base is not None:
            _base(store, settings.database, args.base)
        else:
            to = making.target(store, args.to, datetime.now(UTC))
            making.make(store, settings.database, to)
            print(f"{to}: {to.stat().st_size:,} bytes. It is as secret as the database: `ulm restore` brings it back.")
    finally:
        store.close()
    return 0


def _base(store: Store, url: str, folder: Path) -> None:
    made = point_in_time.base_backup(store, url, folder)
    print(f"{made}: from now on any later moment can be had, as far as the write-ahead log is archived.")
    if not point_in_time.is_archiving(store):
        print("But this server archives none (archive_mode is off): docs/operating.md, “Backups”, says how.")
