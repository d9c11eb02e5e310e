"""PostgreSQL as it was at a moment: `ulm backup --base`, an archive of the write-ahead log, `ulm restore --at`."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.cli import main
from server.service.accounts import account_opening
from server.service.outbox import pauses
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from tests import postgres

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for a cluster: with a short name, as sockets need it, which PostgreSQL may write to."""
    with tempfile.TemporaryDirectory(prefix="ulm-pit-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def names(store: Store) -> list[str]:
    with store.read():
        return [name for (name,) in sql.rows(store, "SELECT name FROM player ORDER BY name")]


def archived(store: Store, wal: Path) -> None:
    """Wait until all that was written so far is in the archive."""
    with store.connection() as database:
        name = database.execute_sql("SELECT pg_walfile_name(pg_switch_wal())").fetchone()[0]
    end = time.monotonic() + 60
    while not (wal / name).exists():
        assert time.monotonic() < end, "nothing is archived"
        time.sleep(0.02)


def recovered(url: str) -> Store:
    """The database, when all that is to be brought back is there: it can be read before that."""
    store = open_database(url, threads=1)
    end = time.monotonic() + 60
    while True:
        with store.connection() as database:
            (recovering,) = database.execute_sql("SELECT pg_is_in_recovery()").fetchone()
        if not recovering:
            return store
        assert time.monotonic() < end, "it is not brought back"
        time.sleep(0.02)


def test_back_to_a_moment(postgres_directory: Path, place: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = Path(postgres_directory, "started").read_text("utf-8")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    wal, copies = place / "wal", place / "copies"
    wal.mkdir()
    postgres.own(wal)
    archiving = {
        "archive_mode": "on",
        # In one step: a file of that name is whole.
        "archive_command": f"test ! -f {wal}/%f && cp %p {wal}/.%f.part && mv {wal}/.%f.part {wal}/%f",
        "wal_level": "replica",
        "full_page_writes": "on",
    }
    cluster = postgres.Cluster(place, place / "data", Path(programs), **archiving)
    cluster.initialise()
    cluster.start()
    try:
        postgres.recreate_database(place, "ulm")
        url = postgres.url(place, "ulm")
        environment = {"ULM_DATABASE_URL": url}
        store = open_database(url, threads=1)
        migrate(store)
        account_opening.create_player(store, "Before the copy", None, datetime.now(UTC))
        too_early = datetime.now(UTC)
        assert main(["backup", "--base", str(copies)], environment) == 0
        said = capsys.readouterr().out
        assert "any later moment" in said
        assert "archives none" not in said
        time.sleep(1.1)  # the name of the copy is in whole seconds, and from then on
        account_opening.create_player(store, "In time", None, datetime.now(UTC))
        time.sleep(1.1)
        moment = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        time.sleep(1.1)
        account_opening.create_player(store, "Too late", None, datetime.now(UTC))
        archived(store, wal)
        store.close()
    finally:
        cluster.stop()

    into = place / "restored"
    arguments = ["restore", "--base", str(copies), "--wal", str(wal), "--into", str(into), "--at"]
    assert main([*arguments, too_early.isoformat()], {}) == 2
    assert "no earlier moment" in capsys.readouterr().err
    assert main([*arguments, "2999-01-01"], {}) == 2
    assert not into.exists()
    assert main([*arguments, moment], {}) == 0
    assert f"pg_ctl -D {into} -w start" in capsys.readouterr().out
    assert main([*arguments, moment], {}) == 2
    assert "is not empty" in capsys.readouterr().err
    if os.geteuid() == 0:  # as it says
        for path in [into, *into.rglob("*")]:
            postgres.own(path)
    restored = postgres.Cluster(place, into, Path(programs), **archiving)
    restored.start()
    try:
        store = recovered(url)
        assert names(store) == ["Before the copy", "In time"]
        assert main(["restore", "--finish"], environment) == 0
        assert "0 games recomputed" in capsys.readouterr().out
        held = pauses.current(store)
        assert held is not None
        assert held.since.isoformat() <= moment.replace("Z", "+00:00")
        account_opening.create_player(store, "Afterwards", None, datetime.now(UTC))
        store.close()
    finally:
        restored.stop()
    shutil.rmtree(into)

    # Without a moment: all that was archived.
    assert main(arguments[:-1], {}) == 0
    if os.geteuid() == 0:
        for path in [into, *into.rglob("*")]:
            postgres.own(path)
    restored.start()
    try:
        store = recovered(url)
        assert "Too late" in names(store) or "Afterwards" in names(store)
        store.close()
    finally:
        restored.stop()
