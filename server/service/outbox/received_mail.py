"""What became of mail that came in, as hashes, so that a mail is done once. What is dropped is only counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal, TypedDict, cast

from server.service.common import db_rate_limits
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

Result = Literal["done", "dropped", "again"]


@dataclass(frozen=True, slots=True)
class Seen:
    """An earlier arrival of the same mail: what became of it, and how often doing it failed by a mistake of ours."""

    outcome: str
    tries: int


def mail_key(token: str, message_id: str) -> str:
    """What a mail to the address with this token is known by."""
    return _hash(f"mail {token} {message_id}")


def _player(player_id: str | None) -> str | None:
    return None if player_id is None else _hash(f"player {player_id}")


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def find(store: Store, key: str) -> Seen | None:
    """What became of a mail the last time; None for one that was not here."""
    found = sql.row(store, "SELECT outcome, tries FROM received_mail WHERE key = ?", key)
    return None if found is None else Seen(*found)


def too_many(
    store: Store,
    token: str,
    player_id: str | None,
    of_token: Mapping[timedelta, int],
    of_player: Mapping[timedelta, int],
    now: datetime,
) -> bool:
    """Whether as many mails came to the address or to all of the player's, within one of these times, as may."""
    for column, value, limits in (("address", _hash(token), of_token), ("player", _player(player_id), of_player)):
        for span, most in limits.items():
            statement = f"SELECT count(*) FROM received_mail WHERE {column} = ? AND at > ?"  # noqa: S608
            if value is not None and sql.rows(store, statement, value, utc(now - span))[0][0] >= most:
                return True
    return False


def may_search(store: Store, an_hour: int, now: datetime) -> bool:
    """Note that a report is searched for a token; False when so many were within the hour already."""
    with store.write():
        return db_rate_limits.take(store, "reports", "searched", an_hour, timedelta(hours=1), now)


_NOTE = """
    INSERT INTO received_mail (key, at, door, address, player, outcome, why, size, tries)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET at = excluded.at, outcome = excluded.outcome, why = excluded.why,
        tries = received_mail.tries + excluded.tries"""
_COUNT = """
    INSERT INTO received_count (day, what, number) VALUES (?, ?, 1)
    ON CONFLICT (day, what) DO UPDATE SET number = received_count.number + 1"""


def note(
    store: Store,
    key: str,
    door: str,
    token: str,
    player_id: str | None,
    outcome: Result,
    why: str,
    size: int,
    now: datetime,
    failed: bool = False,
) -> None:
    """Keep what became of a mail, and count it. `failed`: a mistake of ours was in the way."""
    with store.write():
        values = (key, utc(now), door, _hash(token), _player(player_id), outcome, why[:60], size, 1 if failed else 0)
        sql.execute(store, _NOTE, *values)
        _count(store, outcome, why, now)


def count(store: Store, outcome: Result, why: str, now: datetime) -> None:
    """Count a mail of which nothing else is kept."""
    with store.write():
        _count(store, outcome, why, now)


def _count(store: Store, outcome: str, why: str, now: datetime) -> None:
    sql.execute(store, _COUNT, utc(now)[:10], f"{outcome} {why}".strip()[:70])


def await_check(store: Store, token: str, now: datetime) -> None:
    """Expect a mail to `check+TOKEN`."""
    with store.write():
        sql.execute(
            store, _NOTE, _hash(f"check {token}"), utc(now), "check", _hash(token), None, "awaited", "doctor", 0, 0
        )


def check_arrived(store: Store, token: str, size: int, now: datetime) -> bool:
    """Note that a mail to `check+TOKEN` is here; whether it was expected."""
    statement = "UPDATE received_mail SET outcome = 'done', at = ?, size = ? WHERE key = ? AND door = 'check'"
    with store.write():
        return bool(sql.execute(store, statement, utc(now), size, _hash(f"check {token}")).rowcount)


def has_arrived(store: Store, token: str) -> bool:
    """Whether the mail that `await_check` expects came."""
    seen = find(store, _hash(f"check {token}"))
    return seen is not None and seen.outcome == "done"


class ReceivedLine(TypedDict):
    """A mail that was worth a look, for the operator's eyes."""

    at: str
    door: str
    outcome: str
    why: str
    size: int
    tries: int


def listing(store: Store, limit: int) -> list[ReceivedLine]:
    """The newest `limit` mails, newest first."""
    statement = "SELECT at, door, outcome, why, size, tries FROM received_mail ORDER BY at DESC, id DESC LIMIT ?"
    return cast("list[ReceivedLine]", sql.dicts(store, statement, limit))


def counts(store: Store, since: datetime) -> dict[str, int]:
    """How many mails came in from that day on, by what became of them and why, the most frequent first."""
    statement = """
        SELECT what, sum(number) AS together FROM received_count WHERE day >= ? GROUP BY what
        ORDER BY together DESC, what"""
    return {what: int(number) for what, number in sql.rows(store, statement, utc(since)[:10])}


def clean_up(store: Store, before: datetime) -> int:
    """Forget mails and counts from before that time; how many mails."""
    with store.write():
        sql.execute(store, "DELETE FROM received_count WHERE day < ?", utc(before)[:10])
        return int(sql.execute(store, "DELETE FROM received_mail WHERE at < ?", utc(before)).rowcount)
