"""What callers do: how often, in this process or in a store that several share (`limits` has them); and how much of it
is under way at once, work for one caller and requests that wait for news."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from limits import RateLimitItem
from limits.errors import ConfigurationError, StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from server.metering import meters
from server.settings import Settings, SettingsError

log = logging.getLogger(__name__)

IN_MEMORY = "memory://"
MOST_COUNTERS = 100_000
_SWEEP_SECONDS = 30
_STORE_SECONDS = 1  # for its answer: who asks waits for that
_REST_SECONDS = 30  # after it has failed


class InMemory(MemoryStorage):
    """The library's counters in memory without its thread: who counts sweeps now and then what is over."""

    def __init__(self, uri: str | None = None, **options: Any) -> None:
        super().__init__(uri, **options)
        self.timer.cancel()  # it takes away without our lock what a sweep has just found
        self._lock = threading.Lock()
        self._next_sweep = 0.0

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add `amount` to a counter that lives for `expiry` seconds from when it began, and return it."""
        now = time.time()
        with self._lock:
            if now >= self._next_sweep or len(self.expirations) > MOST_COUNTERS:
                self._sweep(now)
            if self.expirations.get(key, 0) <= now:
                self.storage[key] = 0
                self.expirations[key] = now + expiry
            self.storage[key] += amount
            return self.storage[key]

    def get(self, key: str) -> int:
        """The counter as it stands."""
        with self._lock:
            return self.storage.get(key, 0) if self.expirations.get(key, 0) > time.time() else 0

    def _sweep(self, now: float) -> None:
        self._next_sweep = now + _SWEEP_SECONDS
        ends = sorted(self.expirations.items(), key=lambda item: item[1])
        # Whoever has more networks than there is room for makes those that end first be forgotten, not the memory full.
        room = MOST_COUNTERS // 2 if len(ends) > MOST_COUNTERS else MOST_COUNTERS
        for number, (key, end) in enumerate(ends):
            if end > now and len(ends) - number <= room:
                break
            del self.expirations[key], self.storage[key]


class Counted(NamedTuple):
    """How many are left of a limit; where none was, in how many seconds there will be some."""

    left: int
    seconds: float | None


class Counters:
    """What the callers of one application have done. Safe between threads."""

    def __init__(self, chosen: Settings) -> None:
        """Raises `SettingsError` when the store of the limits needs a driver that is not installed."""
        self._own = FixedWindowRateLimiter(InMemory())
        self._shared = self._own if chosen.limits_store == IN_MEMORY else _shared(chosen.limits_store)
        self._rests_until = 0.0

    def count(self, item: RateLimitItem, what: str, who: str, amount: int = 1) -> Counted:
        """Count `amount` to `who`, and say what is left of `item`, or when there will be something."""
        limiter = self._own if time.monotonic() < self._rests_until else self._shared
        try:
            return _hit(limiter, item, what, who, amount)
        except StorageError as error:
            # Each process by itself is better than no limit, and far better than no answer.
            log.warning("the store of the limits fails, so this process counts by itself for %d s: %s", _REST_SECONDS,
                        type(error.storage_error).__name__)  # fmt: skip
            self._rests_until = time.monotonic() + _REST_SECONDS
            return _hit(self._own, item, what, who, amount)

    def take_back(self, item: RateLimitItem, what: str, who: str, amount: int = 1) -> None:
        """Count so much less to `who`: it came to nothing."""
        limiter = self._own if time.monotonic() < self._rests_until else self._shared
        with suppress(StorageError):  # then it counts
            limiter.storage.incr(item.key_for(what, who), item.get_expiry(), amount=-amount)


def _hit(limiter: FixedWindowRateLimiter, item: RateLimitItem, what: str, who: str, amount: int) -> Counted:
    # As the library's `hit`, which keeps the number to itself.
    count = limiter.storage.incr(item.key_for(what, who), item.get_expiry(), amount=min(amount, item.amount))
    if count <= item.amount:
        return Counted(item.amount - count, None)
    return Counted(0, max(1.0, limiter.get_window_stats(item, what, who).reset_time - time.time()))


def _shared(address: str) -> FixedWindowRateLimiter:
    waits = {"socket_timeout": _STORE_SECONDS, "socket_connect_timeout": _STORE_SECONDS}
    try:
        return FixedWindowRateLimiter(storage_from_string(address, wrap_exceptions=True, **waits))
    except ConfigurationError:
        raise SettingsError(["ULM_LIMITS_STORE: a shared store needs its driver: install ulm-by-mail[redis]"]) from None


class Slots:
    """Counts what is under way for whom, in this process. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def take(self, shares: Mapping[str, int]) -> Callable[[], None] | None:
        """Take a slot of each name in `shares`; returns what gives them back once, or None when one has none left."""
        with self._lock:
            if any(self._taken[name] >= most for name, most in shares.items()):
                return None
            self._taken.update(shares.keys())
        left = False

        def leave() -> None:
            nonlocal left
            with self._lock:
                if not left:
                    left = True
                    for name in shares:
                        self._taken[name] -= 1
                        if not self._taken[name]:
                            del self._taken[name]
                    self._left()

        return leave

    def _left(self) -> None:
        """What was taken was given back."""


class StreamSlots(Slots):
    """Counts the requests that wait: each holds a thread of the server or a connection, and others need some too."""

    def __init__(self, seats: int) -> None:
        """`seats` is the largest number that wait at the same time."""
        super().__init__()
        self.seats = seats

    def seat(self, who: str, network: str | None = None) -> Callable[[], None] | None:
        """Take a seat; returns what gives it back, None when none is free. One `who` may take half of the seats, all
        callers of one `network` (None: of none) three quarters."""
        shares = {"all": self.seats, who: max(1, self.seats // 2)}
        if network is not None:
            shares[f"all of {network}"] = max(1, self.seats * 3 // 4)
        leave = self.take(shares)
        if leave is not None:
            meters().waiting.inc()
        return leave

    def _left(self) -> None:
        meters().waiting.dec()

    @property
    def taken(self) -> int:
        """How many requests wait now."""
        return self._taken["all"]
