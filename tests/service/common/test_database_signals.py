"""What changes at one process is heard at all others on the same PostgreSQL, whoever started them."""

import threading
from collections.abc import Iterator

import psycopg
import pytest

from server.service.common import change_signal
from server.service.common.database_signals import DatabaseSignals
from server.storage.database import Store, open_database

GAME = "k3v7mhw2qe9t"
POSTGRES = pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
_END = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
    " WHERE application_name = 'ulm signals' AND datname = current_database()"
)


class Process:
    """A store with its signals, as a process has them; `heard` are the games that were signalled."""

    def __init__(self, url: str) -> None:
        self.store: Store = open_database(url)
        self.hub = change_signal.changes(self.store)
        self.heard: list[str] = []
        self._more = threading.Condition()
        self.hub.listen(self._hear)
        self.signals: DatabaseSignals = DatabaseSignals(self.store)

    def _hear(self, game: str) -> None:
        with self._more:
            self.heard.append(game)
            self._more.notify_all()

    def hears(self, game: str) -> bool:
        with self._more:
            return self._more.wait_for(lambda: game in self.heard, 30)

    def listens(self) -> bool:
        pause = threading.Event()
        return any(self.hub.is_told or pause.wait(0.02) for _ in range(1500)) and self.hub.is_told

    def close(self) -> None:
        self.signals.close()
        self.store.close()


@pytest.fixture
def pair(database_url: str) -> Iterator[list[Process]]:
    both = [Process(database_url) for _ in range(2)]
    assert all(one.listens() for one in both)
    yield both
    for one in both:
        one.close()


@POSTGRES
def test_each_hears_of_a_commit_and_the_one_who_told_it_once(pair: list[Process]) -> None:
    one, other = pair
    with one.store.write():
        change_signal.game_changes(one.store, GAME)
        assert one.heard == []
    assert other.hears(GAME)
    with pytest.raises(ZeroDivisionError), one.store.write():
        change_signal.game_changes(one.store, "undone000000")
        raise ZeroDivisionError
    other.hub.signal("x4ab7mhw2qe9")
    assert one.hears("x4ab7mhw2qe9")
    one.hub.signal("last00000000")
    assert other.hears("last00000000")
    assert one.heard == [GAME, "x4ab7mhw2qe9", "last00000000"]
    assert other.heard == [GAME, "x4ab7mhw2qe9", "last00000000"]


@POSTGRES
def test_who_is_told_looks_seldom_and_who_is_not_looks_often(pair: list[Process]) -> None:
    one, _ = pair
    assert one.hub.poll_seconds == change_signal.CALM_POLL_SECONDS > change_signal.POLL_SECONDS
    one.signals.close()
    assert one.hub.poll_seconds == change_signal.POLL_SECONDS
    one.signals = DatabaseSignals(one.store)


@POSTGRES
def test_a_connection_that_breaks_is_made_anew(pair: list[Process], database_url: str) -> None:
    one, other = pair
    with psycopg.connect(database_url, autocommit=True) as connection:
        ended = connection.execute(_END).fetchall()
    assert len(ended) == 2
    pause = threading.Event()
    # What is told before the other one listens again reaches nobody.
    for number in range(1500):
        one.hub.signal(f"again{number:07}")
        if other.heard:
            break
        pause.wait(0.02)
    assert other.heard
