"""`ulm serve` and `ulm worker` as processes, with the real composer: a mail is written, sent, and can be read."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable

import pytest

from tests.live import LiveServer

pytestmark = pytest.mark.slow


def sign_up(server: LiveServer, address: str) -> None:
    """Open an account with an address, which is asked for a confirmation."""
    request = urllib.request.Request(
        f"{server.url}/api/v1/players",
        method="POST",
        data=json.dumps({"name": "Ann", "email": address}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 201


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        return str(answer.read().decode("utf-8"))


def test_without_a_mail_server_the_mails_can_be_read_on_the_server(start_server: Callable[..., LiveServer]) -> None:
    server = start_server(ULM_MAIL_WORKERS="1")
    sign_up(server, "ann@example.org")
    deadline = time.monotonic() + 30
    while "ann@example.org" not in (listed := get(f"{server.url}/spool")):
        assert time.monotonic() < deadline, listed
        time.sleep(0.1)
    [path] = (server.data_dir / "mail").glob("*.eml")
    page = get(f"{server.url}/spool/{path.stem}")
    assert f"{server.url}/" in page  # links lead to this server, on whichever port it listens
    server.process.terminate()
    assert server.process.stdout is not None
    assert f"{server.url}/spool" in server.process.stdout.read()
    assert server.stop() == 0
    assert "Traceback" not in server.log()
    assert "ann@example.org" not in server.log()
