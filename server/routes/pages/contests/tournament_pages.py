"""`/tournaments`: those that can be entered, and a form to open one; `/tournaments/ID`: places, tables and proofs."""

from __future__ import annotations

from collections.abc import Callable
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
from server.service.games import bots

blp = Blueprint("tournament-pages", __name__)

REFUSALS = (*REFUSED_TO_STRANGERS, Forbidden)
NAMES = {"round-robin": N_("Round robin"), "swiss": N_("Swiss system"), "knock-out": N_("Knock-out")}


@blp.get("/tournaments")
def listing(refusal: ServiceError | None = None) -> Response:
    """The newest tournaments, and why a new one was refused."""
    return _answer(
        "contests/tournaments",
        refusal,
        found=tournaments.listing(store(), browser_session.visitor()),
        kinds={kind: _(words) for kind, words in NAMES.items()},
        name=_("Tournament of %(day)s", day=day(now().date())),
    )


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
            _whole("seats"),
            now(),
            options={"tower": forms.text_field("rules", 20) == "advanced"},
            clock={"turn_hours": _whole("clock")} if _whole("clock") else None,
            round_hours=_whole("hours") or None,
        )
        tournaments.enter(store(), player, made, now())
        bot = forms.text_field("bot", 32)
        for _number in range(min(_whole("bots"), 7)):
            tournaments.add_bot(store(), player, made, bot if bot in bots.names() else bots.CHOSEN_FIRST, now())
    except REFUSALS as refusal:
        return signed_in(listing(refusal))
    return signed_in(redirect(url_for("tournament-pages.tournament", tournament_id=made), 303))


@blp.get("/tournaments/<id:tournament_id>")
def tournament(tournament_id: str, refusal: ServiceError | None = None) -> Response:
    """One tournament: who is in it, with their places; its tables; its deals; and why a change was refused."""
    shown = tournaments.page(store(), tournament_id, browser_session.visitor())
    kind = NAMES[shown["kind"]]
    return _answer(
        "contests/tournament",
        refusal,
        shown=shown,
        kind=_(kind),
        facts=[*game_wording.options(shown["options"]), *game_wording.clock(shown["clock"])],
        own=[one for one in shown["tables"] if one["status"] == "running" and one["game"]],
        seeds={(one["round"], one["board"]): one for one in shown["deals"]},
    )


ACTS: dict[str, Callable[[Player, str], tournaments.TournamentPage]] = {
    "enter": lambda player, which: tournaments.enter(store(), player, which, now()),
    "leave": lambda player, which: tournaments.leave(store(), player, which, _whole("number"), now()),
    "bot": lambda player, which: tournaments.add_bot(store(), player, which, forms.text_field("bot", 32), now()),
    "start": lambda player, which: tournaments.start(store(), player, which, now()),
    "cancel": lambda player, which: tournaments.call_off(store(), player, which, now()),
    "season": lambda player, which: tournaments.next_season(store(), player, which, _whole("size"), now()),
}
"""What a form of the page does; it leads to what came of it (the next season is a tournament of its own)."""


@blp.post(f"/tournaments/<id:tournament_id>/<any({', '.join(ACTS)}):act>")
def change(tournament_id: str, act: str) -> Response | Redirect:
    """Change a tournament, and show it; a stranger who enters gets a guest's account with it."""
    forms.guard(secret(), beginning=act == "enter")
    player = browser_session.visitor()
    here = url_for("tournament-pages.tournament", tournament_id=tournament_id)
    if player is None and act != "enter":
        return page_addresses.to_sign_in(here)
    try:
        shown = ACTS[act](player or new_player(None), tournament_id)
    except REFUSALS as refusal:
        return signed_in(tournament(tournament_id, refusal))
    return signed_in(redirect(url_for("tournament-pages.tournament", tournament_id=shown["id"]), 303))


def _whole(name: str) -> int:
    return forms.whole(forms.text_field(name, 4)) or 0


def _answer(template: str, refusal: ServiceError | None, **values: Any) -> Response:
    """A page, or why what its form asked for was refused."""
    error = None if refusal is None else forms.reason(refusal)
    status = 200 if refusal is None else status_of(refusal)
    form, levels = forms.form_token(secret()), game_wording.levels()
    page = rendering.page(template, status, error=error, form=form, levels=levels, **values)
    return page if refusal is None else forms.refused(page, refusal)
