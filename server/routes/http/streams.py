"""Who waits for news: streams of events, and long polls (`Prefer: wait=N`).

`ulm serve` needs no thread for one that waits: it takes a `Stream` from the view (`ulm.hold`), or asks the application
once more when there is something new (`ulm.wait`). Under another server each holds a thread.
"""

import re
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TypeVar

from flask import Response, request

from server.routes.http import callers
from server.routes.http.answers import body
from server.routes.http.bearer_auth import current_player, still_known
from server.routes.http.caching import known_to_caller
from server.routes.http.context import here, settings
from server.routes.http.problem_details import raise_error
from server.service.views.live_events import LiveEvent, Subscription
from server.service.views.live_hub import Follower

Data = TypeVar("Data")

EVENTS = "text/event-stream"
RETRY_SECONDS = 30
"""When to ask again where no thread was free to wait."""
_COME_BACK = b"retry: 2000\n\n"  # milliseconds after the end of a stream
_BEAT = b":\n\n"
_WAIT = re.compile(r'wait\s*=\s*"?([0-9]{1,9})"?', re.IGNORECASE)


class Stream:
    """A stream of events that somebody follows, as bytes: kept by a server that needs no thread for it, or by one."""

    def __init__(self, follower: Follower, leave: Callable[[], None]) -> None:
        self._follower, self._leave = follower, leave

    @property
    def first(self) -> bytes:
        """What is sent at once: by it the client knows that it is connected."""
        return _COME_BACK + _written(self._follower.first)

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """Let `write` have what comes, until `end` is called."""
        self._follower.begin(lambda told: write(_written(told) or _BEAT), end)

    def close(self) -> None:
        """Nobody follows any more."""
        self._follower.close()
        self._leave()

    def parts(self) -> Iterator[bytes]:
        """What comes, for a server that holds a thread for each answer that goes on."""
        coming: SimpleQueue[bytes | None] = SimpleQueue()
        try:
            yield self.first
            self.begin(coming.put, lambda: coming.put(None))
            while (part := coming.get()) is not None:
                yield part
        finally:
            self.close()


class _News(Stream):
    """What a long poll waits for: that its follower is told something."""

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """Say so when it is, or when it will not be."""
        if self._follower.first:  # it was just missed
            write(b"")
        else:
            self._follower.begin(lambda told: write(b"") if told else None, end)

    def wait(self) -> None:
        """Hold this thread until then."""
        coming: SimpleQueue[bytes | None] = SimpleQueue()
        try:
            self.begin(coming.put, lambda: coming.put(None))
            coming.get()
        finally:
            self.close()


def _written(told: list[LiveEvent]) -> bytes:
    return b"".join(
        b"event: %s\n%sdata: %s\n\n"
        % (one.event.encode(), b"" if one.tag is None else b"id: %s\n" % one.tag.encode(), body(one.data).strip())
        for one in told
    )


def follow(
    sight: Subscription, caller: str | None, still: Callable[[], bool], idle: Callable[[], bool] = lambda: False
) -> Response | None:
    """The stream of events of what `sight` shows, behind the client's tag, while `still` says so; None when no more may
    be open or nothing is to be waited for (`idle`). `caller` is a player's id or None. Raises what `sight` raises."""
    hold, known = request.environ.get("ulm.hold"), request.headers.get("Last-Event-ID")
    # By the name that long polls have, too.
    who = callers.caller() if caller is None else f"player {caller}"
    seated = _seated(who, hold is None, sight, known, settings().stream_seconds, still)
    if seated is None:
        return None
    stream = Stream(*seated)
    if request.method == "HEAD" or idle():
        stream.close()
        return None if idle() else Response(mimetype=EVENTS)
    if hold is not None:
        hold(stream)
        answer = Response(iter([stream.first]), mimetype=EVENTS)
    else:
        answer = Response(stream.parts(), mimetype=EVENTS)
        answer.call_on_close(stream.close)  # also when the client went away before the first line
    answer.headers["X-Accel-Buffering"] = "no"  # a proxy in front is to pass on each line as it comes
    return answer


def _seated(
    who: str, threads: bool, sight: Subscription, known: str | None, seconds: float, still: Callable[[], bool]
) -> tuple[Follower, Callable[[], None]] | None:
    """Who follows, and what gives their place back; None when there is no place, and then nothing is read."""
    leave = (here().stream_slots if threads else here().open_streams).seat(who, callers.shared_network())
    if leave is None:
        return None
    try:
        return here().hub.follow(sight, known, seconds, still), leave
    except BaseException:
        leave()
        raise


def for_bearer(sight: Subscription) -> Response:
    """The stream of what the caller is shown while their token is good. Aborts with 503 beyond the places."""
    player = current_player()
    answer = follow(sight, player.id if player else None, still_known())
    if answer is None:
        message = f"Ask for the game itself now and then, and try again in {RETRY_SECONDS} seconds."
        headers = {"Retry-After": str(RETRY_SECONDS)}
        raise_error(503, f"Too many wait for changes already. {message}", headers=headers, kind="busy")
    return answer


def newest(sight: Subscription, data: Data, etag: str, again: Callable[[], Data]) -> Data:
    """Return `data`, or what there is later (`again`), when the caller knows `data` already and asked to wait until
    `sight` shows something else than `etag`.

    Where no thread is needed for that, `data` is for the case that nothing happens: the view is called once more when
    something does. A caller for whom there is no place is answered at once. Raises what `sight` and `again` raise.
    """
    seconds = _wanted_wait(settings().wait_seconds)
    if not seconds or not known_to_caller(etag) or request.environ.get("ulm.waited"):
        return data
    put_off = request.environ.get("ulm.wait")
    still = still_known()
    seated = _seated(callers.caller(), put_off is None, sight, etag, seconds, still)
    if seated is None:
        return data
    news = _News(*seated)
    if put_off is not None:
        put_off(news)
        return data
    news.wait()
    return again() if still() else data


def _wanted_wait(longest: int) -> int:
    """The seconds of the request's `Prefer: wait=N`, at most `longest`; 0 without one that can be read."""
    for part in re.split(r"[,;]", request.headers.get("Prefer", "")):
        match = _WAIT.fullmatch(part.strip())
        if match:
            return min(int(match[1]), longest)
    return 0
