"""`ulm mail list`, `show`, `retry`, `drop`, `pause`, `resume`: the outbox as operators see and move it; `bounced` and
`allow`: an address to which no mail goes, or goes again."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from server.commands import CommandError
from server.commands.opened import up_to_date
from server.commands.terminal import count, number, printable
from server.notify.mime_message import message_id
from server.service.common import checks
from server.service.outbox import deliveries, mail_queue, pauses, stopped_addresses, stranger_mail
from server.settings import Settings
from server.storage.times import utc


def add_actions(actions: Any) -> None:
    """Add all of them."""
    listing = actions.add_parser("list", help="show the newest mails and how many are in which state")
    listing.add_argument("--state", choices=deliveries.STATES, help="only those in this state")
    listing.add_argument("--limit", type=number, default=20, metavar="N", help="at most so many (20)")
    listing.set_defaults(action=_list)

    show = actions.add_parser("show", help="show all that is known of one mail but what it says")
    show.add_argument("id", type=number, metavar="ID", help="as `ulm mail list` shows it")
    show.set_defaults(action=_show)

    retry = actions.add_parser("retry", help="give dead letters a new start")
    retry.add_argument("ids", nargs="*", type=number, metavar="ID", help="as `ulm mail list --state dead` shows them")
    retry.add_argument("--all", action="store_true", help="all of them")
    retry.set_defaults(action=_retry)

    drop = actions.add_parser("drop", help="never send these, waiting or dead")
    drop.add_argument("ids", nargs="+", type=number, metavar="ID", help="as `ulm mail list` shows them")
    drop.set_defaults(action=_drop)

    pause = actions.add_parser("pause", help="send no mail and let no clock run until `ulm mail resume`")
    pause.add_argument("--why", default="", help="shown by `ulm mail list`")
    pause.set_defaults(action=_pause)

    resume = actions.add_parser(
        "resume", help="send mail and let clocks run again; try one mail at once where none could be sent"
    )
    resume.set_defaults(action=_resume)

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


def _list(args: argparse.Namespace, settings: Settings) -> int:
    with up_to_date(settings) as store:
        paused = pauses.current(store)
        listed = mail_queue.listing(store, args.state, args.limit)
        states = mail_queue.counts(store)
    if paused is not None:
        print(printable(_head(paused)))
    for item in listed:
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
        print("  ".join(printable(word) for word in words))
    print(", ".join(f"{many} {state}" for state, many in states.items()))
    return 0


def _head(paused: pauses.Pause) -> str:
    """The line that stands before all others while no mail is sent."""
    if paused.cause == "operator":
        why = f" ({paused.why})" if paused.why else ""
        return f"PAUSED by `ulm mail pause` since {utc(paused.since)}{why}; `ulm mail resume` ends it."
    again = "" if paused.until is None else f"; tried again at {utc(paused.until)}, or by `ulm mail resume`"
    return f"PAUSED since {utc(paused.since)}, no mail can be sent: {paused.why}{again}."


def _show(args: argparse.Namespace, settings: Settings) -> int:
    with up_to_date(settings) as store:
        mail = mail_queue.show(store, args.id)
        paused = pauses.current(store)
    stopped = None if mail["stopped_at"] is None else f"{mail['stopped_at']}: {mail['stopped_why'] or ''}"
    waits = mail["state"] == "pending"
    lines = {
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
        "address stopped": stopped,
        "queue": _head(paused) if paused is not None and waits else None,
    }
    for name, value in lines.items():
        if value is not None:
            print(f"{name + ':':<16} {printable(str(value))}")
    return 0


def _retry(args: argparse.Namespace, settings: Settings) -> int:
    if bool(args.ids) == args.all:
        raise CommandError("name dead letters by their numbers, or all of them by --all")
    with up_to_date(settings) as store:
        done = mail_queue.retry(store, None if args.all else args.ids, datetime.now(UTC))
    print(f"{count(done, 'mail is', 'mails are')} due again; those that are no longer true are skipped.")
    return 0


def _drop(args: argparse.Namespace, settings: Settings) -> int:
    with up_to_date(settings) as store:
        mail_queue.drop(store, args.ids, datetime.now(UTC))
    print(f"{count(len(args.ids), 'mail is', 'mails are')} not sent.")
    return 0


def _pause(args: argparse.Namespace, settings: Settings) -> int:
    why = checks.text("--why", args.why, pauses.WHY_MAX)
    with up_to_date(settings) as store:
        begun = pauses.pause(store, why, datetime.now(UTC))
    print(
        "No mail is sent and no clock runs until `ulm mail resume`."
        if begun
        else "No mail is sent already; `ulm mail resume` ends it."
    )
    return 0 if begun else 1


def _resume(args: argparse.Namespace, settings: Settings) -> int:
    with up_to_date(settings) as store:
        ended = pauses.resume(store, datetime.now(UTC))
    print("Mail is sent again, or tried at once where none could be sent." if ended else "Mail is not paused.")
    return 0 if ended else 1


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
