"""`/`: games to play, to join and to watch. Playing at once as a guest, and taking a seat."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.board.svg import board_svg
from server.language import gettext as _
from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.http.problem_details import headers_of, status_of
from server.routes.pages.lobby import game_cards
from server.routes.pages.shared import (
    forms,
    game_wording,
    learning_cookie,
    page_addresses,
    rendering,
    squares,
)
from server.routes.pages.shared.newcomers import REFUSALS, new_player, secret, signed_in
from server.routes.pages.shared.visitor_preferences import local_time
from server.service.accounts.bot_rules import VARIANTS
from server.service.accounts.players import Player
from server.service.archive import replay_lists
from server.service.common import checks, quotas
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError
from server.service.common.naming import spoken
from server.service.games import bots
from server.service.lists import board_view, game_lists, game_page, ratings
from server.service.lists.ratings import ShownRating
from server.service.outbox import pauses
from server.service.seating import guests, invitations, joining, rematches
from server.service.views import live_events, showcase

blp = Blueprint("lobby-pages", __name__)

SHOWN = 6
"""Games of each list on the first page."""
PAGE = 20
"""Games on a page of one list."""
MASTER = "master"
ADVANCED = "advanced"
"""The game with the Tower tiles, as the form calls it."""


@blp.get("/")
def index() -> Response:
    """The lists of games; of one list all pages with `?list=` and `?page=`."""
    which = request.args.get("list")
    if which is not None:
        return _one_list(which)
    player = browser_session.visitor()
    wanted = game_lists.FOR_ALL if player is None else game_lists.LISTS
    lists = [_list(player, name, 1, SHOWN) for name in wanted]
    # Of what strangers bring and name the first page shows nothing.
    finished, total = replay_lists.listing(store(), None, 1, SHOWN, imports=False) if player is None else ([], None)
    since = None if player is None else pauses.by_operator(store())
    return rendering.page(
        "lobby/first_page",
        deals=settings().deals,
        paused_since=None if since is None else local_time(since),
        signs=squares.SIGNS,
        lists={one["name"]: one for one in lists},
        offers=[] if player is None else _offers(player),
        replays=game_cards.of_replays(finished),
        more_replays=total is not None and total.number > SHOWN,
        form=forms.form_token(secret()),
        levels=game_wording.levels(),
        live=None if player is None else live_events.own_games(store(), player),
        left=learning_cookie.left_off(),
    )


def _one_list(which: str) -> Response:
    number = forms.whole(request.args.get("page", "1")) or 0
    shown = _list(browser_session.visitor(), which, max(number, 1), PAGE)
    pages = page_addresses.pages(url_for("lobby-pages.index"), {"list": which}, shown["total"].number, number, PAGE)
    if not 1 <= number <= pages["last"]:
        raise NotFound(_("there is no such page of this list"))
    form = forms.form_token(secret())
    return rendering.page("lobby/games", signs=squares.SIGNS, shown=shown, pages=pages, form=form)


def _list(player: Player | None, which: str, page: int, size: int) -> dict[str, Any]:
    found, total = game_lists.home(store(), player, which, now(), page, size)
    ids = [game["id"] for game in found]
    seen, unread = board_view.glances(store(), ids), game_lists.unread(store(), player.id, ids) if player else {}
    again = rematches.standing(store(), player, ids) if player is not None and which == game_lists.OVER else {}
    last = game_lists.last_turns(store(), ids) if which == game_lists.WATCH else {}
    hosts = _hosts(found) if which == game_lists.OPEN else {}
    asked = {} if player is None else game_page.asking(store(), player, ids)
    games = [
        game_cards.of_game(
            game,
            player,
            seen.get(one),
            unread.get(one, 0),
            again.get(one),
            last.get(one),
            hosts.get(one),
            asked.get(one),
        )
        for one, game in zip(ids, found, strict=True)
    ]
    return {"name": which, "games": games, "total": total}


def _hosts(found: list[game_lists.ListedGame]) -> dict[str, ShownRating]:
    """The ratings of those who wait first in open games, by the game."""
    first = {game["id"]: next((place["player"] or "" for place in game["players"] if place), "") for game in found}
    shown = ratings.of_several(store(), list(first.values()))
    kinds = {game["id"]: (first[game["id"]], VARIANTS[game["options"]["tower"]], game["seats"]) for game in found}
    return {game: shown[kind] for game, kind in kinds.items() if kind in shown}


def _offers(player: Player) -> list[dict[str, Any]]:
    """The games to which the player was invited by name, with who did it."""
    found = {one["game"]: one for one in invitations.to_player(store(), player)}
    games = game_lists.these(store(), player, list(found))
    return [
        {
            **game_cards.of_game(game, player, None),
            "href": url_for("lobby-pages.join", game_id=game["id"], invitation=found[game["id"]]["invitation"]),
            "offer": found[game["id"]],
        }
        for game in games
    ]


@blp.post("/guest")
def guest() -> Response | Redirect:
    """Play against bots at once: as who is signed in, else as a new guest."""
    forms.guard(secret(), beginning=True)
    wish, bot = forms.text_field("seats", 2), forms.text_field("bot", 32)
    seats = int(wish) if wish in ("2", "3", "4") else 3
    chosen = bot if bot in bots.names() else bots.CHOSEN_FIRST
    if forms.text_field("duel", 32) == MASTER:  # a button of its own, whatever is chosen beside it
        seats, chosen = 2, MASTER
    advanced = forms.text_field("rules", 20) == ADVANCED
    try:
        player = browser_session.visitor() or new_player(None)
        most = settings().allowed(quotas.GAMES_PER_PLAYER)
        game_id = guests.play(
            store(), player, seats, now(), most=most, bot=chosen, advanced=advanced, asked=forms.once(player)
        )
    except REFUSALS as refusal:
        return signed_in(rendering.problem(status_of(refusal), refusal.message, headers_of(refusal)))
    return signed_in(redirect(url_for("game-pages.game", game_id=game_id), 303))


@blp.get("/games/<id:game_id>/join")
def join(game_id: str) -> Response | Redirect:
    """Ask whoever has no seat in an open game whether they want one."""
    invitation = request.args.get("invitation", "")[:100]
    return join_page(game_id, invitation)


@blp.post("/games/<id:game_id>/join")
def take_seat(game_id: str) -> Response | Redirect:
    """Take a seat; a stranger gives a name and gets an account with it."""
    forms.guard(secret(), beginning=True)
    invitation = forms.text_field("invitation", 100)
    seed = forms.text_field("client_seed", 400)
    try:
        player = browser_session.visitor()
        if player is None:
            checks.client_seed(seed)
            joining.require_seat(store(), None, game_id, invitation or None, now())
            player = new_player(forms.text_field("name", 400))
        joining.join(store(), player, game_id, seed, invitation or None, now())
    except (*REFUSALS, Forbidden) as refusal:
        return signed_in(forms.refused(join_page(game_id, invitation, refusal), refusal))
    return signed_in(redirect(url_for("game-pages.game", game_id=game_id), 303))


@blp.post("/games/<id:game_id>/decline")
def decline(game_id: str) -> Redirect:
    """Say no to an invitation by name."""
    forms.guard(secret())
    player = browser_session.visitor()
    if player is not None:
        invitations.decline(store(), player, game_id, now())
    return redirect(page_addresses.home(), 303)


@blp.get(
    "/picture/<any(whole, minster):crop>-<any(light, dark, 'colour-blind', 'colour-blind-dark'):theme>-"
    "<any(en, de, it):code>.svg"
)
def picture(crop: str, theme: str, code: str) -> Response:
    """The board in the middle of a game, for those who never saw one."""
    svg = showcase_svg(crop, theme, code)
    headers = {"Cache-Control": "public, max-age=86400", "Content-Security-Policy": "default-src 'none'; sandbox"}
    return Response(svg, headers=headers, mimetype="image/svg+xml")


_MINSTER = "16 78 536 416"
"""Where in the wide layout tower and square stand: all of the picture that a phone has room for."""


def showcase_svg(crop: str, theme: str, code: str) -> str:
    """The picture; `crop` is `whole` or `minster`, `code` a language."""
    drawn = board_svg(showcase.position(), names=showcase.NAMES, layout="wide", theme=theme, language=code)
    return drawn if crop == "whole" else re.sub(r'viewBox="[^"]*"', f'viewBox="{_MINSTER}"', drawn, count=1)


def join_page(game_id: str, invitation: str, refusal: ServiceError | None = None) -> Response | Redirect:
    """The page, or the way to the game for somebody who has a seat or can have none."""
    player = browser_session.visitor()
    page = game_page.page(store(), game_id, player, invitation or None)
    found = page["proposal"]
    over = found["seat"] if found and found["kind"] == "replace" and found["accepted"] and invitation else None
    if page["seat"] is not None:
        return redirect(url_for("game-pages.game", game_id=game_id), 303)
    here = url_for("lobby-pages.join", game_id=game_id, invitation=invitation or None)
    barred = _barred(game_id, player, invitation)
    error = refusal or (None if barred is not None and barred.kind == "not-open" else barred)
    return rendering.page(
        "lobby/join",
        200 if refusal is None else status_of(refusal),
        game={**page, "name": spoken(page["name"])},
        names=[spoken(place["name"]) for place in page["players"] if place is not None],
        over=None if over is None else spoken((page["players"][over] or {"name": ""})["name"]),
        free=sum(place is None for place in page["players"]),
        options=game_wording.options(page["options"], page["rating"]),
        clock=[*game_wording.clock(page["clock"]), *game_wording.given_up_by(page["start_by"])],
        invitation=invitation,
        barred=None if barred is None else barred.kind,
        error=None if error is None else sentence(error.message),
        name=forms.text_field("name", 400),
        client_seed=forms.text_field("client_seed", 400),
        back=here,
        form=forms.form_token(secret()),
    )


def _barred(game_id: str, player: Player | None, invitation: str) -> ServiceError | None:
    """Why the visitor may not sit down in the game now; None for who may."""
    try:
        joining.require_seat(store(), player, game_id, invitation or None, now())
    except (Conflict, Forbidden) as refusal:
        return refusal
    return None
