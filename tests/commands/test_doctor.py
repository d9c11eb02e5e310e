"""`ulm doctor`: what it finds of real servers, databases and name servers, and that it changes nothing."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from server.cli import main
from server.commands import doctor
from server.service.seating import example_game
from server.settings import Settings
from server.storage.database import Store
from tests.live import LiveServer

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


def test_a_database_that_is_away_is_named(tmp_path: Path) -> None:
    address = "postgresql://ulm:secret@127.0.0.1:1/ulm"
    wrong = found("wrong", ("ULM_DATA_DIR", str(tmp_path)), ("ULM_DATABASE_URL", address))
    assert any("cannot reach the database" in said for said in wrong)
    assert "secret" not in " ".join(wrong)


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
])  # fmt: skip
def test_settings_that_do_not_fit_each_other(settings: dict[str, str], words: str, tmp_path: Path) -> None:
    chosen = Settings.from_env({"ULM_DATA_DIR": str(tmp_path), **settings})
    said = [one.text for one in (*doctor.of_proxy(chosen), *doctor.of_extras(chosen)) if one.kind == "wrong"]
    assert any(words in text for text in said)


# --- name servers -------------------------------------------------------------------------------------------------

Zone = dict[tuple[str, str], list[str]]


@pytest.fixture
def name_server() -> Iterator[Callable[[Zone], dns.resolver.Resolver]]:
    """A function that starts a name server on this machine, and gives who asks it alone."""
    sockets: list[socket.socket] = []

    def start(zone: Zone) -> dns.resolver.Resolver:
        port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        port.bind(("127.0.0.1", 0))
        sockets.append(port)
        threading.Thread(target=_answer, args=(port, zone), daemon=True).start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], port.getsockname()[1]
        return resolver

    yield start
    for port in sockets:
        port.close()


def _answer(port: socket.socket, zone: Zone) -> None:
    while True:
        try:
            data, sender = port.recvfrom(2000)
        except OSError:
            return
        query = dns.message.from_wire(data)
        question = query.question[0]
        name = str(question.name).rstrip(".")
        kind = dns.rdatatype.to_text(question.rdtype)
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        if (name, kind) in zone:
            reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *zone[name, kind]))
        elif not any(known == name for known, _ in zone):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        port.sendto(reply.to_wire(), sender)


def mail_settings() -> Settings:
    return Settings(smtp_url="smtp://localhost", mail_from="ulm@play.example.org", reply_domain="answer.example.org")


def test_domains_that_are_set_up(name_server: Callable[[Zone], dns.resolver.Resolver]) -> None:
    zone = {
        ("play.example.org", "TXT"): ['"v=spf1 mx -all"', '"something else"'],
        ("_dmarc.play.example.org", "TXT"): ['"v=DMARC1; p=none"'],
        ("answer.example.org", "MX"): ["20 second.example.org.", "10 first.example.org."],
    }
    found = list(doctor.of_domains(mail_settings(), name_server(zone)))
    assert [kind for kind, _ in found] == ["ok", "ok", "note", "ok"]
    assert "first.example.org, second.example.org" in found[-1][1]


def test_domains_that_lack_what_mail_needs(name_server: Callable[[Zone], dns.resolver.Resolver]) -> None:
    zone = {("play.example.org", "TXT"): ['"v=spf1 a -all"', '"v=spf1 mx -all"']}
    wrong = [text for kind, text in doctor.of_domains(mail_settings(), name_server(zone)) if kind == "wrong"]
    assert len(wrong) == 3
    for text, words in zip(wrong, ("2 SPF records", "no DMARC record", "no MX record"), strict=True):
        assert words in text
    nothing = [text for kind, text in doctor.of_domains(mail_settings(), name_server({})) if kind == "wrong"]
    assert "no SPF record" in nothing[0]


def test_name_servers_that_are_silent_are_no_fault_of_the_domain(
    name_server: Callable[[Zone], dns.resolver.Resolver], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "DNS_SECONDS", 0.2)
    resolver = name_server({})
    resolver.port = 9  # nobody answers there
    assert {kind for kind, _ in doctor.of_domains(mail_settings(), resolver)} == {"note"}
