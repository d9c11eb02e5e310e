"""`ulm archive`: pack the logs of games that are long over."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from tqdm import tqdm

from server.commands import CommandError
from server.commands.opened import up_to_date
from server.service.archive import archived_logs
from server.settings import Settings
from server.storage import disk_space

AT_ONCE = 1000
"""So many games, then what they took is given back to the disk."""
MOST_DAYS = 36_500


def add_parser(subparsers: Any) -> None:
    """Add `archive`."""
    parser = subparsers.add_parser("archive", help="pack the logs of games that are long over; readable as before")
    parser.add_argument(
        "--older-than", type=_days, metavar="DAYS", help="those that ended so long ago (else: ULM_ARCHIVE_AFTER_DAYS)"
    )
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Pack them, print how many; 0."""
    days = settings.archive_after_days if args.older_than is None else args.older_than
    if args.older_than is None and not days:
        raise CommandError("ULM_ARCHIVE_AFTER_DAYS is 0, so nothing is archived: say --older-than DAYS")
    before = datetime.now(UTC) - timedelta(days=days)
    games = moves = size = given = 0
    with (
        up_to_date(settings) as store,
        tqdm(desc="archive", unit=" games", delay=1, leave=False, disable=None) as bar,
    ):
        while True:
            done = archived_logs.archive(store, before, AT_ONCE)
            games, moves, size = games + done.games, moves + done.moves, size + done.size
            given += disk_space.give_back(store)
            bar.update(done.games)
            if done.games < AT_ONCE:
                break
    each = f", {size / moves:.1f} bytes a move" if moves else ""
    print(f"{games} games archived: {moves} moves in {size} bytes{each}.")
    if given:
        print(f"{given} bytes were given back to the disk.")
    return 0


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:12]) > MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of days from 0 to {MOST_DAYS}")
    return int(text)
