"""`/deal`: the deal of today, to be played once; `/deal/DAY`: how all did, two games beside each other; months."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Redirect

from replays import picture as pictures
from server import language
from server.board import charts
from server.language import gettext as _
from server.language import ngettext
from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.http.problem_details import headers_of, status_of
from server.routes.pages.shared import forms, game_wording, page_addresses, rendering
from server.routes.pages.shared.newcomers import REFUSALS, new_player, secret, signed_in
from server.service.archive import replays
from server.service.common import quotas
from server.service.common.errors import NotFound
from server.service.common.naming import spoken
from server.service.contests import day
from server.service.contests.day import DayDeal, FieldLine
from server.service.views import replay_viewer

blp = Blueprint("deal-pages", __name__)

LINES = 25
"""Of a field on a page."""
DAYS = 14
"""Days before that are listed."""


@blp.get("/deal")
def today() -> Response:
    """The deal of today; in the first moments of a day, or of a new server, that it comes."""
    try:
        return deal(day.TODAY)
    except NotFound:
        if not settings().deals:
            raise
        return rendering.page("contests/not_dealt")


@blp.get("/deal/<puzzle:which>")
def deal(which: str) -> Response:
    """A day: what is dealt, and how all did, as far as the visitor may know."""
    player = browser_session.visitor()
    shown = day.find(store(), which, player, now())
    field = shown["field"] or []
    number = forms.whole(request.args.get("page", "1")) or 1
    own = next((line for line in field if line["game"] is not None and line["game"] == shown["game"]), None)
    earlier = day.past(store(), shown["day"], DAYS)
    return rendering.page(
        "contests/deal",
        deal=shown,
        today=shown["revealed_at"] is None,
        said=_said(shown["day"]),
        day_said=_said,
        against=dict(game_wording.levels())[shown["opponent"]],
        options=game_wording.options(shown["options"]),
        own=own,
        plot=_plot(field, own) if field else None,
        lines=field[(number - 1) * LINES : number * LINES],
        pages=page_addresses.pages(url_for("deal-pages.deal", which=shown["day"]), {}, len(field), number, LINES),
        parted=_parted(shown, own),
        earlier=earlier,
        month=shown["day"][:7],
        form=forms.form_token(secret()),
    )


@blp.post("/deal")
def play() -> Response | Redirect:
    """Play the deal of today, once: as who is signed in, else as a new guest."""
    forms.guard(secret(), beginning=True)
    try:
        player = browser_session.visitor() or new_player(None)
        most = settings().allowed(quotas.GAMES_PER_PLAYER)
        game_id = day.play(store(), player, now(), most, deal=settings().deals)
    except REFUSALS as refusal:
        return signed_in(rendering.problem(status_of(refusal), refusal.message, headers_of(refusal)))
    return signed_in(redirect(url_for("game-pages.game", game_id=game_id), 303))


@blp.get("/deal/months/<month:month>")
def months(month: str) -> Response:
    """Who has beaten how much in a month."""
    table = day.month(store(), month)
    return rendering.page("contests/month", month=month, table=table[:200], more=len(table) > 200)


@blp.get("/deal/<puzzle:which>/<id:game_id>")
def compare(which: str, game_id: str) -> Response:
    """A game of a day that is over beside the best, or another one, ply by ply."""
    found = day.compare(store(), which, game_id, request.args.get("with", "")[:32] or None, now())
    asked = forms.whole(request.args.get("ply", ""))
    ply = found.parted or 1 if asked is None else asked
    beside = [_beside(one, ply, found.parted, prefix) for one, prefix in zip(found.games, "ab", strict=True)]
    last = max(one["plies"] for one in beside)
    here: dict[str, Any] = {"which": which, "game_id": game_id, "with": found.games[1]}

    def at(wanted: int) -> str | None:
        return url_for("deal-pages.compare", **here, ply=wanted) if 0 <= wanted <= last else None

    return rendering.page(
        "contests/compare",
        day=which,
        said=_said(which),
        games=beside,
        ply=min(ply, last),
        parted=found.parted,
        before=at(min(ply, last) - 1),
        after=at(ply + 1),
        to_parting=None if found.parted in (None, ply) else at(found.parted or 0),
    )


def _said(text: str) -> str:
    return language.day(date.fromisoformat(text))


def _plot(field: list[FieldLine], own: FieldLine | None) -> Markup:
    """How the points of a field are spread; where the visitor stands is marked."""
    points = [line["points"] for line in field]
    title = _("How the points are spread")
    said = ngettext(
        "%(num)s game, with %(low)s to %(high)s points, half of them at least %(middle)s.",
        "%(num)s games, with %(low)s to %(high)s points, half of them at least %(middle)s.",
        len(points),
        low=min(points),
        high=max(points),
        middle=points[(len(points) - 1) // 2],
    )
    if own is not None:
        said += " " + _("Yours are marked: %(points)s.", points=own["points"])
    return Markup(charts.spread(points, title, said, None if own is None else own["points"]))  # noqa: S704 - escaped there


def _parted(shown: DayDeal, own: FieldLine | None) -> dict[str, Any] | None:
    """Where the visitor's game and the best part, when the deal is revealed."""
    if own is None or own["game"] is None or shown["revealed_at"] is None or len(shown["field"] or []) < 2:
        return None
    found = day.compare(store(), shown["day"], own["game"], None, now())
    best = next(line for line in shown["field"] or [] if line["game"] == found.games[1])
    href = url_for("deal-pages.compare", which=shown["day"], game_id=own["game"])
    return {"ply": found.parted, "name": spoken(best["name"]), "points": best["points"], "href": href}


def _beside(game_id: str, ply: int, parted: int | None, prefix: str) -> dict[str, Any]:
    """One of two games: its board at the ply (its last, where it is shorter), and what was played where they part, to
    the end of that turn."""
    watched = replay_viewer.watch(store(), game_id, None, None, None)
    replay = replays.replay_at(store(), game_id, None, None, None, language.current())
    at = min(ply, replay.plies)
    turn = next((one.lines for one in watched.log.chapters if parted and one.lines[-1].ply >= parted), [])
    board = pictures.picture(
        replay, at, None, layout="narrow", theme="page", language=language.current(), prefix=prefix
    )
    result = watched.summary["result"]
    return {
        "name": watched.names[0],
        "points": None if result is None else result["scores"][0]["total"],
        "plies": replay.plies,
        "board": board,
        "played": [text for line in turn if line.ply >= (parted or 0) for text in line.text],
        "watch": url_for("replay-pages.watch", game_id=game_id, ply=at),
    }
