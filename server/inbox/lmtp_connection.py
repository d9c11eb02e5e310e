"""One connection of a mail server: aiosmtpd's, which is taught LMTP's greeting, bounds, and to leave in good order."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from aiosmtpd.smtp import SMTP, syntax

from server.inbox.limits import SECONDS

_COMMANDS = 1000
"""Of each kind on one connection; then the mail server makes another."""


class Door(Protocol):
    """Whose connection it is. It has the hooks of aiosmtpd, too."""

    @property
    def size(self) -> int:
        """The largest mail, in bytes."""

    @property
    def name(self) -> str:
        """What it calls itself."""

    def enter(self, session: Any) -> bool:
        """A connection has come; whether there is room for it."""

    def leave(self, session: Any) -> None:
        """A connection has ended."""


class Connection(SMTP):
    """Says LHLO to those who speak LMTP and EHLO to the others. `door` answers what has to be decided."""

    line_length_limit = 100_000  # longer than the standard's: what came through a mail server is taken

    def __init__(self, door: Door, loop: asyncio.AbstractEventLoop) -> None:
        self._door, self._came = door, 0
        self.is_lmtp = self.busy = self.leaving = False
        super().__init__(
            door,
            data_size_limit=door.size,
            enable_SMTPUTF8=True,
            hostname=door.name,
            ident="Ulm by mail",
            timeout=SECONDS,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            command_call_limit=_COMMANDS,
            loop=loop,
        )

    def connection_made(self, transport: Any) -> None:
        """Greet, or send away where there are too many."""
        super().connection_made(transport)
        if not self._door.enter(self):
            transport.write(b"421 4.3.2 too many connections\r\n")
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Make room."""
        self._door.leave(self)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """What is too large is thrown away as it comes; but a line without end would be kept whole."""
        self._came += len(data)
        if self._came > 2 * self._door.size + 100_000:
            self.abort()
        else:
            super().data_received(data)

    def _set_post_data_state(self) -> None:
        super()._set_post_data_state()
        self._came = 0

    async def push(self, status: Any) -> None:
        """Say something; who is to leave does so after that."""
        await super().push(status)
        if self.leaving and not self.busy and self.transport is not None:
            self.transport.close()

    def leave(self) -> None:
        """End, after the answer to the mail that is being worked on."""
        self.leaving = True
        transport: Any = self.transport
        if not self.busy and transport is not None:
            transport.write(b"421 4.3.2 going down, try again\r\n")
            transport.close()

    def abort(self) -> None:
        """End at once."""
        transport: Any = self.transport
        if transport is not None:
            transport.abort()

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802
        """The greeting of LMTP: from now on each recipient is answered for itself."""
        self.is_lmtp = True
        await self.smtp_EHLO(arg)

    async def smtp_VRFY(self, arg: str) -> None:  # noqa: N802
        """Nobody hears which addresses there are."""
        await self.push("502 5.5.1 not here")
