"""`/tournaments`: those that can be entered, and a form to open one; `/tournaments/ID`: places, tables and proofs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import N_, day
from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.shared import forms, game_wording, page_addresses, rendering
from server.routes.pages.shared.newcomers import REFUSALS as REFUSED_TO_STRANGERS
from server.routes.pages.shared.newcomers import new_player, secret, signed_in
from server.service.accounts.players import Player
from server.service.common.errors import Forbidden, ServiceError
from server.service.contests import tournaments
from server.service.contests.tournaments import TournamentPage
from server.service.games import bots

blp = Blueprint("tournament-pages", __name__)

REFUSALS = (*REFUSED_TO_STRANGERS, Forbidden)
NAMES = {"round-robin": N_("Round robin"), "swiss": N_("Swiss system"), "knock-out": N_("Knock-out")}
CLOCKS: dict[str, dict[str, object] | None] = {"none": None, "hour": {"turn_hours": 1}, "day": {"turn_hours": 24}}
HOURS = {"": None, "3": 3, "24": 24, "72": 72, "168": 168}
"""How long a round may take, in hours, as the form offers it."""


@blp.get("/tournaments")
def listing() -> Response:
    """The newest tournaments."""
    return _listing()


def _listing(refusal: ServiceError | None = None) -> Response:
    page = rendering.page(
        "contests/tournaments",
        200 if refusal is None else status_of(refusal),
        found=tournaments.listing(store(), browser_session.visitor()),
        kinds=[(kind, _(words)) for kind, words in NAMES.items()],
        levels=game_wording.levels(),
        name=_("Tournament of %(day)s", day=day(now().date())),
        error=None if refusal is None else forms.reason(refusal),
        form=forms.form_token(secret()),
    )
    return page if refusal is None else forms.refused(page, refusal)


@blp.post("/tournaments")
def make() -> Response | Redirect:
    """Open a tournament, enter it, and let bots enter; a stranger gets a guest's account with it."""
    forms.guard(secret(), beginning=True)
    try:
        player = browser_session.visitor() or new_player(None)
        made = tournaments.make(
            store(),
            player,
            forms.text_field("name", 240),
            forms.text_field("kind", 20),
            forms.whole(forms.text_field("seats", 2)) or 0,
            now(),
            options={"tower": forms.text_field("rules", 20) == "advanced"},
            clock=CLOCKS.get(forms.text_field("clock", 10)),
            round_hours=HOURS.get(forms.text_field("hours", 4)),
        )
        tournaments.enter(store(), player, made, now())
        bot = forms.text_field("bot", 32)
        for _number in range(min(forms.whole(forms.text_field("bots", 2)) or 0, 7)):
            tournaments.add_bot(store(), player, made, bot if bot in bots.names() else bots.CHOSEN_FIRST, now())
    except REFUSALS as refusal:
        return signed_in(_listing(refusal))
    return signed_in(redirect(url_for("tournament-pages.tournament", tournament_id=made), 303))


@blp.get("/tournaments/<id:tournament_id>")
def tournament(tournament_id: str) -> Response:
    """One tournament: who is in it, with their places; its tables; its deals."""
    return _page(tournament_id)


def _page(tournament_id: str, refusal: ServiceError | None = None) -> Response:
    player = browser_session.visitor()
    shown = tournaments.page(store(), tournament_id, player)
    kind = NAMES[shown["kind"]]
    page = rendering.page(
        "contests/tournament",
        200 if refusal is None else status_of(refusal),
        shown=shown,
        kind=_(kind),
        facts=[*game_wording.options(shown["options"]), *game_wording.clock(shown["clock"])],
        rounds=_rounds(shown),
        own=[one for one in shown["tables"] if one["status"] == "running" and shown["number"] in one["entrants"]],
        seeds={(one["round"], one["board"]): one for one in shown["deals"]},
        levels=game_wording.levels(),
        error=None if refusal is None else forms.reason(refusal),
        form=forms.form_token(secret()),
    )
    return page if refusal is None else forms.refused(page, refusal)


def _rounds(shown: TournamentPage) -> list[dict[str, Any]]:
    """The rounds, the newest first, each with its deals and the tables of these."""
    found = [
        {"number": number, "boards": [list(tables) for _board, tables in groupby(of_round, lambda one: one["board"])]}
        for number, of_round in groupby(shown["tables"], lambda one: one["round"])
    ]
    return found[::-1]


@blp.post("/tournaments/<id:tournament_id>/enter")
def enter(tournament_id: str) -> Response | Redirect:
    """Enter; a stranger gets a guest's account with it."""
    forms.guard(secret(), beginning=True)
    return _act(tournament_id, lambda player: tournaments.enter(store(), player, tournament_id, now()), strangers=True)


@blp.post("/tournaments/<id:tournament_id>/leave")
def leave(tournament_id: str) -> Response | Redirect:
    """Leave, or as the organiser take somebody out."""
    forms.guard(secret())
    number = forms.whole(forms.text_field("number", 4)) or 0
    return _act(tournament_id, lambda player: tournaments.leave(store(), player, tournament_id, number, now()))


@blp.post("/tournaments/<id:tournament_id>/bot")
def add_bot(tournament_id: str) -> Response | Redirect:
    """Let a bot enter."""
    forms.guard(secret())
    bot = forms.text_field("bot", 32)
    return _act(tournament_id, lambda player: tournaments.add_bot(store(), player, tournament_id, bot, now()))


@blp.post("/tournaments/<id:tournament_id>/start")
def start(tournament_id: str) -> Response | Redirect:
    """Begin the first round."""
    forms.guard(secret())
    return _act(tournament_id, lambda player: tournaments.start(store(), player, tournament_id, now()))


@blp.post("/tournaments/<id:tournament_id>/season")
def season(tournament_id: str) -> Response | Redirect:
    """Open the next season of a league."""
    forms.guard(secret())
    size = forms.whole(forms.text_field("size", 2)) or 0
    return _act(tournament_id, lambda player: tournaments.next_season(store(), player, tournament_id, size, now()))


def _act(tournament_id: str, change: Callable[[Player], object], strangers: bool = False) -> Response | Redirect:
    """Let the visitor's form `change` something, and lead back; refused, the page says why."""
    here = url_for("tournament-pages.tournament", tournament_id=tournament_id)
    player = browser_session.visitor()
    if player is None and not strangers:
        return page_addresses.to_sign_in(here)
    try:
        change(player or new_player(None))
    except REFUSALS as refusal:
        return signed_in(_page(tournament_id, refusal))
    return signed_in(redirect(here, 303))
