"""`ulm mail receive`: one mail from stdin, as a mail server's pipe or a provider's script hands it in; and
`ulm mail received`: what became of those."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from server.commands import CommandError
from server.commands.background import receiver
from server.commands.opened import up_to_date
from server.inbox.limits import SIZE
from server.service.outbox import received_mail
from server.settings import Settings
from server.storage.unusable import StoreError

TEMPFAIL = 75
"""What every mail server takes for `keep it and try again` (EX_TEMPFAIL of sysexits.h)."""


def add_actions(actions: Any) -> None:
    """Add `receive` and `received` to the sub-commands of `ulm mail`."""
    receive = actions.add_parser("receive", help="take one mail from stdin: 0 done or dropped, 75 try again")
    receive.add_argument(
        "recipients",
        nargs="*",
        metavar="RECIPIENT",
        help="of the envelope (else ORIGINAL_RECIPIENT or RECIPIENT in the environment, else those of the header)",
    )
    receive.add_argument("--sender", help="of the envelope; empty for the null sender (else SENDER, else the header's)")
    receive.set_defaults(action=_receive, failed=TEMPFAIL)

    received = actions.add_parser("received", help="show what became of mail that came in")
    received.add_argument("--days", type=int, default=7, choices=range(1, 31), metavar="N", help="of so many days (7)")
    received.set_defaults(action=_received)


def _receive(args: argparse.Namespace, settings: Settings) -> int:
    """Whatever happens: what the mail server is told is either that the mail was worked on, or to keep it."""
    try:
        if not settings.reply_domain:
            raise CommandError("ULM_REPLY_DOMAIN is not set, so there are no addresses that mail may come to")
        data = sys.stdin.buffer.read(SIZE + 1)
        while len(data) > SIZE and sys.stdin.buffer.read(1_000_000):
            pass  # or the mail server takes the broken pipe for trouble
        with up_to_date(settings) as store:
            return TEMPFAIL if receiver(store, settings)(data, *_envelope(args)).result == "again" else 0
    except (CommandError, StoreError):
        raise  # one line, and TEMPFAIL
    except Exception as error:
        # No traceback: mail servers show what a command prints to whoever wrote the mail.
        print(f"ulm: not now ({type(error).__name__})", file=sys.stderr)
        return TEMPFAIL


def _envelope(args: argparse.Namespace) -> tuple[list[str], str | None]:
    recipients = [one for one in args.recipients if one]
    for name in ("ORIGINAL_RECIPIENT", "RECIPIENT"):
        if not recipients and os.environ.get(name):
            recipients = [os.environ[name]]
    sender: str | None = args.sender
    if sender is None:
        sender = os.environ.get("SENDER")
    # Postfix writes MAILER-DAEMON for the null sender.
    return recipients, "" if sender is not None and sender.upper() in ("MAILER-DAEMON", "<>") else sender


def _received(args: argparse.Namespace, settings: Settings) -> int:
    since = datetime.now(UTC) - timedelta(days=args.days - 1)
    with up_to_date(settings) as store:
        for line in received_mail.listing(store, 20):
            tries = f"  tries {line['tries']}" if line["tries"] else ""
            print(
                f"{line['at']}  {line['door']:<6}  {line['outcome']:<8}{line['why']:<24}{line['size']:>9} bytes{tries}"
            )
        counts = received_mail.counts(store, since)
    print(f"Since {since:%Y-%m-%d}:" if counts else f"Since {since:%Y-%m-%d} no mail has come in.")
    for what, number in counts.items():
        print(f"{number:>8}  {what}")
    return 0
