"""The server in numbers, as the database tells them to who watches it: queues, how old they are, leases, games."""

from __future__ import annotations

from datetime import datetime

from server.metering import Reading
from server.service.outbox import mail_queue
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

COUNTED = mail_queue.COUNTED
_GAMES = "SELECT count(*) FROM (SELECT 1 FROM game WHERE status = ? LIMIT ?) AS found"
_BOTS = "SELECT count(*), min(due_at) FROM (SELECT due_at FROM bot_turn WHERE due_at <= ? LIMIT ?) AS found"
_HINTS = "SELECT count(*), min(asked_at) FROM (SELECT asked_at FROM hint WHERE moves IS NULL LIMIT ?) AS found"
_ANALYSES = """
    SELECT count(*), min(wanted_at) FROM (
        SELECT wanted_at FROM analysis WHERE wanted_at IS NOT NULL ORDER BY wanted_at LIMIT ?) AS found"""
_LEASES = "SELECT name, until FROM lease ORDER BY name"


def readings(store: Store, now: datetime) -> list[Reading]:
    """What `/metrics` shows beside what processes measure. From indexes, and of what is long up to `COUNTED` rows."""
    with store.read():
        mail = mail_queue.figures(store, now)
        games = {one: float(sql.value(store, _GAMES, one, COUNTED) or 0) for one in ("open", "running")}
        [bots] = sql.rows(store, _BOTS, utc(now), COUNTED)
        [hints] = sql.rows(store, _HINTS, COUNTED)
        [analyses] = sql.rows(store, _ANALYSES, COUNTED)
        leases = sql.rows(store, _LEASES)

    def age(since: str | None) -> float:
        return 0.0 if since is None else max(0.0, (now - parse_utc(since)).total_seconds())

    some = f"(counted up to {COUNTED})"
    longest = "How long the one that waits longest has waited:"
    ones = (
        ("ulm_mail_queue_age_seconds", f"{longest} mails that are due.", age(mail["oldest_due"])),
        ("ulm_mail_pending", f"Mails that are due and wait {some}.", mail["pending"]),
        ("ulm_mail_dead", f"Dead letters {some}.", mail["dead"]),
        ("ulm_mail_stopped_addresses", "Addresses to which no mail goes.", mail["stopped_addresses"]),
        ("ulm_mail_waiting_clocks", f"Games whose clock waits for a mail {some}.", mail["waiting_clocks"]),
        ("ulm_bot_turns_due", f"Turns of bots that are due {some}.", bots[0]),
        ("ulm_bot_queue_age_seconds", f"{longest} turns of bots that are due.", age(bots[1])),
        ("ulm_hints_due", f"Hints that are thought about or wait {some}.", hints[0]),
        ("ulm_hint_queue_age_seconds", f"{longest} hints.", age(hints[1])),
        ("ulm_analyses_due", f"Analyses that are under way or wait {some}.", analyses[0]),
        ("ulm_analysis_queue_age_seconds", f"{longest} analyses.", age(analyses[1])),
    )
    paused = {cause: float(is_paused) for cause, is_paused in mail["paused"].items()}
    totals = {outcome: float(mail["totals"].get(outcome, 0)) for outcome in ("sent", "failed", "dead")}
    lasting = {name: max(0.0, (parse_utc(until) - now).total_seconds()) for name, until in leases}
    return [
        *(Reading(name, words, {"": value}) for name, words, value in ones),
        Reading("ulm_mail_paused", "Whether no mail is sent, and on whose account.", paused, "cause"),
        Reading("ulm_mails_total", "Mails that were sent, failed, or were given up.", totals, "outcome", counter=True),
        Reading("ulm_games", f"Games that are not over {some}.", games, "status"),
        Reading("ulm_lease_remaining_seconds", "For how long a process still has a job; 0: none does.", lasting, "job"),
    ]
