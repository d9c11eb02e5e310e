"""`ulm replays`: list imported records, and remove those that should not stay."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from typing import Any

from server.commands.opened import up_to_date
from server.service.archive import kept_records, replay_lists
from server.service.common.errors import ServiceError
from server.settings import Settings
from server.storage.database import Store


def add_parser(subparsers: Any) -> None:
    """Add `replays` with its own sub-commands."""
    parser = subparsers.add_parser("replays", help="look after imported records")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="imported records, newest first: id, when, by whom, plies, size, name")
    listing.add_argument("--json", action="store_true", help="print a JSON array")
    listing.set_defaults(module=sys.modules[__name__], action=_list)
    removing = actions.add_parser("remove", help="remove imported records; games played here are refused")
    removing.add_argument("ids", nargs="+", metavar="ID")
    removing.set_defaults(module=sys.modules[__name__], action=_remove)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do one of the two; 1 when something could not be removed."""
    with up_to_date(settings) as store:
        return int(args.action(args, store))


def _list(args: argparse.Namespace, store: Store) -> int:
    found = replay_lists.imported(store)
    if args.json:
        print(json.dumps(found))
        return 0
    for replay in found:
        given = replay["imported"] or {"by": None, "name": None, "at": ""}
        by = given["name"] or "somebody without an account"
        size = -(-replay["size"] // 1024)
        print(f"{replay['id']}  {given['at']}  {by}  {replay['plies']} plies  {size} kB  {replay['name']}")
    if not found:
        print("No record was imported.")
    return 0


def _remove(args: argparse.Namespace, store: Store) -> int:
    failed = 0
    for game_id in args.ids:
        try:
            kept_records.remove_import(store, game_id, datetime.now(UTC))
        except ServiceError as error:
            failed = 1
            print(f"ulm: {game_id}: {error.message}", file=sys.stderr)
        else:
            print(f"{game_id}: removed")
    return failed
