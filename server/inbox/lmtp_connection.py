"""One connection of a mail server: aiosmtpd's, which is taught LMTP's greeting, bounds, and to leave in good order."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from server.inbox import addresses
from server.inbox.limits import CONNECTIONS, RECIPIENTS, SECONDS
from server.inbox.receiving import Receive, together

log = logging.getLogger("ulm.inbox")

_COMMANDS = 1000  # of each kind on one connection; then the mail server makes another
_TAKEN = "250 2.0.0 taken"
_REPLIES = {"done": _TAKEN, "dropped": _TAKEN, "again": "451 4.3.0 not now, try again"}
"""`dropped` reads as `done`: another word would tell whoever tries tokens which of them are good."""


class Handler:
    """What aiosmtpd asks about each command; `connections` are those that are open."""

    def __init__(self, receive: Receive, domain: str) -> None:
        self._receive, self._domain = receive, domain
        self.connections: set[Connection] = set()

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
        loop, data = asyncio.get_running_loop(), bytes(envelope.original_content or b"")
        sender = (envelope.mail_from or "").strip("<>")
        outcomes = []
        server.busy = True
        try:
            for recipient in envelope.rcpt_tos:
                work = loop.run_in_executor(None, self._receive, data, [recipient], sender)
                # Shielded: when the connection is lost, it is done all the same, and known when it comes again.
                outcomes.append(await asyncio.shield(work))
        finally:
            server.busy = False
        if not server.is_lmtp:
            outcomes = [together(outcomes)]
        return "\r\n".join(_REPLIES[outcome.result] for outcome in outcomes)

    async def handle_exception(self, error: Exception) -> str:
        """A mistake of ours: the mail stays where it is. The log names the place, no word of the mail."""
        log.error("the listener failed", extra={"fields": {"error": type(error).__name__}})
        return "451 4.3.0 not now, try again"


class Connection(SMTP):
    """Says LHLO to LMTP and EHLO to others; `name` is what it calls itself, `size` the largest mail in bytes."""

    line_length_limit = 100_000  # longer than the standard's: what came through a mail server is taken

    def __init__(self, handler: Handler, name: str, size: int) -> None:
        self._connections, self._most, self._came = handler.connections, 2 * size + 100_000, 0
        self.is_lmtp = self.busy = False
        super().__init__(
            handler,
            data_size_limit=size,
            enable_SMTPUTF8=True,
            hostname=name,
            ident="Ulm by mail",
            timeout=SECONDS,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            command_call_limit=_COMMANDS,
            loop=asyncio.get_running_loop(),
        )

    def connection_made(self, transport: Any) -> None:
        """Greet, or send away where there are too many."""
        super().connection_made(transport)
        if len(self._connections) < CONNECTIONS:
            self._connections.add(self)
        else:
            self._send_away(b"421 4.3.2 too many connections\r\n")

    def connection_lost(self, error: Exception | None) -> None:
        """Make room."""
        self._connections.discard(self)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """What is too large is thrown away as it comes; but a line without end would be kept whole."""
        self._came += len(data)
        if self._came > self._most:
            self.abort()
        else:
            super().data_received(data)

    def _set_post_data_state(self) -> None:
        super()._set_post_data_state()
        self._came = 0

    def leave(self) -> None:
        """End, unless a mail is being worked on."""
        if not self.busy:
            self._send_away(b"421 4.3.2 going down, try again\r\n")

    def abort(self) -> None:
        """End at once."""
        transport: Any = self.transport
        if transport is not None:
            transport.abort()

    def _send_away(self, why: bytes) -> None:
        transport: Any = self.transport
        if transport is not None and not transport.is_closing():
            transport.write(why)
            transport.close()

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802
        """The greeting of LMTP: from now on each recipient is answered for itself."""
        self.is_lmtp = True
        await self.smtp_EHLO(arg)

    async def smtp_VRFY(self, arg: str) -> None:  # noqa: N802
        """Nobody hears which addresses there are."""
        await self.push("502 5.5.1 not here")
