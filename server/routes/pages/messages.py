"""`/games/ID/messages` and `/t/TOKEN/messages`: what the players of a game write to each other."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.service import messages, turn_page
from server.service.accounts import Player
from server.service.errors import TooManyRequests, Unprocessable

from ..context import now, store
from . import frame

blp = Blueprint("message-pages", __name__)


@blp.get("/t/<token>/messages")
def of_turn(token: str) -> Response:
    """The messages, for the holder of a live link to a turn."""
    player, game_id = turn_page.seat_holder(store(), token, now())
    return _page(player, game_id, token, url_for("message-pages.of_turn", token=token), _turn(token))


@blp.post("/t/<token>/messages")
def write_of_turn(token: str) -> Response | Redirect:
    """Write one."""
    frame.guard(token)
    player, game_id = turn_page.seat_holder(store(), token, now())
    return _write(player, game_id, token, url_for("message-pages.of_turn", token=token), _turn(token))


@blp.get("/games/<id:game_id>/messages")
def of_game(game_id: str) -> Response | Redirect:
    """The messages, for somebody who is signed in."""
    player = frame.visitor()
    if player is None:
        return redirect(url_for("account-pages.sign_in"), 303)
    here = url_for("message-pages.of_game", game_id=game_id)
    return _page(player, game_id, _session(), here, url_for("account-pages.me"))


@blp.post("/games/<id:game_id>/messages")
def write_of_game(game_id: str) -> Response | Redirect:
    """Write one."""
    frame.guard(_session())
    player = frame.visitor()
    if player is None:
        return redirect(url_for("account-pages.sign_in"), 303)
    here = url_for("message-pages.of_game", game_id=game_id)
    return _write(player, game_id, _session(), here, url_for("account-pages.me"))


def _write(player: Player, game_id: str, secret: str, here: str, back: str) -> Response | Redirect:
    text = frame.text_field("text")
    try:
        messages.post(store(), game_id, player, text, now())
    except (Unprocessable, TooManyRequests) as refusal:
        error = frame.sentence(refusal.message)
        return _page(player, game_id, secret, here, back, status=refusal.status, error=error, text=text)
    return redirect(here, 303)


def _page(
    player: Player, game_id: str, secret: str, here: str, back: str, status: int = 200, **more: Any
) -> Response:
    found = messages.listing(store(), game_id, player)
    zone = player.preferences.get("time_zone", "UTC")
    shown = [{**one, "at": frame.local_time(one["at"], zone)} for one in found]
    values = {"error": None, "text": "", **more}
    return frame.page("messages", status, messages=shown, here=here, back=back, form=frame.form_token(secret),
                      longest=messages.TEXT_MAX, **values)


def _turn(token: str) -> str:
    return url_for("turn-pages.turn", token=token)


def _session() -> str:
    return request.cookies.get(frame.COOKIE, "")
