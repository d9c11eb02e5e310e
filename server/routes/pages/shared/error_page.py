"""The page that says to people what went wrong."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response

from server.language import gettext as _
from server.language import sentence
from server.routes.pages.shared.rendering import page


def problem(code: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """The page of an error, for people."""
    response = page("shared/problem", code, code=code, title=_title(code), message=sentence(message))
    response.headers.update(headers or {})
    return response


def _title(code: int) -> str:
    titles = {
        403: _("That is not possible"),
        404: _("Nothing here"),
        409: _("That has changed"),
        410: _("This link is too old"),
        413: _("Too much at once"),
        422: _("Something is not right yet"),
        429: _("Too often"),
        500: _("Something went wrong"),
        503: _("The server is busy"),
    }
    return titles.get(code, HTTPStatus(code).phrase)
