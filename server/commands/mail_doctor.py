"""`ulm mail doctor`: whether mail goes out, comes back to us, and what is in the way where it does not."""

from __future__ import annotations

import argparse
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

from server.commands.opened import up_to_date
from server.commands.terminal import printable
from server.inbox import imap_poller
from server.inbox.imap_poller import Mailbox, MailboxError
from server.inbox.lmtp_listener import Listen
from server.notify.delivery_errors import DeliveryError
from server.notify.mime_message import finish
from server.notify.transport import is_loopback, transport_for
from server.service.common.ids import address_token
from server.service.outbox import received_mail
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage.database import Store
from server.storage.times import utc

WAIT = 60
"""How many seconds a mail may take to come back."""
_SOCKET_SECONDS = 5


def add_actions(actions: Any) -> None:
    """Add `doctor`."""
    doctor = actions.add_parser(
        "doctor", help="check the settings, send a mail to ourselves, and wait until it is here"
    )
    doctor.add_argument("--wait", type=int, default=WAIT, metavar="SECONDS", help=f"for the mail ({WAIT})")
    doctor.set_defaults(action=_doctor)


def _doctor(args: argparse.Namespace, settings: Settings) -> int:
    """0: everything is as it should be. 1: something is in the way, and was named."""
    wrong = [f"wrong  {problem}" for problem in (*_settings(settings), *_doors(settings))]
    for line in wrong:
        print(printable(line))
    if not settings.smtp_url or not settings.reply_domain:
        print("No mail was sent: that needs ULM_SMTP_URL and ULM_REPLY_DOMAIN.")
        return 1
    print("       DNS was not asked: that the domain has an MX record, and SPF, DKIM and DMARC, check elsewhere.")
    with up_to_date(settings) as store:
        return _round_trip(store, settings, args.wait) or (1 if wrong else 0)


def _settings(settings: Settings) -> Iterator[str]:
    """What the settings alone tell."""
    sender = settings.mail_from.rpartition("@")[2]
    if not settings.smtp_url:
        yield "ULM_SMTP_URL is not set: mails are put into files"
    elif _is_local(sender):
        yield f"ULM_MAIL_FROM is at {sender}: other mail servers refuse that"
    if not settings.reply_domain:
        yield "ULM_REPLY_DOMAIN is not set: mails cannot be answered, and nobody tells us of mail that came back"
    base = urlsplit(settings.public_url).hostname or ""
    if settings.smtp_url and _is_local(base):
        yield f"links in mails begin with {settings.public_url}: set ULM_BASE_URL to what players can reach"
    if settings.reply_domain and not (settings.lmtp_listen or settings.imap_url):
        print("       Neither ULM_LMTP_LISTEN nor ULM_IMAP_URL is set: mail has to come by `ulm mail receive`.")


def _is_local(host: str) -> bool:
    return is_loopback(host) or "." not in host or host.endswith((".local", ".localhost"))


def _doors(settings: Settings) -> Iterator[str]:
    """Whether the doors are open."""
    if settings.lmtp_listen:
        problem = _greeted(Listen.parse(settings.lmtp_listen))
        if problem:
            yield (
                f"nobody listens at ULM_LMTP_LISTEN={settings.lmtp_listen} ({problem}): "
                "`ulm serve` does, or `ulm worker` beside servers with ULM_JOBS=off"
            )
        else:
            print(f"ok     the listener at {settings.lmtp_listen} answers")
    if settings.imap_url:
        mailbox = Mailbox.parse(settings.imap_url)
        try:
            with imap_poller.opened(mailbox) as client:
                waiting = int(client.folder_status(mailbox.folder, "MESSAGES")[b"MESSAGES"])
            print(f"ok     the mailbox {mailbox.folder} at {mailbox.host} is open and holds {waiting}")
        except MailboxError as error:
            yield str(error)


def _greeted(listen: Listen) -> str:
    """What is in the way of being greeted there; empty for nothing."""
    made = socket.socket(socket.AF_UNIX if listen.path else socket.AF_INET6 if ":" in listen.host else socket.AF_INET)
    with made:
        made.settimeout(_SOCKET_SECONDS)
        try:
            made.connect(listen.path or (listen.host, listen.port))
            greeting = made.recv(100)
        except OSError as error:
            return (error.strerror or "no answer in time").lower()
    return "" if greeting.startswith(b"220") else f"it says {greeting[:40].decode('ascii', 'replace')}"


def _round_trip(store: Store, settings: Settings, seconds: int) -> int:
    """Send a mail to ourselves and wait for it."""
    token = address_token()
    began = datetime.now(UTC)
    before = received_mail.counts(store, began)
    received_mail.await_check(store, token, began)
    transport = transport_for(settings)
    try:
        transport.send(
            finish(settings, QueuedMail(0, f"check:{token}", "test", utc(began), utc(began)), _mail(settings, token))
        )
    except DeliveryError as error:
        print(f"wrong  the mail server did not take the mail: {printable(str(error))}")
        return 1
    finally:
        transport.close()
    print(f"ok     the mail server has taken a mail to check+…@{settings.reply_domain}; waiting for it")
    until = time.monotonic() + seconds
    while not received_mail.has_arrived(store, token):
        if time.monotonic() > until:
            return _lost(store, settings, before, began, seconds)
        time.sleep(0.2)
    took = (datetime.now(UTC) - began) / timedelta(seconds=1)
    print(f"ok     it came back after {took:.0f} s: mail can be answered")
    return 0


def _mail(settings: Settings, token: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = f"check+{token}@{settings.reply_domain}"
    message["Subject"] = "Does mail come back?"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("This mail is for Ulm by mail itself: `ulm mail doctor` waits for it.\n")
    return message


def _lost(store: Store, settings: Settings, before: dict[str, int], began: datetime, seconds: int) -> int:
    """Say what came instead, and where to look."""
    came = {what: number - before.get(what, 0) for what, number in received_mail.counts(store, began).items()}
    others = ", ".join(f"{number} {what}" for what, number in came.items() if number > 0)
    print(f"wrong  it did not come back within {seconds} s. Other mail that came in meanwhile: {others or 'none'}.")
    print(f"       Look into your mail server's log for check+ at {settings.reply_domain}:")
    print(
        f"       - it knows no such domain: the MX record of {settings.reply_domain} has to lead to it, and it to us;"
    )
    print("       - it knows no such user: what follows the + has to be left alone (recipient_delimiter);")
    print("       - it holds the mail back: its reason is there, often a permission or a socket.")
    return 1
