"""The connections that this process has open to its clients, and the closing of those that are too many.

granian says neither how many there are nor whose; the system does. It is asked where it lists what a process has open
(`/dev/fd`); where it does not, nothing is closed.

Hand-written: psutil, one more compiled library, reads all connections of the system to say as much.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import stat
import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache

Peer = tuple[str, int]
"""The address and port of a client."""


class Connections:
    """The connections to one listening port.

    A network (an address, or the /64 around it) may have `per_network`, all together `total`; 0 is no limit.
    """

    def __init__(self, port: int, per_network: int, total: int) -> None:
        self._port, self._per_network, self._total = port, per_network, total
        self._since: dict[Peer, float] = {}
        self._known: dict[int, tuple[int, Peer | None]] = {}

    def close_too_many(self, busy: Collection[Peer]) -> int:
        """Close what is over the limits, and say how many that were.

        The oldest go first among those that are not `busy`: whoever has just come has a request to send, and who has
        sent half of one and falls silent makes room.
        """
        now = time.monotonic()
        opened = self._opened()
        self._since = {peer: self._since.get(peer, now) for peer in opened}
        if len(opened) <= min(self._total or len(opened), self._per_network or len(opened)):
            return 0
        order = sorted(opened, key=lambda peer: (peer in busy, self._since[peer]))
        networks: dict[str, list[Peer]] = defaultdict(list)
        for peer in order:
            networks[_network(peer[0])].append(peer)
        closing: set[Peer] = set()
        if self._per_network:
            for peers in networks.values():
                closing.update(peers[: max(len(peers) - self._per_network, 0)])
        if self._total:
            left = [peer for peer in order if peer not in closing]
            closing.update(peer for peer in left[: max(len(left) - self._total, 0)] if peer not in busy)
        for peer in closing:
            _shut(opened[peer])
        return len(closing)

    def hang_up(self, peer: Peer) -> None:
        """Close the connection of one client, if there is one."""
        number = self._opened().get(peer)
        if number is not None:
            _shut(number)

    def close_all(self) -> None:
        """Close every connection."""
        for number in self._opened().values():
            _shut(number)

    def _opened(self) -> dict[Peer, int]:
        found: dict[Peer, int] = {}
        known: dict[int, tuple[int, Peer | None]] = {}
        with suppress(FileNotFoundError):
            for name in os.listdir("/dev/fd"):
                number = int(name)
                with suppress(OSError):  # closed meanwhile
                    seen = os.fstat(number)
                    if not stat.S_ISSOCK(seen.st_mode):
                        continue
                    # One that was looked at already is known by its inode.
                    inode, peer = self._known.get(number, (0, None))
                    if inode != seen.st_ino:
                        peer = self._peer(number)
                    known[number] = seen.st_ino, peer
                    if peer is not None:
                        found[peer] = number
        self._known = known
        return found

    def _peer(self, number: int) -> Peer | None:
        """Whose connection it is; None for sockets that are no connection of a client."""
        with suppress(OSError), _borrowed(number) as held:  # it listens, or is not connected
            if held.family in (socket.AF_INET, socket.AF_INET6) and held.getsockname()[1] == self._port:
                return held.getpeername()[0], held.getpeername()[1]
        return None


@lru_cache(maxsize=4096)
def _network(address: str) -> str:
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))


@contextmanager
def _borrowed(number: int) -> Iterator[socket.socket]:
    """The socket of a file number that is somebody else's: it is not closed here, nor copied."""
    held = socket.socket(fileno=number)
    try:
        yield held
    finally:
        held.detach()


def _shut(number: int) -> None:
    with suppress(OSError), _borrowed(number) as held:
        held.shutdown(socket.SHUT_RDWR)
