"""`/pause/TOKEN`: what a mail about a pause leads to. One press agrees to it, or lets the clock run again."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.language import sentence
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.shared import forms, rendering
from server.service.common.errors import Conflict, Forbidden
from server.service.common.naming import spoken
from server.service.play import pause

blp = Blueprint("pause-pages", __name__)


@blp.get("/pause/<token>")
def ask(token: str) -> Response:
    """How it stands, and a button. Looking changes nothing."""
    return _page(token)


@blp.post("/pause/<token>")
def answer(token: str) -> Response | Redirect:
    """Wish for a pause, or for none."""
    forms.guard(token)
    player, page = pause.by_link(store(), token, now())
    wish = pause.withdraw if forms.text_field("wish", 10) == "none" else pause.vote
    try:
        wish(store(), player, page["id"], now())
    except (Conflict, Forbidden) as refusal:
        return _page(token, sentence(refusal.message), status_of(refusal))
    return redirect(url_for("pause-pages.ask", token=token), 303)


def _page(token: str, refusal: str = "", status: int = 200) -> Response:
    _player, page = pause.by_link(store(), token, now())
    seat, names = page["seat"], [spoken(place["name"]) if place else "" for place in page["players"]]
    view = page["view"]
    plays = page["status"] == "running" and view is not None and not view["players"][seat or 0]["resigned"]
    return rendering.page(
        "game/pause",
        status,
        token=token,
        form=forms.form_token(token),
        game=spoken(page["name"]),
        here=url_for("game-pages.game", game_id=page["id"]),
        plays=plays and page["clock"] is not None,
        held=page["waits_for"] == "operator",
        paused=page["paused"],
        wished=seat in page["pause_votes"],
        asking=language.listing([names[one] for one in page["pause_votes"] if one != seat]),
        asking_number=sum(one != seat for one in page["pause_votes"]),
        refusal=refusal,
    )
