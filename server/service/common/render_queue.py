"""Where those stand who want something that takes long to make, and what was made for those before them."""

from __future__ import annotations

import threading
from collections import Counter
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
    thread of the server. What is made in pieces goes on in turns. Whoever wants what is kept stands in no line."""

    def __init__(
        self, places: int, seconds: float, busy: str, kept: LRUCache[Hashable, bytes], of_one: int | None = None
    ) -> None:
        """Room for `places`, the one whose turn it is among them, and for `of_one` of one network. Who waits for
        `seconds` is told that it is `busy` (a text that is marked), too. `kept` is for what was made."""
        self.places = threading.BoundedSemaphore(places)
        self._of_one, self._networks = of_one, Counter[str]()
        self.making = threading.Lock()
        self.seconds = seconds
        self._busy = busy
        self._kept, self._lock = kept, threading.Lock()

    def made(self, name: Hashable, make: Callable[[], bytes]) -> bytes:
        """What is kept by this name, or made now. Raises `BusyError`, and what `make` raises."""
        known = self._known(name)
        if known is not None:
            return known
        self._enter(None)
        try:
            known = self._known(name)  # made while this one waited
            return self._keep(name, make()) if known is None else known
        finally:
            self.making.release()
            self._leave(None)

    def pieces(
        self, name: Hashable, make: Callable[[], Iterator[bytes]], network: str | None = None
    ) -> Iterator[bytes]:
        """The same piece by piece; after each of them others have their turn. `network` is whose place it takes, None
        of nobody. Raises `BusyError`, and what `make` raises."""
        known = self._known(name)
        if known is not None:
            return iter((known,))
        making = self._making(name, make, network)
        next(making)
        return making

    def _making(self, name: Hashable, make: Callable[[], Iterator[bytes]], network: str | None) -> Iterator[bytes]:
        """An empty piece when the first is made, then all of them. Its place in the line goes with it."""
        self._enter(network)
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
            self._leave(network)

    def _known(self, name: Hashable) -> bytes | None:
        with self._lock:
            return self._kept.get(name)

    def _keep(self, name: Hashable, whole: bytes) -> bytes:
        with self._lock, suppress(ValueError):  # larger than all the room there is
            self._kept[name] = whole
        return whole

    def _enter(self, network: str | None) -> None:
        """Take a place and wait for the turn, which are both to be released."""
        with self._lock:
            free = network is None or self._of_one is None or self._networks[network] < self._of_one
            if not (free and self.places.acquire(blocking=False)):
                raise BusyError(_(self._busy))
            if network is not None:
                self._networks[network] += 1
        if not self.making.acquire(timeout=self.seconds):
            self._leave(network)
            raise BusyError(_(self._busy))

    def _leave(self, network: str | None) -> None:
        with self._lock:
            self.places.release()
            if network is not None:
                self._networks -= Counter({network: 1})  # keeps none that is at 0
