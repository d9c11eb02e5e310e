"""ETags over what the caller sees, 304, and `Prefer: wait=N` (a long poll).

A tag is a hash of what is shown, so it can tell nothing that the answer does not: while somebody's draw is hidden from
the caller, answer and tag stay the same, and a waiting request goes on waiting.
"""

import hashlib
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from flask import Response, request

Data = TypeVar("Data")

_WAIT = re.compile(r'wait\s*=\s*"?([0-9]{1,9})"?', re.IGNORECASE)
_REVALIDATE = "private, no-cache"
FOREVER = "max-age=31536000, immutable"
"""In Cache-Control, for what never changes."""


def conditional(view: Callable[..., Response]) -> Callable[..., Response]:
    """Return the view with an ETag over the bytes of its answer (if it set none itself) and with 304."""

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Response:
        response = view(*args, **kwargs)
        if response.status_code != 200:
            return response
        if "ETag" not in response.headers:
            response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
        response.headers.setdefault("Cache-Control", _REVALIDATE)
        # What is seen depends on who asks: a shared cache must not mix them.
        response.vary.add("Authorization")
        etag, _ = response.get_etag()
        return _not_modified(response) if etag and known_to_caller(etag) else response

    return wrapper


def known_to_caller(etag: str) -> bool:
    """Return whether the request's If-None-Match names this tag (weak comparison, RFC 9110)."""
    return request.if_none_match.contains_weak(etag)


def _not_modified(response: Response) -> Response:
    unchanged = Response(status=304)
    del unchanged.headers["Content-Type"]
    for name in ("ETag", "Cache-Control", "Vary", "Link", "X-Pagination"):
        if name in response.headers:
            unchanged.headers[name] = response.headers[name]
    return unchanged


def kept(response: Response, forever: bool) -> Response:
    """Let caches keep the answer: for ever, or asking each time by its ETag whether it is still right.

    For ever is for what never changes and stands at an address that names its edition (`service/common/edition.py`).
    Shared caches may keep an answer only when it was given to somebody without a token, that is, to anybody.
    """
    return _kept(response, FOREVER if forever else "no-cache")


def _kept(response: Response, how: str) -> Response:
    scope = "private" if "Authorization" in request.headers else "public"
    response.headers["Cache-Control"] = f"{scope}, {how}"
    return response


def wanted_wait(longest: int) -> int:
    """Return the seconds of the request's `Prefer: wait=N`, at most `longest`; 0 without one that can be read."""
    for part in re.split(r"[,;]", request.headers.get("Prefer", "")):
        match = _WAIT.fullmatch(part.strip())
        if match:
            return min(int(match[1]), longest)
    return 0


class WaitingRoom:
    """Counts the requests that wait: each holds a thread of the server, and the others need some too.

    Safe for threads. `seats` is the largest number that wait at the same time, in this process; `longest` how many
    seconds a long poll may wait; `changed` is told how many wait now.
    """

    def __init__(self, seats: int, longest: int, changed: Callable[[int], None] = lambda waiting: None) -> None:
        self.seats, self.longest, self._changed = seats, longest, changed
        self._lock = threading.Lock()
        self._all = 0
        self._taken: Counter[str] = Counter()

    @contextmanager
    def seat(self, who: str, network: str | None = None) -> Iterator[bool]:
        """Take a seat for the `with` block; the value says whether one was free, as `take` has it."""
        leave = self.take(who, network)
        try:
            yield leave is not None
        finally:
            if leave is not None:
                leave()

    def take(self, who: str, network: str | None = None) -> Callable[[], None] | None:
        """Take a seat; returns what gives it back, once however often it is called, or None when no seat was free.

        One `who` (a name for the caller) may take half of the seats and no more, whatever they wait by, and all callers
        of one `network` three quarters: several accounts in one hand keep nobody else out. None: of no network.
        """
        shares = {who: max(1, self.seats // 2)}
        if network is not None:
            shares[f"all of {network}"] = max(1, self.seats * 3 // 4)
        with self._lock:
            if self._all >= self.seats or any(self._taken[one] >= most for one, most in shares.items()):
                return None
            self._all += 1
            self._changed(self._all)
            self._taken.update(shares.keys())
        left = False

        def leave() -> None:
            nonlocal left
            with self._lock:
                if not left:
                    left = True
                    self._all -= 1
                    self._changed(self._all)
                    for one in shares:
                        self._taken[one] -= 1
                        if not self._taken[one]:
                            del self._taken[one]

        return leave

    @property
    def taken(self) -> int:
        """How many requests wait now."""
        with self._lock:
            return self._all


def newest(
    room: WaitingRoom, who: str, network: str | None, data: Data, etag: str, wait: Callable[[int], Data]
) -> Data:
    """Return `data`, or what `wait(seconds)` returns when the caller knows `data` already and asked to wait.

    A caller, named by `who` and `network`, for whom `room` has no seat is answered at once.
    """
    seconds = wanted_wait(room.longest)
    if not seconds or not known_to_caller(etag):
        return data
    with room.seat(who, network) as seated:
        return wait(seconds) if seated else data
