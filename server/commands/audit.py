"""`ulm audit`: read what happened to accounts, and what operators did."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from server.commands.opened import up_to_date
from server.commands.terminal import moment, number, printable
from server.service.common import audit_log
from server.settings import Settings


def add_parser(subparsers: Any) -> None:
    """Add `audit`."""
    parser = subparsers.add_parser("audit", help="show sign-ins, tokens, addresses, deletions and acts of operators")
    of = parser.add_mutually_exclusive_group()
    of.add_argument("--player", metavar="ID", help="of one account")
    of.add_argument("--address", metavar="ADDRESS", help="of the accounts that have this mail address now")
    parser.add_argument("--since", type=moment, metavar="TIME", help="from 2026-11-01 or 2026-11-01T09:30Z (UTC) on")
    parser.add_argument("--limit", type=number, default=100, metavar="N", help="at most the newest N lines (100)")
    parser.add_argument("--json", action="store_true", help="print a JSON object in each line")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the lines, oldest first; 1 when no account has the address."""
    with up_to_date(settings) as store:
        players = [args.player] if args.player else None
        if args.address:
            players = audit_log.accounts_with(store, args.address.strip())
            if not players:
                print("No account has this address now.")
                return 1
        lines = audit_log.listing(store, players, args.since, args.limit)
    for line in lines:
        print(json.dumps(line) if args.json else _written(line))
    if not lines and not args.json:
        print("Nothing is noted.")
    return 0


def _written(line: audit_log.AuditLine) -> str:
    details = " ".join(f"{name}={value}" for name, value in line["details"].items())
    player, network = line["player"] or "-", line["network"] or "-"
    text = f"{line['at']}  {line['what']:<24}  {player:<16}  {network:<18}  {details}".rstrip()
    return printable(text)
