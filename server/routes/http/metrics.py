"""Counters in Prometheus' text format: of this process, or of all that share a directory for them.

They count by endpoint, method and status, never by game or player. Even so they could tell that somebody has just drawn
a tile, which the game itself hides; so they are for the operator alone (operations.py).
"""

import os
from collections.abc import Iterator
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector

from server.service.outbox.mail_queue import Figures
from server.settings import SettingsError
from server.storage.models import parse_utc

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""The library's own variable: several processes that name the same directory there are counted together."""
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Metrics:
    """Counts requests and their times; safe for threads. One for each process, where several count together."""

    def __init__(self) -> None:
        """Raises `SettingsError` when the directory of several processes is none."""
        disable_created_metrics()
        shared = os.environ.get(DIRECTORY)
        if shared is not None and not os.path.isdir(shared):
            raise SettingsError([f"{DIRECTORY}: there is no directory {shared!r}"])
        own = CollectorRegistry()
        self._requests = Counter(
            "ulm_requests_total", "Requests answered.", ("endpoint", "method", "status"), registry=own
        )
        self._times = Histogram(
            "ulm_request_seconds", "Time from a request to its answer.", ("endpoint",), buckets=BUCKETS, registry=own
        )
        self._waiting = Gauge(
            "ulm_waiting_requests", "Requests that wait for a change.", registry=own, multiprocess_mode="livesum"
        )
        self._shown = own
        if shared is not None:
            self._shown = CollectorRegistry()
            MultiProcessCollector(self._shown, shared)

    def count(self, endpoint: str, method: str, status: int, seconds: float) -> None:
        """Count a request that took `seconds`."""
        # Known methods only: a counter for each word that somebody sends would never end.
        self._requests.labels(endpoint, method if method in _METHODS else "other", status).inc()
        self._times.labels(endpoint).observe(seconds)

    def wait(self, more: int) -> None:
        """Note that so many requests more wait now, or less."""
        self._waiting.inc(more)

    def text(self, mail: Figures, now: datetime) -> str:
        """Return all counters, and what the database says of outgoing mail."""
        return (generate_latest(self._shown) + generate_latest(_MailCollector(mail, now))).decode()


class _MailCollector(CollectorRegistry):
    """The outbox's figures as metrics. They are the same in every process."""

    def __init__(self, mail: Figures, now: datetime) -> None:
        super().__init__()
        self._mail, self._now = mail, now

    def collect(self) -> Iterator[Metric]:
        mail = self._mail
        oldest = mail["oldest_due"]
        age = 0.0 if oldest is None else (self._now - parse_utc(oldest)).total_seconds()
        for name, words, value in (
            ("ulm_mail_queue_age_seconds", "How long the mail that waits longest has been due.", age),
            ("ulm_mail_pending", "Mails that are due and wait (counted up to 10000).", mail["pending"]),
            ("ulm_mail_dead", "Dead letters (counted up to 10000).", mail["dead"]),
            ("ulm_mail_stopped_addresses", "Addresses to which no mail goes.", mail["stopped_addresses"]),
            (
                "ulm_mail_waiting_clocks",
                "Games whose clock waits for a mail (counted up to 10000).",
                mail["waiting_clocks"],
            ),
        ):
            yield GaugeMetricFamily(name, words, value=value)
        paused = GaugeMetricFamily(
            "ulm_mail_paused", "Whether no mail is sent, and on whose account.", labels=["cause"]
        )
        for cause, is_paused in mail["paused"].items():
            paused.add_metric([cause], int(is_paused))
        yield paused
        totals = CounterMetricFamily("ulm_mails", "Mails that were sent, failed, or were given up.", labels=["outcome"])
        for outcome in ("sent", "failed", "dead"):
            totals.add_metric([outcome], mail["totals"].get(outcome, 0))
        yield totals
