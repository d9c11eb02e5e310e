"""Counters of requests in memory."""

import time

from server.routes.http.counters import InMemory


def test_a_counter_goes_when_all_are_swept_and_not_in_between() -> None:
    """A thread of the library's took them away beside a sweep, which then missed one, and the request failed."""
    counters = InMemory()
    counters.incr("over", -1)
    time.sleep(0.1)
    assert list(counters.expirations) == ["over"]
