"""The one shape of errors: `{code, status, message, errors}`, whatever went wrong and wherever.

`message` is a sentence that says what to do; `errors` holds details (of the fields of a request, of a move) or nothing.
Beside them stand the members of RFC 9457 (problem details): `type`, `title`, `detail`, `instance`. Its `status`, a
number, is `code` here. What can go wrong is listed in `problems.toml`.
"""

import secrets
import tomllib
from collections.abc import Mapping
from http import HTTPStatus
from importlib.resources import files
from typing import Any, NoReturn
from urllib.parse import quote

from flask import Response, g, request
from flask_smorest import abort

from server import request_ids
from server.routes.http.answers import answer
from server.routes.http.request_parsing import IDEMPOTENCY_KEY
from server.service.common.errors import ServiceError

ADDRESS = "/api/v1/problems/"
"""Below it each kind is explained: with the kind behind it, this is the `type` of an error."""
MEDIA_TYPE = "application/problem+json"
_TABLE = tomllib.loads(files(__package__).joinpath("problems.toml").read_text("utf-8"))
PROBLEM_TYPES: dict[str, dict[str, Any]] = _TABLE["kinds"]
"""By kind its `status`, `title` and `advice`, and whether it is the `usual` one of its status."""
USUAL: dict[int, str] = {kind["status"]: name for name, kind in PROBLEM_TYPES.items() if "usual" in kind}


def request_id() -> str:
    """Return the random id of this request, under which the log keeps what went wrong."""
    return request_ids.present() or str(g.setdefault("request_id", secrets.token_hex(8)))


def status_of(error: ServiceError) -> int:
    """Return the status of a refusal: that of its kind."""
    status: int = PROBLEM_TYPES[error.kind]["status"]
    return status


def headers_of(error: ServiceError) -> dict[str, str]:
    """Return the headers that belong to the answer of a refusal: when to come back, or that the token is none."""
    if status_of(error) == HTTPStatus.UNAUTHORIZED:
        return {"WWW-Authenticate": 'Bearer error="invalid_token"'}
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
    response.mimetype = MEDIA_TYPE
    if code == 401:
        response.headers.setdefault("WWW-Authenticate", "Bearer")
    # An error depends on the moment: no cache may keep one.
    response.headers["Cache-Control"] = "no-store"
    return response


def error_body(
    code: int, message: str | None, errors: Any, kind: str | None = None, prefix: str = "", instance: str = "/"
) -> dict[str, Any]:
    """Return what an error says. `prefix` is the path that the server lives below."""
    said = message or _TABLE["advice"].get(str(int(code)), "Correct the request.")
    kind = kind or USUAL.get(code)
    return {
        "code": int(code),
        "status": HTTPStatus(code).phrase,
        "message": said,
        "errors": errors or {},
        "type": f"{prefix}{ADDRESS}{kind}" if kind else "about:blank",
        "title": PROBLEM_TYPES[kind]["title"] if kind else HTTPStatus(code).phrase,
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
    """Return what is wrong with fields by where the request has them, a name with dots taken apart."""
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
