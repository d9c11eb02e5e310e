"""`/operator`: queues, errors and graphs for whoever runs the server, behind a sign-in of their own.

To everybody else there is nothing here (404), signed in as a player or not. The way in is a link that `ulm admin
sign-in` makes; a cookie of its own keeps the session, and is sent by no form or link of another site.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.language import sentence
from server.routes.http.context import now, settings, store
from server.routes.http.cookies import cookie_name, cookie_path, is_secure
from server.routes.pages.operating import graphs
from server.routes.pages.shared import forms, rendering
from server.service.accounts import links
from server.service.admin import access, figures, health, hourly, recent_errors, resending
from server.service.common import audit_log
from server.service.common.errors import ServiceError
from server.service.outbox import mail_queue, pauses
from server.service.play import pause

blp = Blueprint("operator-pages", __name__)
COOKIE = "ulm_operator"
_DEAD = 20
"""So many dead letters are listed."""


def _operator() -> str:
    """The session of the operator who asks, who is named in what they do from now on; 404 for everybody else."""
    held = request.cookies.get(cookie_name(COOKIE), "")[: links.TOKEN_MAX]
    found = access.find(store(), held, now())
    if found is None:
        abort(404)
    audit_log.operated_by(found.noted)
    return held


@blp.teardown_request
def _nobody(error: BaseException | None) -> None:
    audit_log.operated_by(None)


@blp.get("/operator")
def show() -> Response:
    """All of it."""
    return _page(_operator())


@blp.get("/operator/sign-in/<token>")
def offer(token: str) -> Response:
    """Ask for the click that uses the link up."""
    operator = access.look(store(), token, now())
    return rendering.page("operating/sign_in", token=token, form=forms.form_token(token), name=operator.name)


@blp.post("/operator/sign-in/<token>")
def use(token: str) -> Redirect:
    """Sign in."""
    forms.guard(token, beginning=True)
    session = access.sign_in(store(), token, request.remote_addr or "", now())
    answer = redirect(url_for("operator-pages.show"), 303)
    lasts = int(links.LIFETIMES[access.SESSION].total_seconds())
    answer.set_cookie(
        cookie_name(COOKIE), session, lasts, path=cookie_path(), secure=is_secure(), httponly=True, samesite="Strict"
    )
    return answer


@blp.post("/operator/sign-out")
def sign_out() -> Redirect:
    """End the session."""
    held = _guarded()
    access.sign_out(store(), held, now())
    answer = redirect(url_for("lobby-pages.index"), 303)
    answer.delete_cookie(cookie_name(COOKIE), path=cookie_path(), secure=is_secure(), httponly=True, samesite="Strict")
    return answer


@blp.post("/operator/mail")
def mail() -> Redirect:
    """Pause all mail, and with it every clock, or let both go on."""
    _guarded()
    if forms.text_field("wish", 10) == "pause":
        pauses.pause(store(), "", now())
    else:
        pauses.resume(store(), now())
    return redirect(url_for("operator-pages.show"), 303)


@blp.post("/operator/mail/again")
def again() -> Response | Redirect:
    """Send a dead letter once more, or all of them."""
    held = _guarded()
    number = forms.whole(forms.text_field("mail", 10))
    try:
        if number is None:
            mail_queue.retry(store(), None, now())
        else:
            resending.send_again(store(), number, now())
    except ServiceError as error:
        return _page(held, error.status, error=sentence(error.message))
    return redirect(url_for("operator-pages.show"), 303)


@blp.post("/operator/game")
def game() -> Response | Redirect:
    """Let the clock of a game stand still, or go on."""
    held = _guarded()
    game_id = forms.text_field("game", 40).strip()
    try:
        if forms.text_field("wish", 10) == "pause":
            done = pause.hold(store(), game_id, now())
        else:
            done = pause.let_run(store(), game_id, now())
    except ServiceError as error:
        return _page(held, error.status, error=sentence(error.message))
    if not done:
        return _page(held, 409, error=_("Nothing changed: it was like that already."))
    return redirect(url_for("operator-pages.show"), 303)


def _guarded() -> str:
    held = _operator()
    forms.guard(held)
    return held


def _page(held: str, status: int = 200, error: str | None = None) -> Response:
    database, moment = store(), now()
    readings = {reading.name: reading.values for reading in figures.readings(database, moment)}
    found = hourly.read(database, moment)
    values: dict[str, Any] = {
        "error": error,
        "form": forms.form_token(held),
        "findings": [one for one in health.findings(settings(), database, moment) if one.kind != "ok"],
        "leases": sorted(readings["ulm_lease_remaining_seconds"].items()),
        "processes": health.processes(database, moment),
        "queues": _queues(readings),
        "games": readings["ulm_games"],
        "paused": pauses.by_operator(database),
        "dead": mail_queue.listing(database, "dead", _DEAD),
        "troubles": recent_errors.newest(database),
        "charts": [
            graphs.bars(_("Moves in an hour"), found.hours, found.moves),
            graphs.bars(_("Mails in an hour"), found.hours, found.mails),
            graphs.bars(_("Seconds from when a mail was due until it was sent"), found.hours, found.late),
            graphs.bars(_("Games that ended in an hour"), found.hours, found.over),
        ],
    }
    return rendering.page("operating/operator", status, **values)


def _queues(readings: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Each queue with its length and the age of its oldest in seconds."""
    return [
        (name, int(readings[length][""]), int(readings[age][""]))
        for name, length, age in (
            (_("Mails"), "ulm_mail_pending", "ulm_mail_queue_age_seconds"),
            (_("Turns of bots"), "ulm_bot_turns_due", "ulm_bot_queue_age_seconds"),
            (_("Hints"), "ulm_hints_due", "ulm_hint_queue_age_seconds"),
            (_("Analyses"), "ulm_analyses_due", "ulm_analysis_queue_age_seconds"),
        )
    ]
