"""`/deal`: the deal of today, to be played once; `/deal/DAY`: how all did, two games beside each other; months."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Redirect

from replays import picture as pictures
from server import language
from server.board import charts
from server.board.listing import minus
from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.http.problem_details import headers_of, status_of
from server.routes.pages.shared import forms, game_wording, page_addresses, rendering
from server.routes.pages.shared.newcomers import REFUSALS, new_player, secret, signed_in
from server.service.archive import replays
from server.service.common import quotas
from server.service.common.errors import Conflict, NotFound
from server.service.contests import day
from server.service.contests.day import FieldLine
from server.service.views import replay_viewer

blp = Blueprint("deal-pages", __name__)

LINES = 25
"""Of a field on a page."""
MONTH_LINES = 200
BARS = 12
"""Of a plot, at most."""
COOKIE = "ulm_deal"
"""Says of which day a guest has played the deal in this browser."""


@blp.get("/deal")
def today() -> Response:
    """The deal of today; in the first moments of a new server, that it comes."""
    try:
        return deal(day.TODAY)
    except NotFound:
        if not settings().deals:
            raise
        return rendering.page("contests/not_dealt")


@blp.get("/deal/<puzzle:which>")
def deal(which: str) -> Response:
    """A day: what is dealt, and how all did, as far as the visitor may know."""
    shown = day.find(store(), which, browser_session.visitor(), now())
    field = shown["field"] or []
    number = forms.whole(request.args.get("page", "1")) or 1
    own = next((line for line in field if line["game"] is not None and line["game"] == shown["game"]), None)
    return rendering.page(
        "contests/deal",
        deal=shown,
        said=_said,
        against=dict(game_wording.levels())[shown["opponent"]].partition(":")[0],
        options=game_wording.options(shown["options"]),
        own=own,
        best=next((line for line in field if line is not own), None),
        plot=_plot(field, own) if field else None,
        lines=field[(number - 1) * LINES : number * LINES],
        pages=page_addresses.pages(url_for("deal-pages.deal", which=shown["day"]), {}, len(field), number, LINES),
        played_here=browser_session.cookie(COOKIE) == shown["day"],
        form=forms.form_token(secret()),
    )


@blp.post("/deal")
def play() -> Response | Redirect:
    """Play the deal of today, once: as who is signed in, else as a new guest, in a browser where no other guest has."""
    forms.guard(secret(), beginning=True)
    player, today = browser_session.visitor(), now().date().isoformat()
    try:
        if player is None and browser_session.cookie(COOKIE) == today:
            raise Conflict(_("a guest has begun today’s deal in this browser already, and everybody plays it once"))
        player = player or new_player(None)
        game_id = day.play(store(), player, now(), settings().allowed(quotas.GAMES_PER_PLAYER))
    except REFUSALS as refusal:
        return signed_in(rendering.problem(status_of(refusal), refusal.message, headers_of(refusal)))
    answer = redirect(url_for("game-pages.game", game_id=game_id), 303)
    if player.is_guest:
        browser_session.keep_cookie(answer, COOKIE, today, 24 * 3600)
    return signed_in(answer)


@blp.get("/deal/months/<month:month>")
def months(month: str) -> Response:
    """Who has beaten how much in a month."""
    said, table = language.month(date.fromisoformat(f"{month}-01")), day.month(store(), month, MONTH_LINES)
    return rendering.page("contests/month", month=said, table=table, most=MONTH_LINES)


@blp.get("/deal/<puzzle:which>/<id:game_id>")
def compare(which: str, game_id: str) -> Response:
    """A game of a day that is over beside the visitor's own or the best, ply by ply; first where they part."""
    other, parted = day.compare(store(), which, game_id, browser_session.visitor(), now())
    asked = forms.whole(request.args.get("ply", ""))
    ply = parted or 1 if asked is None else asked
    games = [_beside(game_id, ply, "a"), _beside(other, ply, "b")]
    last = max(one["plies"] for one in games)
    return rendering.page(
        "contests/compare",
        day=which,
        said=_said(which),
        game_id=game_id,
        games=games,
        ply=min(ply, last),
        last=last,
        parted=parted,
    )


def _said(text: str) -> str:
    return language.day(date.fromisoformat(text))


def _plot(field: list[FieldLine], own: FieldLine | None) -> Markup:
    """How the points of a field are spread; where the visitor stands is said."""
    points = [line["points"] for line in field]
    wide = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (max(points) - min(points)) // step < BARS - 1)
    counts = Counter(value // wide for value in points)
    yours = None if own is None else own["points"] // wide
    bars, you = [], _("you")
    for group in range(min(counts), max(counts) + 1):
        low, high = group * wide, group * wide + wide - 1
        name = _("%(points)s points", points=minus(low) if low == high else f"{minus(low)}–{minus(high)}")
        bars.append(
            charts.Bar(name, counts[group], f"{counts[group]} ← {you}" if group == yours else str(counts[group]))
        )
    return Markup(charts.bars(bars, _("How the points are spread")))  # noqa: S704 - escaped there


def _beside(game_id: str, ply: int, prefix: str) -> dict[str, Any]:
    """One of two games: its board at the ply (its last, where it is shorter), and what was played in that turn."""
    replay = replays.replay_at(store(), game_id, None, None, None, language.current())
    at = min(ply, replay.plies)
    watched = replay_viewer.watch(store(), game_id, at, None, None)
    turn = next((one.lines for one in watched.log.chapters if one.lines[-1].ply >= at), [])
    return {
        "id": game_id,
        "name": watched.names[0],
        "plies": replay.plies,
        "at": at,
        "board": Markup(pictures.picture(replay, at, theme="page", language=language.current(), prefix=prefix)),  # noqa: S704 - ours
        "turn": turn,
    }
