"""Calls that begin at the same moment, and waiting for what others do."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from server.commands.client import RefusedError
from server.routes.http.problem_details import status_of
from server.service.common.errors import ServiceError

WAIT = 60.0  # seconds after which a thread that did not come is missed


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Make the calls in threads that begin together; answers, or the status of refusals."""
    barrier = threading.Barrier(len(calls))

    def make(call: Callable[[], Any]) -> Any:
        barrier.wait(WAIT)
        try:
            return call()
        except RefusedError as refused:
            return refused.status
        except ServiceError as error:
            return status_of(error)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(make, calls))


def until(what: Callable[[], object], why: str = "it does not happen", seconds: float = 2 * WAIT) -> None:
    """Return when it is so; fails, saying why, when it is not in time."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, why
        time.sleep(0.02)
