"""Where those stand who want something that takes long to make."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

from server.language import gettext as _
from server.service.errors import ServiceError
from server.service.kept import Kept

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
        if not self.places.acquire(blocking=False):
            raise BusyError(_(self._busy))
        try:
            if not self.making.acquire(timeout=self.seconds):
                raise BusyError(_(self._busy))
            try:
                return kept.made(name, make)
            finally:
                self.making.release()
        finally:
            self.places.release()
