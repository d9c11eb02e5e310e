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

from server.service import checks, messages, turn_page
from server.service.accounts import Player
from server.service.called import spoken
from server.service.errors import Conflict, TooManyRequests, Unprocessable
from server.service.turn_page import LinkOverError, TurnPage

from ..context import now, store
from . import door as doors
from . import frame, game, table, table_forms
from .door import Door
from .icons import seat_mark

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
    frame.guard(token)
    player, game_id = turn_page.holder(store(), token, now())
    return _write(doors.of_link(token, player), player, game_id, lambda: turn_page.look(store(), token, now()))


@blp.get("/games/<id:game_id>/messages")
def of_game(game_id: str) -> Response | Redirect:
    """The messages, for somebody who is signed in."""
    door = doors.of_session(game_id)
    if door.player is None:
        return frame.to_sign_in()
    return _page(door, door.player, game_id)


@blp.post("/games/<id:game_id>/messages")
def write_of_game(game_id: str) -> Response | Redirect:
    """Write one."""
    door = doors.of_session(game_id)
    frame.guard(door.secret)
    player = door.player
    if player is None:
        return frame.to_sign_in()
    return _write(door, player, game_id, lambda: turn_page.of_game(store(), game_id, player))


def _write(door: Door, player: Player, game_id: str, look: Callable[[], TurnPage]) -> Response | Redirect:
    text = frame.text_field("text")
    beside = bool(frame.text_field("back"))
    try:
        messages.post(store(), game_id, player, text, now(), _key(text))
    except (Unprocessable, TooManyRequests) as refusal:
        if not beside:
            said = frame.sentence(refusal.message)
            return frame.refused(_page(door, player, game_id, refusal.status, error=said, text=text), refusal)
        table.refuse("messages", refusal, text=text)
        return frame.refused(game.page(door, look(), status=refusal.status), refusal)
    return redirect(table_forms.back(door, "messages") if beside else door.to("messages"), 303)


def _key(text: str) -> str | None:
    """A name for what the form does: sent twice, it is done once. Another text in the same form is another message."""
    key = checks.text("key", frame.text_field("key"), 64, 0)
    return f"{key}.{sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}" if key else None


def _page(door: Door, player: Player, game_id: str, status: int = 200, **more: Any) -> Response:
    found = messages.listing(store(), game_id, player)
    zone = str(player.preferences["time_zone"])
    shown = [{**one, "name": spoken(one["name"] or ""), "at": frame.local_time(one["at"], zone)} for one in found]
    values = {"error": None, "text": "", **more}
    return frame.page("messages", status, messages=shown, door=door, seat_mark=seat_mark,
                      form=frame.form_token(door.secret), key=secrets.token_hex(8), longest=messages.TEXT_MAX, **values)
