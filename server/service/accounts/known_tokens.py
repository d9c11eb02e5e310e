"""What the tokens of late requests open, so that not every one of them asks the database.

Kept on SQLite alone, where a change of any account or token by any process ends all of it at once
(`storage/account_changes.py`); and for a few seconds, in case somebody changes the file by other means or dies before
they could tell.
"""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import NamedTuple

from cachetools import LRUCache

from server.service.accounts.players import Access
from server.storage.database import Store

TOKENS = 10_000
FOR = timedelta(seconds=5)


class _Known(NamedTuple):
    mark: bytes
    since: datetime
    access: Access


_known: LRUCache[tuple[int, str], _Known] = LRUCache(TOKENS)
_lock = threading.Lock()


def find(store: Store, hashed: str, now: datetime) -> Access | None:
    """What the token of that hash opens, whenever that ends; None where the database has to be asked."""
    if store.account_changes is None:
        return None
    with _lock:
        found = _known.get((store.number, hashed))
    if found is None or not found.since <= now < found.since + FOR or found.mark != store.account_changes.mark():
        return None
    return found.access


def mark(store: Store) -> bytes | None:
    """What to give to `keep`, asked for before the database is asked; None where nothing is kept."""
    return None if store.account_changes is None else store.account_changes.mark()


def keep(store: Store, hashed: str, access: Access, mark: bytes | None, now: datetime) -> None:
    """Remember what a token opens, unless that has changed since `mark`."""
    if mark is not None:
        with _lock:
            _known[store.number, hashed] = _Known(mark, now, access)
