"""Writing into the outbox, in the transaction of what causes it: what happened and whom to tell, never the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from server import request_ids
from server.engine.canonical import canonical_json
from server.service.common.ids import address_token
from server.service.outbox import channel_queue
from server.service.outbox.addressees import REACHED
from server.service.outbox.news import Kind, News
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_INSERT = """
    INSERT INTO mail ("key", kind, game_id, ply, player_id, address, data, state, due_at, attempts, created_at,
        bounce_token, request) """
_ONCE = ' ON CONFLICT ("key") DO NOTHING'
# What a parameter is, PostgreSQL cannot tell from a SELECT: hence the casts.
_TO_PLAYER = f"""
    SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS INTEGER), p.id, NULL, CAST(? AS TEXT),
        'pending', CAST(? AS VARCHAR), 0, CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR)
    FROM player p WHERE p.id = ? AND {REACHED}"""  # noqa: S608
_TO_ADDRESS = "VALUES (?, ?, ?, NULL, ?, ?, ?, 'pending', ?, 0, ?, ?, ?)"


def tell(store: Store, news: Sequence[News], now: datetime) -> int:
    """Tell players by mail, whom it reaches, and by their other channels, in the running transaction; how many mails
    are new."""
    if not news:
        return 0
    at = utc(now)
    values: list[object] = []
    for one in news:
        values += (one.key, one.kind, one.game, one.ply, canonical_json(dict(one.data)), at, at)
        values += (address_token(), request_ids.present(), one.player)
    channel_queue.put(store, news, now)
    return int(sql.execute(store, _INSERT + " UNION ALL ".join([_TO_PLAYER] * len(news)) + _ONCE, *values).rowcount)


def enqueue(
    store: Store,
    kind: Kind,
    address: str,
    *,
    key: str,
    now: datetime,
    player_id: str | None = None,
    game_id: str | None = None,
    data: Mapping[str, object] | None = None,
) -> bool:
    """Write a mail to `address` into the running transaction; whether it is new, by its `key`."""
    at = utc(now)
    said = canonical_json(data or {})
    values = (key, kind, game_id, player_id, address, said, at, at, address_token(), request_ids.present())
    return bool(sql.execute(store, _INSERT + _TO_ADDRESS + _ONCE, *values).rowcount == 1)


def known(store: Store, keys: Sequence[str]) -> set[str]:
    """Those of `keys` that are in the outbox, for mail or another channel, whatever became of them."""
    if not keys:
        return set()
    return {key for (key,) in sql.rows(store, _KNOWN.format(marks=sql.marks(keys)), *keys, *keys)}


_KNOWN = """
    SELECT "key" FROM mail WHERE "key" IN {marks} UNION SELECT "key" FROM delivery WHERE "key" IN {marks}"""


_OF_TURNS = "game_id = ? AND kind IN ('turn', 'reminder') AND ply >= ?"
_FORGET = """
    UPDATE {table} SET "key" = "key" || ':' || id,
        error = CASE WHEN state IN ('pending', 'dead') THEN 'the turn was taken back' ELSE error END,
        done_at = CASE WHEN state IN ('pending', 'dead') THEN CAST(? AS VARCHAR) ELSE done_at END,
        state = CASE WHEN state IN ('pending', 'dead') THEN 'skipped' ELSE state END
    WHERE """


def forget_turns(store: Store, game_id: str, ply: int, now: datetime) -> None:
    """Let the news of turns that began at `ply` or later be told anew, for their beginning was taken back; those that
    wait go to nobody. In the running transaction."""
    for table in ("mail", "delivery"):
        sql.lock_in_order(store, table, _OF_TURNS, game_id, ply)
        sql.execute(store, _FORGET.format(table=table) + _OF_TURNS, utc(now), game_id, ply)
