"""A mail server that keeps what it gets, as a process of its own: `Sink`. Its behaviour is chosen by name.

It serves on a free port and appends each mail to a file as it acknowledges it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from tests.processes import Forked


@dataclass(frozen=True)
class Received:
    """One mail that the sink acknowledged; `session` tells connections apart."""

    session: int
    sender: str
    to: list[str]
    data: bytes

    @property
    def message(self) -> EmailMessage:
        parsed = message_from_bytes(self.data, policy=default)
        assert isinstance(parsed, EmailMessage)
        return parsed

    @property
    def message_id(self) -> str:
        return str(self.message["Message-ID"])


class Sink:
    """A running sink. `received()` reads what it has acknowledged so far."""

    def __init__(self, directory: Path, mode: str = "keep") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._file = directory / f"sink-{time.monotonic_ns()}.jsonl"
        self.process = Forked(main, [str(self._file), mode], os.environ)
        self.port = int(self.process.stdout.readline())
        self.url = f"smtp://127.0.0.1:{self.port}"

    def received(self) -> list[Received]:
        if not self._file.exists():
            return []
        lines = [line for line in self._file.read_text("ascii").split("\n")[:-1] if line]
        return [
            Received(item["session"], item["sender"], item["to"], base64.b64decode(item["data"]))
            for item in map(json.loads, lines)
        ]

    def count(self) -> int:
        """How many it has acknowledged, without parsing them."""
        return self._file.read_bytes().count(b"\n") if self._file.exists() else 0

    def wait_for(self, number: int, seconds: float = 30) -> list[Received]:
        """Wait until so many were acknowledged."""
        deadline = time.monotonic() + seconds
        while self.count() < number:
            assert time.monotonic() < deadline, f"{self.count()} of {number} mails came"
            time.sleep(0.02)
        return self.received()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()


class Handler:
    """Keeps mails, except what its mode says: the first word is what it does, the second how often."""

    def __init__(self, path: str, mode: str) -> None:
        self.file = open(path, "ab")  # noqa: SIM115 - for the life of the process
        self.mode, _, number = mode.partition(":")
        self.left = int(number or 0)
        self.sessions: dict[int, int] = {}
        self.taken: dict[int, int] = {}

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if self.mode == "one-each" and self.taken.get(id(session)):
            return "421 one mail for each connection"
        if address.startswith("gone@"):
            return "550 5.1.1 there is nobody of that name"
        if address.startswith("full@") or (self.mode == "busy" and self._once()):
            return "452 4.2.2 the mailbox is full"
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.mode == "lose" and self._once():
            self._keep(session, envelope)
            server.transport.abort()  # the mail is here, and nobody is told
            return "250 ok"
        if b"virus" in envelope.content:
            return "554 5.7.1 not with us"
        if self.mode == "slow":
            await asyncio.sleep(0.01)
        if self.mode != "count":
            self._keep(session, envelope)
        self.taken[id(session)] = self.taken.get(id(session), 0) + 1
        if self.mode == "hang-up" and self._once():
            asyncio.get_running_loop().call_later(0.05, server.transport.abort)
        return "250 ok"

    def _once(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def _keep(self, session: Any, envelope: Any) -> None:
        number = self.sessions.setdefault(id(session), len(self.sessions))
        line = {
            "session": number,
            "sender": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "data": base64.b64encode(envelope.original_content).decode("ascii"),
        }
        self.file.write(json.dumps(line).encode("ascii") + b"\n")
        self.file.flush()


async def serve(path: str, mode: str, **options: Any) -> None:
    from aiosmtpd.smtp import SMTP

    handler = Handler(path, mode)
    loop = asyncio.get_running_loop()
    sessions: list[Any] = []

    def protocol() -> Any:
        made = SMTP(handler, hostname="sink.invalid", loop=loop, enable_SMTPUTF8=mode == "utf8", **options)
        sessions.append(made)  # keeps them alive, so that id(session) stays their own
        return made

    server = await loop.create_server(protocol, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main(arguments: Sequence[str]) -> int:
    """Serve on a free port until it is told to end; prints the port."""
    asyncio.run(serve(*arguments))
    return 0
