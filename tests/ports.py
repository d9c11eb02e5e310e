"""Ports for programs that have to be told one before they start."""

from __future__ import annotations

import socket
from types import TracebackType


class Port:
    """A free port of 127.0.0.1, which nobody else is given until it is closed: a port that is let go of before the
    program binds it may be another test's by then, or that of an outgoing connection.

    A program that sets SO_REUSEADDR (servers do) can listen there meanwhile, as often as it is started. While none
    does, connections are refused.
    """

    def __init__(self) -> None:
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", 0))
        self.number: int = self._held.getsockname()[1]

    def close(self) -> None:
        """Let it go."""
        self._held.close()

    def __enter__(self) -> int:
        return self.number

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
