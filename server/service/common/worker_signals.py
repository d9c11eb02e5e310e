"""Signals between the processes of one server: what changed at one is heard at once by those who wait at the others.

The process that starts the others makes a socket for each (`Sockets`), and they inherit them by number: `VARIABLE` says
which one a process reads, and all that it writes to. A signal is the id of a game. One that is lost, since its reader
is busy or is just being started anew, is made good for by the look that everybody takes each second. On PostgreSQL all
hear of each other by the database (`database_signals`), siblings too.
"""

from __future__ import annotations

import os
import socket
import threading
from contextlib import suppress

from server.service.common import change_signal
from server.storage.database import Store

VARIABLE = "_ULM_SIBLINGS"
"""Set by us alone, for processes that we start."""
_LONGEST = 64


class Sockets:
    """The sockets of so many processes, in the one that starts them."""

    def __init__(self, number: int) -> None:
        self._pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(number)]
        self._free = list(range(number))

    def take(self) -> tuple[int, str, list[int]]:
        """A free place: its number, what `VARIABLE` is to say for it, and the files that are to be inherited."""
        place = self._free.pop(0)
        read = self._pairs[place][0]
        with suppress(OSError):
            while read.recv(_LONGEST, socket.MSG_DONTWAIT):  # meant for the one before
                pass
        write = [pair[1].fileno() for pair in self._pairs if pair is not self._pairs[place]]
        return place, f"{read.fileno()}:{','.join(map(str, write))}", [read.fileno(), *write]

    def give_back(self, place: int) -> None:
        """The process that had the place has ended."""
        self._free.append(place)

    def close(self) -> None:
        """Close all."""
        for pair in self._pairs:
            for one in pair:
                one.close()


def join(store: Store) -> None:
    """Hear what changes at the others, and tell them what changes here; nothing where there are none."""
    told = os.environ.pop(VARIABLE, None)
    if told is None or not store.is_sqlite:
        return
    read, _, write = told.partition(":")
    others = [socket.socket(fileno=int(number)) for number in write.split(",")]
    own = socket.socket(fileno=int(read))
    hub = change_signal.changes(store)

    def tell(game: str) -> None:
        data = game.encode()
        for other in others:
            with suppress(OSError):  # it has more than it can take, or is not there
                other.send(data, socket.MSG_DONTWAIT)

    def listen() -> None:
        with suppress(OSError):
            while data := own.recv(_LONGEST):
                hub.heard(data.decode("ascii", "replace"))

    hub.tell(tell)
    threading.Thread(target=listen, name="siblings", daemon=True).start()
