"""A database that fails: what is told as such, that nothing of it is kept, and that it works again afterwards."""

from collections.abc import Callable
from contextlib import suppress

import peewee
import pytest

from server.storage import readiness, sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate, pending
from server.storage.unusable import StoreError, StoreFullError

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ONLY_POSTGRES = pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)


def put(store: Store, name: str) -> None:
    sql.execute(store, "INSERT INTO lease (name, owner, until) VALUES (?, ?, ?)", name, "", "")


def leases(store: Store) -> int:
    with store.read():
        return int(sql.rows(store, "SELECT COUNT(*) FROM lease")[0][0])


def limit(store: Store, pages: int) -> None:
    """Let the database have so many pages, through the connection that this thread gets from the pool."""
    with store.connection() as database:
        database.execute_sql(f"PRAGMA max_page_count = {pages}")


@ONLY_SQLITE
def test_a_full_disk_is_named_undone_and_got_over(store: Store) -> None:
    limit(store, 1)  # SQLite takes the present size then
    for _ in range(2):
        with pytest.raises(StoreFullError, match="is full: database or disk is full; make room"), store.write():
            for number in range(1000):
                put(store, f"{number:0200}")
        assert leases(store) == 0
    assert store.trouble is not None
    limit(store, 1 << 30)
    readiness.check(store)
    assert store.trouble is None


@ONLY_SQLITE
def test_a_full_disk_stays_named_where_it_was_told_within(store: Store) -> None:
    """SQLite has undone all by itself: that it cannot be undone once more is not why."""
    told = "the disk of the database is full: make room"
    with pytest.raises(StoreFullError, match=told), store.write():
        store.database.rollback()
        raise StoreFullError(told)


@ONLY_SQLITE
def test_what_fails_in_the_wake_of_a_database_that_failed_is_told(store: Store) -> None:
    with pytest.raises(StoreError, match="unable to open"):
        try:
            raise StoreError("the database does not answer: unable to open database file")
        except StoreError:
            with store.write():
                store.database.execute_sql("no SQL")


@ONLY_SQLITE
def test_a_write_is_tried_before_it_is_called_ready_again(store: Store) -> None:
    store.trouble = "whatever it was"
    with store.connection() as database:
        database.execute_sql("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match="readonly"):
        readiness.check(store)


@ONLY_SQLITE
def test_a_mistake_of_ours_is_no_fault_of_the_database(store: Store) -> None:
    with pytest.raises(peewee.OperationalError, match="no such table"), store.write():
        sql.execute(store, "DELETE FROM nowhere")
    assert store.trouble is None


def end_own(store: Store) -> None:
    """Have the server end the connection of the running transaction."""
    with pytest.raises(peewee.OperationalError):
        store.database.execute_sql("SELECT pg_terminate_backend(pg_backend_pid())")


def _write(store: Store) -> None:
    with store.write():
        put(store, "a")


def _ask(store: Store) -> None:
    assert store.ask(lambda: sql.row(store, "SELECT 1")) == (1,)


@ONLY_POSTGRES
@pytest.mark.parametrize("use", [_write, leases, _ask, Store.ping])
def test_connections_that_died_while_idle_are_replaced(
    store: Store, database_url: str, use: Callable[[Store], object]
) -> None:
    with store.read():  # this connection is idle afterwards
        pass
    another = open_database(database_url, 1)
    with another.connection() as database:
        database.execute_sql(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    another.close()
    use(store)
    assert leases(store) == (use is _write)


@ONLY_POSTGRES
def test_a_connection_lost_amid_a_transaction_is_told_and_nothing_kept(store: Store) -> None:
    with pytest.raises(StoreError, match="does not answer") as told, store.write():
        put(store, "a")
        end_own(store)
        put(store, "b")
    assert not told.value.uncertain
    assert leases(store) == 0
    readiness.check(store)


@ONLY_POSTGRES
@pytest.mark.parametrize("use", [Store.connection, Store.exclusive])
def test_a_connection_lost_outside_transactions_is_told(store: Store, use: Callable[[Store], object]) -> None:
    """As the first things that a process does: it looks at the schema, and brings it up to date."""
    with pytest.raises(StoreError, match="does not answer: terminating connection"), use(store) as database:
        database.execute_sql("SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(ValueError, match="own"), use(store):
        raise ValueError("own")
    readiness.check(store)


@ONLY_POSTGRES
@pytest.mark.parametrize("use", [migrate, pending])
@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_a_server_that_dies_while_a_process_starts_is_told(
    store: Store, use: Callable[[Store], object], after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = 0
    execute = store.database.execute_sql

    def dying(statement: str, *rest: object) -> object:
        nonlocal done
        done += 1
        if done == after + 1:
            with suppress(peewee.OperationalError):
                execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return execute(statement, *rest)

    monkeypatch.setattr(store.database, "execute_sql", dying)
    with suppress(StoreError):  # and nothing else
        use(store)
    assert done > after or use is pending
    monkeypatch.undo()
    assert use(store) == []


@ONLY_POSTGRES
def test_of_a_connection_lost_at_the_commit_nobody_says_that_nothing_was_kept(store: Store) -> None:
    with pytest.raises(StoreError) as told, store.write():
        put(store, "a")
        end_own(store)
    assert told.value.uncertain
