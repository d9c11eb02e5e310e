"""`ulm mail test`: send one mail now and tell what the mail server said."""

from __future__ import annotations

import argparse
import secrets
import sys
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from server.commands import CommandError
from server.commands.terminal import printable
from server.notify import spool
from server.notify.delivery_errors import DeliveryError
from server.notify.mime_message import finish
from server.notify.transport import transport_for
from server.service.common import checks
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage.times import utc


def add_actions(actions: Any) -> None:
    """Add `test`."""
    test = actions.add_parser("test", help="send a test mail now and tell what the mail server said")
    test.add_argument("address", metavar="ADDRESS")
    test.set_defaults(action=_test)


def _test(args: argparse.Namespace, settings: Settings) -> int:
    """Whatever pauses the queue: the mail goes out now. 1: it was not taken."""
    now = datetime.now(UTC)
    address = checks.email(args.address)
    if address is None:
        raise CommandError("give the address that the test mail is to go to")
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = address
    message["Subject"] = "Test mail of Ulm by mail"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"This server sends mail. Links in its mails begin with {settings.public_url}\n")
    queued = QueuedMail(0, f"test:{secrets.token_hex(16)}", "test", utc(now), utc(now))
    transport = transport_for(settings)
    try:
        transport.send(finish(settings, queued, message))
    except DeliveryError as error:
        print(f"ulm: {printable(str(error))}", file=sys.stderr)
        return 1
    finally:
        transport.close()
    if settings.smtp_url:
        print("The mail server has taken it. Look whether it arrives, and not among the spam.")
    else:
        print(f"ULM_SMTP_URL is not set: the mail is a file in {spool.directory(settings)}.")
    return 0
