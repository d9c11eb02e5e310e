"""`ulm restore`: a backup becomes the database again; or a PostgreSQL as it was at some moment is made ready."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from server.commands import CommandError, verify
from server.commands.opened import up_to_date
from server.commands.terminal import count, moment
from server.service.outbox import after_restore
from server.settings import Settings
from server.storage.backups import point_in_time, restoring
from server.storage.times import utc


def add_parser(subparsers: Any) -> None:
    """Add `restore`."""
    parser = subparsers.add_parser("restore", help="bring a backup back, check it, and hold mail until you have looked")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="what `ulm backup` made")
    parser.add_argument("--replace", action="store_true", help="also over a database with games; it is put aside")
    parser.add_argument("--send-mail", action="store_true", help="do not hold mail and clocks")
    parser.add_argument(
        "--finish", action="store_true", help="only check and hold mail, of a database that was put back by other means"
    )
    past = parser.add_argument_group("a moment, on PostgreSQL")
    past.add_argument("--base", type=Path, metavar="FOLDER", help="where `ulm backup --base` puts its copies")
    past.add_argument("--wal", type=Path, metavar="FOLDER", help="where PostgreSQL archives its write-ahead log")
    past.add_argument("--into", type=Path, metavar="DATADIR", help="a new data directory; nothing is started")
    past.add_argument(
        "--at", type=moment, metavar="TIME", help="such as 2026-11-23T10:00:00Z; else the newest there is"
    )
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do it, and say what is to be done next; 1 when `ulm verify` finds something in what was restored."""
    ways = [args.file is not None, args.finish, args.base is not None]
    if sum(ways) != 1:
        raise CommandError("name the FILE of a backup, or --base with --wal and --into, or --finish")
    if args.base is not None:
        return _moment_of_postgresql(args)
    if args.at or args.wal or args.into:
        raise CommandError(
            "--at, --wal and --into belong to --base; a FILE holds one moment, that at which it was made"
        )
    if args.file is not None:
        aside = restoring.restore(args.file, settings.database, args.replace, datetime.now(UTC))
        print(f"Restored from {args.file}.")
        if aside is not None:
            print(f"What was there before is {aside}: take it away when all is well.")
    return _finish(settings, hold=not args.send_mail)


def _finish(settings: Settings, hold: bool) -> int:
    with up_to_date(settings) as store:
        found = after_restore.look(store, datetime.now(UTC))
        if hold:
            after_restore.hold(store, found)
    code = verify.check(settings)
    print(f"The last it knows of was at {utc(found.last)}.")
    waiting = count(found.waiting, "mail waits", "mails wait")
    if hold:
        print(
            f"No mail is sent and no clock runs, from then until `ulm mail resume`. {waiting}: what went out since is "
            "sent again, under the Message-ID that it had,\nunless it is no longer true or you take it out "
            "(`ulm mail list --state pending`, `ulm mail drop ID`)."
        )
    else:
        print(f"Mail is sent as soon as a server runs, and late clocks run out. {waiting}.")
    print(
        "What was made since is void: moves, accounts, tokens, links. What was ended since is good again: "
        "`ulm links rotate --revoke` ends every\nlink and session, `ulm links end PLAYER` all of one account. "
        "Accounts that were deleted since are back, and have to be deleted again."
    )
    return code


def _moment_of_postgresql(args: argparse.Namespace) -> int:
    if args.wal is None or args.into is None:
        raise CommandError("--base needs --wal, the archive, and --into, the new data directory")
    if args.at is not None and args.at > datetime.now(UTC):
        raise CommandError(f"{utc(args.at)} has not come yet")
    base = point_in_time.prepare(args.base, args.wal, args.into, args.at)
    into = shlex.quote(str(args.into.resolve()))
    when = "what the archive ends with" if args.at is None else utc(args.at)
    print(f"{args.into} is {base.name}, and becomes {when} when PostgreSQL starts on it. Nothing was started. Next:")
    if os.geteuid() == 0:
        print(f"  chown -R postgres {into}         # whoever PostgreSQL runs as, who has to read {args.wal}, too")
    print(f"  pg_ctl -D {into} -w start        # with its port and settings; on Debian these lie in /etc/postgresql")
    print("  ULM_DATABASE_URL=postgresql://… ulm restore --finish")
    return 0
