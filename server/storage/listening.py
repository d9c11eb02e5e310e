"""PostgreSQL's LISTEN and NOTIFY, on a connection of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from server.storage.database import Store
from server.storage.pools import CONNECT_SECONDS
from server.storage.unusable import StoreError, reason

if TYPE_CHECKING:
    import psycopg

CHANNEL = "ulm_changes"
_NOTIFY = "SELECT pg_notify(%s, game) FROM unnest(%s::text[]) AS game"

# Who only listens would never find out that the other machine is gone.
_STILL_THERE: dict[str, Any] = {
    "application_name": "ulm signals",
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}


@contextmanager
def listening_connection(store: Store) -> Iterator[psycopg.Connection]:
    """A connection to the PostgreSQL of `store` that hears what is told on the channel. Raises `StoreError`."""
    import psycopg

    try:
        connection = psycopg.connect(
            store.database.database, autocommit=True, connect_timeout=CONNECT_SECONDS, **_STILL_THERE
        )
    except psycopg.Error as error:
        raise StoreError(f"cannot reach the database {store.name}: {reason(error)}") from error
    try:
        # A signal that a power cut takes is missed by nobody: no move of anybody waits for it.
        connection.execute("SET synchronous_commit = off")
        connection.execute(f"LISTEN {CHANNEL}")
        yield connection
    except psycopg.Error as error:
        raise StoreError(f"the connection to the database {store.name} broke: {reason(error)}") from error
    finally:
        connection.close()


def notify(connection: psycopg.Connection, games: Iterable[str]) -> set[str]:
    """Tell all who listen of these games; those that others have told of since the last call. Raises `StoreError`."""
    import psycopg

    told = sorted(games)
    try:
        if told:
            connection.execute(_NOTIFY, (CHANNEL, told))
        own = connection.info.backend_pid
        return {heard.payload for heard in connection.notifies(timeout=0) if heard.pid != own}
    except psycopg.Error as error:
        raise StoreError(f"the connection to the database broke: {reason(error)}") from error
