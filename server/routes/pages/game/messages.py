"""`/games/ID/messages` and `/t/TOKEN/messages`: what the players of a game write to each other.

The page of the game has the newest of them and a form, which sends where to go back to.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import sentence
from server.routes.http.context import now, store
from server.routes.pages.game import game_page, panel_notices
from server.routes.pages.game import session_or_link as doors
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared import forms, page_addresses, refusals, rendering
from server.routes.pages.shared.icons import seat_mark
from server.routes.pages.shared.local_times import local_time
from server.service.accounts.players import Player
from server.service.chat import messages
from server.service.common import checks
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
    return _page(doors.of_link(token, player), player, game_id)


@blp.post("/t/<token>/messages")
def write_of_turn(token: str) -> Response | Redirect:
    """Write one."""
    forms.guard(token)
    player, game_id = turn_page.holder(store(), token, now())
    return _write(doors.of_link(token, player), player, game_id, lambda: turn_page.page_of_link(store(), token, now()))


@blp.get("/games/<id:game_id>/messages")
def of_game(game_id: str) -> Response | Redirect:
    """The messages, for somebody who is signed in."""
    door = doors.of_session(game_id)
    if door.player is None:
        return page_addresses.to_sign_in()
    return _page(door, door.player, game_id)


@blp.post("/games/<id:game_id>/messages")
def write_of_game(game_id: str) -> Response | Redirect:
    """Write one."""
    door = doors.of_session(game_id)
    forms.guard(door.secret)
    player = door.player
    if player is None:
        return page_addresses.to_sign_in()
    return _write(door, player, game_id, lambda: turn_page.page_of_game(store(), game_id, player))


def _write(door: Door, player: Player, game_id: str, look: Callable[[], TurnPage]) -> Response | Redirect:
    text = forms.text_field("text")
    beside = bool(forms.text_field("back"))
    try:
        messages.post(store(), game_id, player, text, now(), _key(text))
    except (Unprocessable, TooManyRequests) as refusal:
        if not beside:
            said = sentence(refusal.message)
            return refusals.refused(_page(door, player, game_id, refusal.status, error=said, text=text), refusal)
        panel_notices.refuse("messages", refusal, text=text)
        return refusals.refused(game_page.page(door, look(), status=refusal.status), refusal)
    return redirect(panel_notices.back(door, "messages") if beside else door.to("messages"), 303)


def _key(text: str) -> str | None:
    """A name for what the form does: sent twice, it is done once. Another text in the same form is another message."""
    key = checks.text("key", forms.text_field("key"), 64, 0)
    return f"{key}.{sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}" if key else None


def _page(door: Door, player: Player, game_id: str, status: int = 200, **more: Any) -> Response:
    found = messages.listing(store(), game_id, player)
    zone = str(player.preferences["time_zone"])
    shown = [{**one, "name": spoken(one["name"] or ""), "at": local_time(one["at"], zone)} for one in found]
    values = {"error": None, "text": "", **more}
    return rendering.page(
        "game/messages",
        status,
        messages=shown,
        door=door,
        seat_mark=seat_mark,
        form=forms.form_token(door.secret),
        key=secrets.token_hex(8),
        longest=messages.TEXT_MAX,
        **values,
    )
