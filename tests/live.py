"""`ulm serve` as a process of its own, as players meet it."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from server import httpd
from server.cli import main
from tests.processes import Forked

ROOT = Path(__file__).parent.parent

GENEROUS = {"limits_percent": 1_000_000}
"""Limits that no test meets by the way: they send in a minute what people send in a week. (Those about limits set
their own.)"""

COUNTERS = {"ULM_METRICS_LISTEN": "127.0.0.1:0"}
"""For a server that is to show what it counts."""


def _activated(listener: socket.socket, arguments: Sequence[str]) -> int:
    httpd.HELD = listener.detach()
    os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
    return main(arguments)


class LiveServer:
    """A running server: `url` (no slash at the end), `process`, `data_dir`, and `log_path` with its log lines.

    `forked`: from a process that has imported the server; else by the command, as people start it. `listener`: a socket
    that we hold for it, as systemd does.
    """

    def __init__(
        self,
        data_dir: Path,
        variables: dict[str, str] | None = None,
        forked: bool = True,
        arguments: Sequence[str] = ("serve",),
        listener: socket.socket | None = None,
    ) -> None:
        data_dir.mkdir(parents=True, exist_ok=True)
        self.data_dir = data_dir
        self.log_path = data_dir / "server.log"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ULM_")}
        environment |= {
            "ULM_PORT": "0",
            "ULM_DATA_DIR": str(data_dir),
            "ULM_EXAMPLE": "off",
            "ULM_DEALS": "off",
            "ULM_ANALYSES": "off",
            "ULM_ACCOUNTS_PER_HOUR": "1000",
            **{f"ULM_{name.upper()}": str(most) for name, most in GENEROUS.items()},
            **(variables or {}),
        }
        if forked:
            run = main if listener is None else partial(_activated, listener)
            self.process: Forked | subprocess.Popen[str] = Forked(run, arguments, environment, self.log_path)
        else:
            with self.log_path.open("ab") as log:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "server.cli", *arguments],
                    cwd=ROOT,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    start_new_session=True,
                )
        self.welcome: list[str] = []
        self.url = self._read_address()

    def call(self, path: str, data: Any = None, token: str | None = None, method: str | None = None) -> Any:
        """What the API answers, as Python: `path` stands behind `/api/v1`, and with data it is a POST."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"{self.url}/api/v1{path}", body, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def step(self, game: str, token: str) -> None:
        """End the turn, or go on with it where it cannot be ended."""
        legal = self.call(f"/games/{game}/legal-moves", token=token)
        move = "end" if "end" in legal["moves"] else legal["moves"][0]
        self.call(f"/games/{game}/moves", {"ply": legal["ply"], "moves": [move]}, token)

    def stop(self, timeout: float = 20) -> int:
        """SIGTERM, as an operator's service manager does; the exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        return self._wait(timeout)

    def kill(self) -> None:
        """SIGKILL, for every process of it: no chance to tidy up."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self._wait(20)

    def log(self) -> str:
        """All log lines so far."""
        return self.log_path.read_text("utf-8")

    def counters(self) -> str:
        """What it counts, where it was started with `COUNTERS` among its variables."""
        port = re.findall(r"ulm\.metrics .*port=(\d+)", self.log())[-1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            return str(answer.read().decode())

    def _wait(self, timeout: float) -> int:
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()

    def _read_address(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.welcome.append(line)
            found = re.search(r"listens on (http://\S+)", line)
            if found:
                return found[1]
        self._wait(20)
        raise AssertionError(f"ulm serve did not start:\n{self.log()}")
