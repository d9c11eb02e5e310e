"""Counters of this process in Prometheus' text format.

They count by endpoint, method and status, never by game or player. Even so they could tell that somebody has just drawn
a tile, which the game itself hides; so they are for the operator alone (operations.py).
"""

import threading
from collections.abc import Iterator

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts requests and their times; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = {}
        self._times: dict[str, list[float]] = {}  # by endpoint: a count for each bucket, the count and the sum of all

    def count(self, endpoint: str, method: str, status: int, seconds: float) -> None:
        """Count a request that took `seconds`."""
        key = (endpoint, method, status)
        with self._lock:
            self._requests[key] = self._requests.get(key, 0) + 1
            row = self._times.setdefault(endpoint, [0.0] * (len(BUCKETS) + 2))
            for index, bound in enumerate(BUCKETS):
                row[index] += seconds <= bound
            row[-2] += 1
            row[-1] += seconds

    def text(self, waiting: int) -> str:
        """Return all counters, and how many requests are `waiting` now."""
        with self._lock:
            return "\n".join(self._lines(waiting)) + "\n"

    def _lines(self, waiting: int) -> Iterator[str]:
        yield "# HELP ulm_requests_total Requests answered."
        yield "# TYPE ulm_requests_total counter"
        for (endpoint, method, status), count in sorted(self._requests.items()):
            labels = f'endpoint="{endpoint}",method="{method}",status="{status}"'
            yield f"ulm_requests_total{{{labels}}} {count}"
        yield "# HELP ulm_request_seconds Time from a request to its answer."
        yield "# TYPE ulm_request_seconds histogram"
        for endpoint, row in sorted(self._times.items()):
            for bound, amount in zip([*map(str, BUCKETS), "+Inf"], row, strict=False):
                yield f'ulm_request_seconds_bucket{{endpoint="{endpoint}",le="{bound}"}} {amount:.0f}'
            yield f'ulm_request_seconds_count{{endpoint="{endpoint}"}} {row[-2]:.0f}'
            yield f'ulm_request_seconds_sum{{endpoint="{endpoint}"}} {row[-1]:.6f}'
        yield "# HELP ulm_waiting_requests Requests that wait for a change."
        yield "# TYPE ulm_waiting_requests gauge"
        yield f"ulm_waiting_requests {waiting}"
