"""The database for the time of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from server.commands import CommandError
from server.settings import Settings
from server.storage.database import Store, open_database
from server.storage.migrate import pending


@contextmanager
def up_to_date(settings: Settings, threads: int = 1) -> Iterator[Store]:
    """The database, closed behind the block. Raises `CommandError` where its schema is not the present one."""
    store = open_database(settings.database, threads=threads)
    try:
        if pending(store):
            raise CommandError("the schema is not up to date: run `ulm db migrate` first")
        yield store
    finally:
        store.close()
