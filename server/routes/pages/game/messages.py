"""`/games/ID/messages` and `/t/TOKEN/messages`: what the players of a game write to each other.

The page of the game has the newest of them and a form, which sends where to go back to.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import sentence
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.game.access import GameAccess, link_access, session_access
from server.routes.pages.game.game_forms import act_beside, form_key
from server.routes.pages.shared import forms, page_addresses, rendering
from server.routes.pages.shared.icons import seat_mark
from server.routes.pages.shared.local_times import local_time
from server.service.accounts.players import Player
from server.service.chat import messages
from server.service.common.errors import Conflict, TooManyRequests, Unprocessable
from server.service.common.naming import spoken
from server.service.views import turn_page
from server.service.views.turn_page import LinkOverError, TurnPage

blp = Blueprint("message-pages", __name__)


@blp.get("/t/<token>/messages")
def of_turn(token: str) -> Response | Redirect:
    """The messages, for the holder of a live link to a turn; whoever comes by an old one has to sign in."""
    try:
        player, game_id = turn_page.holder(store(), token, now())
    except (Conflict, LinkOverError):
        of_game = url_for("message-pages.of_game", game_id=turn_page.game_of(store(), token, now()))
        return redirect(of_game, 303)
    return _page(link_access(token, player), player, game_id)


@blp.post("/t/<token>/messages")
def write_of_turn(token: str) -> Response | Redirect:
    """Write one."""
    forms.guard(token)
    player, game_id = turn_page.holder(store(), token, now())
    return _write(link_access(token, player), game_id, lambda: turn_page.page_of_link(store(), token, now()))


@blp.get("/games/<id:game_id>/messages")
def of_game(game_id: str) -> Response | Redirect:
    """The messages, for somebody who is signed in."""
    access = session_access(game_id)
    if access.player is None:
        return page_addresses.to_sign_in()
    return _page(access, access.player, game_id)


@blp.post("/games/<id:game_id>/messages")
def write_of_game(game_id: str) -> Response | Redirect:
    """Write one."""
    access = session_access(game_id)
    return _write(access, game_id, lambda: turn_page.page_of_game(store(), game_id, access.player))


def _write(access: GameAccess, game_id: str, look: Callable[[], TurnPage]) -> Response | Redirect:
    text, key = forms.text_field("text"), form_key(0) if forms.text_field("key") else None

    def post(player: Player) -> None:
        messages.post(store(), game_id, player, text, now(), key)

    if forms.text_field("back"):  # from beside the board
        return act_beside(access, look, "messages", post, text=text)
    forms.guard(access.secret)
    if access.player is None:
        return page_addresses.to_sign_in()
    try:
        post(access.player)
    except (Unprocessable, TooManyRequests) as refusal:
        said = sentence(refusal.message)
        return forms.refused(_page(access, access.player, game_id, status_of(refusal), error=said, text=text), refusal)
    return redirect(access.to("messages"), 303)


def _page(access: GameAccess, player: Player, game_id: str, status: int = 200, **more: Any) -> Response:
    found = messages.listing(store(), game_id, player)
    zone = str(player.preferences["time_zone"])
    shown = [{**one, "name": spoken(one["name"] or ""), "at": local_time(one["at"], zone)} for one in found]
    values = {"error": None, "text": "", **more}
    return rendering.page(
        "game/messages",
        status,
        messages=shown,
        access=access,
        seat_mark=seat_mark,
        form=forms.form_token(access.secret),
        key=secrets.token_hex(8),
        longest=messages.TEXT_MAX,
        **values,
    )
