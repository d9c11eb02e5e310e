"""Long answers, line by line: made while they are sent, and packed when the caller likes that."""

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from flask import Response, request

from .answers import body

LINES = "application/x-ndjson"
_AT_ONCE = 64 * 1024  # bytes that are sent together


def lines(items: Iterable[dict[str, Any]], what: str) -> Response:
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
