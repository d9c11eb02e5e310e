"""`ulm mail`: the outbox as operators see and move it, a test mail, and mail from a mail server's pipe."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from datetime import timedelta
from email.message import EmailMessage

from server.commands import (
    CommandError,
    argument,
    command,
    count,
    now,
    number,
    printable,
    require_database,
    say,
    say_fields,
    told,
    up_to_date,
    with_database,
)
from server.commands.worker import receiver
from server.inbox.limits import SIZE
from server.notify import spool
from server.notify.mime_message import finish, message_id
from server.notify.smtp_verdicts import DeliveryError
from server.notify.transport import transport_for
from server.service.common import checks
from server.service.outbox import deliveries, mail_queue, pauses, received_mail, stopped_addresses, stranger_mail
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage.database import Store
from server.storage.times import utc
from server.storage.unusable import StoreError

TEMPFAIL = 75
"""What every mail server takes for `keep it and try again` (EX_TEMPFAIL of sysexits.h)."""
IDS = argument("ids", nargs="+", type=number, metavar="ID", help="as `ulm mail list` shows them")
ADDRESS = argument("address", metavar="ADDRESS")
_BACK = "A mail to this address came back."

# --- the queue ----------------------------------------------------------------------------------------------------


@command(
    "mail list",
    "show the newest mails and how many are in which state",
    argument("--state", choices=deliveries.STATES, help="only those in this state"),
    argument("--limit", type=number, default=20, metavar="N", help="at most so many (20)"),
)
@with_database
def list_mails(args: argparse.Namespace, store: Store) -> None:
    """A line for each, then the numbers; why none is sent stands before all others."""
    paused = pauses.current(store)
    if paused is not None:
        say(head(paused))
    for item in mail_queue.listing(store, args.state, args.limit):
        where = f"game {item['game_id']} ply {item['ply']}" if item["game_id"] else "-"
        words = [
            f"{item['id']:>7}  {item['state']:<8}  {item['kind']:<16}  due {item['due_at']}  tries {item['attempts']}",
            f"{where}  to {item['address'] or item['player_id'] or '-'}",
        ]
        if item["state"] == "pending" and item["lease_until"]:
            words.append(f"again {item['lease_until']}")
        if item["error"]:
            words.append(f"({item['error']})")
        say("  ".join(words))
    print(", ".join(f"{many} {state}" for state, many in mail_queue.counts(store).items()))


def head(paused: pauses.Pause) -> str:
    """Why no mail is sent, since when, and what ends that."""
    if paused.cause == "operator":
        why = f" ({paused.why})" if paused.why else ""
        return f"PAUSED by `ulm mail pause` since {utc(paused.since)}{why}; `ulm mail resume` ends it."
    again = "" if paused.until is None else f"; tried again at {utc(paused.until)}, or by `ulm mail resume`"
    return f"PAUSED since {utc(paused.since)}, no mail can be sent: {paused.why}{again}."


@command(
    "mail show",
    "show all that is known of one mail but what it says",
    argument("id", type=number, metavar="ID", help="as `ulm mail list` shows it"),
)
def show(args: argparse.Namespace, settings: Settings) -> None:
    """A line for each thing that is known."""
    with up_to_date(settings) as store:
        mail = mail_queue.show(store, args.id)
        paused = pauses.current(store)
    waits = mail["state"] == "pending"
    say_fields(
        {
            "mail": mail["id"],
            "state": mail["state"],
            "about": mail["key"],
            "kind": mail["kind"],
            "game": None if mail["game_id"] is None else f"{mail['game_id']} ply {mail['ply']}",
            "player": None if mail["player_id"] is None else f"{mail['player_id']} {mail['player'] or ''}",
            "to": mail["address"],
            "Message-ID": mail["message_id"] or message_id(settings, mail["key"]),
            "written": mail["created_at"],
            "due": mail["due_at"],
            "done": mail["done_at"],
            "tries": f"{mail['attempts']} of {settings.mail_tries}",
            "again": mail["lease_until"] if waits else None,
            "claimed by": None if mail["lease_owner"] is None else f"{mail['lease_owner']} until {mail['lease_until']}",
            "request": mail["request"],
            "error": mail["error"],
            "fault": mail["fault"],
            "address stopped": mail["stopped_at"] and f"{mail['stopped_at']}: {mail['stopped_why'] or ''}",
            "queue": head(paused) if paused is not None and waits else None,
        }
    )


@command(
    "mail retry",
    "give dead letters a new start",
    argument("ids", nargs="*", type=number, metavar="ID", help="as `ulm mail list --state dead` shows them"),
    argument("--all", action="store_true", help="all of them"),
)
@with_database
def retry(args: argparse.Namespace, store: Store) -> None:
    """Let them be due again."""
    if bool(args.ids) == args.all:
        raise CommandError("name dead letters by their numbers, or all of them by --all")
    done = mail_queue.retry(store, None if args.all else args.ids, now())
    print(f"{count(done, 'mail is', 'mails are')} due again; those that are no longer true are skipped.")


@command("mail drop", "never send these, waiting or dead", IDS)
@with_database
def drop(args: argparse.Namespace, store: Store) -> None:
    """All of them, or none."""
    mail_queue.drop(store, args.ids, now())
    print(f"{count(len(args.ids), 'mail is', 'mails are')} not sent.")


@command(
    "mail pause",
    "send no mail and let no clock run until `ulm mail resume`",
    argument("--why", default="", help="shown by `ulm mail list`"),
)
@with_database
def pause(args: argparse.Namespace, store: Store) -> int:
    """1 when it is paused already."""
    begun = pauses.pause(store, checks.text("--why", args.why, pauses.WHY_MAX), now())
    already = "No mail is sent already; `ulm mail resume` ends it."
    return told(begun, "No mail is sent and no clock runs until `ulm mail resume`.", already)


@command("mail resume", "send mail and let clocks run again; try one mail at once where none could be sent")
@with_database
def resume(args: argparse.Namespace, store: Store) -> int:
    """1 when it is not paused."""
    ended = pauses.resume(store, now())
    return told(ended, "Mail is sent again, or tried at once where none could be sent.", "Mail is not paused.")


# --- addresses ----------------------------------------------------------------------------------------------------


@command(
    "mail bounced",
    "a mail to this address came back: send no more there",
    ADDRESS,
    argument("--why", default=_BACK, help="what the player is told (a mail to this address came back)"),
)
@with_database
def bounced(args: argparse.Namespace, store: Store) -> int:
    """1 when nobody has it and nothing waits for it."""
    why = checks.text("--why", args.why, stopped_addresses.WHY_MAX, 1)
    players, mails = stopped_addresses.bounced(store, args.address, why, now())
    stopped = (
        f"{count(players, 'account gets', 'accounts get')} no more mail until its address is confirmed again; "
        f"{count(mails, 'waiting mail is', 'waiting mails are')} not sent."
    )
    nobody = "No account that gets mail has this address, and no mail waits for it."
    return told(bool(players or mails), stopped, nobody)


@command("mail allow", "let mail go again to an address whose reader wanted none for ever", ADDRESS)
@with_database
def allow(args: argparse.Namespace, store: Store) -> int:
    """1 when mail to it is not stopped."""
    address = checks.email(args.address)
    allowed = address is not None and stranger_mail.unblock(store, stranger_mail.claim(address), now())
    return told(allowed, "Mail may go to this address again.", "Mail to this address is not stopped by its reader.")


# --- a mail that is sent now --------------------------------------------------------------------------------------


def send_now(settings: Settings, to: str, key: str, subject: str, text: str) -> str | None:
    """Send a mail that is in no queue, whatever pauses that; what the mail server said when it did not take it."""
    message = EmailMessage()
    headers = {"From": settings.mail_from, "To": to, "Subject": subject, "Auto-Submitted": "auto-generated"}
    for name, value in headers.items():
        message[name] = value
    message.set_content(f"{text}\n")
    moment = utc(now())
    transport = transport_for(settings)
    try:
        transport.send(finish(settings, QueuedMail(0, key, "test", moment, moment), message))
    except DeliveryError as error:
        return printable(str(error))
    finally:
        transport.close()
    return None


@command("mail test", "send a test mail now and tell what the mail server said", ADDRESS)
def test(args: argparse.Namespace, settings: Settings) -> int:
    """1 when it was not taken."""
    address = checks.email(args.address)
    if address is None:
        raise CommandError("give the address that the test mail is to go to")
    require_database(settings)  # else these are not the service's settings, and its links are not either
    text = f"This server sends mail. Links in its mails begin with {settings.public_url}"
    refused = send_now(settings, address, f"test:{secrets.token_hex(16)}", "Test mail of Ulm by mail", text)
    if refused is not None:
        print(f"ulm: {refused}", file=sys.stderr)
        return 1
    if settings.smtp_url:
        print("The mail server has taken it. Look whether it arrives, and not among the spam.")
    else:
        print(f"ULM_SMTP_URL is not set: the mail is a file in {spool.directory(settings)}.")
    return 0


# --- mail that comes in -------------------------------------------------------------------------------------------


@command(
    "mail receive",
    "take one mail from stdin: 0 done or dropped, 75 try again",
    argument(
        "recipients",
        nargs="*",
        metavar="RECIPIENT",
        help="of the envelope (else ORIGINAL_RECIPIENT or RECIPIENT in the environment, else those of the header)",
    ),
    argument("--sender", help="of the envelope; empty for the null sender (else SENDER, else the header's)"),
    failed=TEMPFAIL,
)
def receive(args: argparse.Namespace, settings: Settings) -> int:
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
    sender = os.environ.get("SENDER") if args.sender is None else args.sender
    # Postfix writes MAILER-DAEMON for the null sender.
    return recipients, "" if sender is not None and sender.upper() in ("MAILER-DAEMON", "<>") else sender


@command(
    "mail received",
    "show what became of mail that came in",
    argument("--days", type=int, default=7, choices=range(1, 31), metavar="N", help="of so many days (7)"),
)
@with_database
def received(args: argparse.Namespace, store: Store) -> None:
    """The newest, then the numbers."""
    since = now() - timedelta(days=args.days - 1)
    for line in received_mail.listing(store, 20):
        tries = f"  tries {line['tries']}" if line["tries"] else ""
        print(f"{line['at']}  {line['door']:<6}  {line['outcome']:<8}{line['why']:<24}{line['size']:>9} bytes{tries}")
    counts = received_mail.counts(store, since)
    print(f"Since {since:%Y-%m-%d}:" if counts else f"Since {since:%Y-%m-%d} no mail has come in.")
    for what, many in counts.items():
        print(f"{many:>8}  {what}")
