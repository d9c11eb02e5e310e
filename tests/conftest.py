"""Fixtures for all tests. Those about storage and HTTP run on SQLite and PostgreSQL, through `store`, `client`."""

from __future__ import annotations

import copy
import gc
import logging
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from server.settings import Settings
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from tests import postgres
from tests.live import GENEROUS, LiveServer

_PLENTY = 4 << 30
"""Bytes: four times what a run of all tests leaves."""


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the process that began the run, not one of its workers
        _use_memory()
        postgres.prepare()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let each worker begin with its share of the files in which tests are slow: one of those that was begun last would
    be waited for by all the others."""
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers == 1:
        return
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    first: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for number, path in enumerate(sorted(slow)):
        first[number % workers] += [item for item in items if item.path == path]
    others = [item for item in items if item.path not in slow]
    dealt: list[pytest.Item] = []
    for number, share in enumerate(first):  # in such parts `--dist worksteal` gives them out
        room = max(0, (len(items) - len(dealt)) // (workers - number) - len(share))
        dealt += share + others[:room]
        del others[:room]
    items[:] = dealt + others


def pytest_collection_finish() -> None:
    """What is there now stays: it is not to be looked through again and again for what may go."""
    gc.freeze()


def _use_memory() -> None:
    """Put temporary files into memory where there is plenty: databases of tests wait thousands of times for a disk.

    What dies in these tests are processes, never the machine: no test needs the disk itself.
    """
    memory = Path("/dev/shm")  # noqa: S108 - a place for what `tempfile` names
    if "TMPDIR" not in os.environ and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _PLENTY:
        os.environ["TMPDIR"] = str(memory)
        tempfile.tempdir = None  # to be looked up anew


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        postgres.clean_up()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fuzz-calls", type=int, default=900, help="so many calls of tests/routes/api/test_fuzz.py a database"
    )
    parser.addoption(
        "--fuzz-mails", type=int, default=300, help="so many broken mails of tests/inbox/test_fuzzed_mails.py"
    )
    parser.addoption("--chance", default="1", help="another word gives every test other seeds, ids and tokens")
    parser.addoption("--kills", type=int, help="how often tests/durability kills a server that is played on at random")
    parser.addoption("--twin-games", type=int, default=0, help="play so many games in twin worlds, asking more of them")
    parser.addoption("--twin-first", type=int, default=0, help="the number of the first of these games")


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process draws from the system (seeds, ids, tokens, the bots' choices) is the same at every run.

    So that a failing test fails again when it is looked at, instead of once in a hundred runs. Servers that a test
    starts as processes of their own are not reached by this.
    """
    drawn = random.Random(f"{request.config.getoption('--chance')} {request.node.nodeid}")
    monkeypatch.setattr(random, "_urandom", drawn.randbytes)  # behind `secrets` and `random.SystemRandom`


@pytest.fixture(autouse=True)
def log_settings_are_put_back() -> Iterator[None]:
    """A command that a test calls in its own process sets the logs up, for a stream that is closed after the test."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture(scope="session")
def postgres_directory() -> Path:
    """The socket directory of a running PostgreSQL; skips where there is none."""
    try:
        return postgres.server()
    except postgres.NoPostgresError as error:
        pytest.skip(f"no PostgreSQL here: {error}")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the newest schema and no rows, to be copied."""
    path = tmp_path_factory.mktemp("template") / "ulm.sqlite3"
    _make_schema(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres_directory: Path, worker_id: str) -> str:
    """The name of a database with the newest schema and no rows; one for each worker."""
    name = f"template_{worker_id}"
    postgres.recreate_database(postgres_directory, name)
    _make_schema(postgres.url(postgres_directory, name))
    return name


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database with the newest schema.

    A test that has no need of both asks with `@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)`.
    """
    if request.param == "sqlite":
        path = tmp_path / "ulm.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        return f"sqlite:///{path}"
    directory = request.getfixturevalue("postgres_directory")
    name = f"test_{request.getfixturevalue('worker_id')}"
    postgres.refresh_database(directory, name, request.getfixturevalue("postgres_template"))
    return postgres.url(directory, name)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings for an empty database, without the example game."""
    return Settings(database_url=database_url, data_dir=tmp_path, example=False, **GENEROUS)


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    """An open store with the newest schema and no rows."""
    store = open_database(settings.database, settings.threads)
    yield store
    store.close()


@pytest.fixture(scope="session")
def application(sqlite_template: Path) -> Flask:
    """An application as `create_app` makes it, to be copied by `app`: making one takes a fifth of a second, most of it
    for the description of the API, and its templates would be compiled anew."""
    from server.app import create_app

    made = create_app(
        Settings(database_url=f"sqlite:///{sqlite_template}", data_dir=sqlite_template.parent, example=False)
    )
    made.extensions.pop("ulm.store").close()
    return made


@pytest.fixture
def app(application: Flask, settings: Settings, store: Store) -> Flask:
    """The application on `store`, with counters and a waiting room of its own.

    A test that adds to an application, or wants other settings, makes one by `create_app`.
    """
    from server.app import surround
    from server.routes.http import context

    app = copy.copy(application)
    app.extensions = {**application.extensions, "ulm.settings": settings, "ulm.store": store}
    context.install(app)
    surround(app)
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client that calls `app` without a network. Whatever is answered 429 says when to come back."""
    return Patient(app, app.response_class)


class Patient(FlaskClient):
    """Flask's client for tests, which looks at what every test is answered."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        response = super().open(*args, **kwargs)
        if response.status_code == 429:
            assert int(response.headers["Retry-After"]) >= 1
        return response


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., LiveServer]]:
    """A function that starts `ulm serve` as a process of its own: `start_server(data_dir=None, forked=True,
    **ULM_variables)`.

    Twice with the same `data_dir` is a restart. What still runs at the end of the test is stopped.
    """
    running: list[LiveServer] = []

    def start(data_dir: Path | None = None, forked: bool = True, **variables: str) -> LiveServer:
        running.append(LiveServer(data_dir or tmp_path / "data", variables, forked))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def live_server(start_server: Callable[..., LiveServer]) -> LiveServer:
    """A running `ulm serve` on a free port with a data directory of its own and no example game."""
    return start_server()


def _make_schema(url: str) -> None:
    store = open_database(url, threads=1)
    try:
        migrate(store)
    finally:
        store.close()


@pytest.fixture(params=["asyncio", "uvloop"])
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of this process runs with either loop; those that are processes of their own take what is there."""
    from server import httpd

    if request.param == "uvloop":
        pytest.importorskip("uvloop")
    else:
        monkeypatch.setattr(httpd, "LOOP", "asyncio")
