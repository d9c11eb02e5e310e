"""Answers that are made while they are sent: long ones line by line, and events as they come."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from queue import SimpleQueue
from typing import Any

from flask import Response, request

from server.routes.http import callers
from server.routes.http.answers import body
from server.routes.http.bearer_auth import current_player, still_known
from server.routes.http.context import here, settings
from server.routes.http.problem_details import raise_error
from server.service.views.live_events import LiveEvent, Subscription
from server.service.views.live_hub import Follower

LINES = "application/x-ndjson"
EVENTS = "text/event-stream"
RETRY_SECONDS = 30
"""When to ask again where no thread was free to wait."""
_AT_ONCE = 64 * 1024  # bytes that are sent together
_COME_BACK = b"retry: 2000\n\n"  # milliseconds after the end of a stream
_BEAT = b":\n\n"


def text_of(media_type: str, item: str) -> dict[str, Any]:
    """Return the schema of a text that is sent item by item, each of which is as the named schema says."""
    items = {"$ref": f"#/components/schemas/{item}"}
    return {"type": "string", "contentMediaType": media_type, "contentSchema": {"type": "array", "items": items},
            "x-item-schema": items}  # fmt: skip


def lines(items: Iterable[Mapping[str, object]], what: str) -> Response:
    """Return the answer that holds each item as a line of JSON, gzipped if the request accepts that.

    `what` names the content, which must never change: its ETag is made of that name, before the first line is.
    """
    packed = request.accept_encodings["gzip"] > 0 and "gzip" in request.headers.get("Accept-Encoding", "")
    parts = _joined(body(item) for item in items)
    response = Response(_gzipped(parts) if packed else parts, mimetype=LINES)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.set_etag(hashlib.sha256(f"1 {what} {packed}".encode()).hexdigest()[:32])
    return response


def _joined(parts: Iterable[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= _AT_ONCE:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


def _gzipped(parts: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(6, wbits=31)
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()


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
        """The same for a server that holds a thread for each answer that goes on."""
        coming: SimpleQueue[bytes | None] = SimpleQueue()
        try:
            yield self.first
            self.begin(coming.put, lambda: coming.put(None))
            while (part := coming.get()) is not None:
                yield part
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
    """Return the stream of events of what `sight` shows, while `still` says so; None when no more may be open.

    It begins behind the tag that the client has (`Last-Event-ID`). `caller` is the id of a player, None for a stranger,
    who goes by their address. None as well where the first look has found that nothing is to be waited for (`idle`).
    Raises what `sight` raises.
    """
    follower = here().hub.follow(sight, request.headers.get("Last-Event-ID"), settings().stream_seconds, still)
    if request.method == "HEAD" or idle():
        follower.close()
        return None if idle() else Response(mimetype=EVENTS)
    # By the name that long polls have, too.
    who = callers.caller() if caller is None else f"player {caller}"
    hold = request.environ.get("ulm.hold")
    room = here().stream_slots if hold is None else here().open_streams
    leave = room.take(who, callers.shared_network())
    if leave is None:
        follower.close()
        return None
    stream = Stream(follower, leave)
    if hold is not None:
        hold(stream)
        answer = Response(iter([stream.first]), mimetype=EVENTS)
    else:
        answer = Response(stream.parts(), mimetype=EVENTS)
        answer.call_on_close(stream.close)  # also when the client went away before the first line
    answer.headers["X-Accel-Buffering"] = "no"  # a proxy in front is to pass on each line as it comes
    return answer


def for_bearer(sight: Subscription) -> Response:
    """Return the stream of what the caller of the API is shown there, while their token is good.

    Aborts with 503 when no more may be open; raises what `sight` raises.
    """
    player = current_player()
    answer = follow(sight, player.id if player else None, still_known())
    if answer is None:
        message = f"Ask for the game itself now and then, and try again in {RETRY_SECONDS} seconds."
        headers = {"Retry-After": str(RETRY_SECONDS)}
        raise_error(503, f"Too many wait for changes already. {message}", headers=headers, kind="busy")
    return answer
