"""What all pages share: their frame, their policy, their errors, and the guard before whatever changes something."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, g, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from server import language
from server.routes.http.caching import FOREVER
from server.routes.http.context import lifetimes, now, settings, store
from server.routes.pages.shared.html_cache import Pieces
from server.service.accounts import devices, links, sessions
from server.service.accounts.players import Player
from server.service.common.errors import Forbidden, ServiceError
from server.service.common.preferences import THEMES
from server.storage.database import Store, StoreError
from server.storage.models import parse_utc

blp = Blueprint(
    "pages", "server.routes.pages", template_folder="templates", static_folder="static", static_url_path="/static"
)

Answer = TypeVar("Answer", bound=BaseResponse)

COOKIE = "ulm_session"
LANGUAGE_COOKIE, THEME_COOKIE = "ulm_language", "ulm_theme"
HERE_COOKIE = "ulm_here"
"""Sent with forms of our own pages alone: for browsers that do not tell otherwise where a form comes from."""
YEAR = 365 * 86400
KEPT = 400 * 86400
"""So many seconds a browser keeps a cookie at most; when a session is over, sessions.py knows."""
_STATIC = Path(__file__).parent.parent / "static"
# Who may do nothing but look has no secret: forms for strangers (sign in, look) are bound to this.
NOBODY = "nobody"
_HEADS, _FEET = Pieces("pages/frame/head.html", 500), Pieces("pages/frame/foot.html", 20)
_FORM_TOKENS_KEPT = 2000
_UNKNOWN: Any = object()  # who visits, before it was asked


def policy(nonce: str, framed: bool = False) -> str:
    """What a page may load: its own style, pictures and data, and the scripts that bear its nonce."""
    ancestors = "*" if framed else "'none'"
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        f"form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
    )


def page(template: str, status: int = 200, *, framed: bool = False, **values: Any) -> Response:
    """The HTML page of a template: kept by no cache, loading nothing foreign, telling its address to nobody.

    Every template has, beside `values`: `nonce` for its scripts, `player` (who is signed in, or None), `language`,
    `languages`, `theme`, `themes`, `look_form` and `here` for the form that changes these, and what stands above and
    below each page. With `framed` other sites may show the page in a frame.
    """
    nonce = secrets.token_urlsafe(16)
    shared = {
        "nonce": nonce,
        "player": visitor(),
        "language": language.current(),
        "languages": language.LANGUAGES,
        "theme": theme(),
        "themes": THEMES,
        "frame_head": _head(),
        "frame_foot": _foot(),
        "look_form": form_token(NOBODY),
        # Not of errors: what is wrong with an address may be that it holds somebody else's link.
        "here": address_here() if request.method == "GET" and status == 200 else "",
        "asset": asset,
    }
    html = _bytes(template, {**shared, **values})
    response = Response(
        html,
        status,
        {
            "Content-Security-Policy": policy(nonce, framed),
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "X-Robots-Tag": "noindex, nofollow",
            "Content-Language": language.current(),
        },
        mimetype="text/html",
    )
    if framed:
        g.framed = True  # the header that forbids frames is left out then
    elif "Sec-Fetch-Site" not in request.headers and not _came_from_here():
        response.set_cookie(
            cookie_name(HERE_COOKIE), "1", path=_cookie_path(), secure=_secure(), httponly=True, samesite="Strict"
        )
    return response


def _bytes(template: str, values: dict[str, Any]) -> bytes:
    """The page, encoded piece by piece: nearly all are ASCII, which is copied, where a single dash would make all of a
    page wide and slow to encode."""
    current_app.update_template_context(values)
    pieces = current_app.jinja_env.get_template(f"pages/{template}.html").generate(values)
    return b"".join([piece.encode() for piece in pieces])


def _head() -> Markup:
    """The addresses that every page offers, and the word to those who have no confirmed address."""
    player = visitor()
    made_of = None if player is None else (player.name, player.is_guest, player.email_confirmed_at is None)
    return _HEADS.get(made_of) or _HEADS.make(made_of, player=player)


def _foot() -> Markup:
    """The choice of language and colours."""
    return _FEET.get(theme()) or _FEET.make(
        theme(), language=language.current(), languages=language.LANGUAGES, theme=theme(), themes=THEMES
    )


def problem(code: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """The page of an error, for people."""
    response = page("problem", code, code=code, title=_title(code), message=sentence(message))
    response.headers.update(headers or {})
    return response


def refused(response: Answer, refusal: ServiceError) -> Answer:
    """The page that says what was refused, with the headers of the refusal."""
    response.headers.update(refusal.headers)
    return response


def _title(code: int) -> str:
    _ = language.gettext
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


def sentence(message: str) -> str:
    """A message of the service as a sentence of its own."""
    text = message[:1].upper() + message[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def guard(secret: str, beginning: bool = False) -> None:
    """Let a form through that came from one of our pages, made for the holder of `secret`. Raises `Forbidden`.

    A page here sends no Referer, so browsers give `null` as the origin of its forms: then they tell otherwise where
    the form came from, and the token in the form has to be right in any case.

    `beginning` is for forms that begin a session: anybody can have a token for these, and who sends them for somebody
    else puts another session in the place of theirs, which may be all that a guest has. Over plain HTTP browsers do not
    tell where a form came from: there the page has to have been here.
    """
    _ = language.gettext
    origin = request.headers.get("Origin", "null")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    unknown = origin == "null" and "Sec-Fetch-Site" not in request.headers and not _came_from_here()
    if (
        site not in ("same-origin", "none")
        or (origin != "null" and origin not in _origins())
        or (beginning and unknown)
    ):
        raise Forbidden(_("This form was sent from another site: open the page here and try once more."))
    if not sessions.check_form(store(), request.form.get("form"), secret, now()):
        raise Forbidden(_("This page is too old or was not made here. Open it anew and try once more."))


def form_token(secret: str) -> str:
    """What a page has to put into its forms; the same for a minute, since signing is dear beside the rest of a page."""
    moment = now()
    return _form_token(store(), secret, moment.replace(second=0, microsecond=0))


@lru_cache(maxsize=_FORM_TOKENS_KEPT)
def _form_token(database: Store, secret: str, minute: datetime) -> str:
    return sessions.form_token(database, secret, minute)


def session_secret() -> str:
    """What the forms of somebody who is signed in are bound to; "" for somebody who is not."""
    # No token of ours is longer, and what is kept by it must not be as large as somebody wishes.
    name = cookie_name(COOKIE)
    held = request.cookies.get(name, "")[: links.TOKEN_MAX]
    if not held and name != COOKIE:
        # A cookie of the plain name may come from a neighbour of this host. Those that were ours once are good.
        plain = request.cookies.get(COOKIE, "")[: links.TOKEN_MAX]
        held = plain if plain and sessions.is_of_before(store(), plain, now()) else ""
    return held


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
    return devices.device(request.headers.get("User-Agent", ""))


def theme() -> str:
    """How the visitor likes pages and boards: one of `THEMES`."""
    player = visitor()
    wish = player.preferences["theme"] if player is not None else cookie(THEME_COOKIE)
    return str(wish) if wish in THEMES else THEMES[0]


def time_zone() -> str:
    """The name of the time zone in which the visitor reads times."""
    player = visitor()
    return str(player.preferences["time_zone"]) if player is not None else "UTC"


def set_session(response: Answer, token: str | None) -> Answer:
    """Let the browser keep a session, or forget the one it has (None)."""
    if token is None:
        _forget_cookie(response, cookie_name(COOKIE))
        # Drafts that were not sent lie there, and what they would play may be in a hand. Where the server lies under a
        # path, it would take along what others of the site keep: there js/account.js alone sees to it.
        if not request.script_root:
            response.headers["Clear-Site-Data"] = '"storage"'
    else:
        keep_cookie(response, COOKIE, token, KEPT)
    return response


def keep_cookie(response: BaseResponse, name: str, value: str, seconds: int) -> None:
    """Let the browser keep a value that scripts cannot read."""
    response.set_cookie(
        cookie_name(name), value, max_age=seconds, path=_cookie_path(), secure=_secure(), httponly=True, samesite="Lax"
    )


def _forget_cookie(response: BaseResponse, name: str) -> None:
    response.delete_cookie(name, path=_cookie_path(), secure=_secure(), httponly=True, samesite="Lax")


def cookie(name: str) -> str | None:
    """What the browser keeps under a name, also from before the server was reached by https."""
    return request.cookies.get(cookie_name(name), request.cookies.get(name))


def cookie_name(name: str) -> str:
    """A cookie's name as the browser knows it. Where the server is reached by https, its beginning makes browsers take
    it over https and from this host alone (`__Host-`, which belongs to no path) or at least over https."""
    if urlsplit(settings().public_url).scheme != "https":
        return name
    return ("__Secure-" if request.script_root else "__Host-") + name


def _came_from_here() -> bool:
    return cookie_name(HERE_COOKIE) in request.cookies


@blp.after_app_request
def _note_use(response: Response) -> Response:
    """Note at most once an hour that the visitor's session is used."""
    found = g.get("session")
    if found is not None and found.to_note:
        with suppress(StoreError, links.BadLinkError):  # the page is there; the next one notes it
            sessions.note_use(store(), session_secret(), found, now())
    return response


@blp.after_app_request
def _move_session(response: Response) -> Response:
    """Give a session from before the server was reached by https the name that it has now."""
    if cookie_name(COOKIE) != COOKIE and COOKIE in request.cookies and g.get("session") is not None:
        secret = session_secret()
        if secret == request.cookies[COOKIE] and cookie_name(COOKIE) not in str(response.headers.getlist("Set-Cookie")):
            keep_cookie(response, COOKIE, secret, KEPT)
        _forget_cookie(response, COOKIE)
    return response


def _cookie_path() -> str:
    """Two servers under paths of one site know nothing of each other's sessions."""
    return request.script_root or "/"


def local_time(stored: str, zone: str | None = None) -> str:
    """A stored time as its reader would say it: `Sat, 21 Nov 2026, 10:30`; `zone` is the visitor's when None."""
    return _said(stored, zone or time_zone(), language.current())


@lru_cache(maxsize=4096)
def _said(stored: str, zone: str, code: str) -> str:
    # `code` is the language in force. A page has dozens of times, and to say one takes long.
    return language.date_and_time(parse_utc(stored), zone)


def text_field(name: str, longest: int = 4000) -> str:
    """A field of the form, "" when it is not there."""
    return request.form.get(name, "")[:longest]


def home() -> str:
    """The path of the first page."""
    return url_for("lobby-pages.index")


def address_here() -> str:
    """The path of the page that is asked for and its query, as the browser knows it: with what the application lies
    under."""
    return request.script_root + request.full_path.rstrip("?")


def to_sign_in(back: str | None = None) -> BaseResponse:
    """Let somebody sign in and come back: to the path `back`, or (None) to that of this request."""
    return redirect(url_for("account-pages.sign_in", next=back or request.script_root + request.path), 303)


def public_address(path: str) -> str:
    """What to write to others for a path of `url_for`: both begin with what the application lies under."""
    return settings().public_url + path.removeprefix(request.script_root)


def local_path(wish: str) -> str:
    """`wish` if it is a path on this server, else the home page: nobody is sent elsewhere by a link here."""
    safe = wish.startswith("/") and not wish.startswith("//") and "\\" not in wish and wish.isprintable()
    return wish if safe else home()


def asset(filename: str) -> str:
    """The address of a file of ours; it changes with the content, so that browsers may keep it for ever."""
    return _address(filename, request.script_root)


@lru_cache
def _address(filename: str, root: str) -> str:
    # `root` is where the application lies; a page names many files, and an address takes long to make.
    return url_for("pages.static", filename=filename, v=_version(filename))


@blp.after_request
def _keep_assets(response: Response) -> Response:
    """An address with the content's version never has another content."""
    filename = (request.view_args or {}).get("filename", "")
    if response.status_code == 200 and filename and request.args.get("v") == _version(filename):
        response.headers["Cache-Control"] = f"public, {FOREVER}"
    return response


@lru_cache
def _version(filename: str) -> str:
    return hashlib.sha256((_STATIC / filename).read_bytes()).hexdigest()[:12]


def _secure() -> bool:
    return request.is_secure or urlsplit(settings().public_url).scheme == "https"


def _origins() -> set[str]:
    here, public = urlsplit(request.host_url), urlsplit(settings().public_url)
    return {f"{parts.scheme}://{parts.netloc}" for parts in (here, public)}
