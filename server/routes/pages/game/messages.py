"""`/games/ID/messages` and `/t/TOKEN/messages`: what the players of a game write to each other."""

from __future__ import annotations

import secrets
from dataclasses import replace

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import sentence
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.game import panels
from server.routes.pages.game.access import GameAccess, access_by
from server.routes.pages.game.game_forms import act_beside, form_key
from server.routes.pages.shared import forms, page_addresses, rendering
from server.service.accounts.players import Player
from server.service.chat import messages
from server.service.common.errors import Conflict, TooManyRequests, Unprocessable
from server.service.games.model import no_seat
from server.service.lists import game_page
from server.service.views import turn_page
from server.service.views.turn_page import LinkOverError

blp = Blueprint("message-pages", __name__)


@blp.get("/t/<token>/messages")
def of_turn(token: str) -> Response | Redirect:
    """The messages, for the holder of a live link to a turn; whoever comes by an old one has to sign in."""
    access = access_by(token=token)
    try:
        return _page(access, *access.holder())
    except (Conflict, LinkOverError):
        of_game = url_for("message-pages.of_game", game_id=turn_page.game_of(store(), token, now()))
        return redirect(of_game, 303)


@blp.get("/games/<id:game_id>/messages")
def of_game(game_id: str) -> Response | Redirect:
    """The messages, for somebody who is signed in."""
    access = access_by(game_id)
    return page_addresses.to_sign_in() if access.player is None else _page(access, access.player, game_id)


@blp.post("/games/<id:game_id>/messages")
@blp.post("/t/<token>/messages")
def write(**way: str) -> Response | Redirect:
    """Write one."""
    access = access_by(**way)
    forms.guard(access.secret)
    text, key = forms.text_field("text"), form_key(0) if forms.text_field("key") else None
    if access.by_link:
        player, game_id = access.holder()
        access = replace(access, player=player, game_id=game_id)

    def post(player: Player) -> None:
        messages.post(store(), access.game_id, player, text, now(), key)

    if forms.text_field("back"):  # from beside the board
        return act_beside(access, "messages", post, text=text)
    if access.player is None:
        return page_addresses.to_sign_in()
    try:
        post(access.player)
    except (Unprocessable, TooManyRequests) as refusal:
        again = _page(access, access.player, access.game_id, status_of(refusal), sentence(refusal.message), text)
        return forms.refused(again, refusal)
    return redirect(access.to("messages"), 303)


@blp.post("/games/<id:game_id>/read")
@blp.post("/t/<token>/read")
def read(**way: str) -> Response | Redirect:
    """Note up to which message the reader has read."""
    access = access_by(**way)
    forms.guard(access.secret)
    player, game_id = access.holder()
    messages.note_read(store(), game_id, player, forms.whole(forms.text_field("upto", 12)) or 0)
    return redirect(panels.back(access, "messages"), 303)


def _page(
    access: GameAccess, player: Player, game_id: str, status: int = 200, error: str | None = None, text: str = ""
) -> Response:
    shown, own = access.look(), game_page.beside(store(), game_id, player.id, messages.SHOWN)
    if own is None:
        raise no_seat()
    return rendering.page(
        "game/messages",
        status,
        game=shown.page,
        messages=panels.told_messages(shown, own, str(player.preferences["time_zone"])),
        unread=own.unread,
        access=access,
        form=forms.form_token(access.secret),
        form_head=panels.form_head(access),
        key=secrets.token_hex(8),
        longest=messages.TEXT_MAX,
        error=error,
        text=text,
    )
