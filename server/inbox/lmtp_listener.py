"""A door for mail servers: LMTP (RFC 2033), and SMTP for those that speak nothing else, on one socket.

250 is said after the commit and never before; a mail that cannot be worked on now gets 451, and the mail server in
front keeps it and comes again. So nothing is lost when this process is killed: what was committed without a 250 comes
once more and is known by its Message-ID.

Recipients are judged by their form alone. Whether a token is one of ours is not told: an address with any token is
taken, and mail to a wrong one is dropped later.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import os
import socket
import stat
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.inbox import addresses
from server.inbox.limits import CONNECTIONS, RECIPIENTS, SIZE, WORKERS
from server.inbox.outcomes import Outcome, Receive, together

if TYPE_CHECKING:
    from aiosmtpd.smtp import Envelope, Session

log = logging.getLogger("ulm.inbox")

_BACKLOG = 50
_TAKEN = "250 2.0.0 taken"
_REPLIES = {"done": _TAKEN, "dropped": _TAKEN, "again": "451 4.3.0 not now, try again"}
"""`dropped` reads as `done`: another word would tell whoever tries tokens which of them are good."""


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
    """Listens from `start` to `stop`, in a thread with a loop of its own; `receive` works in others.

    `domain` is that of the addresses which are taken; `name` what this server calls itself.
    """

    def __init__(
        self, listen: Listen, receive: Receive, domain: str, name: str = "localhost", size: int = SIZE
    ) -> None:
        self._listen, self._receive, self._domain, self._name, self._size = listen, receive, domain, name, size
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._server: asyncio.AbstractServer | None = None
        self._sessions: set[Any] = set()
        self.port = listen.port

    @property
    def listening(self) -> bool:
        """Whether it is open."""
        return self._server is not None

    def start(self) -> None:
        """Open the socket. Raises `ListenError`, also while another process listens there."""
        if importlib.util.find_spec("aiosmtpd") is None:
            raise ListenError("ULM_LMTP_LISTEN needs aiosmtpd: install ulm-by-mail[answers]")
        bound = _bind(self._listen)
        if self._listen.host:
            self.port = bound.getsockname()[1]
        # It tells each command at INFO, and there are tokens in those.
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)
        loop = asyncio.new_event_loop()
        self._loop = loop
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="inbox")
        self._thread = threading.Thread(target=loop.run_forever, name="lmtp", daemon=True)
        self._thread.start()
        try:
            self._server = asyncio.run_coroutine_threadsafe(self._open(loop, bound), loop).result()
        except BaseException:
            bound.close()
            self.stop()
            raise
        log.info("listening for mail", extra={"fields": {"socket": self._listen.path or f"port {self.port}"}})

    def stop(self, grace: float = 10.0) -> None:
        """Take no more connections, let mails that are being worked on be answered, and close.

        A mail whose text is not all here is not waited for: its sender brings it again.
        """
        if self._loop is None or self._thread is None or self._pool is None:
            return
        loop = self._loop
        asyncio.run_coroutine_threadsafe(self._close(grace), loop).result()
        self._pool.shutdown(wait=True)
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()
        self._loop = self._thread = self._pool = self._server = None
        if self._listen.path:
            _remove(self._listen.path)

    async def _open(self, loop: asyncio.AbstractEventLoop, bound: socket.socket) -> asyncio.AbstractServer:
        from server.inbox.lmtp_connection import Connection  # aiosmtpd is in the extra `answers`

        return await loop.create_server(lambda: Connection(self, loop), sock=bound, backlog=_BACKLOG)

    async def _close(self, grace: float) -> None:
        await asyncio.sleep(0.02)  # who was let in just now has no connection yet, and asyncio would lose the socket
        if self._server is not None:
            self._server.close()
        for session in list(self._sessions):
            session.leave()
        deadline = asyncio.get_running_loop().time() + grace
        while self._sessions and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.02)
        for session in list(self._sessions):
            session.abort()
        # Their tasks are cancelled by that, and need a turn to end.
        await asyncio.sleep(0.05)

    # What the protocol calls, in the loop.

    async def handle_MAIL(  # noqa: N802
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Any sender will do: it is looked at for the null sender alone."""
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 ok"

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Whatever looks like an address of ours is taken."""
        if addresses.parse(address, self._domain) is None:
            return "550 5.1.1 there is no such address"
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Do it in another thread, and answer when it is committed: of LMTP for each recipient."""
        outcomes = []
        server.busy = True
        try:
            for recipient in envelope.rcpt_tos:
                outcomes.append(await self._work(envelope, [recipient]))  # noqa: PERF401 - awaits
        finally:
            server.busy = False
        if not server.is_lmtp:
            outcomes = [together(outcomes)]
        return "\r\n".join(_REPLIES[outcome.result] for outcome in outcomes)

    async def _work(self, envelope: Envelope, recipients: Sequence[str]) -> Outcome:
        if self._pool is None:
            return Outcome("again", "closing")
        loop, data = asyncio.get_running_loop(), bytes(envelope.original_content or b"")
        # Shielded: when the connection is lost meanwhile, the work is done all the same, and known when it comes again.
        return await asyncio.shield(
            loop.run_in_executor(self._pool, self._receive, data, recipients, (envelope.mail_from or "").strip("<>"))
        )

    async def handle_exception(self, error: Exception) -> str:
        """A mistake of ours: the mail stays where it is. The log names the place, no word of the mail."""
        log.error("the listener failed", extra={"fields": {"error": type(error).__name__}})
        return "451 4.3.0 not now, try again"

    def enter(self, session: Any) -> bool:
        """A connection has come; whether there is room for it."""
        if len(self._sessions) >= CONNECTIONS:
            return False
        self._sessions.add(session)
        return True

    def leave(self, session: Any) -> None:
        """A connection has ended."""
        self._sessions.discard(session)

    @property
    def size(self) -> int:
        """The largest mail, in bytes."""
        return self._size

    @property
    def name(self) -> str:
        """What it calls itself."""
        return self._name


def _bind(listen: Listen) -> socket.socket:
    """A socket that is bound there. Raises `ListenError`."""
    where = listen.path or f"{listen.host} port {listen.port}"
    family = socket.AF_UNIX if listen.path else socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if listen.path:
            if _answers(listen.path):
                raise OSError(0, "another process listens there")
            _remove(listen.path)
            made.bind(listen.path)
            # Who may write there is said by the directory's rights: mail servers run as many users.
            os.chmod(listen.path, 0o666)  # noqa: S103 - see above
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((listen.host, listen.port))
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        raise ListenError(f"cannot listen for mail on {where}: {(error.strerror or str(error)).lower()}") from error
    made.setblocking(False)
    return made


def _answers(path: str) -> bool:
    """Whether somebody listens on a Unix socket; a file that is left of one that died is nobody."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tried:
        tried.settimeout(1)
        try:
            tried.connect(path)
        except OSError:
            return False
        return True


def _remove(path: str) -> None:
    try:
        if stat.S_ISSOCK(os.stat(path).st_mode):
            os.unlink(path)
    except FileNotFoundError:
        pass
