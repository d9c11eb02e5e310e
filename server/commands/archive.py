"""`ulm archive`: pack the logs of games that are long over, or take them apart again."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from tqdm import tqdm

from server.commands import CommandError
from server.commands.opened import up_to_date
from server.engine.errors import RecordError
from server.service.archive import archived_logs
from server.service.common.errors import ServiceError
from server.settings import Settings
from server.storage import disk_space
from server.storage.database import Store

AT_ONCE = 1000
"""So many games, then what they took is given back to the disk."""
MOST_DAYS = 36_500


def add_parser(subparsers: Any) -> None:
    """Add `archive`."""
    parser = subparsers.add_parser(
        "archive", help="pack the logs of games that are long over; readable as before, and reversible"
    )
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument(
        "--older-than", type=_days, metavar="DAYS", help="those that ended so long ago (else: ULM_ARCHIVE_AFTER_DAYS)"
    )
    doing.add_argument("--restore", nargs="+", metavar="GAME", help="turn the logs of these games into rows again")
    doing.add_argument("--restore-all", action="store_true", help="all of them, before an older version is run")
    doing.add_argument(
        "--vacuum",
        action="store_true",
        help="SQLite, with the server stopped: write the file anew, so that it can shrink by itself from then on",
    )
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do one of them; 1 when a game could not be restored."""
    with up_to_date(settings) as store:
        if args.vacuum:
            return _vacuum(store)
        if args.restore_all:
            return _restore(store, list(archived_logs.every_archived(store)))
        if args.restore:
            return _restore(store, args.restore)
        days = settings.archive_after_days if args.older_than is None else args.older_than
        if args.older_than is None and not days:
            raise CommandError("ULM_ARCHIVE_AFTER_DAYS is 0, so nothing is archived: say --older-than DAYS")
        _archive(store, datetime.now(UTC) - timedelta(days=days))
    return 0


def _archive(store: Store, before: datetime) -> None:
    games = moves = size = given = 0
    with tqdm(desc="archive", unit=" games", delay=1, leave=False, disable=None) as bar:
        while True:
            done = archived_logs.archive(store, before, AT_ONCE, put_back=True)
            games, moves, size = games + done.games, moves + done.moves, size + done.size
            given += disk_space.give_back(store)
            bar.update(done.games)
            if done.games < AT_ONCE:
                break
    each = f", {size / moves:.1f} bytes a move" if moves else ""
    print(f"{games} games archived: {moves} moves in {size} bytes{each}.")
    if given:
        print(f"{given} bytes were given back to the disk.")
    elif games and not disk_space.shrinks(store):
        print("The database's file keeps its size, and uses the room for new games; docs/operating.md says more.")


def _restore(store: Store, games: list[str]) -> int:
    failed = 0
    for game_id in games:
        try:
            moves = archived_logs.put_back(store, game_id)
        except (ServiceError, RecordError) as error:
            failed = 1
            print(f"ulm: {game_id}: {error.message}", file=sys.stderr)
        else:
            print(f"{game_id}: {moves} moves are rows again")
    if not games:
        print("No log is archived.")
    return failed


def _vacuum(store: Store) -> int:
    if not store.is_sqlite:
        raise CommandError("--vacuum is for SQLite; on PostgreSQL: VACUUM FULL move")
    print(f"{disk_space.write_anew(store)} bytes were given back to the disk.")
    return 0


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:12]) > MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of days from 0 to {MOST_DAYS}")
    return int(text)
