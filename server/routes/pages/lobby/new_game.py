"""`/new`: making a game."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.http.problem_details import status_of
from server.routes.pages.lobby import new_game_form
from server.routes.pages.lobby.new_game_form import DEFAULTS, OTHERS, Wish
from server.routes.pages.shared import forms, game_wording, newcomers, rendering
from server.routes.pages.shared.newcomers import REFUSALS, new_player, secret, signed_in
from server.service.common import checks, quotas
from server.service.games import clock
from server.service.seating import creating

blp = Blueprint("new-game-pages", __name__)
_LONGEST = 400


@blp.get("/new")
def form() -> Response:
    """The form."""
    return _page(Wish(dict(DEFAULTS)))


@blp.post("/new")
def create() -> Response | Redirect:
    """Make the game; a stranger gives a name and gets an account with it."""
    forms.guard(secret(), beginning=True)
    wish = Wish({name: value[:_LONGEST] for name, value in request.form.items()})
    player = browser_session.visitor()
    game = new_game_form.read(wish)
    if player is None:
        wish.check("your_name", lambda text: checks.name("your_name", text))
    if wish.errors:
        return _page(wish, 422)
    try:
        player = player or new_player(wish.typed["your_name"])
        page = creating.create(store(), player, **game, now=now(), most=settings().allowed(quotas.GAMES_PER_PLAYER))
    except REFUSALS as refusal:
        wish.errors[""] = sentence(refusal.message)
        return signed_in(forms.refused(_page(wish, status_of(refusal)), refusal))
    return signed_in(redirect(url_for("game-pages.game", game_id=page["id"]), 303))


def _page(wish: Wish, status: int = 200) -> Response:
    return rendering.page(
        "lobby/new_game",
        status,
        typed=wish.typed,
        errors=wish.errors,
        others=OTHERS,
        levels=game_wording.opponents(browser_session.visitor()),
        unmailed=newcomers.why_unmailed(browser_session.visitor()),
        sign_in=url_for("account-pages.sign_in", next=url_for("new-game-pages.form")),
        form=forms.form_token(secret()),
        limits={
            "name": checks.NAME_MAX,
            "client_seed": checks.CLIENT_SEED_MAX,
            "hours": clock.HOURS_MAX,
            "days": clock.VACATION_DAYS_MAX,
        },
    )
