"""`ulm mail bounced` and `allow`: say of an address that mail to it came back, or that it may be written to again."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from server.commands.opened import up_to_date
from server.commands.terminal import count
from server.service.common import checks
from server.service.outbox import stopped_addresses, stranger_mail
from server.settings import Settings


def add_actions(actions: Any) -> None:
    """Add `bounced` and `allow`."""
    bounced = actions.add_parser("bounced", help="a mail to this address came back: send no more there")
    bounced.add_argument("address", metavar="ADDRESS")
    bounced.add_argument(
        "--why",
        default="A mail to this address came back.",
        help="what the player is told (a mail to this address came back)",
    )
    bounced.set_defaults(action=_bounced)

    allow = actions.add_parser("allow", help="let mail go again to an address whose reader wanted none for ever")
    allow.add_argument("address", metavar="ADDRESS")
    allow.set_defaults(action=_allow)


def _bounced(args: argparse.Namespace, settings: Settings) -> int:
    why = checks.text("--why", args.why, stopped_addresses.WHY_MAX, 1)
    with up_to_date(settings) as store:
        players, mails = stopped_addresses.bounced(store, args.address, why, datetime.now(UTC))
    if not players and not mails:
        print("No account that gets mail has this address, and no mail waits for it.")
        return 1
    print(
        f"{count(players, 'account gets', 'accounts get')} no more mail until its address is confirmed again; "
        f"{count(mails, 'waiting mail is', 'waiting mails are')} not sent."
    )
    return 0


def _allow(args: argparse.Namespace, settings: Settings) -> int:
    address = checks.email(args.address)
    with up_to_date(settings) as store:
        if address is None or not stranger_mail.unblock(store, stranger_mail.claim(address), datetime.now(UTC)):
            print("Mail to this address is not stopped by its reader.")
            return 1
    print("Mail may go to this address again.")
    return 0
