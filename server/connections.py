"""The connections that this process has open to its clients, and the closing of those that are too many.

granian says neither how many there are nor whose; the system does. It is asked where it lists what a process has open
(`/dev/fd`); where it does not, nothing is closed.

Hand-written: psutil, one more compiled library, reads all connections of the system to say as much.
"""

from __future__ import annotations

import ctypes
import ipaddress
import os
import socket
import stat
import struct
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache

_ATTACH_FILTER = 26  # Linux' SO_ATTACH_FILTER
_NO_NEWCOMERS = ((0x30, 0, 0, 13), (0x54, 0, 0, 0x12), (0x15, 1, 0, 0x02), (0x06, 0, 0, 0xFFFFFFFF), (0x06, 0, 0, 0))
"""For the kernel's packet filter: of all packets to a socket drop those that ask for a connection (SYN without ACK)."""

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

    def accept_no_more(self) -> None:
        """Take on no client any more: on a socket that other processes listen on as well they go on, one that nobody
        else has is closed, and who connects is refused.

        granian cannot be told to. Its number of that socket is given to another, at which nobody will ever call.
        """
        if not sys.platform.startswith("linux"):
            return  # which alone has sockets that listen and have no name
        with socket.socket(socket.AF_UNIX) as nobodys:
            nobodys.bind("")
            nobodys.listen()
            nobodys.setblocking(False)
            for held in self._listening():
                os.dup2(nobodys.fileno(), held.fileno(), inheritable=False)

    def turn_away(self) -> None:
        """`turn_away` at our listening socket."""
        for held in self._listening():
            turn_away(held)

    def _listening(self) -> Iterator[socket.socket]:
        for name in os.listdir("/dev/fd"):
            with suppress(OSError), _borrowed(int(name)) as held:
                if (
                    held.family in (socket.AF_INET, socket.AF_INET6)
                    and held.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
                    and held.getsockname()[1] == self._port
                ):
                    yield held

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


def turn_away(listener: socket.socket) -> None:
    """Let no further connection begin at a listening socket that is soon to be closed.

    Closing it ends those that were made and not accepted yet, and a request that was sent on one of them is lost. Who
    asks for a connection from now on hears nothing, asks again after a second, and is refused when it is closed: a
    proxy then knows that nothing of the request was done. Does nothing where the system cannot.
    """
    if not sys.platform.startswith("linux"):
        return
    code = b"".join(struct.pack("HBBI", *line) for line in _NO_NEWCOMERS)
    held = ctypes.create_string_buffer(code, len(code))
    with suppress(OSError):
        program = struct.pack("HP", len(_NO_NEWCOMERS), ctypes.addressof(held))
        listener.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)


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
