"""`ulm links rotate`: change the key that links in mails are signed with."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import Any

from server.commands import CommandError
from server.service import links
from server.settings import Settings
from server.storage.database import open_database
from server.storage.migrate import pending


def add_parser(subparsers: Any) -> None:
    """Add `links` with its own sub-commands."""
    parser = subparsers.add_parser("links", help="look after the links in mails")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    action = actions.add_parser("rotate", help="sign links with a new key from now on; those sent before stay good")
    action.add_argument("--revoke", action="store_true",
                        help="make all links sent so far worthless and sign everybody out: after a leak")
    action.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Change the key; running servers sign with it at once."""
    store = open_database(settings.database, threads=1)
    try:
        if pending(store):
            raise CommandError("the database has an old schema or none: run `ulm db migrate` first")
        kept = links.rotate(store, datetime.now(UTC), revoke=args.revoke)
    finally:
        store.close()
    if args.revoke:
        print("Links are signed with a new key. All links sent before are worthless; all players are signed out.")
    else:
        print(f"Links are signed with a new key. Keys that still verify: {kept}.")
    return 0
