"""`ulm mail receive` as a mail server's pipe runs it: what it exits with decides whether a mail is kept."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.cli import main
from server.inbox.limits import SIZE
from server.service.outbox import received_mail
from server.storage.database import open_database
from tests import processes

DOMAIN = "ulm.example.org"
TOKEN = "abcdefghijklmnopqrstuvwx23"
MAIL = f"From: ann@example.net\nTo: play+{TOKEN}@{DOMAIN}\nMessage-ID: <1@x>\n\nn1 secret words\n".encode()

Receive = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def environ(tmp_path: Path, sqlite_template: Path) -> dict[str, str]:
    shutil.copy(sqlite_template, tmp_path / "ulm.sqlite3")
    return {"ULM_DATA_DIR": str(tmp_path), "ULM_REPLY_DOMAIN": DOMAIN}


@pytest.fixture
def receive(tmp_path: Path, environ: dict[str, str]) -> Receive:
    def run(*arguments: str, data: bytes = MAIL, **more: str) -> subprocess.CompletedProcess[bytes]:
        done = processes.run(main, ["mail", "receive", *arguments], data, environ | more, tmp_path, 60)
        said = done.stdout + done.stderr
        for secret in (b"Traceback", b"secret words", TOKEN.encode(), b"ann@"):
            assert secret not in said
        return done

    return run


def counts(environ: dict[str, str]) -> dict[str, int]:
    store = open_database(f"sqlite:///{environ['ULM_DATA_DIR']}/ulm.sqlite3", threads=1)
    try:
        return received_mail.counts(store, datetime.now(UTC))
    finally:
        store.close()


def test_what_is_done_or_dropped_is_no_more_the_mail_servers(receive, environ):
    """Recipients come as arguments, from the environment, or from the header."""
    play = f"play+{TOKEN}@{DOMAIN}"
    assert receive("--", play).returncode == 0
    assert receive(ORIGINAL_RECIPIENT=play).returncode == 0
    assert receive(RECIPIENT="nobody@example.net").returncode == 0
    assert receive().returncode == 0
    assert receive("--sender=", "--", play).returncode == 0
    assert receive(play, SENDER="MAILER-DAEMON").returncode == 0
    assert receive(play, data=b"").returncode == 0
    assert receive(play, data=MAIL + b"x" * SIZE).returncode == 0
    assert counts(environ) == {
        "dropped unknown token": 3, "dropped null sender": 2, "dropped no header": 1, "dropped not for us": 1,
        "dropped too large": 1,
    }  # fmt: skip


def test_whatever_is_in_the_way_the_mail_server_keeps_the_mail(receive, tmp_path):
    """Also when it is a setting, for which other commands exit with 2: mail servers would send the mail back."""
    for more, said in (
        ({"ULM_REPLY_DOMAIN": ""}, b"ULM_REPLY_DOMAIN is not set"),
        ({"ULM_PORT": "x"}, b"ULM_PORT"),
        ({"ULM_DATABASE_URL": "postgresql://u:hunter2@127.0.0.1:1/none"}, b"cannot reach the database"),
        ({"ULM_DATA_DIR": "/proc/none"}, b"database"),
        ({"ULM_DATA_DIR": str(tmp_path / "empty")}, b"there is no database"),
    ):
        done = receive(**more)
        assert (done.returncode, done.stdout) == (75, b"")
        assert said in done.stderr
        assert b"hunter2" not in done.stderr


def test_what_came_in_is_shown_without_secrets(receive, environ, capsys):
    receive()
    receive()
    assert main(["mail", "received"], environ) == 0
    shown = capsys.readouterr().out
    assert "2  dropped unknown token" in shown
    assert TOKEN not in shown
