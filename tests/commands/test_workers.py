"""`ulm serve --workers`: one port, several processes, none of which is missed when it goes."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.commands.workers import workers_wanted
from tests.event_streams import next_event
from tests.live import ROOT, LiveServer

PATH = "/api/v1/players/me"


class Client(threading.Thread):
    """Somebody who asks all the time, on a connection that is kept or on a new one each time; notes what failed."""

    def __init__(self, url: str, token: str, kept: bool) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        self._token, self._kept = token, kept
        self.answered, self.failed = 0, list[str]()
        self.enough = threading.Event()

    def run(self) -> None:
        """Ask until it is enough."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        number = 0
        while not self.enough.is_set():
            number += 1
            try:
                self._connection.request("PATCH", PATH, json.dumps({"name": f"Ann {number}"}), headers)
                answer = self._connection.getresponse()
                body = answer.read()
                if answer.status == 200:
                    self.answered += 1
                else:
                    self.failed.append(f"{answer.status} {body!r}")
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(repr(error))
                self._connection.close()
            if not self._kept:
                self._connection.close()
        self._connection.close()


def children(pid: int) -> set[int]:
    return {int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()}


def until(what: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def call(url: str, method: str, path: str, data: object = None, token: str = "") -> dict[str, object]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    connection.request(method, path, None if data is None else json.dumps(data), headers)
    answer: dict[str, object] = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def test_renewing_all_processes_fails_no_request_and_a_dead_one_is_replaced(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, {"ULM_JOBS": "off"}, arguments=("serve", "--workers", "2"))
    clients: list[Client] = []
    try:
        until(lambda: "processes=2" in server.log())
        before = children(server.process.pid)
        assert len(before) == 2
        token = str(call(server.url, "POST", "/api/v1/players", {"name": "Ann"})["token"])
        clients = [Client(server.url, token, kept) for kept in (True, True, False, False)]
        for client in clients:
            client.start()
        until(lambda: all(client.answered for client in clients))
        os.kill(server.process.pid, signal.SIGHUP)
        until(lambda: "renewed all processes" in server.log())
        after = children(server.process.pid)
        assert len(after) == 2
        assert not before & after
        until(lambda: all(client.answered > 10 for client in clients))
        for client in clients:
            client.enough.set()
            client.join(30)
        assert [client.failed for client in clients] == [[]] * 4
        metrics = _metrics(server.url)
        answered = sum(client.answered for client in clients)
        # Of all processes.
        assert f'endpoint="players.patchMe",method="PATCH",status="200"}} {float(answered)}' in metrics
        os.kill(min(after), signal.SIGKILL)
        until(lambda: "a process has died" in server.log() and len(children(server.process.pid) - {min(after)}) == 2)
        assert call(server.url, "GET", PATH, token=token)["name"]
    finally:
        for client in clients:
            client.enough.set()
        assert server.stop(30) == 0
    assert "Traceback" not in server.log()


def test_an_event_crosses_between_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them looks by itself; and which one answers is settled by stopping the other."""
    (tmp_path / "calm").mkdir()
    calm = "from server.service.common import change_signal\nchange_signal.POLL_SECONDS = 1e6\n"
    (tmp_path / "calm" / "sitecustomize.py").write_text(calm, "utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'calm'}{os.pathsep}{ROOT}")
    server = LiveServer(tmp_path / "data", {"ULM_JOBS": "off"}, arguments=("serve", "--workers", "2"))
    try:
        until(lambda: "processes=2" in server.log())
        tokens = [str(call(server.url, "POST", "/api/v1/players", {"name": name})["token"]) for name in ("Ann", "Ben")]
        game = f"/api/v1/games/{call(server.url, 'POST', '/api/v1/games', {'seats': 2}, tokens[0])['id']}"
        mover, follower = sorted(children(server.process.pid))
        parts = urlsplit(server.url)
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=20)
        with alone(mover):
            connection.request("GET", f"{game}/events")
            stream = connection.getresponse()
            assert next_event(stream)["status"] == "open"
        with alone(follower):
            assert call(server.url, "POST", f"{game}/players", {}, tokens[1])["seat"] == 1
        # Whoever begins to follow looks once by themselves: this may have been seen by that, the next is heard.
        assert next_event(stream)["status"] == "running"
        with alone(follower):
            move = {"ply": call(server.url, "GET", game, token=tokens[1])["ply"], "moves": ["resign"]}
            assert call(server.url, "POST", f"{game}/moves", move, tokens[1])["applied"] == 1
        assert next_event(stream)["status"] == "finished"
        stream.close()
        connection.close()
    finally:
        assert server.stop(30) == 0
    assert "Traceback" not in server.log()


def test_the_address_is_said_when_all_processes_serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads it asks at once: a connection would be taken by nobody until they have come up."""
    came_up = tmp_path / "came-up"
    came_up.mkdir()
    in_children(tmp_path, monkeypatch, f"time.sleep(1); pathlib.Path({str(came_up)!r}, str(os.getpid())).touch()")
    server = LiveServer(tmp_path / "data", {"ULM_JOBS": "off"}, arguments=("serve", "--workers", "2"))
    try:
        assert len(list(came_up.iterdir())) == 2
    finally:
        assert server.stop(30) == 0


def test_one_that_does_not_come_up_keeps_no_other_from_being_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = tmp_path / "once"
    hang = f"once = pathlib.Path({str(once)!r})\nif once.exists():\n    once.unlink()\n    time.sleep(1000)\n"
    in_children(tmp_path, monkeypatch, hang)
    server = LiveServer(tmp_path / "data", {"ULM_JOBS": "off"}, arguments=("serve", "--workers", "2"))
    try:
        until(lambda: "processes=2" in server.log())
        first, second = children(server.process.pid)
        once.touch()
        os.kill(first, signal.SIGKILL)
        until(lambda: not once.exists())
        os.kill(second, signal.SIGKILL)
        assert call(server.url, "GET", "/readyz")["status"] == "ok"
    finally:
        assert server.stop(30) == 0


def in_children(folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    """Let the processes that `ulm serve` starts do that before anything else."""
    (folder / "early").mkdir()
    early = "import os, pathlib, time\nif '_ULM_LISTENER' in os.environ:\n"
    lines = "".join(f"    {line}\n" for line in does.splitlines())
    (folder / "early" / "sitecustomize.py").write_text(early + lines, "utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{folder / 'early'}{os.pathsep}{ROOT}")


@contextmanager
def alone(stopped: int) -> Iterator[None]:
    """The other process answers whatever comes, for this one stands still."""
    os.kill(stopped, signal.SIGSTOP)
    try:
        until(lambda: Path(f"/proc/{stopped}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "T")
        yield
    finally:
        os.kill(stopped, signal.SIGCONT)


def _metrics(url: str) -> str:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def test_a_number_of_processes_that_cannot_be_is_refused() -> None:
    for wrong in ("0", "65", "two", "-1"):
        with pytest.raises(argparse.ArgumentTypeError, match="from 1 to 64"):
            workers_wanted(wrong)
    assert workers_wanted("2") == 2
