"""The page that lists the tokens for programs."""

from __future__ import annotations

from typing import Any

from flask import Response

from server import language
from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.pages.account import fresh_sign_in
from server.routes.pages.shared import forms, rendering
from server.routes.pages.shared.local_times import local_time
from server.service.accounts import scopes, tokens
from server.service.accounts.players import Player
from server.storage.times import utc

DAYS = (7, 30, 90, 365)
"""After so many days a token may end."""


def show(player: Player, status: int = 200, **values: Any) -> Response:
    """The page; `values` are what was made, or what was typed and what is wrong with it."""
    found, may = tokens.listing(store(), player), scopes.in_words()
    shown = [
        {
            **one,
            "created": local_time(one["created_at"]),
            "used": _when(one["last_used_at"]),
            "ends": _when(one["expires_at"]),
            "over": one["expires_at"] is not None and one["expires_at"] <= utc(now()),
            "may": language.listing([may[scope] for scope in one["scopes"]]),
        }
        for one in found
    ]
    values = {"made": None, "error": "", "name": "", "chosen": ("read", "play"), "days": "", **values}
    return rendering.page(
        "account/tokens",
        status,
        form=forms.form_token(browser_session.session_secret()),
        tokens=shown,
        full=sum(not one["over"] for one in shown) >= tokens.TOKENS_MAX,
        may=may,
        spans=_spans(),
        most=tokens.TOKENS_MAX,
        sure=not fresh_sign_in.needed(player),
        public_url=settings().public_url,
        **values,
    )


def _spans() -> list[tuple[str, str]]:
    """After how many days a token may end, "" for never, with words."""
    spans = [(str(days), language.ngettext("in %(num)s day", "in %(num)s days", days)) for days in DAYS]
    return [("", _("never by itself")), *spans]


def _when(stored: str | None) -> str | None:
    return None if stored is None else local_time(stored)
