"""`ulm mail`: look at outgoing mail, try dead letters again, test the mail server, stop an address."""

from __future__ import annotations

import argparse
import secrets
import sys
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from server.commands import CommandError
from server.commands.opened import up_to_date
from server.notify import spool
from server.notify.delivery_errors import DeliveryError
from server.notify.mime_message import finish
from server.notify.transport import transport_for
from server.service.common import checks
from server.service.common.errors import ServiceError
from server.service.outbox import deliveries, unsolicited
from server.service.outbox.deliveries import Notice
from server.settings import Settings
from server.storage.database import Store
from server.storage.models import utc


def add_parser(subparsers: Any) -> None:
    """Add `mail` with its own sub-commands."""
    parser = subparsers.add_parser("mail", help="look after outgoing mail")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="show the newest mails and how many are in which state")
    listing.add_argument("--state", choices=deliveries.STATES, help="only those in this state")
    listing.add_argument("--limit", type=_number, default=20, metavar="N", help="at most so many (20)")
    listing.set_defaults(module=sys.modules[__name__], action=_list)

    retry = actions.add_parser("retry", help="give dead letters a new start")
    retry.add_argument("ids", nargs="*", type=_number, metavar="ID", help="as `ulm mail list --state dead` shows them")
    retry.add_argument("--all", action="store_true", help="all of them")
    retry.set_defaults(module=sys.modules[__name__], action=_retry)

    test = actions.add_parser("test", help="send a test mail now and tell what the mail server said")
    test.add_argument("address", metavar="ADDRESS")
    test.set_defaults(module=sys.modules[__name__], action=_test)

    bounced = actions.add_parser("bounced", help="a mail to this address came back: send no more there")
    bounced.add_argument("address", metavar="ADDRESS")
    bounced.add_argument(
        "--why",
        default="A mail to this address came back.",
        help="what the player is told (a mail to this address came back)",
    )
    bounced.set_defaults(module=sys.modules[__name__], action=_bounced)

    allow = actions.add_parser("allow", help="let mail go again to an address whose reader wanted none for ever")
    allow.add_argument("address", metavar="ADDRESS")
    allow.set_defaults(module=sys.modules[__name__], action=_allow)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do one action: 0 done, 1 the test mail was not taken. Raises `CommandError` for what cannot be done."""
    if args.action is _test:
        return _test(args, settings)
    try:
        with up_to_date(settings) as store:
            return int(args.action(args, store))
    except ServiceError as error:
        raise CommandError(error.message) from error


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text[:12]) < 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _list(args: argparse.Namespace, store: Store) -> int:
    for item in deliveries.listing(store, args.state, args.limit):
        where = f"game {item['game_id']} ply {item['ply']}" if item["game_id"] else "-"
        words = [
            f"{item['id']:>7}",
            f"{item['state']:<8}",
            f"{item['kind']:<16}",
            f"due {item['due_at']}",
            f"tries {item['attempts']}",
            where,
            f"to {item['address'] or item['player_id'] or '-'}",
        ]
        if item["state"] == "pending" and item["lease_until"]:
            words.append(f"again {item['lease_until']}")
        if item["error"]:
            words.append(f"({item['error']})")
        print("  ".join(_plain(word) for word in words))
    print(", ".join(f"{number} {state}" for state, number in deliveries.counts(store).items()))
    return 0


def _retry(args: argparse.Namespace, store: Store) -> int:
    if bool(args.ids) == args.all:
        raise CommandError("name dead letters by their numbers, or all of them by --all")
    number = deliveries.retry(store, None if args.all else args.ids, datetime.now(UTC))
    print(f"{number} {'mail is' if number == 1 else 'mails are'} due again; those that are no longer true are skipped.")
    return 0


def _bounced(args: argparse.Namespace, store: Store) -> int:
    why = checks.text("--why", args.why, deliveries.ERROR_MAX, 1)
    players, mails = deliveries.bounced(store, args.address, why, datetime.now(UTC))
    if not players and not mails:
        print("No account that gets mail has this address, and no mail waits for it.")
        return 1
    print(
        f"{_count(players, 'account gets', 'accounts get')} no more mail until its address is confirmed again; "
        f"{_count(mails, 'waiting mail is', 'waiting mails are')} not sent."
    )
    return 0


def _allow(args: argparse.Namespace, store: Store) -> int:
    address = checks.email(args.address)
    if address is None or not unsolicited.unblock(store, unsolicited.claim(address), datetime.now(UTC)):
        print("Mail to this address is not stopped by its reader.")
        return 1
    print("Mail may go to this address again.")
    return 0


def _test(args: argparse.Namespace, settings: Settings) -> int:
    now = datetime.now(UTC)
    try:
        address = checks.email(args.address)
    except ServiceError as error:
        raise CommandError(error.message) from error
    if address is None:
        raise CommandError("give the address that the test mail is to go to")
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = address
    message["Subject"] = "Test mail of Ulm by mail"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"This server sends mail. Links in its mails begin with {settings.public_url}\n")
    notice = Notice(0, f"test:{secrets.token_hex(16)}", "test", utc(now), utc(now))
    transport = transport_for(settings)
    try:
        transport.send(finish(settings, notice, message))
    except DeliveryError as error:
        print(f"ulm: {_plain(str(error))}", file=sys.stderr)
        return 1
    finally:
        transport.close()
    if settings.smtp_url:
        print("The mail server has taken it. Look whether it arrives, and not among the spam.")
    else:
        print(f"ULM_SMTP_URL is not set: the mail is a file in {spool.directory(settings)}.")
    return 0


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _plain(text: str) -> str:
    """On one line: what others sent (a mail server's answer) must not write to the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
