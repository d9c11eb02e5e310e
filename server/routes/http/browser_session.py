"""Who is calling from a browser: the session that its cookie holds."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, TypeVar

from flask import Flask, Response, g, request
from werkzeug.wrappers import Response as BaseResponse

from server.routes.http.context import lifetimes, now, store
from server.routes.http.cookies import cookie_name, forget_cookie, keep_cookie
from server.service.accounts import sessions
from server.service.accounts.players import Player
from server.storage.unusable import StoreError

Answer = TypeVar("Answer", bound=BaseResponse)

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
        g.session = sessions.find(store(), session_secret() or None, now(), lifetimes())
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
