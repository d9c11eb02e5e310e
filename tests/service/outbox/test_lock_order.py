"""Whoever locks mails and what hangs on them does it in one order: players, then mails by number. Else PostgreSQL ends
one of two transactions that wait for each other, and what it was about is put off or refused.

Each test holds what comes first, lets another wait for it, and sees that that one holds nothing of what comes after.
"""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import psycopg
import pytest

from server.service.erasure import deletion
from server.service.outbox import deliveries, mail_queue, stopped_addresses
from server.service.outbox.deliveries import Mark
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import give_address, make_player

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.parametrize("database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True),
]
NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
TOKENS = ("a" * 26, "b" * 26)
ADDRESS = "ann@example.org"


class World:
    """A player with two mails that are being sent, and a connection that holds rows."""

    def __init__(self, store: Store, holder: psycopg.Connection) -> None:
        self.store, self._holder = store, holder
        self.player = give_address(store, make_player(store, "Ann"), ADDRESS)
        with store.write():
            self.mails = [self._sending(token) for token in TOKENS]

    def _sending(self, token: str) -> int:
        statement = (
            'INSERT INTO mail ("key", kind, player_id, data, state, due_at, created_at, attempts, bounce_token,'
            " lease_owner, lease_until) VALUES (?, 'turn', ?, '{}', 'sending', ?, ?, 1, ?, 'me', ?) RETURNING id"
        )
        at = "2026-11-22T09:00:00Z"
        return int(sql.rows(self.store, statement, token, self.player.id, at, at, token, at)[0][0])

    def lock(self, table: str, number: object) -> None:
        """Hold a row, at once or never."""
        self._holder.execute(f"SELECT id FROM {table} WHERE id = %s FOR UPDATE NOWAIT", [number])

    def meanwhile(self, work: Callable[[], object], look: Callable[[], None]) -> None:
        """Begin `work`, `look` when it waits for a row, let it go on, and see that it ends well."""
        failed: list[BaseException] = []

        def run() -> None:
            try:
                work()
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            while not self._waits():
                assert thread.is_alive(), ("it did not wait", failed)
                time.sleep(0.01)
            look()
        finally:
            self._holder.rollback()
            thread.join(60)
        assert failed == []

    def _waits(self) -> bool:
        found = self._holder.execute(
            "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return found.fetchone() is not None


@pytest.fixture
def world(store: Store, database_url: str) -> Iterator[World]:
    with psycopg.connect(database_url) as holder:
        yield World(store, holder)


def refused(number: int) -> Mark:
    return Mark(number, "dead", error="550", fault="theirs", to=ADDRESS, stops=True)


@pytest.mark.parametrize(
    "work",
    [
        lambda world: deliveries.came_back(world.store, TOKENS[0], "5.1.1", "nobody", NOW),
        lambda world: deliveries.complained(world.store, TOKENS[0], "abuse", NOW),
        lambda world: deliveries.mark(world.store, "me", [refused(world.mails[0])], NOW),
        lambda world: stopped_addresses.bounced(world.store, ADDRESS, "nobody", NOW),
        lambda world: deletion.delete_account(world.store, world.player, NOW),
    ],
    ids=["bounce", "complaint", "refusal", "operator", "deletion"],
)
def test_the_player_comes_before_their_mails(world: World, work: Callable[[World], object]) -> None:
    world.lock("player", world.player.id)
    world.meanwhile(lambda: work(world), lambda: [world.lock("mail", number) for number in world.mails])


def sent(number: int) -> Mark:
    return Mark(number, "sent", to="ben@example.org")


@pytest.mark.parametrize(
    ("state", "work"),
    [
        (
            "sending",
            lambda world: deliveries.mark(world.store, "me", [sent(number) for number in world.mails[::-1]], NOW),
        ),
        ("sending", lambda world: deliveries.renew(world.store, "me", NOW)),
        ("sending", lambda world: deletion.delete_account(world.store, world.player, NOW)),
        ("dead", lambda world: mail_queue.retry(world.store, None, NOW)),
        ("dead", lambda world: mail_queue.retry(world.store, world.mails[::-1], NOW)),
        ("dead", lambda world: mail_queue.drop(world.store, world.mails[::-1], NOW)),
        ("sent", lambda world: deliveries.clean_up(world.store, NOW)),
    ],
    ids=["marks", "leases", "deletion", "retry all", "retry", "drop", "clean-up"],
)
def test_mails_come_by_their_number(world: World, state: str, work: Callable[[World], object]) -> None:
    owner, done = ("me", None) if state == "sending" else (None, "2026-11-22T09:00:00Z")
    with world.store.write():
        for number in world.mails[::-1]:  # so that they do not lie in the order of their numbers
            statement = "UPDATE mail SET state = ?, lease_owner = ?, done_at = ? WHERE id = ?"
            sql.execute(world.store, statement, state, owner, done, number)
    world.lock("mail", world.mails[0])
    world.meanwhile(lambda: work(world), lambda: world.lock("mail", world.mails[1]))
