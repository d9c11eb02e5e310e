"""`ulm serve` and `ulm worker` as processes, with the real composer: a mail is written, sent, and can be read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable

import pytest

from tests.live import ROOT, LiveServer
from tests.notify.sink import Sink

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


def test_a_worker_sends_for_a_server_that_does_not(start_server: Callable[..., LiveServer], sink: Sink) -> None:
    variables = {"ULM_SMTP_URL": sink.url, "ULM_JOBS": "off", "ULM_MAIL_WORKERS": "0"}
    server = start_server(**variables)
    sign_up(server, "ann@example.org")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ULM_")}
    environment |= {"ULM_DATA_DIR": str(server.data_dir), **variables}
    with subprocess.Popen(
        [sys.executable, "-m", "server.cli", "worker"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as worker:
        try:
            [mail] = sink.wait_for(1)
            assert mail.to == ["ann@example.org"]
            worker.send_signal(signal.SIGTERM)
            out, log = worker.communicate(timeout=30)
        finally:
            worker.kill()
    assert worker.returncode == 0
    assert "by the mail server of ULM_SMTP_URL" in out
    assert "ann@example.org" not in log
    assert "Traceback" not in log
