"""The one shape of errors: `{code, status, message, errors}`, whatever went wrong and wherever.

`message` is a sentence that says what to do; `errors` holds details (of the fields of a request, of a move) or nothing.
Beside them stand the members of RFC 9457 (problem details): `type`, `title`, `detail`, `instance`. Its `status`, a
number, is `code` here: `status` was a text before the RFC's members came, and clients rely on it.
"""

import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NoReturn
from urllib.parse import quote

import marshmallow as ma
from flask import Response, g, request
from flask_smorest import abort
from marshmallow import fields

from server import request_ids
from server.routes.http import problem_types
from server.routes.http.answers import answer
from server.routes.http.request_parsing import IDEMPOTENCY_KEY
from server.service.common.errors import ServiceError

# What to do, for errors that Flask and Werkzeug raise without a word of ours.
_ADVICE = {
    400: "Correct the request: it cannot be read.",
    401: "Send the header Authorization: Bearer TOKEN; POST /api/v1/players gives a token.",
    404: "Check the address: there is nothing here. /api/docs lists what there is.",
    405: "Use one of the methods that the Allow header lists.",
    406: "Accept application/json.",
    408: "Send the request again, faster.",
    411: "Send the header Content-Length.",
    413: "Send a smaller body.",
    414: "Send a shorter address.",
    415: "Send JSON in UTF-8 with the header Content-Type: application/json.",
    403: "Ask somebody who may do this, or do something else.",
    409: "Read the present state again and repeat what still makes sense.",
    422: "Correct what `errors` names.",
    429: "Wait a while, then try again.",
    431: "Send fewer or shorter headers.",
    500: "Try again; if it stays, report the request's id.",
    503: "Try again in a minute.",
}
_DEFAULT_ADVICE = "Correct the request."


class ErrorSchema(ma.Schema):
    """What every error says: problem details (RFC 9457), whose numeric `status` is `code` here."""

    class Meta:
        unknown = ma.EXCLUDE

    code = fields.Integer(required=True, metadata={"description": "HTTP status code", "example": 409})
    status = fields.String(required=True, metadata={"description": "Name of the code", "example": "Conflict"})
    message = fields.String(
        required=True,
        metadata={
            "description": "What is wrong and what to do",
            "example": "The game has moved on: it is at ply 12. Read it again and send ply 12.",
        },
    )
    errors = fields.Dict(
        required=True,
        metadata={
            "description": "Details; {} without any. Of fields of the request: by place (`json`, `query`, `path`, "
            "`headers`), then nested as the request is, down to lists of sentences.",
            "example": {"ply": 12},
        },
    )
    type = fields.String(
        required=True,
        metadata={
            "description": "The kind of error, by an address that explains it; `about:blank` when the code says all",
            "format": "uri-reference",
            "example": f"{problem_types.ADDRESS}stale-ply",
        },
    )
    title = fields.String(
        required=True,
        metadata={"description": "The same for every error of this type", "example": "The game has moved on"},
    )
    detail = fields.String(required=True, metadata={"description": "As `message`"})
    instance = fields.String(
        required=True,
        metadata={
            "description": "The path that was asked for",
            "format": "uri-reference",
            "example": "/api/v1/games/k7m2x9qwab3d/moves",
        },
    )


def request_id() -> str:
    """Return the random id of this request, under which the log keeps what went wrong."""
    return request_ids.present() or str(g.setdefault("request_id", secrets.token_hex(8)))


def advice(code: int) -> str:
    """Return what to do about an error of which nothing but its status is known."""
    return _ADVICE.get(code, _DEFAULT_ADVICE)


def status_of(error: ServiceError) -> int:
    """Return the status of a refusal: that of its kind (`problem_types`)."""
    return problem_types.PROBLEM_TYPES[error.kind].status


def headers_of(error: ServiceError) -> dict[str, str]:
    """Return the headers that belong to the answer of a refusal: when to come back."""
    return {} if error.seconds is None else {"Retry-After": str(error.seconds)}


def error_answer(
    code: int,
    message: str | None = None,
    errors: Any = None,
    headers: dict[str, str] | None = None,
    kind: str | None = None,
) -> Response:
    """Return the answer for an error; without `message`, the usual advice for `code`, without `kind` its usual one."""
    # The path alone: a query may hold an invitation.
    instance = quote(request.script_root + request.path, safe="/:@!$&'()*+,;=~", errors="replace")
    response = answer(error_body(code, message, errors, kind, request.script_root, instance), code, headers)
    response.mimetype = problem_types.MEDIA_TYPE
    if code == 401:
        response.headers.setdefault("WWW-Authenticate", "Bearer")
    # An error depends on the moment: no cache may keep one.
    response.headers["Cache-Control"] = "no-store"
    return response


def error_body(
    code: int, message: str | None, errors: Any, kind: str | None = None, prefix: str = "", instance: str = "/"
) -> dict[str, Any]:
    """Return what an error says: today's members, and those of RFC 9457 beside them."""
    said = message or advice(code)
    return {
        "code": int(code),
        "status": HTTPStatus(code).phrase,
        "message": said,
        "errors": errors or {},
        **problem_types.members(code, kind, prefix),
        "detail": said,
        "instance": instance,
    }


def raise_error(
    code: int,
    message: str,
    errors: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
    kind: str | None = None,
) -> NoReturn:
    """End the request with this error. (flask-smorest's `abort`, with a type that says that it does not return.)"""
    abort(code, message=message, errors=errors or {}, headers=headers or {}, kind=kind)
    raise AssertionError("abort has raised")


def by_place(errors: Mapping[str, object]) -> dict[str, Any]:
    """Return what is wrong with fields by where the request has them: `{"clock.night": [why]}` of a body is
    `{"json": {"clock": {"night": [why]}}}`."""
    placed: dict[str, Any] = {}
    for name, why in errors.items():
        *outer, last = [_place(name), *(name.split("."))]
        inner = placed
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = why
    return placed


def _place(name: str) -> str:
    if name in (request.view_args or {}):
        return "path"
    if name == IDEMPOTENCY_KEY:
        return "headers"
    return "json" if request.method in ("POST", "PUT", "PATCH") else "query"


def failure() -> Response:
    """Return the answer to a fault of the server, which names the request and nothing of its cause."""
    message = f"Something went wrong here, not with you. Try again; if it stays, report request {request_id()}."
    return error_answer(500, message, {"request_id": request_id()})
