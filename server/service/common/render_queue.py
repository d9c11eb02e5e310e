"""Where those stand who want something that takes long to make, and what was made for those before them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress

from cachetools import LRUCache

from server.language import gettext as _
from server.service.common.errors import ServiceError


class BusyError(ServiceError):
    """Others are having theirs made; trying again soon makes sense."""

    kind = "busy"
    seconds = 10


class RenderQueue:
    """One has something made at a time, a few wait, and who comes then is sent away at once: each of them holds a
    thread of the server. Whoever wants what is kept stands in no line."""

    def __init__(self, places: int, seconds: float, busy: str, kept: LRUCache[Hashable, bytes]) -> None:
        """Room for `places`, the one whose turn it is among them. Who waits for `seconds` is told that it is `busy` (a
        text that is marked), too. `kept` is for what was made."""
        self.places = threading.BoundedSemaphore(places)
        self.making = threading.Lock()
        self.seconds = seconds
        self._busy = busy
        self._kept, self._lock = kept, threading.Lock()

    def made(self, name: Hashable, make: Callable[[], bytes]) -> bytes:
        """What is kept by this name, or made now. Raises `BusyError`, and what `make` raises."""
        known = self._known(name)
        if known is not None:
            return known
        self._enter()
        try:
            known = self._known(name)  # made while this one waited
            return self._keep(name, make()) if known is None else known
        finally:
            self.making.release()
            self.places.release()

    def pieces(self, name: Hashable, make: Callable[[], Iterator[bytes]]) -> Iterator[bytes]:
        """The same piece by piece; a slow taker lets others in between. Raises `BusyError`, and what `make` raises."""
        known = self._known(name)
        if known is not None:
            return iter((known,))
        making = self._making(name, make)
        next(making)
        return making

    def _making(self, name: Hashable, make: Callable[[], Iterator[bytes]]) -> Iterator[bytes]:
        """An empty piece when the first is made, then all of them. Its place in the line goes with it."""
        self._enter()
        made: list[bytes] = []
        try:
            try:
                pieces = make()
                piece = next(pieces, None)
            finally:
                self.making.release()
            yield b""
            while piece is not None:
                made.append(piece)
                yield piece
                with self.making:
                    piece = next(pieces, None)
            self._keep(name, b"".join(made))
        finally:
            self.places.release()

    def _known(self, name: Hashable) -> bytes | None:
        with self._lock:
            return self._kept.get(name)

    def _keep(self, name: Hashable, whole: bytes) -> bytes:
        with self._lock, suppress(ValueError):  # larger than all the room there is
            self._kept[name] = whole
        return whole

    def _enter(self) -> None:
        """Take a place and wait for the turn, which are both to be released."""
        if not self.places.acquire(blocking=False):
            raise BusyError(_(self._busy))
        if not self.making.acquire(timeout=self.seconds):
            self.places.release()
            raise BusyError(_(self._busy))
