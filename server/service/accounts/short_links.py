"""Short links: a row for each, under a random token of 26 letters, which says nothing by itself.

They stand in mails, where a signed token of 190 characters is broken by mail programs, and in the addresses that mails
are answered to (`play+TOKEN@…`), where nothing longer has room; on their way there letters may change their case.
A row is made once for what it is for (`key`), so that a mail that is composed again, by whatever process, is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from server.engine.canonical import canonical_json
from server.service.common.ids import address_token
from server.service.outbox.addressees import REACHED
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

_SHAPE = re.compile("[a-z2-7]{26}")
_ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class ShortLink:
    """A row. `epoch` is the player's link epoch when it was made, `present` that of now (None: there is no player;
    `links.CLOSED`: nobody is let in)."""

    purpose: str
    claims: Mapping[str, object]
    epoch: int
    made_at: datetime
    present: int | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row to be. `key` says what it is for, whole but for the player's link epoch."""

    key: str
    purpose: str
    claims: Mapping[str, object]
    game: str | None = None
    player: str | None = None


def spelled(text: str) -> str | None:
    """The token that `text` is, however its letters were written; None for what has another shape."""
    folded = text.lower()
    return folded if _SHAPE.fullmatch(folded) else None


_FIND = """
    SELECT l.purpose, l.claims, l.epoch, l.created_at,
        CASE WHEN p.banned_at IS NULL THEN p.link_epoch ELSE -1 END
    FROM short_link l LEFT JOIN player p ON p.id = l.player_id WHERE l.token = ?"""


def find(store: Store, token: str) -> ShortLink | None:
    """The row of a token as `spelled` gives it."""
    with store.read():
        found = sql.row(store, _FIND, token)
    if found is None:
        return None
    purpose, claims, epoch, created_at, present = found
    return ShortLink(purpose, json.loads(claims), epoch, parse_utc(created_at), present)


_BY_KEY = 'SELECT token, created_at FROM short_link WHERE "key" = ?'
# Player and game may be gone by now: their mail is composed by somebody who does not know it yet.
_MAKE = """
    INSERT INTO short_link (token, "key", purpose, claims, game_id, player_id, epoch, created_at)
    VALUES (?, ?, ?, ?, (SELECT id FROM game WHERE id = ?), (SELECT id FROM player WHERE id = ?), ?, ?)
    ON CONFLICT ("key") DO UPDATE SET created_at = excluded.created_at
        WHERE short_link.created_at < excluded.created_at"""


def get(store: Store, wanted: Wanted, epoch: int, not_before: datetime) -> str | None:
    """The token for what is wanted, in the player's link epoch `epoch`; None when there is none that was made at
    `not_before` or later."""
    with store.read():
        found = sql.row(store, _BY_KEY, f"{wanted.key}:{epoch}")
    return None if found is None or found[1] < utc(not_before) else str(found[0])


def get_or_make(store: Store, wanted: Wanted, epoch: int, made_at: datetime, not_before: datetime) -> str:
    """The token for what is wanted, in the player's link epoch `epoch`; the same for all who ask.

    One that is there counts as made at `made_at` from now on if it was made before `not_before`. Writes, in a
    transaction of its own, only what is new: call it outside every transaction.
    """
    token = get(store, wanted, epoch, not_before)
    if token is not None:
        return token
    key = f"{wanted.key}:{epoch}"
    with store.write():
        sql.execute(
            store,
            _MAKE,
            address_token(),
            key,
            wanted.purpose,
            canonical_json(dict(wanted.claims)),
            wanted.game,
            wanted.player,
            epoch,
            utc(made_at),
        )
        found = sql.row(store, _BY_KEY, key)
    if found is None:
        raise RuntimeError("a link that was just made is not there")
    return str(found[0])


# In the player's present epoch. What a parameter is, PostgreSQL cannot tell from a SELECT: hence the casts.
_PREPARE = f"""
    INSERT INTO short_link (token, "key", purpose, claims, game_id, player_id, epoch, created_at)
    SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR) || ':' || CAST(p.link_epoch AS VARCHAR), CAST(? AS VARCHAR),
        CAST(? AS TEXT), CAST(? AS VARCHAR), p.id, p.link_epoch, CAST(? AS VARCHAR)
    FROM player p WHERE p.id = ? AND {REACHED}
    ON CONFLICT ("key") DO NOTHING"""  # noqa: S608


def prepare(store: Store, wanted: Wanted, now: datetime) -> None:
    """Make the row in the running write transaction, with one statement, if mails reach the player."""
    sql.execute(
        store,
        _PREPARE,
        address_token(),
        wanted.key,
        wanted.purpose,
        canonical_json(dict(wanted.claims)),
        wanted.game,
        utc(now),
        wanted.player,
    )


def forget(store: Store, keys: Sequence[str]) -> None:
    """Drop in the running write transaction the rows of the first epoch that are for that."""
    for key in keys:
        sql.execute(store, 'DELETE FROM short_link WHERE "key" = ?', f"{key}:0")


def forget_all(store: Store) -> None:
    """Drop every row in the running write transaction: no link that was sent leads anywhere any more."""
    sql.execute(store, "DELETE FROM short_link")


_OLD = "SELECT token FROM short_link WHERE purpose = ? AND created_at < ? LIMIT ?"


def clean_up(store: Store, purpose: str, before: datetime) -> int:
    """Forget the rows of a purpose that were made before that; how many. Where there are none it only reads."""
    gone = 0
    while True:
        with store.read():
            old = [token for (token,) in sql.rows(store, _OLD, purpose, utc(before), _ROWS_AT_ONCE)]
        if not old:
            return gone
        with store.write():
            for token in old:
                gone += sql.execute(store, "DELETE FROM short_link WHERE token = ?", token).rowcount
