"""kill -9 between and during moves: no acknowledged move is lost or doubled, and every game goes on to its end."""

from __future__ import annotations

import json
import random
import shutil
import socket
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.cli import main
from server.commands.client import Client
from server.engine import record as records
from server.storage.database import Store, open_database
from tests.durability.harness import WAIT, Harbour, Party, Pending, check_log, findings, log_rows, seat_party
from tests.live import LiveServer
from tests.together import until

pytestmark = pytest.mark.slow

StartServer = Callable[..., LiveServer]

KILLS = {"sqlite": 8, "postgresql": 6}
"""So often with every run; `--kills 200` is a long one."""
PARTIES = 4


def test_killed_at_random_moments(
    start_server: StartServer, database_url: str, store: Store, capsys, request: pytest.FixtureRequest
) -> None:
    """Four games at once; the server is killed again and again, every fourth time between moves, else whenever. Where
    one is over, another begins."""
    rng, harbour = random.Random(9), Harbour()
    kills = request.config.getoption("--kills") or KILLS[urlsplit(database_url).scheme]
    server = start_server(ULM_DATABASE_URL=database_url)
    harbour.open(server.url)

    def another(number: int) -> Party:
        return seat_party(harbour, 2 + number % 3, number, tower=number % 2 == 0)

    parties = [another(number) for number in range(PARTIES)]
    answered = lambda: sum(len(party.acknowledged) for party in parties)  # noqa: E731
    unanswered = done = growth = 0
    with ThreadPoolExecutor(PARTIES) as pool:
        playing = [pool.submit(party.play_on) for party in parties]
        try:
            for kill in range(kills):
                before = answered()
                if kill % 2 == 0:  # the games go on, however slow the machine is; else it may die before any answer
                    until(lambda before=before: answered() > before)
                time.sleep(rng.uniform(0.0, 0.25))
                if kill % 4 == 3:
                    harbour.close()
                    harbour.all_back()  # between moves
                server.kill()
                harbour.close()
                harbour.all_back()
                for future in playing:
                    assert not future.done() or future.exception() is None, future.exception()
                server = start_server(ULM_DATABASE_URL=database_url)
                unanswered += sum(party.pending is not None and party.pending.sent for party in parties)
                done += sum([check_log(store, party) for party in parties])
                assert findings(store) == []
                growth += answered() > before
                harbour.open(server.url)
                for _over in range(PARTIES - sum(not future.done() for future in playing)):
                    parties.append(another(len(parties)))
                    playing.append(pool.submit(parties[-1].play_on))
        except BaseException:
            for party in parties:
                party.active = None
            raise
        for future in playing:
            future.result(timeout=WAIT)
    # The kills did hit moves under way, and the games did go on in between.
    assert unanswered >= kills / 2
    assert growth >= kills / 2
    assert sum(party.repeated for party in parties) >= unanswered

    client = Client(server.url)
    for party in parties:
        check_log(store, party)
        record = records.loads(client.text(f"/api/v1/replays/{party.id}/record"))
        assert records.verify(record).scores is not None
        assert [(ply, entry.seat, entry.text) for ply, entry in enumerate(record.moves, 1)] == [
            row[:3] for row in log_rows(store, party.id)
        ]
    assert main(["verify"], {"ULM_DATABASE_URL": database_url}) == 0
    assert "all as stored" in capsys.readouterr().out
    moves = sum(len(log_rows(store, party.id)) for party in parties)
    print(
        f"{kills} kills, {len(parties)} games, {moves} moves acknowledged or found; {unanswered} requests without an "
        f"answer, {done} of them carried out"
    )


# --- the two moments that chance seldom finds ------------------------------------------------------------------------

SLOW = {
    "sqlite": [
        """CREATE TRIGGER slow BEFORE INSERT ON snapshot BEGIN SELECT (
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT max(i) FROM n
        ); END"""
    ],
    "postgresql": [
        """CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                      AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END'""",
        "CREATE TRIGGER slow BEFORE INSERT ON snapshot FOR EACH ROW EXECUTE FUNCTION slow()",
    ],
}
"""Make the last statement of a move's transaction take long, so that the kill falls between the first and the commit.
"""
QUICK = {"sqlite": "DROP TRIGGER slow", "postgresql": "DROP TRIGGER slow ON snapshot"}


def execute(store: Store, *statements: str) -> None:
    with store.connection() as database:
        for statement in statements:
            database.execute_sql(statement)


def inside_a_transaction(store: Store) -> bool:
    """Whether somebody has written and not committed."""
    if not store.is_sqlite:
        with store.connection() as database:
            sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
            return bool(database.execute_sql(sleeping).fetchall())
    connection = sqlite3.connect(store.name, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return True
    else:
        connection.execute("ROLLBACK")
        return False
    finally:
        connection.close()


def end_sleepers(store: Store) -> None:
    """What PostgreSQL does when it wakes, sees that its client is gone, and undoes what it had begun."""
    if not store.is_sqlite:
        with store.connection() as database:
            database.execute_sql(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE wait_event = 'PgSleep' AND datname = current_database()"
            )


def started(start_server: StartServer, database_url: str) -> tuple[LiveServer, Harbour, Party]:
    """A server, and a game on it that is a few moves old."""
    server, harbour = start_server(ULM_DATABASE_URL=database_url), Harbour()
    harbour.open(server.url)
    party = seat_party(harbour, 2, 5)
    party.play_on(6)
    return server, harbour, party


def next_request(party: Party) -> Pending:
    """A move that is legal now; the party counts it as sent."""
    with party.harbour.request() as url:
        client = Client(url)
        legal = client.get(f"/api/v1/games/{party.id}/legal-moves", party.tokens[party.active])
    party.pending = Pending(party.active, legal["ply"], legal["moves"][:1], "lost")
    return party.pending


def send_and_walk_away(server: LiveServer, party: Party, pending: Pending) -> socket.socket:
    """Send the request, bytes and all, and do not read the answer."""
    address = urlsplit(server.url)
    body = json.dumps({"ply": pending.ply, "moves": pending.moves}).encode()
    head = (
        f"POST /api/v1/games/{party.id}/moves HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bearer {party.tokens[pending.seat]}\r\nIdempotency-Key: {pending.key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection = socket.create_connection((address.hostname, address.port), timeout=WAIT)
    connection.sendall(head.encode() + body)
    return connection


def test_killed_inside_the_transaction(start_server: StartServer, database_url: str, store: Store) -> None:
    """The move was inserted, the commit not reached: it is not there, and its repeat plays it, once."""
    kind = urlsplit(database_url).scheme
    server, harbour, party = started(start_server, database_url)
    pending = next_request(party)
    before = log_rows(store, party.id)
    execute(store, *SLOW[kind])
    with send_and_walk_away(server, party, pending):
        until(lambda: inside_a_transaction(store))
        time.sleep(0.2)  # past the few statements before the slow one
        assert log_rows(store, party.id) == before
        server.kill()
    harbour.close()
    end_sleepers(store)
    execute(store, QUICK[kind])
    assert log_rows(store, party.id) == before
    harbour.open(start_server(ULM_DATABASE_URL=database_url).url)
    assert findings(store) == []
    assert party.post(pending)["applied"] == 1
    assert check_log(store, party) is False
    party.play_on(3)
    assert findings(store) == []


def test_killed_between_commit_and_answer(start_server: StartServer, database_url: str, store: Store) -> None:
    """The move is there although nobody was told: its repeat is answered and plays nothing."""
    server, harbour, party = started(start_server, database_url)
    pending = next_request(party)
    with send_and_walk_away(server, party, pending):
        until(
            lambda: (pending.seat, pending.moves[0]) in [row[1:3] for row in log_rows(store, party.id)[pending.ply :]]
        )
        server.kill()
    stored = log_rows(store, party.id)
    assert check_log(store, party) is True
    harbour.open(start_server(ULM_DATABASE_URL=database_url).url)
    for _ in range(2):
        assert party.post(pending)["applied"] == 1
        party.acknowledged.pop(pending.ply + 1)
    assert log_rows(store, party.id) == stored
    party.post(pending)
    party.play_on(3)
    check_log(store, party)
    assert findings(store) == []


# --- power cuts and backups, SQLite ----------------------------------------------------------------------------------


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_any_beginning_of_the_write_ahead_log_is_a_whole_database(
    start_server: StartServer, database_url: str, store: Store, tmp_path: Path
) -> None:
    """A power cut can leave any part of what was not synchronised: whole transactions are in or out, never halves."""
    server, _, party = started(start_server, database_url)
    party.play_on(12)
    server.kill()
    rows = log_rows(store, party.id)
    file = Path(store.name)
    wal = file.with_name(file.name + "-wal").read_bytes()
    frame = 4096 + 24
    assert 32 + 20 * frame < len(wal) < 1000 * frame  # something to cut, and no checkpoint yet
    rng, lengths = random.Random(3), set()
    for number in range(30):
        cut = tmp_path / f"cut{number}" / "ulm.sqlite3"
        cut.parent.mkdir()
        shutil.copy(file, cut)
        cut.with_name("ulm.sqlite3-wal").write_bytes(wal[: rng.randrange(len(wal))])
        opened = open_database(f"sqlite:///{cut}", threads=1)
        try:
            assert findings(opened) == []
            left = log_rows(opened, party.id)
        finally:
            opened.close()
        assert left == rows[: len(left)]
        lengths.add(len(left))
    assert len(lengths) > 5
