"""Counters: what is counted where, what is shown, and that docs/operating.md names all of it and nothing else."""

import logging
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server import metering
from server.commands import CommandError
from server.commands.metrics_server import shown
from server.service.admin import figures
from server.settings import Settings
from server.storage import leases, sql, statements
from server.storage.database import Store
from tests.service.conftest import Start

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
OPERATING = Path(__file__).parents[3] / "docs" / "operating.md"


def sample(name: str, **labels: str) -> float:
    return metering.meters().registry.get_sample_value(name, labels) or 0.0


@ONLY_SQLITE
def test_the_documentation_names_every_counter(store: Store) -> None:
    text = metering.text(figures.readings(store, datetime.now(UTC)))
    shown = set(re.findall(r"^# HELP (\S+) ", text, re.MULTILINE))
    rows = re.findall(r"^\| (`ulm_[^|]+) \|", OPERATING.read_text("utf-8"), re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(shown)
    for name in shown:
        assert re.fullmatch(r"ulm_[a-z_]+", name)


@pytest.fixture
def log_from() -> Iterator[Callable[[int], None]]:
    yield statements.log_from
    statements.log_from(200)


def test_slow_statements_are_counted_and_logged_without_values(
    store: Store, log_from: Callable[[int], None], caplog: pytest.LogCaptureFixture
) -> None:
    slow = (
        """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
            SELECT count(*) FROM n WHERE 'x' <> ?"""
        if store.is_sqlite
        else "SELECT pg_sleep(0.03), CAST(? AS TEXT)"
    )
    caplog.set_level(logging.WARNING, "ulm.slow")
    for least, logged in ((60_000, 0), (10, 1)):
        log_from(least)
        before = sample("ulm_slow_statement_seconds_count")
        with store.read():
            sql.rows(store, slow, "the secret of a hand")
        assert sample("ulm_slow_statement_seconds_count") > before
        # On a busy machine others may be slow, too.
        found = [record.__dict__["fields"] for record in caplog.records]
        told = [fields for fields in found if fields["statement"].startswith(" ".join(slow.split())[:20])]
        assert len(told) == logged
    assert told[0]["ms"] >= 10
    assert "secret" not in str(told)
    assert "\n" not in told[0]["statement"]


def test_queues_tell_how_many_wait_and_for_how_long(store: Store, match: Start) -> None:
    now = datetime.now(UTC)
    match(2)
    leases.take(store, "mail", "one", now, now + timedelta(minutes=1))
    leases.take(store, "clocks", "dead", now - timedelta(hours=1), now - timedelta(minutes=1))
    with store.write():
        sql.execute(
            store,
            "INSERT INTO bot_turn (game_id, seat, secret, alone, due_at, failures)"
            " SELECT id, 0, '', 0, '2020-01-01T00:00:00Z', 0 FROM game",
        )
    found = {reading.name: dict(reading.values) for reading in figures.readings(store, now)}
    assert found["ulm_games"] == {"open": 0, "running": 1}
    assert found["ulm_lease_remaining_seconds"]["clocks"] == 0
    assert 58 < found["ulm_lease_remaining_seconds"]["mail"] <= 60
    assert found["ulm_bot_turns_due"] == {"": 1}
    assert found["ulm_bot_queue_age_seconds"][""] > 1e8


def ask(port: int, path: str = "/metrics", host: str = "127.0.0.1") -> tuple[int, str]:
    asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Host": host})
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@ONLY_SQLITE
def test_a_worker_shows_its_counters_to_its_own_machine(store: Store) -> None:
    metering.meters().failed.labels("clocks").inc()
    with shown(Settings(metrics_listen="127.0.0.1:0"), store) as port:
        status, text = ask(port)
        assert status == 200
        assert 'ulm_job_failures_total{job="clocks"}' in text
        assert "\nulm_mail_pending 0.0\n" in text
        assert ask(port, host="ulm.example.org")[0] == 403
        assert ask(port, "/")[0] == 404
    with pytest.raises(OSError, match="refused"):
        ask(port)


@ONLY_SQLITE
def test_counters_at_an_address_of_the_operators_choice_are_told_under_any_name(store: Store) -> None:
    with shown(Settings(metrics_listen="0.0.0.0:0"), store) as port:
        assert ask(port, host="web1:9101")[0] == 200
        taken = Settings(metrics_listen=f"127.0.0.1:{port}")
        with pytest.raises(CommandError, match=f"127.0.0.1 port {port}: .*ULM_METRICS_LISTEN"), shown(taken, store):
            pass
    with shown(Settings(), store) as nothing:
        assert nothing == 0
