"""The page of a game against the same game as JSON, `GET /api/v1/games/ID`: the time that the server's process needs.

Both are asked of one WSGI application, in this process and thread, without sockets: what a server adds is the same for
both. Games of two, three and four players are played at random to their ends, half of them with the tower; after every
move *one* request is made of the new position, in turn the page or the JSON, as the player to move, a waiting player or
a spectator: *first*, when nothing of that position is kept in any store of the process. At every fourth ply all six are
then asked twice more, and the second of these counts as *again*: a page that is loaded anew while nothing has happened.
The templates are compiled beforehand. The times are those of the processor in this thread, which other programs on the
machine disturb less than the clock's; of these only the ratio is printed beside them.
"""

from __future__ import annotations

import io
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from flask import Flask

from benchmarks.timing import duration, percentile, progress, progress_done, table

GAMES = 2
"""Of each number of players; the second has the tower."""
PLAYERS = (2, 3, 4)
MOST_PLIES = 1000
AGAIN = 4
"""At each how manieth ply the same is asked again."""
AIM = 3.0
"""How many times as long as the JSON the page may take, p95."""

READERS = ("to move", "waiting", "spectator")
KINDS = ("page", "json")
STAGES = ("early", "middle", "late")

Time = tuple[float, float]
"""Of one request: by the clock, and of the processor."""


@dataclass
class Figures:
    """What was measured, by `again`, kind, reader and stage, and how large the answers were."""

    times: dict[tuple[bool, str, str, str], list[Time]] = field(default_factory=dict)
    size: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))

    def of(self, again: bool, kind: str, reader: str | None = None, stage: str | None = None) -> list[Time]:
        """The times of these; None stands for all."""
        return [
            one
            for (when, what, who, where), times in self.times.items()
            for one in times
            if (when, what) == (again, kind) and reader in (None, who) and stage in (None, where)
        ]


class Caller:
    """Calls an application as a server would, with as little as can be between."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def __call__(self, path: str, token: str = "", session: str = "", data: Any = None,
                 method: str = "") -> tuple[bytes, Time]:  # fmt: skip
        """The body of the answer, and the time that it took. Raises `RuntimeError` when it is not good."""
        body = b"" if data is None else orjson.dumps(data)
        environ = {
            "REQUEST_METHOD": method or ("GET" if data is None else "POST"), "SCRIPT_NAME": "", "PATH_INFO": path,
            "QUERY_STRING": "", "SERVER_NAME": "localhost", "SERVER_PORT": "8000", "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:8000", "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)), "wsgi.version": (1, 0), "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO(), "wsgi.multithread": True,
            "wsgi.multiprocess": False, "wsgi.run_once": False, "HTTP_ACCEPT_LANGUAGE": "en",
        }  # fmt: skip
        if token:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        if session:
            environ["HTTP_COOKIE"] = f"ulm_session={session}"
        status: list[str] = []
        begun, used = time.perf_counter(), time.thread_time()
        answer = self._app.wsgi_app(environ, lambda text, headers, error=None: status.append(text))  # type: ignore[arg-type]
        text = b"".join(answer)
        took = time.perf_counter() - begun, time.thread_time() - used
        if status[0][0] != "2":
            raise RuntimeError(f"{path}: {status[0]} {text[:300]!r}")
        return text, took


def measure() -> Figures:
    """Play the games and ask for them."""
    from server.app import create_app
    from server.httpd import spare_collector
    from server.service.accounts import sessions
    from server.settings import Settings
    from server.storage.database import open_database
    from server.storage.migrate import migrate

    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="ulm-bench-") as folder:
        settings = Settings(database_url=f"sqlite:///{folder}/ulm.sqlite3", data_dir=Path(folder), example=False,
                            accounts_per_hour=10_000, limits_percent=1_000_000, log_level="WARNING")  # fmt: skip
        store = open_database(settings.database, 2)
        try:
            migrate(store)
            call = Caller(create_app(settings, store))
            spare_collector()  # as `ulm serve` does
            made = [orjson.loads(call("/api/v1/players", data={"name": f"Player {n}"})[0]) for n in range(max(PLAYERS))]
            people = [(one["token"], sessions.new_session(store, one["id"], datetime.now(UTC))) for one in made]
            for token, _ in people:  # a draw that the server makes would hide how the game stands from who plays it
                call("/api/v1/players/me", token, data={"preferences": {"auto_draw": False}}, method="PATCH")
            for seed in range(-1, GAMES):
                for seats in PLAYERS:
                    progress(f"pages, {seats} players, game {seed + 1} of {GAMES}")
                    # The first warms up: templates, what is computed once, the interpreter itself.
                    warm = seed < 0
                    _game(call, people[:seats], seed, Figures() if warm else figures, 60 if warm else MOST_PLIES)
        finally:
            store.close()
    progress_done()
    return figures


def _game(call: Caller, people: list[tuple[str, str]], seed: int, figures: Figures, most: int) -> None:
    """Play one game and ask for it."""
    rng = random.Random(f"{seed}/{len(people)}")
    data = {"seats": len(people), "options": {"tower": seed % 2 == 1, "rotate_start": False}}
    game = orjson.loads(call("/api/v1/games", people[0][0], data=data)[0])["id"]
    for token, _ in people[1:]:
        call(f"/api/v1/games/{game}/players", token, data={})
    order = _order()
    first = orjson.loads(call(f"/api/v1/games/{game}")[0])
    ply, seat = first["ply"], first["to_move"]
    for number in range(most):
        mover = people[seat][0]
        legal = orjson.loads(call(f"/api/v1/games/{game}/legal-moves", mover)[0])["moves"]
        chosen = rng.choice([move for move in legal if move != "resign"])
        played = orjson.loads(call(f"/api/v1/games/{game}/moves", mover, data={"ply": ply, "moves": [chosen]})[0])
        ply, seat = played["ply"], played["view"]["active"]
        if seat is None:
            return
        stage = STAGES[min(2, (played["view"]["round"] - 1) * 3 // 10)]
        kind, reader = next(order)
        _ask(call, game, people, seat, kind, reader, stage, figures, again=False)
        if number % AGAIN == 0:
            for again in (None, True):
                for kind in KINDS:
                    for reader in READERS:
                        _ask(call, game, people, seat, kind, reader, stage, figures if again else Figures(), True)


def _order() -> Iterator[tuple[str, str]]:
    """Kind and reader of each request, evenly but not in a fixed row with the phases of a turn."""
    rng, every = random.Random(1), [(kind, reader) for kind in KINDS for reader in READERS]
    while True:
        rng.shuffle(every)
        yield from every


def _ask(call: Caller, game: str, people: list[tuple[str, str]], active: int, kind: str, reader: str,
         stage: str, figures: Figures, again: bool) -> None:  # fmt: skip
    """One request."""
    seat = {"to move": active, "waiting": (active + 1) % len(people)}.get(reader)
    token, session = ("", "") if seat is None else people[seat]
    if kind == "page":
        body, took = call(f"/games/{game}", session=session)
    else:
        body, took = call(f"/api/v1/games/{game}", token=token)
    figures.times.setdefault((again, kind, reader, stage), []).append(took)
    figures.size[kind] = max(figures.size[kind], len(body))


def run() -> None:
    """Measure and print the table."""
    figures = measure()
    head = ("", "requests", "page p50", "p95", "JSON p50", "p95", "p95 of page by JSON", "by the clock")
    rows: list[tuple[str, ...]] = [head]
    for again in (False, True):
        name = "again" if again else "first"
        rows += [_row(f"{name}, {reader}", figures, again, reader) for reader in READERS]
        rows += [_row(f"{name}, {stage}", figures, again, None, stage) for stage in STAGES]
        rows.append(_row(f"{name}, all", figures, again))
    table(
        f"The page of a game beside its JSON ({GAMES} random games each of {PLAYERS} players; aim: p95 ≤ {AIM:g} "
        f"times; largest answers {figures.size['page'] // 1000} kB, {figures.size['json'] // 1000} kB)",
        rows,
    )


def _row(
    name: str, figures: Figures, again: bool, reader: str | None = None, stage: str | None = None
) -> tuple[str, ...]:
    page, json = (figures.of(again, kind, reader, stage) for kind in KINDS)
    if not page or not json:
        return (name, "0", *["–"] * 6)
    cells = [duration(_percentile(times, percent, 1)) for times in (page, json) for percent in (50, 95)]
    ratios = [f"{_percentile(page, 95, of) / _percentile(json, 95, of):.2f}" for of in (1, 0)]
    return (name, str(len(page) + len(json)), *cells, *ratios)


def _percentile(times: list[Time], percent: int, of: int) -> float:
    return percentile(sorted(one[of] for one in times), percent)
