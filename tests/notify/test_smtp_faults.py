"""The table of docs/mail.md, line by line: what a mail server does at each stage, and whose fault it is taken for.

Every line is said by a real server over a real connection.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from server.notify.smtp_verdicts import DeliveryError, Stage, Verdict, of_loss, of_reply
from server.notify.transport import TEXT_SECONDS, SmtpTransport
from tests.notify.conftest import certificate_of_nobody
from tests.notify.sink import Sink
from tests.notify.test_delivery_transport import envelope

PAUSE, SUSPECT, LATER, REFUSED, STOP, GIVE_UP = Verdict
TABLE = [
    (line.strip(), Verdict[verdict], whose == "OURS")
    for line, verdict, whose in (
        row.rsplit(maxsplit=2)
        for row in Path(__file__).with_name("smtp_faults.txt").read_text("utf-8").splitlines()
        if not row.startswith("#")
    )
]


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


def test_a_certificate_of_nobody_is_not_trusted(tmp_path: Path, start_sink: Callable[..., Sink]) -> None:
    both = certificate_of_nobody(tmp_path)
    sink = start_sink("keep", str(both))
    transport = SmtpTransport(f"smtp://localhost:{sink.port}?starttls=require", 5, "ulm.example.org")
    with pytest.raises(DeliveryError, match="certificate is not trusted") as caught:
        transport.send(envelope())
    assert caught.value.verdict is PAUSE
    assert sink.count() == 0
