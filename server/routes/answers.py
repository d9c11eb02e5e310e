"""Answers: JSON bytes from data that the service has brought into shape already."""

import json
from typing import Any

import orjson
from flask import Response
from flask.json.provider import JSONProvider

JSON_TYPE = "application/json"
_API_PREFIXES = ("/api/", "/healthz", "/readyz", "/metrics")


def is_api_path(path: str) -> bool:
    """Return whether what is at `path` is read by programs (JSON) and not by people (a page)."""
    return path.startswith(_API_PREFIXES) or path == "/api"


class OrjsonProvider(JSONProvider):
    """Flask's JSON through orjson, for everything that calls `jsonify`, flask-smorest's errors among it."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """Return `obj` as JSON text; keyword arguments of the standard library's `dumps` have no effect."""
        return orjson.dumps(obj, option=orjson.OPT_NON_STR_KEYS).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Return the value of JSON text or bytes; raise `ValueError` when it is none."""
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """Return the answer that holds the arguments as JSON."""
        return answer(self._prepare_response_obj(args, kwargs))


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


def paged(items: list[dict[str, Any]], total: int, page: int, page_size: int) -> Response:
    """Return the answer of one page of a list of `total` items, with X-Pagination as flask-smorest has it."""
    last = -(-total // page_size)
    numbers = {"total": total, "total_pages": last}
    if total:
        numbers |= {"first_page": 1, "last_page": last}
        if page <= last:
            numbers["page"] = page
            numbers |= {"previous_page": page - 1} if page > 1 else {}
            numbers |= {"next_page": page + 1} if page < last else {}
    return answer(items, headers={"X-Pagination": json.dumps(numbers)})


def nothing() -> Response:
    """Return the answer without a body: 204."""
    response = Response(status=204)
    # Without a body there is no type of one.
    del response.headers["Content-Type"]
    return response
