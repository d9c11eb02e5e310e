"""`ulm mail list`, `retry`, `drop`, `pause` and `resume`: the outbox as operators see and move it."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from server.commands import CommandError
from server.commands.opened import up_to_date
from server.commands.terminal import count, number, plain
from server.service.common import checks
from server.service.outbox import deliveries, mail_queue, pauses
from server.settings import Settings
from server.storage.models import utc


def add_actions(actions: Any) -> None:
    """Add all of them."""
    listing = actions.add_parser("list", help="show the newest mails and how many are in which state")
    listing.add_argument("--state", choices=deliveries.STATES, help="only those in this state")
    listing.add_argument("--limit", type=number, default=20, metavar="N", help="at most so many (20)")
    listing.set_defaults(action=_list)

    retry = actions.add_parser("retry", help="give dead letters a new start")
    retry.add_argument("ids", nargs="*", type=number, metavar="ID", help="as `ulm mail list --state dead` shows them")
    retry.add_argument("--all", action="store_true", help="all of them")
    retry.set_defaults(action=_retry)

    drop = actions.add_parser("drop", help="never send these, waiting or dead")
    drop.add_argument("ids", nargs="+", type=number, metavar="ID", help="as `ulm mail list` shows them")
    drop.set_defaults(action=_drop)

    pause = actions.add_parser("pause", help="send no mail until `ulm mail resume`")
    pause.add_argument("--why", default="", help="shown by `ulm mail list`")
    pause.set_defaults(action=_pause)

    resume = actions.add_parser("resume", help="send mail again, and try one at once where none could be sent")
    resume.set_defaults(action=_resume)


def _list(args: argparse.Namespace, settings: Settings) -> int:
    with up_to_date(settings) as store:
        paused = pauses.current(store)
        listed = mail_queue.listing(store, args.state, args.limit)
        states = mail_queue.counts(store)
    if paused is not None:
        print(plain(_head(paused)))
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
        print("  ".join(plain(word) for word in words))
    print(", ".join(f"{many} {state}" for state, many in states.items()))
    return 0


def _head(paused: pauses.Pause) -> str:
    """The line that stands before all others while no mail is sent."""
    if paused.cause == "operator":
        why = f" ({paused.why})" if paused.why else ""
        return f"PAUSED by `ulm mail pause` since {utc(paused.since)}{why}; `ulm mail resume` ends it."
    again = "" if paused.until is None else f"; tried again at {utc(paused.until)}, or by `ulm mail resume`"
    return f"PAUSED since {utc(paused.since)}, no mail can be sent: {paused.why}{again}."


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
        "No mail is sent until `ulm mail resume`." if begun else "No mail is sent already; `ulm mail resume` ends it."
    )
    return 0 if begun else 1


def _resume(args: argparse.Namespace, settings: Settings) -> int:
    with up_to_date(settings) as store:
        ended = pauses.resume(store, datetime.now(UTC))
    print("Mail is sent again." if ended else "Mail is not paused.")
    return 0 if ended else 1
