"""The database goes away, or its disk is full, while people play: "try again" (503) until it is over, nothing lost."""

from __future__ import annotations

import json
import random
import resource
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.storage.database import Store
from tests.durability.harness import Harbour, Party, check_log, findings, seat_party
from tests.live import LiveServer
from tests.together import until

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ONLY_POSTGRES = pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)

SHORT = 16 << 10
"""Bytes: less than the database's log holds by then, more than that of the server."""


def ask(url: str, data: Any = None, token: str = "") -> tuple[int, Any, Any]:
    """Status, body and headers of an answer."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    request = urllib.request.Request(url, None if data is None else json.dumps(data).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error), error.headers


@contextmanager
def no_room(server: LiveServer) -> Iterator[None]:
    """Let no file of the server grow, as on a disk that is full."""
    soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (SHORT, hard))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (soft, hard))


@ONLY_SQLITE
def test_a_disk_without_room(start_server: Callable[..., LiveServer], store: Store, database_url: str) -> None:
    server = start_server(ULM_DATABASE_URL=database_url, ULM_JOBS="off")
    harbour = Harbour()
    harbour.open(server.url)
    party = seat_party(harbour, 2, 1)
    party.play_on(10)
    assert Path(f"{store.name}-wal").stat().st_size > 2 * SHORT
    seat = party.active
    assert seat is not None
    game, token = f"{server.url}/api/v1/games/{party.id}", party.tokens[seat]
    _, legal, _ = ask(f"{game}/legal-moves", token=token)
    move = {"ply": legal["ply"], "moves": legal["moves"][:1]}
    with no_room(server):
        status, body, headers = ask(f"{game}/moves", move, token)
        assert (status, headers["Retry-After"]) == (503, "5")
        assert "Nothing was changed" in body["message"]
        assert ask(f"{server.url}/readyz")[0] == 503
        assert ask(f"{server.url}/healthz")[0] == 200
        assert ask(game, token=token)[0] == 200, "what is there can be read"
    assert ask(f"{server.url}/readyz")[0] == 200
    status, body, _ = ask(f"{game}/moves", move, token)
    assert status == 201
    party.acknowledged[move["ply"] + 1] = (seat, move["moves"][0])
    party.active = body["view"]["active"]
    party.play_on(10)
    check_log(store, party)
    assert findings(store) == []
    log = server.log()
    assert "disk I/O error" in log
    assert "Traceback" not in log
    assert "rollback" not in log


@pytest.mark.slow
@ONLY_POSTGRES
def test_a_database_that_cuts_everybody_off(
    start_server: Callable[..., LiveServer], store: Store, database_url: str
) -> None:
    """Two games go on while every connection is ended again and again; no request finds worse than "try again"."""
    server = start_server(ULM_DATABASE_URL=database_url)
    harbour = Harbour()
    harbour.open(server.url)
    parties = [seat_party(harbour, 2, number) for number in range(2)]
    cuts, over, rng = 0, threading.Event(), random.Random(1)

    def play(party: Party) -> None:
        while party.active is not None and not over.is_set():
            party.decide()

    def answered() -> int:
        return sum(len(party.acknowledged) for party in parties)

    with ThreadPoolExecutor(len(parties)) as pool:
        playing = [pool.submit(play, party) for party in parties]
        while cuts < 50 and not any(future.done() for future in playing):
            before = answered()
            time.sleep(rng.uniform(0.0, 0.2))
            if cuts % 2 == 0:  # the games go on, however slow the machine is
                until(lambda before=before: answered() > before or any(future.done() for future in playing))
            with store.connection() as database:
                database.execute_sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            cuts += 1
        over.set()
        for future in playing:
            future.result()
    for party in parties:
        check_log(store, party)
    assert findings(store) == []
    assert answered() >= cuts / 2 > 5
    log = server.log()
    assert "Traceback" not in log, log[log.index("Traceback") - 300 :][:5000]
