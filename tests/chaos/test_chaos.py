"""`python -m tests.chaos`, short; and that what it looks for at the end would be found."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from server.notify.mime_message import message_id
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from tests import postgres
from tests.chaos import checks, run
from tests.chaos.database import NoDiskError
from tests.chaos.full_postgres_disk import FullPostgresDisk
from tests.durability.harness import Harbour, Party, log_rows
from tests.service.timed import start

NOW = datetime(2026, 11, 22, tzinfo=UTC)
SHORT = 3
"""Kills; `python -m tests.chaos --kills 1000` is a long run."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def test_a_short_run(kind: str) -> None:
    try:
        report = run.chaos(kind, seed=4, kills=SHORT, seconds=120, tables=3)
    except postgres.NoPostgresError as error:
        pytest.skip(f"no PostgreSQL here: {error}")
    assert report.findings == []
    assert int(str(report.figures["KillProcess"])) >= SHORT
    assert int(str(report.figures["moves acknowledged"])) > 0
    print(report.text())


@pytest.mark.slow
@pytest.mark.postgres
def test_a_full_disk_of_postgresql() -> None:
    try:
        report = run.chaos(
            "postgresql", seed=4, kills=2, seconds=120, tables=3, full_disk=True, faults=(FullPostgresDisk,)
        )
    except (postgres.NoPostgresError, NoDiskError) as error:
        pytest.skip(str(error))
    assert report.findings == []
    assert int(str(report.figures["FullPostgresDisk"])) >= 2  # it goes on until people have played, too
    assert not str(report.figures["while PostgreSQL's disk was full"]).startswith("0 writes")
    print(report.text())


def table(store: Store) -> Party:
    """A game of a few moves, and what its players were told of it."""
    game = start(store, seats=2)
    game.deliver()
    rng = random.Random(1)
    for _ in range(8):
        seat = game.active
        assert seat is not None
        game.play(seat, rng.choice(game.legal(seat)))
    party = Party(Harbour(), rng, [], game.id, None)
    party.acknowledged = {ply: (seat, move) for ply, seat, move, automatic in log_rows(store, game.id) if not automatic}
    with store.write():
        sql.execute(store, "DELETE FROM mail")
    return party


def test_nothing_is_found_where_nothing_is_wrong(store: Store, settings: Settings) -> None:
    assert checks.findings(store, [table(store)], settings, [], NOW) == []


NEWEST = "(SELECT MAX(ply) FROM move WHERE NOT automatic)"
LOST = f"DELETE FROM move WHERE ply >= {NEWEST}"
OTHER = f"UPDATE move SET seat = 1 - seat WHERE ply = {NEWEST}"
MAIL = (
    "INSERT INTO mail (key, kind, address, data, state, attempts, due_at, created_at) "
    "VALUES ('x', 'turn', 'a@example.org', '{}', '%s', 0, '2026-11-21T09:30:00Z', '2026-11-21T09:30:00Z')"
)


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        (LOST, "acknowledged moves are not in the log"),
        (OTHER, "acknowledged moves are not in the log"),
        (MAIL % "pending", "is still pending"),
        (MAIL % "sending", "is still sending"),
        (MAIL % "sent", "is said to be sent, and nobody has it"),
        (
            "INSERT INTO lease (name, owner, until) VALUES ('clocks', 'me', '2099-01-01T00:00:00Z')",
            "clocks is left over",
        ),
        ("UPDATE snapshot SET state = '{}'", "snapshot"),
    ],
)
def test_what_is_wrong_is_found(store: Store, settings: Settings, planted: str, said: str) -> None:
    party = table(store)
    with store.write():
        sql.execute(store, planted)
    assert any(said in found for found in checks.findings(store, [party], settings, [], NOW))


def test_a_move_that_nobody_asked_for_is_found(store: Store, settings: Settings) -> None:
    party = table(store)
    party.acknowledged.pop(max(party.acknowledged))
    assert any("nobody asked for ply" in found for found in checks.findings(store, [party], settings, [], NOW))


def test_a_mail_that_came_counts_as_sent(store: Store, settings: Settings) -> None:
    party = table(store)
    with store.write():
        sql.execute(store, MAIL % "sent")
    assert checks.findings(store, [party], settings, [message_id(settings, "x")], NOW) == []
