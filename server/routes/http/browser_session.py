"""Who is calling from a browser: the session that its cookie holds; and the cookies of ours."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, g, request
from werkzeug.wrappers import Response as BaseResponse

from server.routes.http.context import now, session_idle, settings, store
from server.service.accounts import sessions
from server.service.accounts.players import Player
from server.storage.unusable import StoreError

Answer = TypeVar("Answer", bound=BaseResponse)

YEAR = 365 * 86400
"""Seconds."""
COOKIE = "ulm_session"
KEPT = 400 * 86400
"""So many seconds a browser keeps a cookie at most; when a session is over, sessions.py knows."""
_UNKNOWN: Any = object()  # who visits, before it was asked


def install(app: Flask) -> None:
    """Look after the sessions of `app` when requests end."""
    app.after_request(_look_after)


def session_secret() -> str:
    """What the forms of somebody who is signed in are bound to; "" for somebody who is not."""
    # No token of ours is longer, and what is kept by it must not be as large as somebody wishes.
    # With https a cookie of the plain name may come from a neighbour of this host.
    return request.cookies.get(cookie_name(COOKIE), "")[: sessions.TOKEN_MAX]


def visitor() -> Player | None:
    """The player whose session the browser has."""
    found: Player | None = g.get("visitor", _UNKNOWN)
    if found is _UNKNOWN:
        g.visitor = None  # also while it is looked up: the language of an error there must not ask again
        g.session = sessions.find(store(), session_secret() or None, now(), session_idle())
        found = g.visitor = None if g.session is None else g.session.player
    return found


def session() -> sessions.Session | None:
    """The session that the browser has."""
    visitor()
    found: sessions.Session | None = g.get("session")
    return found


def device() -> str:
    """What the visitor's browser is, in short words."""
    return sessions.device(request.headers.get("User-Agent", ""))


def set_session(response: Answer, token: str | None) -> Answer:
    """Let the browser keep a session, or forget the one it has (None)."""
    if token is None:
        forget_cookie(response, cookie_name(COOKIE))
        # Drafts that were not sent lie there, and what they would play may be in a hand. Where the server lies under a
        # path, it would take along what others of the site keep: there js/account.js alone sees to it.
        if not request.script_root:
            response.headers["Clear-Site-Data"] = '"storage"'
    else:
        keep_cookie(response, COOKIE, token, KEPT)
    return response


def _look_after(response: Response) -> Response:
    """Note at most once an hour that the visitor's session is used."""
    found: sessions.Session | None = g.get("session")
    if found is not None and found.to_note:
        with suppress(StoreError):  # the page is there; the next one notes it
            sessions.note_use(store(), session_secret(), now())
    return response


def keep_cookie(response: BaseResponse, name: str, value: str, seconds: int) -> None:
    """Let the browser keep a value that scripts cannot read."""
    response.set_cookie(
        cookie_name(name),
        value,
        max_age=seconds,
        expires=now() + timedelta(seconds=seconds),
        path=cookie_path(),
        secure=is_secure(),
        httponly=True,
        samesite="Lax",
    )


def forget_cookie(response: BaseResponse, name: str) -> None:
    """Let the browser forget what it keeps under a name."""
    response.delete_cookie(name, path=cookie_path(), secure=is_secure(), httponly=True, samesite="Lax")


def cookie(name: str) -> str | None:
    """What the browser keeps under a name, also from before the server was reached by https."""
    return request.cookies.get(cookie_name(name), request.cookies.get(name))


def cookie_name(name: str) -> str:
    """A cookie's name as the browser knows it. Where the server is reached by https, its beginning makes browsers take
    it over https and from this host alone (`__Host-`, which belongs to no path) or at least over https."""
    if urlsplit(settings().public_url).scheme != "https":
        return name
    return ("__Secure-" if request.script_root else "__Host-") + name


def cookie_path() -> str:
    """The path of every cookie: two servers under paths of one site know nothing of each other's sessions."""
    return request.script_root or "/"


def is_secure() -> bool:
    """Whether the server is reached by https."""
    return request.is_secure or urlsplit(settings().public_url).scheme == "https"
