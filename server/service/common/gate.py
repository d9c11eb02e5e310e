"""Where those stand who want something that takes long to make."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

from server.language import gettext as _
from server.service.common.cache import Kept
from server.service.common.errors import ServiceError

Value = TypeVar("Value")


class BusyError(ServiceError):
    """Others are having theirs made; trying again soon makes sense."""

    status = 503
    kind = "busy"

    @property
    def headers(self) -> dict[str, str]:
        """When to come back."""
        return {"Retry-After": "10"}


class Line:
    """One has something made at a time, a few wait, and who comes then is sent away at once.

    Each of them holds a thread of the server, and those who play need some too, and the processor.
    """

    def __init__(self, places: int, seconds: float, busy: str) -> None:
        """Room for `places`, the one whose turn it is among them. Who waits for `seconds` is told that it is `busy` (a
        text that is marked) as well."""
        self.places = threading.BoundedSemaphore(places)
        self.making = threading.Lock()
        self.seconds = seconds
        self._busy = busy

    def made(self, kept: Kept[Value], name: Hashable, make: Callable[[], Value]) -> Value:
        """What is kept by this name, made first when it is not. Raises `BusyError`, and what `make` raises."""
        known = kept.get(name)
        if known is not None:
            return known
        self._enter()
        try:
            return kept.made(name, make)
        finally:
            self.making.release()
            self.places.release()

    def pieces(self, kept: Kept[bytes], name: Hashable, make: Callable[[], Iterator[bytes]]) -> Iterator[bytes]:
        """The same piece by piece, each made when it is asked for: whoever takes their time with one keeps a place in
        the line, and lets others have theirs made meanwhile. `close` it when no more is wanted.

        The first piece is made at once. Raises `BusyError`, and what `make` raises.
        """
        known = kept.get(name)
        if known is not None:
            return iter((known,))
        self._enter()
        try:
            pieces = make()
            first = next(pieces, b"")
        except BaseException:
            self.places.release()
            raise
        finally:
            self.making.release()
        return _Pieces(self, first, pieces, lambda whole: kept.put(name, whole))

    def _enter(self) -> None:
        """Take a place and wait for the turn, which are both to be released."""
        if not self.places.acquire(blocking=False):
            raise BusyError(_(self._busy))
        if not self.making.acquire(timeout=self.seconds):
            self.places.release()
            raise BusyError(_(self._busy))


class _Pieces(Iterator[bytes]):
    """What is made for one who has a place in a line, which is given back with the last piece."""

    def __init__(self, line: Line, first: bytes, pieces: Iterator[bytes], done: Callable[[bytes], object]) -> None:
        self._line, self._pieces, self._done = line, pieces, done
        self._leaving = threading.Lock()
        self._made = [first]
        self._told = 0

    def __next__(self) -> bytes:
        if self._told == len(self._made):
            with self._line.making:
                piece = next(self._pieces, None)
            if piece is None:
                self._done(b"".join(self._made))
                self.close()
                raise StopIteration
            self._made.append(piece)
        self._told += 1
        return self._made[self._told - 1]

    def close(self) -> None:
        """Leave the line; once, however often it is called."""
        if self._leaving.acquire(blocking=False):
            self._line.places.release()

    def __del__(self) -> None:
        self.close()
