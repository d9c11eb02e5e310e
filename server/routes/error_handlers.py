"""What becomes of an error, whatever raised it: problem details for programs, a page for people."""

import logging
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, current_app, redirect, request
from flask_smorest import Api as SmorestApi
from flask_smorest.utils import prepare_response
from werkzeug.exceptions import HTTPException

from server.language import N_
from server.language import gettext as _
from server.routes.http.answers import is_api_path
from server.routes.http.problem_details import (
    MEDIA_TYPE,
    by_place,
    error_answer,
    failure,
    headers_of,
    request_id,
    status_of,
)
from server.routes.pages.shared.rendering import problem
from server.service.common.errors import ServiceError
from server.storage.unusable import StoreError, StoreFullError

log = logging.getLogger(__name__)

# What to do, said to people, about errors that Flask and Werkzeug raise without a word of ours.
_PAGE_ADVICE = {
    404: N_("There is nothing at this address. If it comes from a mail, copy all of it."),
    405: N_("This address is for the forms on these pages. Open the page again."),
    413: N_("That was too much at once. Send less."),
    429: N_("You did that too often. Wait a while, then try again."),
}
_DEFAULT_PAGE_ADVICE = N_("That could not be understood. Go back and try once more.")
_RETRY_AFTER = {"description": "In how many seconds to ask again", "schema": {"type": "integer", "minimum": 1}}
# Headers of Werkzeug's own errors that say something: flask-smorest would drop them (405 its Allow).
_KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate", "Content-Range")


class Api(SmorestApi):
    """flask-smorest's Api with this project's error shape and with the headers of HTTP errors kept."""

    DEFAULT_ERROR_RESPONSE_NAME = ""  # every operation lists its own codes, see blueprint.py

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Answer an HTTP error: for API paths in the one shape, for pages as a page."""
        code = error.code or 500
        if code < 400:
            return error
        if not is_api_path(request.path):
            if code == 404 and (place := _without_slash()) is not None:
                return redirect(place, 308)
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
                response["schema"] = {"$ref": "#/components/schemas/Error"}
            if status == 429:
                response["headers"] = {"Retry-After": _RETRY_AFTER}
            prepare_response(response, self.spec, MEDIA_TYPE)
            self.spec.components.response(status.name, response, lazy=True)

    def _register_error_handlers(self) -> None:
        super()._register_error_handlers()
        app: Flask = self._app
        app.register_error_handler(ServiceError, handle_service_error)
        app.register_error_handler(StoreError, handle_store_error)
        app.register_error_handler(Exception, handle_unexpected)


def _without_slash() -> str | None:
    """The address of the page that is meant by one with a slash at the end; None where there is none either."""
    path, end = request.path.rstrip("/"), "?" + request.query_string.decode("latin-1") if request.query_string else ""
    adapter = current_app.create_url_adapter(request)
    there = path not in ("", request.path) and adapter is not None and adapter.test(path, request.method)
    return f"{request.script_root}{quote(path)}{end}" if there else None


def handle_service_error(error: ServiceError) -> Response:
    """Answer an error that a service raised, with the status that the error carries."""
    if not is_api_path(request.path):
        return problem(status_of(error), error.spoken, headers_of(error))
    found = by_place(error.errors) if error.of_fields and error.errors else error.errors
    return error_answer(status_of(error), error.message, found, headers_of(error), error.kind)


def handle_store_error(error: StoreError) -> Response:
    """Answer 503 when the database is not there, full or too busy; the rest of why is for the log alone."""
    log.error("request %s: %s", request_id(), error)
    if error.uncertain:
        message = _(
            "The database is not answering at the moment, and it is not known whether this was saved. Look again "
            "in a few seconds."
        )
    elif isinstance(error, StoreFullError):
        message = _("This server’s disk is full. Nothing was changed. Try again when its operator has made room.")
    else:
        message = _("The database is not answering at the moment. Nothing was changed. Try again in a few seconds.")
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


def _page_failure() -> Response:
    said = _("Something went wrong here; it was not your fault. Please report request %(number)s.", number=request_id())
    return problem(500, said)
