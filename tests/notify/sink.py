"""A mail server that keeps what it gets, as a process of its own: `Sink`. Its behaviour is chosen by name.

It serves on a free port and appends each mail to a file as it acknowledges it. At any stage of a conversation it can be
told to misbehave: `at RCPT 450 4.7.1 greylisted`, `at DATA close`, `at DOT*2 silence` (the first two times), `at DOT
keep and close` (it has the mail, and tells nobody), `at DOT wait 3` (and then as always), `at CONNECT …`, `EHLO`,
`STARTTLS`, `AUTH`, `MAIL`, `TEXT` (in the midst of a mail).
"""

import asyncio
import base64
import json
import os
import ssl
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

    def __init__(self, directory: Path, mode: str = "keep", certificate: str = "") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._file = directory / f"sink-{time.monotonic_ns()}.jsonl"
        self._told = 0
        self.behave(mode)
        self.process = Forked(main, [str(self._file), mode, certificate], os.environ)
        self.port = int(self.process.stdout.readline())
        self.url = f"smtp://127.0.0.1:{self.port}"

    def behave(self, mode: str) -> None:
        """Misbehave in this way from the next connection on; `keep`: not at all."""
        self._told += 1  # so that what is said again counts anew
        self._file.with_suffix(".mode").write_text(f"{self._told}\n{mode}", "utf-8")

    def received(self) -> list[Received]:
        if not self._file.exists():
            return []
        lines = [line for line in self._file.read_text("ascii").split("\n")[:-1] if line]
        return [
            Received(item["session"], item["sender"], item["to"], base64.b64decode(item["data"]))
            for item in map(json.loads, lines)
        ]

    def forget(self) -> None:
        """As if nothing had come so far, and from the next connection on nothing wrong."""
        self.behave("keep")
        if self._file.exists():
            os.truncate(self._file, 0)

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


class Misbehaviour:
    """What is done at one stage instead of what is right, and how often. `file` says it, and may say something else
    when the next client comes."""

    def __init__(self, file: Path) -> None:
        self._file, self._said = file, ""
        self.stage, self.what, self.left = "", "", 0
        self.look()

    def look(self) -> None:
        """Read what is to be done from now on."""
        said = self._file.read_text("utf-8")
        if said == self._said:
            return
        self._said = said
        mode = said.partition("\n")[2]
        _, where, self.what = mode.split(" ", 2) if mode.startswith("at ") else ("", "", "")
        self.stage, _, number = where.partition("*")
        self.left = int(number or 1_000_000)

    async def at(self, stage: str, server: Any) -> str | None:
        """What to answer there; None: as always. Does not come back where nothing is answered."""
        if stage != self.stage or self.left <= 0:
            return None
        self.left -= 1
        if self.what.startswith("wait "):
            await asyncio.sleep(float(self.what.removeprefix("wait ")))
            return None
        if self.what.endswith("close"):
            server.transport.abort()
        elif self.what != "silence":
            return self.what
        await asyncio.sleep(3600)
        return None


def misbehaving(base: Any, wrong: Misbehaviour) -> Any:
    """The class of a mail server that does what is wrong at its stage."""

    class Misbehaving(base):  # type: ignore[misc]
        async def push(self, status: str | bytes) -> None:
            text = status.decode() if isinstance(status, bytes) else status
            if text.startswith("220 sink"):
                status = await wrong.at("CONNECT", self) or status
            await super().push(status)
            if text.startswith("354"):
                await wrong.at("TEXT", self)

    def method(command: str) -> Any:
        own = getattr(base, f"smtp_{command}")

        async def instead(self: Any, arg: str | None) -> None:
            answer = await wrong.at("EHLO" if command == "HELO" else command, self)
            if answer is None:
                await own(self, arg)
            else:
                await self.push(answer)
                if answer.startswith("421"):
                    self.transport.close()

        instead.__dict__.update(own.__dict__)  # what HELP would say
        return instead

    for command in ("EHLO", "HELO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA"):
        setattr(Misbehaving, f"smtp_{command}", method(command))
    return Misbehaving


REFUSED = {
    "gone": "550 5.1.1 there is nobody of that name",
    "unloved": "550 5.7.1 not from you",
    "full": "452 4.2.2 the mailbox is full",
    "grey": "450 4.7.1 come again",
    "out-of-order": "451 4.3.0 no",
}
"""What is said to recipients of that name, or at that host."""
SMALL = 3000
"""What is larger is put off, in the mode `small`."""


class Handler:
    """Keeps mails, except what its mode says: the first word is what it does, the second how often."""

    def __init__(self, path: str, mode: str, wrong: Misbehaviour) -> None:
        self.file = open(path, "ab")  # noqa: SIM115 - for the life of the process
        self.wrong = wrong
        self.mode, _, number = mode.partition(":")
        self.left = int(number or 0)
        self.sessions: dict[int, int] = {}
        self.taken: dict[int, int] = {}

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if self.mode == "small" and any(int(said[5:]) > SMALL for said in options if said.startswith("SIZE=")):
            return "452 4.3.1 too large for now"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 ok"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if self.mode == "one-each" and self.taken.get(id(session)):
            return "421 one mail for each connection"
        name, _, domain = address.partition("@")
        for refused, answer in REFUSED.items():
            if refused in (name, domain.partition(".")[0]):
                return answer
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if (self.wrong.stage, self.wrong.what) == ("DOT", "keep and close") and self.wrong.left > 0:
            self._keep(session, envelope)
        answer = await self.wrong.at("DOT", server)
        if answer is not None:
            return answer
        if b"virus" in envelope.content:
            return "554 5.7.1 not with us"
        if self.mode == "slow":
            await asyncio.sleep(0.01)
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


async def serve(path: str, mode: str, certificate: str = "") -> None:
    """Serve for ever; prints the port. `certificate` is a file with one and its key, for STARTTLS."""
    from aiosmtpd.smtp import SMTP, AuthResult

    wrong = Misbehaviour(Path(path).with_suffix(".mode"))
    handler = Handler(path, mode, wrong)
    made_of = misbehaving(SMTP, wrong)
    tls = None
    if certificate:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate)
    loop = asyncio.get_running_loop()
    sessions: list[Any] = []

    def protocol() -> Any:
        wrong.look()
        options: dict[str, Any] = {"hostname": "sink.invalid", "loop": loop, "enable_SMTPUTF8": mode == "utf8"}
        if wrong.stage == "AUTH":
            options |= {"authenticator": lambda *_: AuthResult(success=True), "auth_require_tls": False}
        if tls is not None or wrong.stage == "STARTTLS":
            options["tls_context"] = tls or ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made = made_of(handler, **options)
        sessions.append(made)  # keeps them alive, so that id(session) stays their own
        return made

    server = await loop.create_server(protocol, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main(arguments: Sequence[str]) -> int:
    """Serve on a free port until it is told to end; prints the port."""
    asyncio.run(serve(*arguments))
    return 0
