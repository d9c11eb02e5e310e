"""What this process measures of itself, wherever it happens, and how measurements are written for Prometheus.

What a request, a statement or a bot took is counted here, under names that hold no game, no player and no secret. Even
so they could tell that somebody has just drawn a tile, which the game itself hides: they are for the operator alone.
Each process tells of itself. What the database says (`Reading`) is the same in all, and is asked for when it is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the library takes a fifth of a second to import: whatever measures nothing is spared that
    from prometheus_client import Counter, Histogram
    from prometheus_client.core import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SLOW_FROM = 0.01
"""Statements that take less, in seconds, are not counted: there are thousands of them a second."""
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_REQUESTS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds, as all of these
_STATEMENTS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_THINKING = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_ANALYSES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
_MAILS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 21600.0, 86400.0)
_JOBS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0)


class Reading(NamedTuple):
    """Something that the database says: `values` by what `label` tells apart; "" alone where there is no label."""

    name: str
    words: str
    values: Mapping[str, float]
    label: str | None = None
    counter: bool = False


class Meters:
    """What is measured. Safe for threads and after a fork."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

        disable_created_metrics()
        self.registry = CollectorRegistry()

        def counter(name: str, words: str, *labels: str) -> Counter:
            return Counter(name, words, labels, registry=self.registry)

        def histogram(name: str, words: str, buckets: Sequence[float], *labels: str) -> Histogram:
            return Histogram(name, words, labels, buckets=buckets, registry=self.registry)

        self._requests = counter("ulm_requests_total", "Requests answered.", "endpoint", "method", "status")
        self._times = histogram("ulm_request_seconds", "Time from a request to its answer.", _REQUESTS, "endpoint")
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        waiting = "Requests that wait for a change."
        self.waiting = Gauge("ulm_waiting_requests", waiting, registry=self.registry)
        self.moves = counter("ulm_moves_total", "Moves that were stored.", "by")
        """Of a "player", a "bot", or the "server" for somebody who is late."""
        slow = f"Statements to the database that took {SLOW_FROM * 1000:.0f} ms or more."
        self.statements = histogram("ulm_slow_statement_seconds", slow, _STATEMENTS)
        self.thinking = histogram("ulm_bot_thinking_seconds", "Time in which a bot answered.", _THINKING, "bot")
        self.silent = counter("ulm_bot_failures_total", "Questions that a bot did not answer.", "bot")
        self.analyses = histogram("ulm_analysis_seconds", "Time that the analysis of a game took.", _ANALYSES)
        self.mails = histogram("ulm_mail_delay_seconds", "Time from when a mail was due until it was sent.", _MAILS)
        self.jobs = histogram("ulm_job_seconds", "Time that a job took.", _JOBS, "job")
        self.failed = counter("ulm_job_failures_total", "Jobs that failed or were put off.", "job")

    def request(self, endpoint: str, method: str, status: int, seconds: float) -> None:
        """Count a request that took `seconds`: by endpoint, method and status, never by game or player."""
        # Known methods only: a counter for each word that somebody sends would never end.
        what = (endpoint, method if method in _METHODS else "other", status)
        found = self._known.get(what)
        if found is None:
            found = self._known[what] = (self._requests.labels(*what), self._times.labels(endpoint))
        found[0].inc()
        found[1].observe(seconds)


@cache
def meters() -> Meters:
    """Those of this process, made when they are first needed."""
    return Meters()


class _Readings:
    """What the database says, for one answer."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._readings = readings

    def collect(self) -> Iterator[Metric]:
        """As a collector of the library gives them."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for name, words, values, label, counter in self._readings:
            labels = [] if label is None else [label]
            family = (
                CounterMetricFamily(name.removesuffix("_total"), words, labels=labels)
                if counter
                else GaugeMetricFamily(name, words, labels=labels)
            )
            for value, number in values.items():
                family.add_metric([value] if labels else [], number)
            yield family


def text(readings: Sequence[Reading]) -> str:
    """All that this process knows, in Prometheus' text format."""
    from prometheus_client import generate_latest

    return (generate_latest(meters().registry) + generate_latest(_Readings(readings))).decode()
