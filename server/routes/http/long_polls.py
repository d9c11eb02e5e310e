"""`Prefer: wait=N`, a long poll: whoever knows how something stands waits until that changes.

`ulm serve` needs no thread for one that waits: it asks the application once more when there is something new.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from flask import request

from server.routes.http import callers
from server.routes.http.caching import known_to_caller
from server.routes.http.context import here
from server.service.views.live_events import Subscription
from server.service.views.live_hub import Follower

Data = TypeVar("Data")

_WAIT = re.compile(r'wait\s*=\s*"?([0-9]{1,9})"?', re.IGNORECASE)


def wanted_wait(longest: int) -> int:
    """Return the seconds of the request's `Prefer: wait=N`, at most `longest`; 0 without one that can be read."""
    for part in re.split(r"[,;]", request.headers.get("Prefer", "")):
        match = _WAIT.fullmatch(part.strip())
        if match:
            return min(int(match[1]), longest)
    return 0


class _News:
    """What a request waits for: that its follower is told something."""

    def __init__(self, follower: Follower, leave: Callable[[], None]) -> None:
        self._follower, self._leave = follower, leave

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """Say so when it is, or when it will not be."""
        if self._follower.first:  # it was just missed
            write(b"")
        else:
            self._follower.begin(lambda told: write(b"") if told else None, end)

    def close(self) -> None:
        """Nobody waits any more."""
        self._follower.close()
        self._leave()


def newest(sight: Subscription, data: Data, etag: str, wait: Callable[[int], Data]) -> Data:
    """Return `data`, or what there is later, when the caller knows `data` already and asked to wait.

    Where no thread is needed for that, `data` is for the case that nothing happens: the view is called once more when
    `sight` shows something else than `etag`. Elsewhere `wait(seconds)` returns what there is then. A caller for whom
    there is no place is answered at once. Raises what `sight` and `wait` raise.
    """
    put_off = request.environ.get("ulm.wait")
    room = here().stream_slots if put_off is None else here().open_streams
    seconds = wanted_wait(room.longest)
    if not seconds or not known_to_caller(etag) or request.environ.get("ulm.waited"):
        return data
    who, network = callers.caller(), callers.shared_network()
    if put_off is None:
        with room.seat(who, network) as seated:
            return wait(seconds) if seated else data
    leave = room.take(who, network)
    if leave is not None:
        try:
            put_off(_News(here().hub.follow(sight, etag, seconds, lambda: True), leave))
        except BaseException:
            leave()
            raise
    return data
