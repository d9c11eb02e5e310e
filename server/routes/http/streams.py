"""Answers that are made while they are sent: long ones line by line, and events as they come."""

import hashlib
import logging
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from flask import Response, request

from server.routes.http import callers
from server.routes.http.answers import body
from server.routes.http.context import here
from server.service.common.errors import ServiceError
from server.service.views.live_events import GameGlance

log = logging.getLogger(__name__)


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


def follow(
    event: str, told: Callable[[str | None], Iterator[GameGlance | None]], caller: str | None
) -> Response | None:
    """Return the stream of events, all named `event`, that `told` gives; None when no more may wait.

    `told` is given the tag of the last event that the client has, and gives what comes after that: data with a `tag`,
    or None for a heartbeat. The stream holds a thread until that ends. `caller` is the id of a player, None for a
    stranger, who goes by their address.
    """
    if request.method == "HEAD":
        return Response(mimetype=EVENTS)
    # By the name that long polls have, too.
    who = callers.caller() if caller is None else f"player {caller}"
    leave = here().waiting_room.take(who, callers.shared_network())
    if leave is None:
        return None
    answer = Response(_written(event, told(request.headers.get("Last-Event-ID")), leave), mimetype=EVENTS)
    answer.call_on_close(leave)  # also when the client went away before the first line
    answer.headers["X-Accel-Buffering"] = "no"  # a proxy in front is to pass on each line as it comes
    return answer


def _written(event: str, glances: Iterator[GameGlance | None], leave: Callable[[], None]) -> Iterator[bytes]:
    try:
        yield _COME_BACK  # at once: the client knows that it is connected
        for glance in glances:
            if glance is None:
                yield _BEAT
            else:
                yield b"event: %s\nid: %s\ndata: %s\n\n" % (
                    event.encode(), glance["tag"].encode(), body(glance).strip(),
                )  # fmt: skip
    except ServiceError:
        pass  # it is gone, or no longer for these eyes: the client learns it when it comes back
    except Exception:
        log.exception("a stream of events broke off")
    finally:
        leave()
