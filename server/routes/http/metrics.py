"""Counters of requests, of this process or of all that share a directory for them.

They count by endpoint, method and status, never by game or player. Even so they could tell that somebody has just drawn
a tile, which the game itself hides; so they are for the operator alone (operations.py).
"""

import os
from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

from server import metering
from server.metering import DIRECTORY, Reading
from server.settings import SettingsError

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Metrics:
    """Counts requests and their times; safe for threads. One for each process, where several count together."""

    def __init__(self) -> None:
        """Raises `SettingsError` when the directory of several processes is none."""
        disable_created_metrics()
        shared = os.environ.get(DIRECTORY)
        if shared is not None and not os.path.isdir(shared):
            raise SettingsError([f"{DIRECTORY}: there is no directory {shared!r}"])
        self._own = own = CollectorRegistry()
        self._requests = Counter(
            "ulm_requests_total", "Requests answered.", ("endpoint", "method", "status"), registry=own
        )
        self._times = Histogram(
            "ulm_request_seconds", "Time from a request to its answer.", ("endpoint",), buckets=BUCKETS, registry=own
        )
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._waiting = Gauge(
            "ulm_waiting_requests", "Requests that wait for a change.", registry=own, multiprocess_mode="livesum"
        )

    def count(self, endpoint: str, method: str, status: int, seconds: float) -> None:
        """Count a request that took `seconds`."""
        # Known methods only: a counter for each word that somebody sends would never end.
        what = (endpoint, method if method in _METHODS else "other", status)
        found = self._known.get(what)
        if found is None:
            found = self._known[what] = (self._requests.labels(*what), self._times.labels(endpoint))
        found[0].inc()
        found[1].observe(seconds)

    def wait(self, more: int) -> None:
        """Note that so many requests more wait now, or less."""
        self._waiting.inc(more)

    def text(self, readings: Sequence[Reading]) -> str:
        """Return all counters, and what the database says."""
        return metering.text(readings, self._own)
