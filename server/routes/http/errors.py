"""The one shape of errors: `{code, status, message, errors}`, whatever went wrong and wherever.

`message` is a sentence that says what to do; `errors` holds details (of the fields of a request, of a move) or nothing.
Beside them stand the members of RFC 9457 (problem details): `type`, `title`, `detail`, `instance`. Its `status`, a
number, is `code` here: `status` was a text before the RFC's members came, and clients rely on it.
"""

import logging
import secrets
from http import HTTPStatus
from typing import Any, NoReturn
from urllib.parse import quote

import marshmallow as ma
from flask import Flask, Response, g, request
from flask_smorest import Api as SmorestApi
from flask_smorest import abort
from flask_smorest.utils import prepare_response
from marshmallow import fields
from werkzeug.exceptions import HTTPException

from server.language import N_
from server.language import gettext as _
from server.routes.api import problem_types
from server.routes.http.answers import answer, is_api_path
from server.routes.pages.shared.frame import problem
from server.service.common.errors import ServiceError
from server.storage.database import StoreError

log = logging.getLogger(__name__)

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
# The same for people.
_PAGE_ADVICE = {
    404: N_("There is nothing at this address. If it comes from a mail, copy it whole."),
    405: N_("This address is for forms of these pages. Open the page anew."),
    413: N_("That was too much at once. Send less."),
    429: N_("That was too often. Wait a while, then try again."),
}
_DEFAULT_PAGE_ADVICE = N_("That could not be understood. Go back and try once more.")
_RETRY_AFTER = {"description": "In how many seconds to ask again", "schema": {"type": "integer", "minimum": 1}}
IDEMPOTENCY_KEY = "Idempotency-Key"
# Headers of Werkzeug's own errors that say something: flask-smorest would drop them (405 its Allow).
_KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate", "Content-Range")


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
    if "request_id" not in g:
        g.request_id = secrets.token_hex(8)
    return str(g.request_id)


def advice(code: int) -> str:
    """Return what to do about an error of which nothing but its status is known."""
    return _ADVICE.get(code, _DEFAULT_ADVICE)


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


def by_place(errors: dict[str, Any]) -> dict[str, Any]:
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


class Api(SmorestApi):
    """flask-smorest's Api with this project's error shape and with the headers of HTTP errors kept."""

    ERROR_SCHEMA = ErrorSchema
    DEFAULT_ERROR_RESPONSE_NAME = ""  # every operation lists its own codes, see blueprint.py

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Answer an HTTP error: for API paths in the one shape, for pages as a page."""
        code = error.code or 500
        if code < 400:
            return error
        if not is_api_path(request.path):
            allow = {name: value for name, value in error.get_headers() if name in _KEPT_HEADERS}
            said = _(_PAGE_ADVICE.get(code, _DEFAULT_PAGE_ADVICE))
            return _page_failure() if code == 500 else problem(code, said, allow)
        data = getattr(error, "data", None) or {}
        headers = {name: value for name, value in error.get_headers() if name in _KEPT_HEADERS}
        headers |= data.get("headers") or {}
        if code >= 500 and code != 503:
            return failure()
        found = data.get("errors") or data.get("messages")
        return error_answer(code, data.get("message"), found, headers, data.get("kind"))

    def _register_responses(self) -> None:
        """Describe the answer of every code: problem details, where there is a body at all."""
        for status in HTTPStatus:
            response: dict[str, Any] = {"description": status.phrase}
            if status >= 200 and status not in (204, 304):
                response["schema"] = self.ERROR_SCHEMA
            if status == 429:
                response["headers"] = {"Retry-After": _RETRY_AFTER}
            prepare_response(response, self.spec, problem_types.MEDIA_TYPE)
            self.spec.components.response(status.name, response, lazy=True)

    def _register_error_handlers(self) -> None:
        super()._register_error_handlers()
        app: Flask = self._app
        app.register_error_handler(ServiceError, handle_service_error)
        app.register_error_handler(StoreError, handle_store_error)
        app.register_error_handler(Exception, handle_unexpected)


def handle_service_error(error: ServiceError) -> Response:
    """Answer an error that a service raised, with the status that the error carries."""
    if not is_api_path(request.path):
        return problem(error.status, error.spoken, error.headers)
    found = by_place(error.errors) if error.of_fields and error.errors else error.errors
    return error_answer(error.status, error.message, found, error.headers, error.kind)


def handle_store_error(error: StoreError) -> Response:
    """Answer 503 when the database is not there or too busy; why is for the log alone."""
    log.error("request %s: %s", request_id(), error)
    message = _("The database does not answer at the moment. Nothing was changed. Try again in a few seconds.")
    if not is_api_path(request.path):
        return problem(503, message, {"Retry-After": "5"})
    return error_answer(503, message, {"request_id": request_id()}, {"Retry-After": "5"})


def handle_unexpected(error: Exception) -> Any:
    """Log what nobody expected under the request's id; answer with the id and nothing else."""
    # The path, not the query and no header: neither tokens nor invitations belong in a log.
    # Of a page the address holds the token of a link: the rule that it matched says enough.
    path = request.path if is_api_path(request.path) else request.url_rule.rule if request.url_rule else "-"
    log.error("request %s failed: %s %s", request_id(), request.method, path, exc_info=error)
    return failure() if is_api_path(request.path) else _page_failure()


def failure() -> Response:
    """Return the answer to a fault of the server, which names the request and nothing of its cause."""
    message = f"Something went wrong here, not with you. Try again; if it stays, report request {request_id()}."
    return error_answer(500, message, {"request_id": request_id()})


def _page_failure() -> Response:
    said = _("Something went wrong here, not with you. Please report request %(number)s.", number=request_id())
    return problem(500, said)
