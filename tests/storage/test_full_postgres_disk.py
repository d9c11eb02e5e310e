"""A PostgreSQL whose disk is full, really: a small file system of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.storage import readiness, sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from server.storage.unusable import StoreFullError
from tests import postgres
from tests.chaos.database import Database
from tests.chaos.small_disk import NoDiskError, SmallDisk

pytestmark = pytest.mark.postgres


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[tuple[SmallDisk, Store]]:
    try:
        database = Database("postgresql", tmp_path, small_disk=True)
    except (postgres.NoPostgresError, NoDiskError) as error:
        pytest.skip(str(error))
    store = open_database(database.url, threads=2)
    try:
        migrate(store)
        assert database.disk is not None
        yield database.disk, store
    finally:
        store.close()
        database.stop()


def grow(store: Store) -> None:
    with store.write():
        sql.execute(
            store, "INSERT INTO lease (name, owner, until) SELECT n, '', '' FROM generate_series(1, 100000) AS n"
        )


def test_a_small_write_that_succeeds_does_not_make_it_ready(disk: tuple[SmallDisk, Store]) -> None:
    """There is room in pages and files that are there, and none for a page more."""
    small, store = disk
    with store.write():
        sql.execute(store, "INSERT INTO lease (name, owner, until) VALUES ('small', '', '')")
    small.fill()
    with pytest.raises(StoreFullError, match=r"full: could not extend file .* No space left on device"):
        grow(store)
    with store.write():
        sql.execute(store, "DELETE FROM lease WHERE name = 'small'")
    with pytest.raises(StoreFullError):
        readiness.check(store)
    small.free()
    readiness.check(store)
    assert store.trouble is None
    grow(store)
    with store.read():
        assert sql.row(store, "SELECT COUNT(*) FROM lease") == (100000,)
