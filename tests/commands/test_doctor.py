"""`ulm doctor`: what it finds of real servers, databases and name servers, and that it changes nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import dns.exception
import dns.resolver
import dns.rrset
import pytest

from server.cli import main
from server.commands import doctor
from server.service.outbox import pauses
from server.service.seating import example_game
from server.settings import Settings
from server.storage import backups, leases, sql
from server.storage.database import Store
from server.storage.times import utc
from tests.live import LiveServer
from tests.service.timed import HOUR

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def found(kind: str, *environ: tuple[str, str]) -> list[str]:
    settings = Settings.from_env(dict(environ))
    return [one.text for one in doctor.findings(settings, ask_dns=False) if one.kind == kind]


def environ_of(server: LiveServer, **more: str) -> dict[str, str]:
    return {"ULM_DATA_DIR": str(server.data_dir), "ULM_BASE_URL": server.url, **more}


def test_a_server_that_runs_is_well(
    start_server: Callable[..., LiveServer], capsys: pytest.CaptureFixture[str]
) -> None:
    environ = environ_of(start_server())
    assert main(["doctor", "--json"], environ) == 0
    findings = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {one["kind"] for one in findings} <= {"ok", "note"}
    said = " ".join(one["text"] for one in findings if one["kind"] == "ok")
    for word in ("GB are free", "the server answers", "its schema is the present one", "jobs are done by"):
        assert word in said


def test_a_server_without_jobs_mails_nothing(start_server: Callable[..., LiveServer]) -> None:
    environ = environ_of(start_server(ULM_JOBS="off"), ULM_JOBS="off")
    [said] = found("wrong", *environ.items())
    assert "no process sends mails" in said
    assert "ulm worker" in said


def test_before_the_first_start_nothing_is_wrong_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"], {"ULM_DATA_DIR": str(tmp_path / "data"), "ULM_PORT": "1"}) == 0
    assert "there is no database yet" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@ONLY_SQLITE
def test_a_clock_that_is_behind_what_is_stored(store: Store) -> None:
    moment = datetime.now(UTC)
    example_game.ensure_example(store, moment)
    settings = Settings(database_url=f"sqlite:///{store.name}")
    behind = moment - timedelta(hours=1)
    assert any("the clock of this machine is behind" in one.text for one in doctor.findings(settings, False, behind))
    later = [one.text for one in doctor.findings(settings, False, moment + timedelta(minutes=1))]
    assert not any("is behind" in text for text in later), later


class _Stranger(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<h1>It works!</h1>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
        pass


def test_another_server_at_the_address_is_not_taken_for_ours(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_address[1]}"
        wrong = found("wrong", ("ULM_DATA_DIR", str(tmp_path)), ("ULM_BASE_URL", base))
        server.shutdown()
    assert any("is not Ulm by mail" in said for said in wrong)


@pytest.mark.parametrize(("settings", "words"), [
    ({"ULM_BASE_URL": "https://ulm.example.org"}, "ULM_PROXY_HOPS is 0"),
    ({"ULM_BASE_URL": "http://ulm.example.org"}, "in the open"),
    ({"ULM_RULESETS": "/nowhere/at/all"}, "which is not there"),
    ({"ULM_LIMITS_STORE": "redis://store"}, "extra `redis`"),
    ({"ULM_LMTP_LISTEN": "127.0.0.1:8024"}, "ULM_REPLY_DOMAIN is not"),
    ({"ULM_IMAP_URL": "imaps://a:b@imap.example.org"}, "the mailbox of ULM_IMAP_URL cannot be read"),
    ({"ULM_SMTP_URL": "smtp://mail.example.org", "ULM_BASE_URL": "https://ulm.example.org"}, "set ULM_MAIL_FROM"),
    ({"ULM_DATA_DIR": "/etc/passwd/ulm"}, "/etc/passwd is no folder"),
    ({"ULM_BACKUP_FOLDER": "/etc/passwd/ulm"}, "Set ULM_BACKUP_FOLDER"),
    ({"ULM_BACKUP_FOLDER": "/backups", "ULM_DATABASE_URL": "postgresql://127.0.0.1:1/ulm"}, "no pg_dump is in PATH"),
])  # fmt: skip
def test_settings_that_do_not_fit_each_other(
    settings: dict[str, str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda package: None)
    said = found("wrong", *{"ULM_DATA_DIR": str(tmp_path), **settings}.items())
    assert any(words in text for text in said), said


def test_mail_that_does_not_go_out_is_told(store: Store, database_url: str, tmp_path: Path) -> None:
    """By the same rows as the operator's figures: a pause, what is late, dead letters, jobs that nobody has."""
    environ = {"ULM_DATA_DIR": str(tmp_path), "ULM_DATABASE_URL": database_url, "ULM_PORT": "1"}
    moment = datetime.now(UTC)
    assert found("wrong", *environ.items()) == []
    assert any("no mail comes in" in text for text in found("wrong", *environ.items(), ("ULM_REPLY_DOMAIN", "a.org")))
    statement = """
        INSERT INTO mail (key, kind, data, attempts, state, created_at, due_at) VALUES (?, 'turn', '{}', 0, ?, ?, ?)"""
    with store.write():
        for state in ("pending", "dead"):
            sql.execute(store, statement, state, state, utc(moment - HOUR), utc(moment - HOUR))
    leases.take(store, "upkeep", "one", moment, moment + HOUR)
    pauses.pause(store, "restored from a backup", moment)
    said = " ".join(found("wrong", *environ.items()))
    for words in ("PAUSED by `ulm mail pause`", "no clock runs", "1 mail is due", "1 mail was given up",
                  "`ulm worker --only clocks`"):  # fmt: skip
        assert words in said
    pauses.resume(store, moment)
    assert not any("PAUSED" in text for text in found("wrong", *environ.items()))


def test_a_backup_that_is_not_made_any_more_is_told(tmp_path: Path) -> None:
    environ = {"ULM_DATA_DIR": str(tmp_path), "ULM_BACKUP_FOLDER": str(tmp_path)}
    for days, kind in ((3, "wrong"), (1, "ok")):
        (tmp_path / f"ulm-daily-{backups.stamp(datetime.now(UTC) - timedelta(days=days))}.sqlite3").touch()
        assert any("the newest backup of a day" in text for text in found(kind, *environ.items()))


# --- name servers -------------------------------------------------------------------------------------------------


class Zone(dns.resolver.Resolver):
    """Name servers that know these records alone; None: nobody answers."""

    def __init__(self, records: dict[tuple[str, str], list[str]] | None) -> None:
        super().__init__(configure=False)
        self._records = records

    def resolve(self, name: str, kind: str) -> dns.rrset.RRset:  # type: ignore[override]
        """As a resolver does."""
        if self._records is None:
            raise dns.exception.Timeout
        if (name, kind) not in self._records:
            raise dns.resolver.NXDOMAIN
        return dns.rrset.from_text(f"{name}.", 60, "IN", kind, *self._records[name, kind])


def mail_settings() -> Settings:
    return Settings(smtp_url="smtp://localhost", mail_from="ulm@play.example.org", reply_domain="answer.example.org")


def test_domains_are_looked_at() -> None:
    zone: dict[tuple[str, str], list[str]] | None = {
        ("play.example.org", "TXT"): ['"v=spf1 mx -all"', '"something else"'],
        ("_dmarc.play.example.org", "TXT"): ['"v=DMARC1; p=none"'],
        ("answer.example.org", "MX"): ["20 second.example.org.", "10 first.example.org."],
    }
    lacking = {("play.example.org", "TXT"): ['"v=spf1 a -all"', '"v=spf1 mx -all"']}
    for records, kinds, words in (
        (zone, ["ok", "ok", "note", "ok"], ["SPF record: v=spf1 mx", "first.example.org, second.example.org"]),
        (lacking, ["wrong", "wrong", "note", "wrong"], ["2 SPF records", "no DMARC record", "no MX record"]),
        ({}, ["wrong", "wrong", "note", "wrong"], ["no SPF record"]),
        (None, ["note", "note"], ["do not answer"]),  # silent name servers are no fault of the domain
    ):
        found = list(doctor.of_domains(mail_settings(), Zone(records)))
        assert [kind for kind, _ in found] == kinds
        assert [word for word in words if word not in " ".join(text for _, text in found)] == []
