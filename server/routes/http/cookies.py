"""Cookies of ours: their names, which change with the way in which the server is reached, and what guards them."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import request
from werkzeug.wrappers import Response

from server.routes.http.context import settings

YEAR = 365 * 86400
"""Seconds."""


def keep_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """Let the browser keep a value that scripts cannot read."""
    response.set_cookie(
        cookie_name(name), value, max_age=seconds, path=cookie_path(), secure=is_secure(), httponly=True, samesite="Lax"
    )


def forget_cookie(response: Response, name: str) -> None:
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
