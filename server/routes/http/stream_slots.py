"""The room in which requests wait for news."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class StreamSlots:
    """Counts the requests that wait: each holds a thread of the server or a connection, and others need some too.

    Safe for threads. `seats` is the largest number that wait at the same time, in this process; `longest` how many
    seconds a long poll may wait; `changed` is told how many more wait, or less.
    """

    def __init__(self, seats: int, longest: int, changed: Callable[[int], None] = lambda more: None) -> None:
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
            self._changed(1)
            self._taken.update(shares.keys())
        left = False

        def leave() -> None:
            nonlocal left
            with self._lock:
                if not left:
                    left = True
                    self._all -= 1
                    self._changed(-1)
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
