"""Addresses of pages: where to go next, what to come back to, what to write to others, and lists over several pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from server.routes.http.context import settings


def home() -> str:
    """The path of the first page."""
    return url_for("lobby-pages.index")


def address_here() -> str:
    """The path of the page that is asked for and its query, as the browser knows it."""
    return request.script_root + request.full_path.rstrip("?")


def to_sign_in(back: str | None = None) -> Response:
    """Let somebody sign in and come back: to the path `back`, or (None) to that of this request."""
    return redirect(url_for("account-pages.sign_in", next=back or request.script_root + request.path), 303)


def public_address(path: str) -> str:
    """What to write to others for a path of `url_for`: both begin with what the application lies under."""
    return settings().public_url + path.removeprefix(request.script_root)


def local_path(wish: str) -> str:
    """`wish` if it is a path on this server, else the home page: nobody is sent elsewhere by a link here."""
    safe = wish.startswith("/") and not wish.startswith("//") and "\\" not in wish and wish.isprintable()
    return wish if safe else home()


def pages(here: str, given: dict[str, str], total: int, page: int, size: int) -> dict[str, Any]:
    """Where one is in a list, for the macro `pager`; `before` and `after` are links to `here` with `given`, or None."""
    rest = {name: value for name, value in given.items() if name != "page"}
    last = max(1, -(-total // size))

    def link(number: int) -> str | None:
        return f"{here}?{urlencode({**rest, 'page': number})}" if 1 <= number <= last and number != page else None

    return {"page": page, "last": last, "before": link(page - 1), "after": link(page + 1)}
