"""`/games/ID/…` beside the turn: note, notices, pause, leaving, bots, invitations, rematch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http.context import now, store
from server.routes.pages.game import panels
from server.routes.pages.game.access import access_by
from server.routes.pages.game.game_forms import act_beside
from server.routes.pages.shared import forms, page_addresses
from server.service.accounts.players import Player
from server.service.chat import notes, notice_wishes
from server.service.common.preferences import CHANNELS
from server.service.games.bots import CHOSEN_FIRST
from server.service.play import pause, proposals
from server.service.play.proposals import Wish
from server.service.seating import invitations, joining, rematches

blp = Blueprint("table-pages", __name__)


@blp.post("/games/<id:game_id>/note")
def note(game_id: str) -> Response | Redirect:
    """Write the own note anew."""
    text = forms.text_field("note", 4 * notes.NOTE_MAX)
    return _act(game_id, "note", lambda player: notes.put(store(), game_id, player, text), text=text)


@blp.post("/games/<id:game_id>/notices")
def notices(game_id: str) -> Response | Redirect:
    """Choose when to hear of this game."""
    wishes = {one: request.form[one][:20] or None for one in CHANNELS if one in request.form}
    return _act(game_id, "notices", lambda player: notice_wishes.change(store(), game_id, player, wishes))


@blp.post("/games/<id:game_id>/pause")
def wish_pause(game_id: str) -> Response | Redirect:
    """Wish for a pause, or for none."""
    wish = pause.withdraw if forms.text_field("wish", 10) == "none" else pause.vote
    there = panels.back(access_by(game_id), "pause-asked")  # not in the drawer, which the address would open anew
    return _act(game_id, "clock", lambda player: wish(store(), player, game_id, now()), to=there)


@blp.post("/games/<id:game_id>/propose")
def propose(game_id: str) -> Response | Redirect:
    """Propose something to the others."""
    seat, hours = (forms.whole(forms.text_field(name, 4)) for name in ("seat", "hours"))
    bot = None if forms.text_field("person", 1) else forms.text_field("bot", 40) or None
    wish = Wish(forms.text_field("kind", 20), seat, bot, hours)
    return _act(game_id, "agreement", lambda player: proposals.propose(store(), player, game_id, wish, now()))


@blp.post("/games/<id:game_id>/agree")
def agree(game_id: str) -> Response | Redirect:
    """Agree with what is proposed, or say no."""
    named, yes = forms.text_field("id", 40), forms.text_field("agree", 4) == "yes"
    return _act(game_id, "now", lambda player: proposals.answer(store(), player, game_id, named, yes, now()))


@blp.post("/games/<id:game_id>/invite")
def invite(game_id: str) -> Response | Redirect:
    """Invite an address by mail, or a player by name."""
    address, other = forms.text_field("address", 400), forms.text_field("player", 40)

    def ask(player: Player) -> None:
        if other:
            invitations.invite_player(store(), player, game_id, other, now())
        else:
            invitations.invite(store(), player, game_id, address, now())

    return _act(game_id, "invite", ask, said="invited", text=address)


@blp.post("/games/<id:game_id>/bots")
def fill(game_id: str) -> Response | Redirect:
    """Let bots take the free seats, so that the game starts."""

    def change(player: Player) -> None:
        bot = forms.text_field("bot", 40) or CHOSEN_FIRST
        joining.fill_with_bots(store(), player, game_id, bot, now())

    return _act(game_id, "bots", change)


@blp.post("/games/<id:game_id>/leave")
def leave(game_id: str) -> Response | Redirect:
    """Give the seat back before the start."""
    return _act(
        game_id, "leave", lambda player: joining.leave(store(), player, game_id, now()), to=page_addresses.home()
    )


@blp.post("/games/<id:game_id>/rematch")
def again(game_id: str) -> Response | Redirect:
    """Open a game like this one and offer its seats to the others."""
    made: dict[str, str] = {}

    def offer(player: Player) -> None:
        made["id"] = rematches.offer(store(), player, game_id, now())["id"]

    answer = _act(game_id, "rematch", offer)
    return redirect(url_for("game-pages.game", game_id=made["id"]), 303) if made else answer


def _act(game_id: str, part: str, change: Callable[[Player], Any], **how: Any) -> Response | Redirect:
    """Let the visitor's form `change` something; `how` as of `game_forms.act_beside`."""
    return act_beside(access_by(game_id), part, change, **how)
