"""`ulm backup` while people play, and `ulm restore`: what comes back, what is refused, what waits to be looked at."""

from __future__ import annotations

import dataclasses
import os
import random
import re
import shutil
import sqlite3
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from server.cli import main
from server.commands.client import Client
from server.notify.jobs import JOBS
from server.notify.scheduler import Context
from server.service.outbox import pauses
from server.settings import Settings
from server.storage import backups, restoring, sql
from server.storage.backups import BackupError
from server.storage.database import Store, open_database
from server.storage.migrate import pending
from server.storage.times import utc
from tests import postgres
from tests.durability.harness import WAIT, Harbour, Party, findings, log_rows, seat_party
from tests.live import LiveServer
from tests.service.timed import HOUR, start
from tests.storage import version_0_1_0
from tests.together import until

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ONLY_POSTGRES = pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
NOW = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def programs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL's programs of the version that the tests' server has come first in PATH."""
    if "postgres_directory" in request.fixturenames or "postgresql" in request.node.name:
        directory = request.getfixturevalue("postgres_directory")
        folder = Path(directory, "started").read_text("utf-8")
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[str]:
    """The address of another database of the same kind, that holds nothing."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path}/elsewhere/ulm.sqlite3"
        return
    directory = request.getfixturevalue("postgres_directory")
    name = f"elsewhere_{request.getfixturevalue('worker_id')}"
    postgres.recreate_database(directory, name)
    yield postgres.url(directory, name)


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = open_database(url, threads=1)
    try:
        yield store
    finally:
        store.close()


def ulm(url: str, *arguments: object) -> int:
    return main([str(argument) for argument in arguments], {"ULM_DATABASE_URL": url})


def playing(start_server: Callable[..., LiveServer], url: str) -> tuple[LiveServer, Party]:
    server, harbour = start_server(ULM_DATABASE_URL=url), Harbour()
    harbour.open(server.url)
    party = seat_party(harbour, 2, 5)
    party.play_on(6)
    return server, party


@pytest.mark.slow
def test_there_and_back_while_people_play(
    start_server: Callable[..., LiveServer], database_url: str, elsewhere: str, tmp_path: Path, capsys
) -> None:
    """Moves go on; what was acknowledged before the backup began is in it, in a whole state, readable by its owner."""
    server, party = playing(start_server, database_url)
    stop = threading.Event()

    def play() -> None:
        for _ in range(40):  # not to the end of the game, however long this takes
            if not stop.wait(0.02):
                party.decide()

    thread = threading.Thread(target=play)
    thread.start()
    try:
        least = len(party.acknowledged)
        assert ulm(database_url, "backup", tmp_path) == 0
    finally:
        stop.set()
        thread.join(WAIT)
    (made,) = tmp_path.glob("ulm-2*Z.*")
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert made.name in capsys.readouterr().out
    assert ulm(elsewhere, "restore", made) == 0
    said = capsys.readouterr().out
    assert re.search(r"\d games recomputed from their logs: all as stored\.", said), "with those of the deal of the day"
    assert "ulm mail resume" in said
    with opened(elsewhere) as restored, opened(database_url) as original:
        rows = log_rows(restored, party.id)
        assert least <= len(rows)
        assert rows == log_rows(original, party.id)[: len(rows)]
        held = pauses.current(restored)
        assert held is not None
        assert held.why == "restored from a backup"
        with restored.read():
            [(played,)] = sql.rows(restored, "SELECT MAX(played_at) FROM move")
        assert played <= utc(held.since)
        assert pauses.current(original) is None
    # And it can be played on.
    server.stop()
    other, harbour = start_server(tmp_path / "other", ULM_DATABASE_URL=elsewhere), Harbour()
    harbour.open(other.url)
    active = Client(other.url).get(f"/api/v1/games/{party.id}")["view"]["active"]
    Party(harbour, party.rng, party.tokens, party.id, active).play_on(5)
    with opened(elsewhere) as restored:
        assert findings(restored) == []
        assert len(log_rows(restored, party.id)) >= len(rows) + 5


def others(store: Store) -> int:
    """How many connections others have to the database."""
    with store.connection() as database:
        return int(database.execute_sql(restoring.OTHERS).fetchone()[0])


def test_a_database_in_use_or_with_games_is_not_touched(
    start_server: Callable[..., LiveServer], database_url: str, tmp_path: Path, capsys
) -> None:
    server, party = playing(start_server, database_url)
    made = tmp_path / "made"
    assert ulm(database_url, "backup", made) == 0
    party.play_on(4)
    with opened(database_url) as store:
        rows = log_rows(store, party.id)
    capsys.readouterr()
    assert ulm(database_url, "backup", made) == 2
    assert "never written over another" in capsys.readouterr().err
    assert ulm(database_url, "restore", made) == 2
    assert re.search(r"games: \d, accounts: 2", capsys.readouterr().err)
    assert ulm(database_url, "restore", made, "--replace") == 2
    assert "stop `ulm serve`" in capsys.readouterr().err
    server.kill()
    with opened(database_url) as store:
        assert log_rows(store, party.id) == rows
        until(lambda: store.is_sqlite or others(store) == 0)  # PostgreSQL has noticed, too
    # And that this connection has ended, before long.
    until(lambda: ulm(database_url, "restore", made, "--replace", "--send-mail") == 0)
    said = capsys.readouterr().out
    assert "What was there before is" in said
    with opened(database_url) as store:
        assert log_rows(store, party.id) == rows[: len(log_rows(store, party.id))] != rows
        assert pauses.current(store) is None
        if store.is_sqlite:
            (aside,) = Path(store.name).parent.glob("ulm.sqlite3.before-*Z")
            with opened(f"sqlite:///{aside}") as old:
                assert log_rows(old, party.id) == rows
        else:
            aside = said.partition("the schema ")[2].split()[0]
            with store.connection() as database:
                own = f"SELECT count(*) FROM {aside}.move WHERE game_id = %s"
                (many,) = database.execute_sql(own, (party.id,)).fetchone()
                database.execute_sql(f"DROP SCHEMA {aside} CASCADE")
            assert many == len(rows)


def test_a_newer_backup_and_what_is_none_are_refused(
    database_url: str, store: Store, elsewhere: str, tmp_path: Path, capsys
) -> None:
    with store.connection() as database:
        database.execute_sql(
            "INSERT INTO schema_migration (name, applied) VALUES ('9999_later', '2030-01-01 00:00:00')"
        )
    made = tmp_path / "made"
    assert ulm(database_url, "backup", made) == 0
    with store.connection() as database:
        database.execute_sql("DELETE FROM schema_migration WHERE name = '9999_later'")
    text = tmp_path / "text"
    text.write_text("nothing of the kind")
    cut = tmp_path / "cut"
    cut.write_bytes(made.read_bytes()[: made.stat().st_size // 3])
    for file, why in ((made, "9999_later"), (text, "is no backup"), (cut, ""), (tmp_path / "none", "cannot read")):
        capsys.readouterr()
        assert ulm(elsewhere, "restore", file) == 2, file
        said = capsys.readouterr()
        assert why in said.err
        assert said.err.count("\n") == 1
    if not store.is_sqlite:
        with opened(elsewhere) as other, other.connection() as database:
            assert database.execute_sql("SELECT to_regclass('game')").fetchone() == (None,)
    else:
        assert list(Path(elsewhere.removeprefix("sqlite:///")).parent.glob("*restored*")) == []


def test_an_older_backup_is_brought_up_to_date(
    request: pytest.FixtureRequest, database_url: str, elsewhere: str, tmp_path: Path
) -> None:
    if database_url.startswith("sqlite"):
        old = version_0_1_0.sqlite(tmp_path / "old.sqlite3")
    else:
        old = version_0_1_0.postgresql(request.getfixturevalue("postgres_directory"), "old_backup")
    made = tmp_path / "made"
    assert ulm(old, "backup", made) == 0
    assert ulm(elsewhere, "restore", made) == 0
    with opened(elsewhere) as restored:
        assert pending(restored) == findings(restored) == []


def test_a_damaged_database_is_not_backed_up_and_can_be_replaced(tmp_path: Path, sqlite_template: Path, capsys) -> None:
    """Nothing of it stays where the database looks: its log would be applied to the file that takes its place."""
    path, made = tmp_path / "ulm.sqlite3", tmp_path / "made"
    shutil.copy(sqlite_template, path)
    url = f"sqlite:///{path}"
    assert ulm(url, "backup", made) == 0
    raw = bytearray(path.read_bytes())
    raw[4096 * 3 : 4096 * 40] = os.urandom(4096 * 37)
    path.write_bytes(raw)
    assert ulm(url, "backup", tmp_path / "second") == 2
    assert "damaged" in capsys.readouterr().err
    assert not (tmp_path / "second").exists()
    path.write_bytes(made.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = wal")
        database.execute("CREATE TABLE stale (x)")
        log = Path(f"{path}-wal").read_bytes()
    path.write_bytes(os.urandom(20_000))
    Path(f"{path}-wal").write_bytes(log)
    assert ulm(url, "restore", made) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert ulm(url, "restore", made, "--replace") == 0
    (_,) = tmp_path.glob("ulm.sqlite3.before-*Z")
    with opened(url) as store:
        assert findings(store) == []
        with store.read():
            assert sql.row(store, "SELECT 1 FROM sqlite_master WHERE name = 'stale'") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_makes_the_server_can_read(sqlite_template: Path, capsys) -> None:
    """By `ulm restore` and commands beside it; and who may not use a file is told which, and whose it is."""
    nobody = 65534
    with tempfile.TemporaryDirectory() as name:  # pytest's own is for root alone
        folder, made = Path(name, "data"), Path(name, "made")
        url = f"sqlite:///{folder}/ulm.sqlite3"
        assert ulm(f"sqlite:///{sqlite_template}", "backup", made) == 0
        folder.mkdir(0o700)
        for path in (Path(name), folder):
            os.chown(path, nobody, nobody)
        for before in (False, True):
            if before:  # what there was had another group
                os.chown(folder / "ulm.sqlite3", nobody, 1)
            assert ulm(url, "restore", made) == 0
            assert main(["mail", "test", "ann@example.org"], {"ULM_DATA_DIR": str(folder)}) == 0
            assert {path.stat().st_uid for path in folder.rglob("*")} == {nobody}
            assert (folder / "ulm.sqlite3").stat().st_gid == (1 if before else nobody)
        for foreign in (folder / "ulm.sqlite3", folder):
            os.chown(foreign, 0, 0)
            folder.chmod(0o700)
            os.seteuid(nobody)
            try:
                assert ulm(url, "mail", "list") == 2
                assert main(["doctor"], {"ULM_DATABASE_URL": url}) == 1
            finally:
                os.seteuid(0)
            told = capsys.readouterr()
            for said in (told.err, told.out):
                assert f"{foreign} belongs to user 0, this is {nobody}: chown it" in said


def test_a_copy_is_of_one_moment_although_others_write_at_every_step(tmp_path: Path) -> None:
    """As it began; and it ends, where each change by another would have begun it anew."""
    source, target = tmp_path / "source", tmp_path / "target"
    with closing(sqlite3.connect(source, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = wal")
        writer.execute("CREATE TABLE row (n INTEGER, filling BLOB)")
        writer.executemany("INSERT INTO row VALUES (?, randomblob(900))", [(number,) for number in range(3000)])
        steps = 0

        def keep() -> bool:
            nonlocal steps
            steps += 1
            writer.execute("UPDATE row SET n = n + 1")
            return steps < 100

        backups.copy_sqlite(source, target, keep)
    with closing(sqlite3.connect(target)) as made:
        assert made.execute("SELECT MIN(n), MAX(n), SUM(n) FROM row").fetchone() == (0, 2999, 2999 * 1500)
    assert steps > 2


def test_one_a_day_and_only_its_own_are_removed(database_url: str, store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    theirs = folder / "ulm-20200101T000000Z.sqlite3"
    theirs.write_text("by hand")
    (folder / "ulm-daily-notes.txt").write_text("by hand")
    made = []
    for hours in range(0, 24 * 5, 9):
        new, _ = backups.daily(store, database_url, folder, 3, NOW + timedelta(hours=hours))
        made += [new] if new else []
    assert [path.name[:18] for path in made] == [f"ulm-daily-202611{day}" for day in range(23, 29)]
    assert sorted(folder.iterdir()) == sorted([theirs, folder / "ulm-daily-notes.txt", *made[-3:]])
    with pytest.raises(BackupError, match="stopped"):
        backups.daily(store, database_url, folder, 1, NOW + timedelta(days=9), lambda: False)
    assert len(list(folder.iterdir())) == 5


@ONLY_SQLITE
def test_the_job_makes_one_where_a_folder_is_named(settings: Settings, store: Store, tmp_path: Path) -> None:
    (job,) = [job for job in JOBS if job.name == "backup"]
    assert not job.shared
    for folder, many in (("", 0), (str(tmp_path / "copies"), 1), (str(tmp_path / "copies"), 1)):
        chosen = dataclasses.replace(settings, backup_folder=folder)
        context = Context(store, chosen, random.Random(1), lambda: NOW, cast("Any", None), lambda: True)
        job.run(context, NOW)
        assert len(list(tmp_path.glob("copies/ulm-daily-20261123T100000Z.sqlite3"))) == many


def test_no_clock_counts_what_lies_between_backup_and_restore(store: Store) -> None:
    """A deadline that passed while the moves that kept it are gone is carried out for nobody."""
    game = start(store, seats=2)
    game.deliver()
    game.wait(HOUR)
    before = game.active
    late = game.now + timedelta(days=3)
    last = pauses.last_known(store, late)
    assert last <= game.now
    pauses.pause(store, "restored from a backup", last)
    game.now = late
    assert game.tick() == 0
    assert game.active == before
    pauses.resume(store, game.now)
    game.tick()
    assert game.active == before
    game.wait(22 * HOUR)
    game.tick()
    assert game.active == before
    game.wait(3 * HOUR)
    assert game.tick() == 1


@ONLY_POSTGRES
def test_no_list_of_processes_shows_a_password(database_url: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="install PostgreSQL's client programs"):
        backups.run("program", [])
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho "$@" "$PGPASSWORD"\n')
    program.chmod(0o755)
    said = backups.run("program", ["--x"], "postgresql://ann:hunter2@db.example.org/ulm?sslmode=require")
    assert said.split()[-1] == "hunter2"
    assert said.count("hunter2") == 1
    assert "sslmode=require" in said
