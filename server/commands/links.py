"""`ulm links revoke`: an end to all links and sessions; `ulm links end`: let nobody into an account."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import Any

from server.commands.opened import up_to_date
from server.service.accounts import confirming, links
from server.settings import Settings
from server.storage.database import Store


def add_parser(subparsers: Any) -> None:
    """Add `links` with its own sub-commands."""
    parser = subparsers.add_parser("links", help="look after the links in mails")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    action = actions.add_parser("revoke", help="make all links worthless and sign everybody out: after a leak")
    action.set_defaults(module=sys.modules[__name__], action=_revoke)
    action = actions.add_parser("end", help="end all tokens, sessions and links of accounts: when they were stolen")
    action.add_argument("players", nargs="+", metavar="PLAYER", help="id of an account")
    action.set_defaults(module=sys.modules[__name__], action=_end)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do one of the two, for running servers too; 1 when an account is not there."""
    with up_to_date(settings) as store:
        return int(args.action(args, store))


def _revoke(args: argparse.Namespace, store: Store) -> int:
    links.revoke_all(store, datetime.now(UTC))
    print("All links sent before are worthless; all players are signed out.")
    return 0


def _end(args: argparse.Namespace, store: Store) -> int:
    missing = 0
    for player_id in args.players:
        if confirming.end_all_access(store, player_id, datetime.now(UTC)):
            print(f"{player_id}: all tokens, sessions and links have ended. Its player signs in by mail.")
        else:
            print(f"{player_id}: there is no such account.")
            missing += 1
    return 1 if missing else 0
