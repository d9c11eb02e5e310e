"""A page from its template: what all pages show above, below and beside it, and what browsers may do with it."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, current_app, request
from markupsafe import Markup

from server import language
from server.board.listing import minus
from server.routes.http import browser_session, security_headers
from server.routes.http.context import store
from server.routes.pages.shared import forms, game_wording, icons, page_addresses, static_files, visitor_preferences
from server.routes.pages.shared.static_files import PageFiles
from server.service.common.naming import spoken
from server.service.common.preferences import THEMES
from server.service.lists import game_lists


def install(app: Flask) -> None:
    """Give the templates of `app` what any of them may ask for."""
    app.jinja_env.globals.update(
        ago=visitor_preferences.ago, asset=static_files.asset, icon=icons.icon, in_word=language.in_word,
        languages=language.LANGUAGES, level_name=game_wording.level_name, listing=language.listing,
        last_used=visitor_preferences.last_used,
        local_time=visitor_preferences.local_time, minus=minus,
        number=language.number, seat_mark=icons.seat_mark, sentence=language.sentence, spoken=spoken,
        span=language.span, sprites=icons.SPRITES, themes=THEMES, tile=icons.tile,
        time_left=visitor_preferences.time_left,
    )  # fmt: skip


def policy(nonce: str, framed: bool = False) -> str:
    """What a page may load: its own style, pictures and data, and the scripts and styles that bear its nonce."""
    ancestors = "*" if framed else "'none'"
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; img-src 'self'; "
        f"connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
        f"base-uri 'none'; frame-ancestors {ancestors}"
    )


def page(template: str, status: int = 200, *, framed: bool = False, **values: Any) -> Response:
    """The HTML page of a template: kept by no cache, loading nothing foreign, telling its address to nobody.

    Every template has, beside `values` and what `install` gives: `nonce` for its scripts, `player` (who is signed in,
    or None), `waiting_games` (the ids of those in which it is that player's turn, the most urgent first, but for
    `values["game"]`), `language`, `theme`, `look_form` and `here` for the form that changes these, `form_key`, and
    `sheet` and `script`, which put style sheets and scripts of ours into it.
    With `framed` other sites may show the page in a frame.
    """
    nonce = secrets.token_urlsafe(16)
    files, player = PageFiles(nonce, framed), browser_session.visitor()
    game = values.get("game")
    here = game.get("id") if isinstance(game, dict) else None
    # Not of errors: what they are about may be the database.
    waiting = game_lists.waiting_for(store(), player.id) if player is not None and status == 200 else []
    shared = {
        "nonce": nonce,
        "player": player,
        "waiting_games": [one for one in waiting if one != here],
        "language": language.current(),
        "theme": visitor_preferences.theme(),
        "form_key": secrets.token_hex(8),  # names what a form makes, so that it is made once
        "look_form": forms.form_token(forms.NOBODY),
        # Not of errors: what is wrong with an address may be that it holds somebody else's link.
        "here": page_addresses.address_here() if request.method == "GET" and status == 200 else "",
        "sheet": files.sheet,
        "script": files.script,
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
        security_headers.allow_frames()
    else:
        forms.mark_browser(response)
        files.remember(response)
    return response


def problem(code: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """The page of an error, for people."""
    said = language.sentence(message)
    response = page("shared/problem", code, code=code, phrase=HTTPStatus(code).phrase, message=said)
    response.headers.update(headers or {})
    return response


def _bytes(template: str, values: dict[str, Any]) -> bytes:
    """The page, encoded piece by piece: most are ASCII and copied; one dash would make all of it slow."""
    current_app.update_template_context(values)
    pieces = current_app.jinja_env.get_template(f"pages/{template}.html").generate(values)
    return b"".join([piece.encode() for piece in pieces])


def render(template: str, **values: Any) -> Markup:
    """A part of a page, with nothing but these values."""
    made = current_app.jinja_env.get_template(f"pages/{template}.html").render(values)
    return Markup(made)  # noqa: S704 - a template made it
