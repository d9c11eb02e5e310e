"""`/`: games to play, to join and to watch. Playing at once as a guest, and taking a seat."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.board.svg import board_svg
from server.language import gettext as _
from server.routes.http.context import now, settings, store
from server.routes.pages.game import live
from server.routes.pages.lobby.newcomers import REFUSALS, new_player, secret, signed_in
from server.routes.pages.shared import fields, frame, paging, wording
from server.service.accounts.players import Player
from server.service.archive import replay_lists
from server.service.common import checks
from server.service.common.errors import NotFound, ServiceError
from server.service.common.naming import spoken
from server.service.lists import game_page, home_lists
from server.service.seating import guests, joining
from server.service.table.model import SANDBOX
from server.service.views import showcase

blp = Blueprint("lobby-pages", __name__)

SHOWN = 6
"""Games of each list on the first page."""
PAGE = 20
"""Games on a page of one list."""
_MINSTER = "16 78 536 416"
"""Where in the wide layout tower and square stand: all of the picture that a phone has room for."""


@blp.get("/")
def index() -> Response:
    """The lists of games; of one list all pages with `?list=` and `?page=`."""
    which = request.args.get("list")
    if which is not None:
        return _one_list(which)
    player = frame.visitor()
    wanted = home_lists.PUBLIC if player is None else home_lists.LISTS
    lists = [_list(player, name, 1, SHOWN) for name in wanted]
    finished, total = replay_lists.listing(store(), player, 1, SHOWN) if player is None else ([], 0)
    return frame.page(
        "home",
        lists={one["name"]: one for one in lists},
        replays=[_replay(one) for one in finished],
        more_replays=total > SHOWN,
        form=frame.form_token(secret()),
        live=None if player is None else live.own_values(),
    )


def _one_list(which: str) -> Response:
    number = fields.whole(request.args.get("page", "1")) or 0
    shown = _list(frame.visitor(), which, max(number, 1), PAGE)
    pages = paging.pages(url_for("lobby-pages.index"), {"list": which}, shown["total"], number, PAGE)
    if not 1 <= number <= pages["last"]:
        raise NotFound(_("there is no such page of this list"))
    return frame.page("games", shown=shown, pages=pages)


def _list(player: Player | None, which: str, page: int, size: int) -> dict[str, Any]:
    found, total = home_lists.games(store(), player, which, now(), page, size)
    return {"name": which, "games": [_card(game, player) for game in found], "total": total}


def _card(game: dict[str, Any], player: Player | None) -> dict[str, Any]:
    """What the list says of a game. The deadline is one that all may know."""
    to_move = None if game["to_move"] is None else spoken(game["players"][game["to_move"]]["name"])
    over = game["status"] == "finished"
    winners = [spoken(game["players"][seat]["name"]) for seat in (game["result"] or {}).get("winners", [])]
    when = game["finished_at"] or game["started_at"] or game["created_at"]
    return {
        "id": game["id"],
        "name": spoken(game["name"]),
        "status": game["status"],
        "href": url_for("replay-pages.watch" if over else "game-pages.game", game_id=game["id"]),
        "private": game["private"] and game["origin"] != SANDBOX,
        "seats": [
            None
            if place is None
            else {
                "name": spoken(place["name"]),
                "bot": place["bot"] is not None,
                "own": player is not None and place["player"] == player.id and game["origin"] != SANDBOX,
                "to_move": game["status"] == "running" and place["seat"] == game["to_move"],
            }
            for place in game["players"]
        ],
        "free": game["free_seats"],
        "options": wording.options(game["options"]),
        "clock": wording.turn_time(game["clock"]),
        "paused": game["paused"],
        "to_move": to_move,
        "deadline": game["deadline"],
        "deadline_local": None if game["deadline"] is None else frame.local_time(game["deadline"]),
        "left": None if game["deadline"] is None else wording.left(game["deadline"], now()),
        "winners": language.listing(winners) if winners else "",
        "winner_count": len(winners),
        "won": over and player is not None and _won(game, player),
        "when": frame.local_time(when),
        "moment": when,
    }


def _won(game: dict[str, Any], player: Player) -> bool:
    return any(game["players"][seat]["player"] == player.id for seat in (game["result"] or {}).get("winners", []))


def _replay(replay: dict[str, Any]) -> dict[str, Any]:
    """What the first page says of a finished game."""
    result = replay["result"] or {"winners": [], "scores": []}
    when = replay["finished_at"] or replay["created_at"]
    return {
        "href": url_for("replay-pages.watch", game_id=replay["id"]),
        "name": spoken(replay["name"] or "") or _("A game without a name"),
        "names": language.listing([spoken(place["name"] or "?") for place in replay["players"]]),
        "winners": language.listing([spoken(replay["players"][seat]["name"] or "?") for seat in result["winners"]]),
        "winner_count": len(result["winners"]),
        "when": frame.local_time(when),
        "moment": when,
    }


@blp.post("/guest")
def guest() -> Response | Redirect:
    """Play against bots at once: as who is signed in, else as a new guest."""
    frame.guard(secret(), beginning=True)
    wish = frame.text_field("seats", 2)
    seats = int(wish) if wish in ("2", "3", "4") else 3
    try:
        player = frame.visitor() or new_player(None)
        game_id = guests.play(store(), player, seats, now(), most=settings().games_per_player)
    except REFUSALS as refusal:
        return signed_in(frame.problem(refusal.status, refusal.message, refusal.headers))
    return signed_in(redirect(url_for("game-pages.game", game_id=game_id), 303))


@blp.get("/games/<id:game_id>/join")
def join(game_id: str) -> Response | Redirect:
    """Ask whoever has no seat in an open game whether they want one."""
    invitation = request.args.get("invitation", "")[:100]
    return _join_page(game_id, invitation)


@blp.post("/games/<id:game_id>/join")
def take_seat(game_id: str) -> Response | Redirect:
    """Take a seat; a stranger gives a name and gets an account with it."""
    frame.guard(secret(), beginning=True)
    invitation = frame.text_field("invitation", 100)
    seed = frame.text_field("client_seed", 400)
    try:
        player = frame.visitor()
        if player is None:
            checks.client_seed(seed)
            guests.require_seat(store(), game_id, invitation or None)
            player = new_player(frame.text_field("name", 400))
        joining.join(store(), player, game_id, seed, invitation or None, now())
    except REFUSALS as refusal:
        return signed_in(frame.refused(_join_page(game_id, invitation, refusal), refusal))
    return signed_in(redirect(url_for("game-pages.game", game_id=game_id), 303))


def _join_page(game_id: str, invitation: str, refusal: ServiceError | None = None) -> Response | Redirect:
    player = frame.visitor()
    page = game_page.page(store(), game_id, player, invitation or None)
    if page["seat"] is not None or (page["status"] != "open" and refusal is None and not page["private"]):
        return redirect(url_for("game-pages.game", game_id=game_id), 303)
    here = url_for("lobby-pages.join", game_id=game_id, invitation=invitation or None)
    return frame.page(
        "join",
        200 if refusal is None else refusal.status,
        game={**page, "name": spoken(page["name"])},
        names=[spoken(place["name"]) for place in page["players"] if place is not None],
        free=sum(place is None for place in page["players"]),
        options=wording.options(page["options"]),
        clock=wording.clock(page["clock"]),
        invitation=invitation,
        error=None if refusal is None else frame.sentence(refusal.message),
        name=frame.text_field("name", 400),
        client_seed=frame.text_field("client_seed", 400),
        sign_in=url_for("account-pages.sign_in", next=here),
        form=frame.form_token(secret()),
    )


@blp.get("/picture/<any(whole, minster):crop>-<any(light, dark, 'colour-blind'):theme>-<any(en, de, it):code>.svg")
def picture(crop: str, theme: str, code: str) -> Response:
    """The board in the middle of a game, for those who never saw one."""
    svg = _picture(crop, theme, code)
    headers = {
        "Cache-Control": "public, max-age=86400",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(svg, headers=headers, mimetype="image/svg+xml")


@lru_cache(maxsize=18)
def _picture(crop: str, theme: str, code: str) -> str:
    svg = board_svg(showcase.position(), names=showcase.NAMES, layout="wide", theme=theme, language=code)
    return svg if crop == "whole" else re.sub(r'viewBox="[^"]*"', f'viewBox="{_MINSTER}"', svg, count=1)
