"""Somewhere that webhooks and pushes lead: a real HTTP server of the tests' own, in a process of its own.

It appends each request to a file before it answers, so that nothing is forgotten by whoever is killed. What it answers
stands in another file, and may change: `200`, `500 busy`, `302 /elsewhere`, `slow`, `silence`, `drip`.
"""

import base64
import json
import os
import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.processes import Forked
from tests.together import until


@dataclass(frozen=True)
class Heard:
    """One request; the names of its headers are small."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Listener:
    """A running one. `certificate` is a file with certificate and key, for TLS."""

    def __init__(self, directory: Path, certificate: str = "") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._file = directory / f"heard-{time.monotonic_ns()}.jsonl"
        self.answer("200")
        self.process = Forked(main, [str(self._file), certificate], os.environ)
        port = int(self.process.stdout.readline())
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{port}"

    def answer(self, what: str) -> None:
        """Answer so from now on."""
        self._file.with_suffix(".answer").write_text(what, "utf-8")

    def heard(self) -> list[Heard]:
        if not self._file.exists():
            return []
        lines = self._file.read_text("ascii").split("\n")[:-1]
        return [Heard(**{**one, "body": base64.b64decode(one["body"])}) for one in map(json.loads, lines)]

    def wait_for(self, number: int) -> list[Heard]:
        until(lambda: len(self.heard()) >= number)
        return self.heard()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(10)
        self.process.stdout.close()


class Handler(BaseHTTPRequestHandler):
    """Keeps what comes, and answers as it is told."""

    file: Path

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        one = {
            "method": self.command,
            "path": self.path,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "body": base64.b64encode(body).decode("ascii"),
        }
        with self.file.open("a", encoding="ascii") as file:
            file.write(json.dumps(one) + "\n")
        status, _, more = self.file.with_suffix(".answer").read_text("utf-8").partition(" ")
        if status == "slow":
            status = "200"
            time.sleep(0.05)
        if status == "silence":
            time.sleep(3600)
        if status == "drip":
            while True:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-More: ")
                self.wfile.flush()
                time.sleep(0.05)
        self.send_response(int(status))
        if status.startswith("3"):
            self.send_header("Location", more)
        if status == "503" and more.isdigit():
            self.send_header("Retry-After", more)
        self.send_header("Content-Length", str(len(more)))
        self.end_headers()
        self.wfile.write(more.encode())

    do_PUT = do_POST  # noqa: N815

    def log_message(self, *given: Any) -> None:
        pass


def main(arguments: Sequence[str]) -> int:
    """Listen on a free port, and print it."""
    Handler.file = Path(arguments[0])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if arguments[1]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    return 0
