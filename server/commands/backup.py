"""`ulm backup`: a copy of the database while the server runs."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from server.commands import CommandError
from server.settings import Settings
from server.storage import backups
from server.storage.database import open_database, sqlite_file


def add_parser(subparsers: Any) -> None:
    """Add `backup`."""
    parser = subparsers.add_parser("backup", help="copy the database while the server runs")
    parser.add_argument("to", type=Path, metavar="FILE|FOLDER", help="a new file, or a folder for one")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Make it, and print its name."""
    path = sqlite_file(settings.database)
    if path is not None and not path.exists():
        raise CommandError(f"there is no database {path}; ULM_DATA_DIR or ULM_DATABASE_URL says where it is")
    with closing(open_database(settings.database, threads=1)) as store:
        to = backups.target(store, args.to, datetime.now(UTC))
        backups.make(store, settings.database, to)
    print(f"{to}: {to.stat().st_size:,} bytes. It is as secret as the database: `ulm restore` brings it back.")
    return 0
