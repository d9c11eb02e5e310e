"""What it costs a move on PostgreSQL that other processes hear of it (NOTIFY), by the clocks of the threads and
processes that do it. Run by `costs`, on its database."""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from flask.testing import FlaskClient

from benchmarks.timing import duration, progress, progress_done, table
from server.service.common import database_signals
from server.storage import sql
from server.storage.database import Store, open_database

GAMES = 30
"""Played without signals and with them in turn."""
_HEARING = 2
_WAIT = 10.0


class _Ear:
    """The thread and the connection by which the process of `own` tells and hears, and what both have used of the
    processor; `store` is asked which connection that is."""

    def __init__(self, store: Store, own: Store) -> None:
        known = _backends(store)
        before = set(threading.enumerate())
        self._signals = database_signals.join(own)
        (thread,) = set(threading.enumerate()) - before
        assert thread.ident is not None
        self._clock = time.pthread_getcpuclockid(thread.ident)
        end = time.monotonic() + _WAIT
        while not (new := _backends(store) - known):
            assert time.monotonic() < end, "no connection for signals"
            time.sleep(0.01)
        (self._backend,) = new
        time.sleep(0.1)  # what it costs to begin is not asked for

    def used(self) -> tuple[float, float]:
        """Seconds of its thread, and of PostgreSQL's process for it."""
        there = int(Path(f"/proc/{self._backend}/schedstat").read_text("ascii").split()[0]) / 1e9
        return time.clock_gettime(self._clock), there

    def close(self) -> None:
        """End it."""
        self._signals.close()


def measure(store: Store, client: FlaskClient, database: str) -> None:
    """Play and print the table. The application of `client` uses `store`, at the address `database`."""
    posts: dict[bool, list[float]] = {False: [], True: []}
    telling = [0.0, 0.0]
    hearing = [0.0, 0.0]
    moves = {False: 0, True: 0}
    with ExitStack() as stack:
        others = [open_database(database, threads=2) for _ in range(_HEARING)]
        ears = [_Ear(store, other) for other in others]
        for other, ear in zip(others, ears, strict=True):
            stack.callback(other.close)
            stack.callback(ear.close)
        for number in range(2 * GAMES):
            told = bool(number % 2)
            progress(f"signals: game {number + 1} of {2 * GAMES}")
            with _telling(store, told) as own:
                before = [own.used() if own else (0.0, 0.0), *(ear.used() for ear in ears)]
                moves[told] += _play(client, random.Random(number // 2), posts[told])
                time.sleep(0.2)  # the last is told and heard
                after = [own.used() if own else (0.0, 0.0), *(ear.used() for ear in ears)]
            if told:
                for place in range(2):
                    telling[place] += after[0][place] - before[0][place]
                    hearing[place] += sum(
                        b[place] - a[place] for a, b in zip(before[1:], after[1:], strict=True)
                    ) / len(ears)
    progress_done()
    table(
        f"Signals to other processes: {moves[True]} moves with them, {moves[False]} of the same games without",
        [
            ("of the processor, for each move", "the server", "PostgreSQL"),
            ("the thread of the POST without signals, median", duration(statistics.median(posts[False])), ""),
            ("the thread of the POST with signals, median", duration(statistics.median(posts[True])), ""),
            ("telling: its thread and connection", *(duration(each / moves[True]) for each in telling)),
            ("hearing: those of each other process", *(duration(each / moves[True]) for each in hearing)),
        ],
    )


@contextmanager
def _telling(store: Store, told: bool) -> Iterator[_Ear | None]:
    if not told:
        yield None
        return
    own = _Ear(store, store)
    try:
        yield own
    finally:
        own.close()


def _backends(store: Store) -> set[int]:
    with store.read():
        found = sql.rows(store, "SELECT pid FROM pg_stat_activity WHERE application_name = 'ulm signals'")
    return {pid for (pid,) in found}


def _play(client: FlaskClient, rng: random.Random, spent: list[float]) -> int:
    """One random game of two by the API; what each POST of a move used of this thread goes to `spent`."""

    def call(method: str, path: str, token: str, data: object = None) -> dict[str, object]:
        answer = client.open(
            f"/api/v1{path}", method=method, json=data, headers={"Authorization": f"Bearer {token}"} if token else {}
        )
        assert answer.status_code < 300, answer.text
        return answer.json  # type: ignore[no-any-return]

    tokens = [str(call("POST", "/players", "", {"name": f"Seat {seat}"})["token"]) for seat in range(2)]
    game = call("POST", "/games", tokens[0], {"seats": 2})["id"]
    active = call("POST", f"/games/{game}/players", tokens[1], {})["to_move"]
    moves = 0
    while active is not None:
        legal = call("GET", f"/games/{game}/legal-moves", tokens[int(str(active))])
        body = {"ply": legal["ply"], "moves": [rng.choice(legal["moves"])]}  # type: ignore[arg-type]
        began = time.thread_time()
        answer = call("POST", f"/games/{game}/moves", tokens[int(str(active))], body)
        spent.append(time.thread_time() - began)
        active, moves = answer["view"]["active"], moves + 1  # type: ignore[index]
    return moves
