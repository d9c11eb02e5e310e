"""`/learn`: a guided first game. Where somebody is in it stands in the address, and a cookie leads back there."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http import browser_session
from server.routes.pages.learn import place_values
from server.routes.pages.shared import forms, game_wording, rendering
from server.routes.pages.shared.learning_cookie import COOKIE, kept, left_off
from server.routes.pages.shared.newcomers import secret
from server.service.learning import walk
from server.service.learning.lessons import LAST
from server.service.views import drafts

blp = Blueprint("learn-pages", __name__)


@blp.get("/learn")
def start() -> Response:
    """What there is to learn, and where the visitor has left off."""
    return rendering.page("learn/start", lessons=place_values.contents(None), left=left_off())


@blp.get("/learn/<int:lesson>", endpoint="lesson")
def show(lesson: int) -> Response | Redirect:
    """A place in the guided game, by a lesson and the moves in it; or, of what there is not, the nearest place."""
    place = walk.at(lesson, request.args.get("moves", ""))
    if place.problem or place.number != lesson:
        return redirect(address(place.number, place.moves, "nearest" if place.problem else None), 303)
    answer = rendering.page(
        "learn/lesson",
        place=place,
        form=forms.form_token(secret()) if place.over and place.number == LAST else "",
        levels=game_wording.levels(),
        strayed=request.args.get("note") == "nearest",
        **place_values.values(place, address, request.args.get("ask", "")),
    )
    browser_session.keep_cookie(answer, COOKIE, kept(place), browser_session.YEAR)
    return answer


def address(number: int, moves: tuple[str, ...] = (), note: str | None = None, ask: str | None = None) -> str:
    """Where a place of the guided game is; `note`: why one is led there, `ask`: how moves to choose begin."""
    return url_for("learn-pages.lesson", lesson=number, moves=drafts.write(moves) or None, note=note, ask=ask)
