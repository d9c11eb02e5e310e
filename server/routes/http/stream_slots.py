"""How much may be under way at once: work for one caller, and requests that wait for news."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping

from server.metering import meters


class Slots:
    """Counts what is under way for whom, in this process. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def take(self, shares: Mapping[str, int]) -> Callable[[], None] | None:
        """Take a slot of each of the names in `shares`, which have so many; None when one has none left.

        Returns what gives them back, once however often it is called.
        """
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
        """Take a seat; returns what gives it back, or None when no seat was free.

        One `who` (a name for the caller) may take half of the seats and no more, whatever they wait by, and all callers
        of one `network` three quarters: several accounts in one hand keep nobody else out. None: of no network.
        """
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
