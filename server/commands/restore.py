"""`ulm restore`: a backup becomes the database again."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from server.commands import verify
from server.commands.opened import up_to_date
from server.commands.terminal import count
from server.service.outbox import after_restore
from server.settings import Settings
from server.storage import restoring
from server.storage.times import utc


def add_parser(subparsers: Any) -> None:
    """Add `restore`."""
    parser = subparsers.add_parser("restore", help="bring a backup back, check it, and hold mail until you have looked")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("file", nargs="?", type=Path, metavar="FILE", help="what `ulm backup` made")
    way.add_argument(
        "--finish", action="store_true", help="only check and hold mail, of a database that was put back by other means"
    )
    parser.add_argument("--replace", action="store_true", help="also over a database with games; it is put aside")
    parser.add_argument("--send-mail", action="store_true", help="do not hold mail and clocks")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do it, and say what is to be done next; 1 when `ulm verify` finds something in what was restored."""
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
        "`ulm links revoke` ends every\nlink and session, `ulm links end PLAYER` all of one account. "
        "Accounts that were deleted since are back, and have to be deleted again."
    )
    return code
