"""The page that asks whether one wants a seat in an open game."""

from __future__ import annotations

from flask import Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import store
from server.routes.pages.shared import forms, game_wording, rendering
from server.routes.pages.shared.newcomers import secret
from server.service.common.errors import ServiceError
from server.service.common.naming import spoken
from server.service.lists import game_page


def show(game_id: str, invitation: str, refusal: ServiceError | None = None) -> Response | Redirect:
    """The page, or the way to the game for somebody who has a seat or can have none."""
    player = browser_session.visitor()
    page = game_page.page(store(), game_id, player, invitation or None)
    if page["seat"] is not None or (page["status"] != "open" and refusal is None and not page["private"]):
        return redirect(url_for("game-pages.game", game_id=game_id), 303)
    here = url_for("lobby-pages.join", game_id=game_id, invitation=invitation or None)
    return rendering.page(
        "lobby/join",
        200 if refusal is None else refusal.status,
        game={**page, "name": spoken(page["name"])},
        names=[spoken(place["name"]) for place in page["players"] if place is not None],
        free=sum(place is None for place in page["players"]),
        options=game_wording.options(page["options"]),
        clock=game_wording.clock(page["clock"]),
        invitation=invitation,
        error=None if refusal is None else sentence(refusal.message),
        name=forms.text_field("name", 400),
        client_seed=forms.text_field("client_seed", 400),
        sign_in=url_for("account-pages.sign_in", next=here),
        form=forms.form_token(secret()),
    )
