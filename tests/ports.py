"""Ports for programs that have to be told one before they start."""

import socket
from types import TracebackType


class Port:
    """A free port of every address of this machine, which nobody else is given until it is closed: one that is let go
    of before the program binds it may be another test's by then, or that of an outgoing connection.

    A program that sets SO_REUSEADDR (servers do) can listen there meanwhile, as often as it is started. While none
    does, connections are refused.
    """

    def __init__(self) -> None:
        both = socket.has_dualstack_ipv6()
        self._held = socket.socket(socket.AF_INET6 if both else socket.AF_INET)
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if both:
            self._held.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self._held.bind(("", 0))
        self.number: int = self._held.getsockname()[1]

    def close(self) -> None:
        """Let it go."""
        self._held.close()

    def __enter__(self) -> int:
        return self.number

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
