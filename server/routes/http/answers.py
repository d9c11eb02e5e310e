"""Answers: JSON bytes from data that the service has brought into shape already."""

import hashlib
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Response, request, url_for

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from server.service.lists.list_pages import SKIPPED, Total, after_text

JSON_TYPE = "application/json"
LINES = "application/x-ndjson"
_AT_ONCE = 64 * 1024  # bytes that are sent together
PAGED = {"X-Pagination": "PAGINATION", "Link": "LINK"}
"""The headers of `paged`, by their names among the components of the API's description."""
MADE = {"Location": "LOCATION"}
"""Those of `created`."""
_API_PREFIXES = ("/api/", "/healthz", "/readyz")


def is_api_path(path: str) -> bool:
    """Return whether what is at `path` is read by programs (JSON) and not by people (a page)."""
    return path.startswith(_API_PREFIXES) or path == "/api"


def body(data: Any) -> bytes:
    """Return `data` as the JSON bytes of an answer, with the line end that a terminal likes."""
    try:
        return orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:
        # What cannot be UTF-8 or has 65 bits: the checker of records may quote such a thing. Escapes can say it all.
        return json.dumps(data).encode() + b"\n"


def answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return the JSON answer of `data`, which must hold nothing that its reader may not see."""
    return Response(body(data), status, headers, mimetype=JSON_TYPE)


def created(data: Any, endpoint: str, **values: Any) -> Response:
    """Return the answer of what was made, 201, with the address that `endpoint` and `values` give."""
    return answer(data, 201, {"Location": url_for(endpoint, **values)})


def paged(
    items: Sequence[Mapping[str, object]], total: Total, query: Mapping[str, Any], key: str | None = None
) -> Response:
    """Return the answer of one page of a list, as its `query` asked for it: with X-Pagination as flask-smorest has it,
    and with the addresses of other pages (RFC 8288). `key` is what the list is ordered by, None where it is read by
    page numbers alone."""
    page, page_size, after = query["page"], query["page_size"], query.get("after")
    last = -(-total.number // page_size)
    here = after is None and bool(page <= last or items)
    numbers: dict[str, object] = {"total": total.number, "total_pages": last, "total_exact": total.exact}
    further = len(items) == page_size and (after is not None or not total.exact or page < last)
    if total.number:
        numbers |= {"first_page": 1}
        numbers |= {"last_page": last} if total.exact else {}
        if here:
            numbers["page"] = page
            numbers |= {"previous_page": page - 1} if page > 1 else {}
            numbers |= {"next_page": page + 1} if further and (key is None or page * page_size <= SKIPPED) else {}
        if further and key is not None:
            numbers["next_after"] = after_text(str(items[-1][key]), str(items[-1]["id"]))
    # Beyond the last page the way back is to that one.
    back = 0 if after is not None else page - 1 if here else min(page - 1, last)
    return answer(items, headers={"X-Pagination": json.dumps(numbers), "Link": _links(numbers, back)})


def _links(numbers: Mapping[str, object], back: int) -> str:
    """Return the addresses of the pages beside this one; `back` is the page before it, 0 where there is none."""
    beside: dict[str, dict[str, object]] = {"first": {"page": 1}}
    if numbers["total_exact"]:
        beside["last"] = {"page": numbers.get("last_page", 1)}
    if back:
        beside["prev"] = {"page": back}
    if "next_after" in numbers:  # pages by number shift when others come in
        beside["next"] = {"after": numbers["next_after"]}
    elif "next_page" in numbers:
        beside["next"] = {"page": numbers["next_page"]}
    wishes = {name: value for name, value in request.args.items() if name not in ("page", "after")}
    return ", ".join(
        f'<{request.script_root}{request.path}?{urlencode({**wishes, **place})}>; rel="{name}"'
        for name, place in beside.items()
    )


def text_of(media_type: str, item: str) -> dict[str, Any]:
    """Return the schema of a text that is sent item by item, each of which is as the named schema says."""
    items = {"$ref": f"#/components/schemas/{item}"}
    content = {"type": "array", "items": items}
    return {"type": "string", "contentMediaType": media_type, "contentSchema": content, "x-item-schema": items}


def lines(items: Iterable[Mapping[str, object]], what: str | None = None) -> Response:
    """The answer that holds each item as a line of JSON, while they are made; its ETag is made of `what`, its fixed
    name, if it has one."""
    wanted = request.headers.get("Accept-Encoding", "")
    packing = next((name for name in _PACKERS if name in wanted and request.accept_encodings[name] > 0), None)
    parts = _joined(body(item) for item in items)
    response = Response(parts if packing is None else _packed(parts, _PACKERS[packing]()), mimetype=LINES)
    if packing is not None:
        response.headers["Content-Encoding"] = packing
    response.headers["Vary"] = "Accept-Encoding"
    if what is not None:
        response.set_etag(hashlib.sha256(f"1 {what} {packing}".encode()).hexdigest()[:32])
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


_PACKERS: dict[str, Callable[[], Any]] = {"zstd": zstd.ZstdCompressor, "gzip": lambda: zlib.compressobj(6, wbits=31)}


def _packed(parts: Iterable[bytes], packer: Any) -> Iterator[bytes]:
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()


def nothing() -> Response:
    """Return the answer without a body: 204."""
    response = Response(status=204)
    # Without a body there is no type of one.
    del response.headers["Content-Type"]
    return response
