"""`ulm mail doctor`: a mail to ourselves, through the listener of another process, and what is said where it fails."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cli import main
from tests.notify.sink import Sink
from tests.ports import Port
from tests.processes import Forked

DOMAIN = "ulm.example.org"


@pytest.fixture
def environ(tmp_path: Path, sqlite_template: Path) -> Iterator[dict[str, str]]:
    """The listener takes SMTP as well, so it can be its own mail server."""
    shutil.copy(sqlite_template, tmp_path / "ulm.sqlite3")
    with Port() as port:
        yield {
            "ULM_DATA_DIR": str(tmp_path),
            "ULM_REPLY_DOMAIN": DOMAIN,
            "ULM_MAIL_FROM": f"ulm@{DOMAIN}",
            "ULM_BASE_URL": f"https://{DOMAIN}",
            "ULM_LMTP_LISTEN": f"127.0.0.1:{port}",
            "ULM_SMTP_URL": f"smtp://127.0.0.1:{port}",
        }


@pytest.fixture
def worker(environ: dict[str, str], tmp_path: Path) -> Iterator[Forked]:
    running = Forked(main, ["worker"], {"PATH": os.environ["PATH"], **environ}, tmp_path / "worker.log")
    assert "works on mail" in running.stdout.readline()
    yield running
    if running.poll() is None:
        os.killpg(running.pid, signal.SIGKILL)
    running.wait(20)
    running.stdout.close()


def doctor(environ: dict[str, str], capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    code = main(["mail", "doctor", *more], environ)
    return code, capsys.readouterr().out


def test_a_mail_comes_back(worker, environ, capsys, tmp_path):
    for _ in range(100):  # the door opens a moment after the process begins
        code, said = doctor(environ, capsys, "--wait", "20")
        if code == 0:
            break
    assert (code, "it came back after" in said) == (0, True), said
    assert "wrong" not in said
    log = (tmp_path / "worker.log").read_text()
    assert "mail in outcome=done why=check" in log
    worker.terminate()
    assert worker.wait(30) == 0
    assert "stopped" in (tmp_path / "worker.log").read_text()


def test_what_is_in_the_way_is_named(environ, capsys):
    code, said = doctor(environ, capsys, "--wait", "0")
    assert code == 1
    assert f"nobody listens at ULM_LMTP_LISTEN={environ['ULM_LMTP_LISTEN']} (connection refused)" in said
    assert "the mail server did not take the mail" in said
    code, said = doctor({"ULM_DATA_DIR": environ["ULM_DATA_DIR"]}, capsys)
    assert code == 1
    assert "ULM_SMTP_URL is not set" in said
    assert "ULM_REPLY_DOMAIN is not set" in said


def test_a_mail_that_stays_away_is_told_with_what_to_look_for(environ, capsys, tmp_path):
    sink = Sink(tmp_path / "sink")
    try:
        code, said = doctor({**environ, "ULM_SMTP_URL": sink.url, "ULM_LMTP_LISTEN": ""}, capsys, "--wait", "0")
        assert sink.wait_for(1)[0].to[0].startswith("check+")
    finally:
        sink.stop()
    assert code == 1
    assert "the mail server has taken a mail" in said
    assert "it did not come back within 0 s. Other mail that came in meanwhile: none." in said
