"""The page that says to people what went wrong."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response

from server.language import sentence
from server.routes.pages.shared.rendering import page


def problem(code: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """The page of an error, for people."""
    phrase = HTTPStatus(code).phrase
    response = page("shared/problem", code, code=code, phrase=phrase, message=sentence(message))
    response.headers.update(headers or {})
    return response
