"""`/games/ID`, `/t/TOKEN`: a game and the turn in it, by a session or by the link of a mail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.engine import rulesets
from server.language import gettext as _
from server.language import sentence
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.game import game_forms, game_page
from server.routes.pages.game.access import GameAccess, access_by
from server.routes.pages.game.game_forms import form_key, form_moves, form_ply
from server.routes.pages.shared import forms, rendering
from server.service.accounts.players import Player
from server.service.common.errors import NotFound, TooManyRequests
from server.service.play import hints, timeouts, turns
from server.service.views import since, turn_page
from server.service.views.turn_page import LinkOverError

blp = Blueprint("game-pages", __name__)


@blp.get("/games/<id:game_id>")
def game(game_id: str) -> Response | Redirect:
    """The game for who is signed in, or for a stranger; whoever comes with an invitation is asked to join."""
    if "invitation" in request.args:
        invitation = request.args["invitation"][:100]
        return redirect(url_for("lobby-pages.join", game_id=game_id, invitation=invitation), 303)
    with store().read():  # one transaction for all that the page reads
        access = access_by(game_id)
        return game_page.page(access, access.look(*game_forms.asked_draft()))


@blp.get("/t/<token>")
def turn(token: str) -> Response:
    """The turn, or what became of it."""
    return _by_link(access_by(token=token))


def _by_link(access: GameAccess, refusal: str | None = None, status: int = 200) -> Response:
    try:
        shown = access.look(*game_forms.asked_draft())
    except LinkOverError as over:
        status = status_of(over) if status == 200 else status
        form = forms.form_token(access.secret)
        behind = game_page.behind(over.page)
        return rendering.page("game/turn_over", status, access=access, form=form, refusal=refusal, **behind)
    return game_page.page(access, shown, refusal, status)


@blp.get("/t/<token>/move/<path:words>")
def move(token: str, words: str) -> Redirect:
    """The turn with a move drafted: mails lead here. What a draft cannot hold, because it reveals something or ends the
    turn, the page puts to the player above all else; and of what is not possible it says so."""
    access, text = access_by(token=token), words.replace("/", " ")
    draft = access.look().draft
    if draft is None:
        return redirect(access.here, 303)
    if text not in rulesets.rules_for(draft.view["ruleset"]).notation.moves:
        raise NotFound(_("there is no such move: choose one on the page of your turn"))
    if text in draft.options and text not in draft.sending:
        return redirect(access.draft(draft.ply, [text]), 303)
    return redirect(access.draft(draft.ply, [], ask=text), 303)


@blp.post("/games/<id:game_id>/turn")
@blp.post("/t/<token>/turn")
def play(**way: str) -> Response | Redirect:
    """Play the drafted moves and one more."""
    if "token" in way:
        access = access_by(**way)
        return game_forms.act(
            access, lambda: turn_page.play(store(), access.secret, form_ply(), form_moves(), form_key(), now())
        )
    return _act(way, _play)


def _play(player: Player, game_id: str) -> None:
    turns.play(store(), game_id, player, form_ply(), form_moves(), form_key(), now())


@blp.post("/games/<id:game_id>/hint")
def hint(game_id: str) -> Response | Redirect:
    """Ask what a bot would play; the page says it when it is found. What is drafted is played first: a hint is about a
    position of the game, and whoever asks in the midst of a turn means the one that they see."""

    def ask(player: Player, game_id: str) -> None:
        if form_moves():
            _play(player, game_id)
        hints.ask(store(), player, game_id, now())

    return _act({"game_id": game_id}, ask)


@blp.post("/games/<id:game_id>/undo")
@blp.post("/t/<token>/undo")
def undo(**way: str) -> Response | Redirect:
    """Take back moves that were sent."""
    return _act(way, lambda player, game_id: turns.undo(store(), game_id, player, form_ply(), now()))


@blp.post("/games/<id:game_id>/return")
@blp.post("/t/<token>/return")
def come_back(**way: str) -> Response | Redirect:
    """End the autopilot of the own seat."""
    return _act(way, lambda player, game_id: timeouts.come_back(store(), player, game_id))


def _act(way: dict[str, str], change: Callable[[Player, str], Any]) -> Response | Redirect:
    access = access_by(**way)
    return game_forms.act(access, lambda: change(*access.holder()))


@blp.post("/t/<token>/present")
def send_present(token: str) -> Response | Redirect:
    """Send the link of the present turn to the address of the account. The answer is the same whoever is to move."""
    forms.guard(token)
    access = access_by(token=token)
    try:
        turn_page.send_present(store(), token, request.remote_addr or "", now())
    except TooManyRequests as refusal:
        return forms.refused(_by_link(access, sentence(refusal.message), status_of(refusal)), refusal)
    return redirect(f"{access.here}?sent=1", 303)


@blp.get("/games/<id:game_id>/resign")
@blp.get("/t/<token>/resign")
def resign(**way: str) -> Response:
    """Ask whether it is meant."""
    access = access_by(**way)
    shown = access.look(*game_forms.asked_draft())
    ask = game_page.resign_page if game_page.may_resign(access, shown) else game_page.page
    return ask(access, shown)


@blp.get("/games/<id:game_id>/at/<int:ply>")
@blp.get("/t/<token>/at/<int:ply>")
def at(ply: int, **way: str) -> Response:
    """The position after a move, as the reader saw it then."""
    access = access_by(**way)
    return game_page.earlier_position(access, access.look(), ply)


@blp.get("/games/<id:game_id>/since")
@blp.get("/t/<token>/since")
def since_boards(**way: str) -> Response:
    """The boards since the reader's last turn, for js/since.js; `after` leaves out what the page has shown already."""
    layout, after = request.args.get("layout", "desk"), forms.whole(request.args.get("after", ""))
    with store().read():
        access = access_by(**way)
        make = since.boards(store(), access.look(), access.eyes(), layout, after)
    headers = {"Content-Encoding": "gzip", "Cache-Control": "no-store"}
    return Response(make(), mimetype="application/json", headers=headers)
