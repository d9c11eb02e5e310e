"""`ulm serve --workers`: one port, several processes, none of which is missed when it goes."""

from __future__ import annotations

import http.client
import json
import os
import resource
import signal
import socket
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.commands import client as api
from tests.live import COUNTERS, ROOT, LiveServer
from tests.together import until

PATH = "/api/v1/players/me"


class Client(threading.Thread):
    """Somebody who asks again and again, on a connection that is kept or on a new one each time; notes what failed."""

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
        while not self.enough.wait(0.02):
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


def test_renewing_all_processes_fails_no_request_and_a_dead_one_is_replaced(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, {"ULM_JOBS": "off"} | COUNTERS, arguments=("serve", "--workers", "2"))
    clients: list[Client] = []
    try:
        until(lambda: "processes=2" in server.log())
        before = children(server.process.pid)
        assert len(before) == 2
        token = str(api.Client(server.url).post("/api/v1/players", {"name": "Ann"})["token"])
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
        answered = sum(client.answered for client in clients)
        # Of all processes.
        counted = f'endpoint="players.patchMe",method="PATCH",status="200"}} {float(answered)}'
        until(lambda: counted in server.counters(), "not all are counted, or more than all")
        os.kill(min(after), signal.SIGKILL)
        until(lambda: "a process has died" in server.log() and len(children(server.process.pid) - {min(after)}) == 2)
        assert api.Client(server.url).get(PATH, token)["name"]
    finally:
        for client in clients:
            client.enough.set()
        assert server.stop(30) == 0
    assert "Traceback" not in server.log()


def test_where_the_socket_is_held_a_restart_fails_no_request(tmp_path: Path) -> None:
    """As systemd holds it (`ulm-web@.socket`), behind a proxy."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as held:
        variables = {"ULM_JOBS": "off", "ULM_PROXY_HOPS": "1", "ULM_PORT": str(held.getsockname()[1])}
        server = LiveServer(tmp_path, variables, listener=held)
        token = str(api.Client(server.url).post("/api/v1/players", {"name": "Ann"})["token"])
        clients = [Client(server.url, token, kept) for kept in (True, False, False, False)]
        for client in clients:
            client.start()
        try:
            for _ in range(2):
                before = [client.answered for client in clients]
                assert server.stop() == 0
                server = LiveServer(tmp_path, variables, listener=held)
                until(lambda before=before: all(c.answered > was + 5 for c, was in zip(clients, before, strict=True)))
        finally:
            for client in clients:
                client.enough.set()
            for client in clients:
                client.join(30)
            assert server.stop() == 0
    assert [client.failed for client in clients] == [[]] * 4


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
        assert api.Client(server.url).get("/readyz")["status"] == "ok"
    finally:
        assert server.stop(30) == 0


def test_where_no_process_can_be_started_those_that_serve_stay(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, {"ULM_JOBS": "off"}, arguments=("serve", "--workers", "1"))
    try:
        until(lambda: "processes=1" in server.log())
        pid = server.process.pid
        soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, hard))
        os.kill(pid, signal.SIGHUP)
        until(lambda: "the processes stay as they are" in server.log())
        assert api.Client(server.url).get("/readyz")["status"] == "ok"
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
        os.kill(pid, signal.SIGHUP)
        until(lambda: "renewed all processes" in server.log())
    finally:
        assert server.stop(30) == 0


def in_children(folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    """Let the processes that `ulm serve` starts do that before anything else."""
    (folder / "early").mkdir()
    early = "import os, pathlib, time\nif '_ULM_LISTENER' in os.environ:\n"
    lines = "".join(f"    {line}\n" for line in does.splitlines())
    (folder / "early" / "sitecustomize.py").write_text(early + lines, "utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{folder / 'early'}{os.pathsep}{ROOT}")
