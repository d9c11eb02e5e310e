"""The table of docs/mail.md, line by line: what a mail server does at each stage, and whose fault it is taken for.

Every line is said by a real server over a real connection.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.notify.delivery_errors import DeliveryError, Verdict
from server.notify.smtp_verdicts import Stage, of_loss, of_reply
from server.notify.transport import TEXT_SECONDS, SmtpTransport
from tests.notify.sink import Sink
from tests.notify.test_delivery_transport import envelope

PAUSE, SUSPECT, LATER, REFUSED, STOP, GIVE_UP = Verdict
OURS, THEIRS = True, False

TABLE = [
    ("CONNECT 554 5.3.2 no service", PAUSE, OURS),
    ("CONNECT 421 4.3.2 not now", PAUSE, OURS),
    ("CONNECT close", PAUSE, OURS),
    ("CONNECT silence", PAUSE, OURS),
    ("EHLO 550 5.7.1 go away", PAUSE, OURS),
    ("EHLO 421 4.7.0 too many connections", PAUSE, OURS),
    ("STARTTLS 454 4.7.0 TLS not available", PAUSE, OURS),
    ("AUTH 535 5.7.8 wrong password", PAUSE, OURS),
    ("AUTH 454 4.7.0 later", PAUSE, OURS),
    ("MAIL 530 5.7.0 Authentication required", PAUSE, OURS),
    ("MAIL 550 5.1.8 your domain is unknown", PAUSE, OURS),
    ("MAIL 451 4.3.0 lookup failure", PAUSE, OURS),
    ("MAIL 452 4.3.1 insufficient storage", PAUSE, OURS),
    ("MAIL 552 5.3.4 too large", GIVE_UP, OURS),
    ("MAIL 552 too large", GIVE_UP, OURS),
    ("MAIL 550 5.6.7 no SMTPUTF8", GIVE_UP, OURS),
    ("RCPT 450 4.7.1 greylisted", LATER, THEIRS),
    ("RCPT 451 try again", LATER, THEIRS),
    ("RCPT 451 4.3.0 lookup failure", SUSPECT, OURS),
    ("RCPT 451 Temporary local problem - please try later", SUSPECT, OURS),
    ("DATA 451 Requested action aborted: local error in processing", SUSPECT, OURS),
    ("RCPT 452 4.2.2 mailbox full", LATER, THEIRS),
    ("RCPT 552 5.2.2 mailbox full", LATER, THEIRS),
    ("RCPT 552 over quota", LATER, THEIRS),
    ("RCPT 550 5.1.1 nobody", STOP, THEIRS),
    ("RCPT 550 5.1.10 null MX", STOP, THEIRS),
    ("RCPT 550 5.2.1 disabled", STOP, THEIRS),
    ("RCPT 550 5.4.1 no access", STOP, THEIRS),
    ("RCPT 550 no such user", STOP, THEIRS),
    ("RCPT 554 delivery error: no such user", STOP, THEIRS),
    ("RCPT 501 bad address", STOP, THEIRS),
    ("RCPT 550 5.1.8 bad sender", SUSPECT, OURS),
    ("RCPT 554 5.7.1 Relay access denied", SUSPECT, OURS),
    ("RCPT 550 relay not permitted", SUSPECT, OURS),
    ("RCPT 530 Must authenticate", SUSPECT, OURS),
    ("RCPT 503 5.5.1 bad sequence", SUSPECT, OURS),
    ("RCPT 421 4.7.0 enough", SUSPECT, OURS),
    ("RCPT close", SUSPECT, OURS),
    ("DATA 451 4.3.0 queue full", SUSPECT, OURS),
    ("DATA 451 4.7.1 later", LATER, THEIRS),
    ("DATA 554 5.5.1 no valid recipients", SUSPECT, OURS),
    ("DATA 554 no", SUSPECT, OURS),
    ("DATA 550 5.1.1 nobody after all", STOP, THEIRS),
    ("TEXT close", SUSPECT, OURS),
    ("DOT 451 4.7.1 greylisted", LATER, THEIRS),
    ("DOT 452 4.3.1 disk full", SUSPECT, OURS),
    ("DOT 552 5.2.2 mailbox full", LATER, THEIRS),
    ("DOT 550 5.1.1 nobody", STOP, THEIRS),
    ("DOT 554 5.7.1 looks like spam", GIVE_UP, THEIRS),
    ("DOT 550 5.6.0 malformed", GIVE_UP, THEIRS),
    ("DOT 552 5.3.4 too large", GIVE_UP, OURS),
    ("DOT 550 refused", REFUSED, THEIRS),
    ("DOT 421 4.3.2 going down", SUSPECT, OURS),
    ("DOT close", LATER, OURS),
    ("DOT silence", LATER, OURS),
    ("DOT what?", SUSPECT, OURS),
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sink]:
    """A mail server for all lines: starting one for each would take longer than all of them."""
    running = Sink(tmp_path_factory.mktemp("sink"))
    yield running
    running.stop()


def smtp(sink: Sink, line: str = "") -> SmtpTransport:
    """A transport for what a line of the table does: patient, but where nothing is said."""
    stage, _, what = line.partition(" ")
    silent = what == "silence"
    user = "ulm:secret@" if stage == "AUTH" else ""
    query = "?starttls=require" if stage == "STARTTLS" else ""
    url = f"smtp://{user}127.0.0.1:{sink.port}{query}"
    text_seconds = TEXT_SECONDS | ({Stage.DOT: 0.3} if silent else {})
    return SmtpTransport(url, 0.3 if silent and stage == "CONNECT" else 60, "ulm.example.org", text_seconds)


@pytest.mark.parametrize(("line", "verdict", "ours"), TABLE, ids=[line for line, _, _ in TABLE])
def test_whose_fault_it_is(shared: Sink, line: str, verdict: Verdict, ours: bool) -> None:
    shared.behave(f"at {line}")
    stage = line.split()[0]
    transport = smtp(shared, line)
    large = "x" * 70 + "\n"
    with pytest.raises(DeliveryError) as caught:
        transport.send(envelope(text=large * (60_000 if stage == "TEXT" else 1)))
    assert (caught.value.verdict, caught.value.ours) == (verdict, ours), str(caught.value)
    transport.close()


def test_an_answer_about_one_mail_leaves_the_connection_to_the_next(shared: Sink) -> None:
    said = [line.split(" ", 1) for line, verdict, _ in TABLE if verdict in (LATER, GIVE_UP, REFUSED, STOP)]
    answers = [(stage, words) for stage, words in said if words not in ("close", "silence")]
    before = shared.count()
    for stage, words in answers:
        shared.behave(f"at {stage}*1 {words}")
        transport = smtp(shared)
        with pytest.raises(DeliveryError):
            transport.send(envelope())
        transport.send(envelope())
        transport.close()
    assert shared.count() == before + len(answers)


def test_the_table_has_every_stage_and_every_verdict() -> None:
    assert {line.split()[0] for line, _, _ in TABLE} == {stage.name for stage in Stage}
    assert {verdict for _, verdict, _ in TABLE} == set(Verdict)


def test_whatever_a_server_says_there_is_a_verdict() -> None:
    for stage in Stage:
        for code in (-1, 100, 220, 250, 354, 421, 450, 500, 550, 599, 999):
            for words in ("", "no", "5.1.1 no", "4.2.2 no", "5.7.1 relay", "9.9.9", "5.1.1.1 an address", "\x00"):
                assert of_reply(stage, code, words).verdict in Verdict
        assert of_loss(stage, "gone").verdict in (PAUSE, SUSPECT, LATER)


def test_before_anybody_is_named_nothing_is_blamed() -> None:
    for stage in (Stage.CONNECT, Stage.EHLO, Stage.STARTTLS, Stage.AUTH):
        for code in (421, 454, 500, 530, 550, 554):
            for words in ("no", "5.1.1 no", "5.7.1 no", "4.2.2 no"):
                assert of_reply(stage, code, words).verdict is PAUSE


def test_a_certificate_of_nobody_is_not_trusted(tmp_path: Path, start_sink: Callable[..., Sink]) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    both = tmp_path / "certificate.pem"
    subprocess.run(
        [openssl, *words.split(), "-keyout", str(both), "-out", str(tmp_path / "public.pem")],
        check=True,
        capture_output=True,
    )
    with both.open("a") as file:
        file.write((tmp_path / "public.pem").read_text())
    sink = start_sink("keep", str(both))
    transport = SmtpTransport(f"smtp://localhost:{sink.port}?starttls=require", 5, "ulm.example.org")
    with pytest.raises(DeliveryError, match="certificate is not trusted") as caught:
        transport.send(envelope())
    assert caught.value.verdict is PAUSE
    assert sink.count() == 0
