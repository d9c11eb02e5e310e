"""`/games/ID`: the board, the turn, and all that belongs to a game; what `turn.py` shows by a link is made here too."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.routes.http.context import now, store
from server.routes.pages.game import door as doors
from server.routes.pages.game import live, own_turn, panels
from server.routes.pages.game.door import Door
from server.routes.pages.shared import fields, frame
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import Conflict, Forbidden, ServiceError, Unprocessable
from server.service.common.naming import spoken
from server.service.play import timeouts, turns
from server.service.views import drafts, turn_page
from server.service.views.turn_links import OldLink
from server.service.views.turn_page import TurnPage

blp = Blueprint("game-pages", __name__)
REFUSALS = (Conflict, Forbidden, Unprocessable)


@blp.get("/games/<id:game_id>")
def game(game_id: str) -> Response | Redirect:
    """The game for who is signed in, or for a stranger; whoever comes with an invitation is asked to join."""
    if "invitation" in request.args:
        invitation = request.args["invitation"][:100]
        return redirect(url_for("lobby-pages.join", game_id=game_id, invitation=invitation), 303)
    frame.form_token(frame.NOBODY)  # the first of all writes a key
    with store().read():  # one transaction for all that the page reads
        return page(doors.of_session(game_id), _look(game_id))


@blp.post("/games/<id:game_id>/turn")
def play(game_id: str) -> Response | Redirect:
    """Play the drafted moves and one more."""
    door = doors.of_session(game_id)
    return act(
        door,
        lambda: _look(game_id),
        lambda: turns.play(store(), game_id, member(door), form_ply(), form_moves(), form_key(), now()),
    )


@blp.post("/games/<id:game_id>/undo")
def undo(game_id: str) -> Response | Redirect:
    """Take back moves that were sent."""
    door = doors.of_session(game_id)
    return act(door, lambda: _look(game_id), lambda: turns.undo(store(), game_id, member(door), form_ply(), now()))


@blp.post("/games/<id:game_id>/return")
def come_back(game_id: str) -> Response | Redirect:
    """End the autopilot of the own seat."""
    door = doors.of_session(game_id)
    return act(door, lambda: _look(game_id), lambda: timeouts.come_back(store(), member(door), game_id))


@blp.get("/games/<id:game_id>/resign")
def resign(game_id: str) -> Response:
    """Ask whether it is meant."""
    door, shown = doors.of_session(game_id), _look(game_id)
    return resign_page(door, shown) if shown.may_resign else page(door, shown)


def _look(game_id: str) -> TurnPage:
    return turn_page.of_game(store(), game_id, frame.visitor(), *asked_draft())


def page(door: Door, shown: TurnPage, refusal: str | None = None, status: int = 200) -> Response:
    """The page of a game; `refusal` is a sentence for somebody whose wish could not be done."""
    values = own_turn.values(door, shown, request.args.get("ask"))
    return frame.page(
        "game",
        status,
        door=door,
        shown=shown,
        game={**shown.page, "name": spoken(shown.page["name"])},
        form=frame.form_token(door.secret),
        key=secrets.token_hex(8),
        refusal=refusal,
        may_resign=shown.may_resign and (shown.live or not door.by_link),
        live=live.values(door, shown.page),
        **behind(shown.old),
        **values,
        **panels.table_values(door, shown),
    )


def behind(old: OldLink | None) -> dict[str, Any]:
    """The values for `pages/game/behind.html`: where an old link leads, and whether the link of a turn was sent."""
    if old is None:
        return {"old": None}
    here, visitor = url_for("game-pages.game", game_id=old.game_id), frame.visitor()
    own = visitor is not None and visitor.id == old.player_id
    onward = here if own else url_for("account-pages.sign_in", next=here)
    return {"old": old, "own": own, "onward": onward, "sent": request.method == "GET" and "sent" in request.args}


def resign_page(door: Door, shown: TurnPage) -> Response:
    """The question before a resignation."""
    ply, game = shown.page["ply"], {**shown.page, "name": spoken(shown.page["name"])}
    return frame.page(
        "resign", door=door, game=game, ply=ply, form=frame.form_token(door.secret), key=secrets.token_hex(8)
    )


def act(door: Door, look: Callable[[], TurnPage], change: Callable[[], Any]) -> Response | Redirect:
    """Do what a form of the page asks for and lead back to it; when it is refused, show the page and say so."""
    frame.guard(door.secret)
    try:
        change()
    except REFUSALS as refusal:
        # A link or a game that is none raises here again, and becomes its own page.
        return page(door, look(), said(refusal), refusal.status)
    return redirect(door.here, 303)


def said(refusal: ServiceError) -> str:
    """Why something was not done, for people: the service speaks to programs."""
    if isinstance(refusal, Conflict):
        return _("The game has moved on since you opened this page, so nothing was played. Here is how it stands now.")
    if isinstance(refusal, Forbidden):
        return _("It is not your turn, so nothing was played.")
    return _("That move is not possible now, so nothing was played.")


def member(door: Door) -> Player:
    """Who acts. Raises `Forbidden` for a stranger."""
    if door.player is None:
        raise Forbidden(_("sign in first"))
    return door.player


def asked_draft() -> tuple[int | None, list[str]]:
    """The draft of the address: `ply`, `draft` and the one move more that a button adds."""
    if request.method != "GET":
        return None, []
    ply = fields.whole(request.args.get("ply", ""))
    moves = drafts.read(request.args.get("draft", "")[:4000])
    more = request.args.get("move", "")[:80]
    return ply, [*moves, more] if more else moves


def form_ply() -> int:
    """The ply of a form. Raises `Unprocessable`."""
    ply = fields.whole(frame.text_field("ply", 20))
    if ply is None:
        raise Unprocessable(_("this form is not whole; open the page anew"))
    return ply


def form_moves() -> list[str]:
    """The drafted moves of a form and the one of its button."""
    moves = drafts.read(frame.text_field("draft"))
    more = frame.text_field("move", 80)
    return [*moves, more] if more else moves


def form_key() -> str:
    """A name for what the form does: sent twice, it is done once. Each button of a page is another."""
    key = checks.text("key", frame.text_field("key"), 64, 8)
    return f"{key}.{sha256(drafts.write(form_moves()).encode('utf-8', 'replace')).hexdigest()[:16]}"
