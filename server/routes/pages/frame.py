"""What all pages share: their frame, their policy, their errors, and the guard before whatever changes something."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, render_template, request

from server.service import sessions
from server.service.accounts import Player
from server.service.errors import Forbidden

from ..context import now, settings, store

blp = Blueprint("pages", __name__, template_folder="templates", static_folder="static", static_url_path="/style")

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
COOKIE = "ulm_session"
_FRESH = "This page is too old or was not made here. Open it anew and try once more."


def page(template: str, status: int = 200, **values: Any) -> Response:
    """The HTML page of a template: kept by no cache, loading nothing foreign, telling its address to nobody."""
    html = render_template(f"pages/{template}.html", **values)
    return Response(
        html,
        status,
        {
            "Content-Security-Policy": POLICY,
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "X-Robots-Tag": "noindex, nofollow",
        },
        mimetype="text/html",
    )


def problem(code: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """The page of an error, for people."""
    response = page("problem", code, title=HTTPStatus(code).phrase, message=sentence(message))
    response.headers.update(headers or {})
    return response


def sentence(message: str) -> str:
    """A message of the service as a sentence of its own."""
    text = message[:1].upper() + message[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def guard(secret: str) -> None:
    """Let a form through that came from one of our pages, made for the holder of `secret`. Raises `Forbidden`.

    A page here sends no Referer, so browsers give `null` as the origin of its forms: then they tell otherwise where
    the form came from, and the token in the form has to be right in any case.
    """
    origin = request.headers.get("Origin", "null")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if site not in ("same-origin", "none") or (origin != "null" and origin not in _origins()):
        raise Forbidden("this form was sent from another site: open the page here and try once more")
    if not sessions.check_form(store(), request.form.get("form"), secret, now()):
        raise Forbidden(_FRESH)


def form_token(secret: str) -> str:
    """What a page has to put into its forms."""
    return sessions.form_token(store(), secret, now())


def visitor() -> Player | None:
    """The player whose session the browser has."""
    return sessions.player_of(store(), request.cookies.get(COOKIE), now())


def set_session(response: Response, token: str | None) -> Response:
    """Let the browser keep a session, or forget the one it has (None)."""
    secure = request.is_secure or urlsplit(settings().public_url).scheme == "https"
    if token is None:
        response.delete_cookie(COOKIE, path="/", secure=secure, httponly=True, samesite="Lax")
    else:
        response.set_cookie(COOKIE, token, max_age=90 * 86400, path="/", secure=secure, httponly=True, samesite="Lax")
    return response


def local_time(stored: str, time_zone: str) -> str:
    """A stored time as its reader would say it: `Sat 21 Nov 2026, 10:30 (Europe/Berlin)`."""
    moment = datetime.strptime(stored, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).astimezone(ZoneInfo(time_zone))
    return f"{moment:%a %-d %b %Y, %H:%M} ({time_zone})"


def text_field(name: str, longest: int = 4000) -> str:
    """A field of the form, "" when it is not there."""
    return request.form.get(name, "")[:longest]


def _origins() -> set[str]:
    here, public = urlsplit(request.host_url), urlsplit(settings().public_url)
    return {f"{parts.scheme}://{parts.netloc}" for parts in (here, public)}
