"""A door for mail servers: LMTP (RFC 2033), and SMTP, on one socket. 250 is said after the commit, 451 where the mail
is to come again. Recipients are judged by their form alone, so that nobody finds tokens by trying."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import os
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from server.inbox.limits import SIZE, WORKERS
from server.inbox.receiving import Receive

log = logging.getLogger("ulm.inbox")

_BACKLOG = 50


class ListenError(Exception):
    """The socket cannot be opened. The message is one line and says what to change."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen: a path for a Unix socket, or a host and a port."""

    path: str = ""
    host: str = ""
    port: int = 0

    @classmethod
    def parse(cls, text: str) -> Listen:
        """As `ULM_LMTP_LISTEN` has it: `127.0.0.1:8024`, `[::1]:8024` or `unix:/run/ulm/lmtp.sock`."""
        if text.startswith("unix:"):
            return cls(path=text.removeprefix("unix:"))
        host, _, port = text.rpartition(":")
        return cls(host=host.removeprefix("[").removesuffix("]"), port=int(port))


class LmtpListener:
    """Listens from `start` to `stop`, in a thread of its own; `receive` works in others. Addresses of `domain` are
    taken; `name` is what this server calls itself."""

    def __init__(
        self, listen: Listen, receive: Receive, domain: str, name: str = "localhost", size: int = SIZE
    ) -> None:
        self._listen, self._receive, self._domain, self._name, self._size = listen, receive, domain, name, size
        self._thread: threading.Thread | None = None
        self._ending: asyncio.Future[float] | None = None
        self.port = listen.port

    @property
    def listening(self) -> bool:
        """Whether it is open."""
        return self._ending is not None

    def start(self) -> None:
        """Open the socket. Raises `ListenError`, also while another process listens there."""
        if importlib.util.find_spec("aiosmtpd") is None:
            raise ListenError("ULM_LMTP_LISTEN needs aiosmtpd: install ulm-by-mail[answers]")
        # It tells each command at INFO, and there are tokens in those.
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(opened)), name="lmtp", daemon=True)
        self._thread.start()
        try:
            opened.result()
        except OSError as error:
            self._thread.join()
            where = self._listen.path or f"{self._listen.host} port {self._listen.port}"
            why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
            raise ListenError(f"cannot listen for mail on {where}: {why.lower()}") from error
        log.info("listening for mail", extra={"fields": {"socket": self._listen.path or f"port {self.port}"}})

    def stop(self, grace: float = 10.0) -> None:
        """Take no more connections, answer the mails that are being worked on, and close."""
        if self._ending is None or self._thread is None:
            return
        self._ending.get_loop().call_soon_threadsafe(self._ending.set_result, grace)
        self._thread.join()
        self._ending = self._thread = None

    async def _serve(self, opened: Future[None]) -> None:
        """Listen until the end is set, and then as long as a mail is worked on."""
        from server.inbox.lmtp_connection import Connection, Handler  # aiosmtpd is in the extra `answers`

        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(WORKERS, thread_name_prefix="inbox"))
        handler = Handler(self._receive, self._domain)
        try:
            server = await self._open(lambda: Connection(handler, self._name, self._size))
        except Exception as error:
            opened.set_exception(error)
            return
        self._ending = loop.create_future()
        opened.set_result(None)
        grace = await self._ending
        await asyncio.sleep(0.02)  # who was let in just now has no connection yet, and asyncio would lose the socket
        server.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                while handler.connections:
                    for connection in list(handler.connections):
                        connection.leave()
                    await asyncio.sleep(0.02)
        for connection in list(handler.connections):
            connection.abort()
        if self._listen.path:
            with suppress(FileNotFoundError):
                os.unlink(self._listen.path)

    async def _open(self, connection: Callable[[], asyncio.BaseProtocol]) -> asyncio.Server:
        """The socket. Raises `OSError`."""
        loop = asyncio.get_running_loop()
        if self._listen.path:
            if _answers(self._listen.path):
                raise OSError(0, "another process listens there")
            server = await loop.create_unix_server(connection, self._listen.path, backlog=_BACKLOG)
            # Who may write there is said by the directory's rights: mail servers run as many users.
            os.chmod(self._listen.path, 0o666)  # noqa: S103 - see above
            return server
        family = socket.AF_INET6 if ":" in self._listen.host else socket.AF_INET
        server = await loop.create_server(
            connection, self._listen.host, self._listen.port, family=family, backlog=_BACKLOG
        )
        self.port = server.sockets[0].getsockname()[1]
        return server


def _answers(path: str) -> bool:
    """Whether somebody listens on a Unix socket; a file that is left of one that died is nobody."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tried:
        tried.settimeout(1)
        try:
            tried.connect(path)
        except OSError:
            return False
        return True
