"""`/players`, `/players/ID`: finding people, what they have played, and what they are to the reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.lobby import game_cards, player_charts
from server.routes.pages.shared import forms, game_wording, page_addresses, rendering, squares
from server.service.accounts import contacts
from server.service.accounts.players import Player
from server.service.archive import player_pages, replay_lists
from server.service.common.errors import Conflict, Forbidden, ServiceError, TooManyRequests, Unprocessable
from server.service.common.naming import spoken
from server.service.lists import game_lists, opponents, ratings
from server.service.seating import invitations

blp = Blueprint("people-pages", __name__)

SHOWN = 6
"""Finished games on the page of a player."""
_USUAL = 20  # percent of the hours in which somebody moves: so much is usual
REFUSALS = (Conflict, Forbidden, TooManyRequests, Unprocessable)


@blp.get("/players")
def people() -> Response:
    """Find somebody by name; of who is signed in the people they know."""
    player, name = browser_session.visitor(), request.args.get("name", "").strip()
    found: list[player_pages.FoundPlayer] | None = None
    error = ""
    try:
        found = player_pages.find(store(), name, player) if name else None
    except Unprocessable as refusal:
        error = forms.reason(refusal)
    known = [] if player is None else opponents.people(store(), player)
    return rendering.page(
        "lobby/people",
        422 if error else 200,
        name=name,
        found=found,
        error=error,
        friends=[one for one in known if one["kind"] == contacts.FRIEND],
        met=[one for one in known if one["kind"] != contacts.FRIEND],
        kept_off=[]
        if player is None
        else [one for one in contacts.listing(store(), player) if one["kind"] != contacts.FRIEND],
        form=forms.form_token(browser_session.session_secret() or forms.NOBODY),
        bots=game_wording.levels(),
    )


@blp.get("/players/<player:player_id>")
def player(player_id: str) -> Response:
    """The page of a player, or of a bot of the house."""
    return _page(player_id)


def _page(player_id: str, refusal: ServiceError | None = None) -> Response:
    reader = browser_session.visitor()
    shown = player_pages.page(store(), player_id, reader)
    house = shown["player"] == shown["bot"]
    own = reader is not None and reader.id == shown["player"]
    found, total = ([], None) if house else replay_lists.listing(store(), reader, 1, SHOWN, member=shown["player"])
    figures = None if house else player_pages.figures(store(), shown["player"], reader)
    page = rendering.page(
        "lobby/player",
        200 if refusal is None else status_of(refusal),
        shown={**shown, "name": spoken(shown["name"])},
        own=own,
        level=dict(game_wording.levels()).get(player_id) if house else None,
        strength=game_wording.strength(player_id),
        results=_results(shown["results"]),
        ratings=[
            {**one, "curve": player_charts.rating(one)} for one in ratings.of_player(store(), shown["player"], reader)
        ],
        figures=figures,
        quarters=figures and player_charts.quarters(figures),
        luck=figures and player_charts.luck(figures),
        hours=_hours(shown["hours"]),
        usual=_usual(shown["hours"]),
        running=[] if reader is None or own else _running(reader, shown["player"]),
        waiting=[] if reader is None or shown["bot"] is not None else _waiting(reader, shown["player"]),
        signs=squares.SIGNS,
        replays=game_cards.of_replays(found),
        more=total is not None and total.number > SHOWN,
        done=request.args.get("done", ""),
        error=None if refusal is None else forms.reason(refusal),
        form=forms.form_token(browser_session.session_secret() or forms.NOBODY),
    )
    return page if refusal is None else forms.refused(page, refusal)


def _results(found: list[player_pages.Results]) -> list[dict[str, Any]]:
    """A row for each number of players and variant, with what was played with people and against bots alone."""
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for one in found:
        row = rows.setdefault((one["seats"], one["variant"]), {"seats": one["seats"], "variant": one["variant"]})
        row[one["against"]] = {**one, "percent": round(100 * one["won"] / one["games"])}
    return list(rows.values())


def _hours(shares: list[int] | None) -> list[dict[str, int]]:
    """The bars of the picture: from which hour on, how many percent, and how high that is of the highest."""
    most = max(shares or [1])
    step = player_pages.HOURS
    return [
        {"begin": step * number, "percent": share, "height": round(40 * share / most)}
        for number, share in enumerate(shares or [])
    ]


def _usual(shares: list[int] | None) -> str:
    """In which parts of the day somebody mostly moves, in words; "" where none stands out."""
    parts: list[list[int]] = []
    for number, share in enumerate(shares or []):
        begin, end = player_pages.HOURS * number, player_pages.HOURS * (number + 1)
        if share >= _USUAL and parts and parts[-1][1] == begin:
            parts[-1][1] = end
        elif share >= _USUAL:
            parts.append([begin, end])
    return language.listing([f"{begin}:00–{end}:00" for begin, end in parts]) if parts else ""


def _running(reader: Player, other: str) -> list[game_lists.ListedGame]:
    """The games under way in which both sit, those first in which the reader is to move."""
    lists = (game_lists.TURNS, game_lists.RUNNING)
    games = [game for which in lists for game in game_lists.home(store(), reader, which, now(), 1, SHOWN)[0]]
    return [game for game in games if any(place and place["player"] == other for place in game["players"])]


def _waiting(reader: Player, other: str) -> list[game_lists.ListedGame]:
    """The reader's own games that wait for players, and in which the other does not sit."""
    games = game_lists.home(store(), reader, game_lists.SEATED, now(), 1, SHOWN)[0]
    return [game for game in games if all(place is None or place["player"] != other for place in game["players"])]


@blp.post("/players/<id:player_id>/contact")
def contact(player_id: str) -> Response | Redirect:
    """Let somebody be a friend, muted or blocked, or none of these."""
    kind = forms.text_field("kind", 10)

    def change(reader: Player) -> None:
        if kind:
            contacts.put(store(), reader, player_id, kind, now())
        else:
            contacts.forget(store(), reader, player_id)

    to = url_for("people-pages.people") if forms.text_field("back", 10) == "people" else None
    return _act(player_id, change, to)


@blp.post("/players/<id:player_id>/invite")
def invite(player_id: str) -> Response | Redirect:
    """Invite somebody to a game of one's own that waits for players."""
    game_id = forms.text_field("game", 32)
    here = url_for("people-pages.player", player_id=player_id, done="invited")
    return _act(player_id, lambda reader: invitations.invite_player(store(), reader, game_id, player_id, now()), here)


def _act(player_id: str, change: Callable[[Player], Any], to: str | None = None) -> Response | Redirect:
    """Let the visitor's form `change` something, and lead to `to` or the page; refused, the page says why."""
    forms.guard(browser_session.session_secret() or forms.NOBODY)
    reader, here = browser_session.visitor(), url_for("people-pages.player", player_id=player_id)
    if reader is None:
        return page_addresses.to_sign_in(here)
    try:
        change(reader)
    except REFUSALS as refusal:
        return _page(player_id, refusal)
    return redirect(to or here, 303)
