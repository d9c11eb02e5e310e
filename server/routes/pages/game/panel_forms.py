"""`/games/ID/…` beside the turn: note, notices, pause, leaving, bots, invitations, rematch, and earlier positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.routes.http.context import now, store
from server.routes.pages.game import board_links, panels
from server.routes.pages.game import door as doors
from server.routes.pages.game import game_page as game_pages
from server.routes.pages.game.door import Door
from server.routes.pages.shared import frame
from server.service.accounts.players import Player
from server.service.common.errors import Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable
from server.service.common.naming import spoken
from server.service.lists import board_view
from server.service.play import pause
from server.service.seating import invitations, joining, rematch
from server.service.table.server_moves import STAND_IN
from server.service.talk import notes, notice_wishes
from server.service.views import turn_links, turn_page
from server.service.views.turn_page import TurnPage

blp = Blueprint("table-pages", __name__)
REFUSALS = (Conflict, Forbidden, TooManyRequests, Unprocessable)


@blp.post("/games/<id:game_id>/note")
def note(game_id: str) -> Response | Redirect:
    """Write the own note anew."""
    text = frame.text_field("note", 4 * notes.NOTE_MAX)
    return act(game_id, "note", lambda player: notes.put(store(), game_id, player, text), text=text)


@blp.post("/games/<id:game_id>/notices")
def notices(game_id: str) -> Response | Redirect:
    """Choose when to hear of this game."""
    wish = frame.text_field("mail", 20) or None
    return act(game_id, "notices", lambda player: notice_wishes.change(store(), game_id, player, wish))


@blp.post("/games/<id:game_id>/pause")
def wish_pause(game_id: str) -> Response | Redirect:
    """Wish for a pause, or for none."""
    wish = pause.withdraw if frame.text_field("wish", 10) == "none" else pause.vote
    return act(game_id, "clock", lambda player: wish(store(), player, game_id, now()))


@blp.post("/games/<id:game_id>/invite")
def invite(game_id: str) -> Response | Redirect:
    """Invite an address by mail."""
    address = frame.text_field("address", 400)
    return act(
        game_id,
        "invite",
        lambda player: invitations.invite(store(), player, game_id, address, now()),
        said="invited",
        text=address,
    )


@blp.post("/games/<id:game_id>/bots")
def fill(game_id: str) -> Response | Redirect:
    """Let bots take the free seats, so that the game starts."""

    def change(player: Player) -> None:
        joining.fill_with_bots(store(), player, game_id, STAND_IN, now())

    return act(game_id, "bots", change)


@blp.post("/games/<id:game_id>/leave")
def leave(game_id: str) -> Response | Redirect:
    """Give the seat back before the start."""
    return act(game_id, "leave", lambda player: joining.leave(store(), player, game_id, now()), to=frame.home())


@blp.post("/games/<id:game_id>/rematch")
def again(game_id: str) -> Response | Redirect:
    """Open a game like this one and offer its seats to the others."""
    made: dict[str, str] = {}

    def offer(player: Player) -> None:
        made["id"] = rematch.offer(store(), player, game_id, now())["id"]

    answer = act(game_id, "rematch", offer)
    return redirect(url_for("game-pages.game", game_id=made["id"]), 303) if made else answer


def act(
    game_id: str,
    part: str,
    change: Callable[[Player], Any],
    *,
    said: str | None = None,
    to: str | None = None,
    **typed: str,
) -> Response | Redirect:
    """Do what a form of a game's page asks for and lead back to it (or `to`); refused, the page says so beside `part`.

    The page says that it was done where `table.DONE` has words for it, by the name `said` (`part` when None). `typed`
    is kept where it is refused.
    """
    door = doors.of_session(game_id)
    frame.guard(door.secret)
    player = door.player
    if player is None:
        return redirect(url_for("account-pages.sign_in"), 303)
    try:
        change(player)
    except REFUSALS as refusal:
        panels.refuse(part, refusal, **typed)
        page = game_pages.page(door, turn_page.of_game(store(), game_id, player), status=refusal.status)
        return frame.refused(page, refusal)
    return redirect(to or back(door, part, said or part), 303)


def back(door: Door, part: str, said: str | None = None) -> str:
    """The address to go back to: that of the page that the form was on, with its draft, at `part`."""
    wish = frame.local_path(frame.text_field("back", 4000)).partition("#")[0]
    path, _mark, query = wish.partition("?")
    kept = [one for one in query.split("&") if one and not one.startswith("done=")] if path == door.here else []
    if said in panels.DONE:
        kept.append(f"done={said}")
    return door.here + ("?" + "&".join(kept) if kept else "") + f"#{part}"


@blp.get("/games/<id:game_id>/at/<int:ply>")
def at(game_id: str, ply: int) -> Response:
    """The position after a move, as the reader saw it then."""
    player = frame.visitor()
    shown = turn_page.of_game(store(), game_id, player)
    return _position(doors.of_session(game_id), shown, player, ply)


@blp.get("/t/<token>/at/<int:ply>")
def at_of_turn(token: str, ply: int) -> Response:
    """The same for the holder of a turn's link: for the seat's eyes while the link is live, else for a spectator's."""
    shown = turn_links.look(store(), token, now())
    _game, eyes = turn_links.eyes(store(), token, now())
    return _position(doors.of_link(token), shown, eyes, ply)


def _position(door: Door, shown: TurnPage, eyes: Player | None, ply: int) -> Response:
    last = len(shown.story.happened)
    if shown.page["view"] is None or not 0 <= ply <= last:
        raise NotFound(_("this game has not come to that move"))
    seen = board_view.of_game(store(), shown.game_id, eyes, ply, let_in=door.by_link)
    story = shown.story
    turn = next((one for one in story.turns if one.began < ply and (one.ended is None or ply <= one.ended)), None)
    layout = board_links.layout()
    picture = board_links.board(door, replace(shown, draft=None), seen.view, layout)  # nothing is played there
    return frame.page(
        "position",
        door=door,
        game={**shown.page, "name": spoken(shown.page["name"])},
        ply=ply,
        last=last,
        layout=layout,
        picture=Markup(picture),  # noqa: S704 - ours
        told=story.between(ply - 1, ply) if ply else [],
        lines=panels.lines,
        turn=None
        if turn is None
        else {
            "name": shown.names[turn.seat],
            "round": turn.round,
            "moves": story.between(turn.began, turn.ended),
        },
        turns=_turns(shown, ply),
        seats=panels.seats_html(shown, seen.view, past=True),
    )


def _turns(shown: TurnPage, ply: int) -> dict[str, int | None]:
    """The ends of the turns before and after `ply`."""
    ends = [0, *(turn.ended for turn in shown.story.turns if turn.ended is not None)]
    return {
        "before": max((end for end in ends if end < ply), default=None),
        "after": min((end for end in ends if end > ply), default=None),
    }
