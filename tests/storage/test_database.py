"""The store: transactions, the write queue, several stores in one process, migrations, what a refusal says."""

import multiprocessing
import os
import threading
import time
from pathlib import Path

import peewee
import pytest

from server.storage.database import Store, open_database
from server.storage.queue import QueueTimeoutError, WriteQueue
from server.storage.unusable import StoreError
from tests.tables import database

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


class Counter(peewee.Model):
    name = peewee.CharField(primary_key=True)
    value = peewee.IntegerField(default=0)

    class Meta:
        database = database


@pytest.fixture
def counted(store: Store) -> Store:
    """The store with a table of counters and one counter in it."""
    with store.write():
        store.database.create_tables([Counter])
        Counter.create(name="a")
    return store


def value(store: Store, name: str = "a") -> int:
    with store.read():
        return Counter.get_by_id(name).value


def increase(store: Store, times: int) -> None:
    for _ in range(times):
        with store.write():
            query = Counter.select().where(Counter.name == "a")
            row = (query if store.is_sqlite else query.for_update()).get()
            row.value += 1
            row.save()


def test_what_raises_is_undone(counted):
    with pytest.raises(ValueError, match="stop"), counted.write():
        Counter.create(name="b")
        raise ValueError("stop")
    with counted.read():
        assert Counter.select().count() == 1


def test_who_begins_a_transaction_owns_it(counted):
    with counted.write():
        with pytest.raises(RuntimeError, match="inside another"), counted.write():
            pass
        with counted.read():
            Counter.create(name="inner")  # a read inside a write is a part of it
    with counted.read(), pytest.raises(RuntimeError, match="inside another"), counted.write():
        pass
    increase(counted, 1)  # and nothing was left locked


def test_a_read_sees_one_moment(counted):
    with counted.read():
        assert Counter.get_by_id("a").value == 0
        writer = threading.Thread(target=increase, args=(counted, 1))
        writer.start()
        writer.join()
        assert Counter.get_by_id("a").value == 0
    assert value(counted) == 1


def _increase_in_a_process(url: str, times: int) -> None:
    store = open_database(url)
    increase(store, times)
    store.close()


def test_no_increment_is_lost_between_processes(counted, database_url):
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_increase_in_a_process, args=(database_url, 40)) for _ in range(2)]
    for process in processes:
        process.start()
    increase(counted, 40)
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert value(counted) == 120


def test_a_store_is_fit_for_use_after_a_fork(counted):
    assert value(counted) == 0  # a connection is in the pool now
    child = os.fork()
    if child == 0:  # pragma: no cover - measured in the parent alone
        try:
            increase(counted, 1)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert value(counted) == 1


def test_callbacks_run_after_the_commit_and_never_after_an_undo(counted, caplog):
    seen: list[int] = []
    with counted.write():
        counted.after_commit(lambda: seen.append(value(counted)))
        counted.after_commit(lambda: 1 // 0)  # one that fails does not harm the others
        counted.after_commit(lambda: increase(counted, 1))  # the locks are gone by then
        Counter.update(value=3).execute()
        assert seen == []
    assert seen == [3]
    assert value(counted) == 4
    assert "a callback failed" in caplog.text
    with pytest.raises(ValueError, match="stop"), counted.write():
        counted.after_commit(lambda: seen.append(-1))
        raise ValueError("stop")
    with counted.write():
        pass
    assert seen == [3]
    with pytest.raises(RuntimeError, match="inside write"):
        counted.after_commit(lambda: None)


@ONLY_SQLITE
def test_sqlite_keeps_what_it_acknowledged(store):
    with store.connection() as connection:
        assert connection.pragma("journal_mode") == "wal"
        assert connection.pragma("synchronous") == 2  # FULL
        assert connection.pragma("foreign_keys") == 1


def test_what_may_happen_twice_need_not_wait_for_the_disk(store: Store) -> None:
    """And the next transaction on the same connection waits again, also after one that was undone."""

    def waits() -> bool:
        if store.is_sqlite:
            return bool(store.database.pragma("synchronous") == 2)
        return bool(store.database.execute_sql("SHOW synchronous_commit").fetchone()[0] != "off")

    with store.connection() as connection:
        if not store.is_sqlite:
            connection.execute_sql("SET synchronous_commit = on")  # the tests' server has it off
        with store.write():
            assert waits()
        with store.write(power_cut_safe=False):
            assert not waits()
        with pytest.raises(ZeroDivisionError), store.write(power_cut_safe=False):
            raise ZeroDivisionError
        with store.write():
            assert waits()
        if not store.is_sqlite:
            connection.execute_sql("RESET synchronous_commit")


def test_nobody_else_may_read_the_file(tmp_path):
    """Seeds of running games lie in it."""
    path = tmp_path / "data" / "ulm.sqlite3"
    store = open_database(f"sqlite:///{path}")
    with store.write():
        store.database.create_tables([Counter])
    modes = {file.name: file.stat().st_mode & 0o077 for file in [path.parent, *path.parent.iterdir()]}
    assert len(modes) == 5  # the directory, the file, -wal, -shm, .lock
    assert set(modes.values()) == {0}
    store.close()


def test_the_queue_serves_in_the_order_of_asking_and_sends_away_who_waited_too_long(tmp_path):
    queue = WriteQueue(tmp_path / "lock", timeout=0.5)
    order: list[int] = []
    failures: list[Exception] = []

    def stand(number: int) -> None:
        try:
            with queue:
                order.append(number)
        except QueueTimeoutError as error:
            failures.append(error)

    def line(many: int) -> list[threading.Thread]:
        threads = [threading.Thread(target=stand, args=(number,)) for number in range(many)]
        for thread in threads:
            thread.start()
            time.sleep(0.01)
        return threads

    with queue:
        threads = line(10)
    for thread in threads:
        thread.join()
    assert order == list(range(10))
    with queue:
        [late] = line(1)
        late.join()
    assert len(failures) == 1
    with queue:
        pass


# Refusals: one line, what to change, no password


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "ulm.sqlite3"
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(StoreError, match="cannot use the database file") as caught:
        open_database(f"sqlite:///{path}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ulm:hunter2@127.0.0.1:1/ulm",
        "postgresql://ulm:hunter2@/ulm?host=/nonexistent",
        "postgresql://ulm@127.0.0.1:1/ulm?password=hunter2",
        "postgresql://ulm@127.0.0.1:1/ulm?pasword=hunter2",
    ],
)
def test_an_unreachable_server_is_named_without_its_password(url):
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match="cannot reach the database postgresql://ulm@") as caught:
        open_database(url)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


@ONLY_SQLITE
def test_ping_notices_a_lost_database(store, tmp_path):
    Path(tmp_path / "ulm.sqlite3").unlink()
    Path(tmp_path / "ulm.sqlite3").mkdir()
    with pytest.raises(StoreError, match="does not answer"):
        store.ping()
