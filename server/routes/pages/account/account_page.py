"""The page of an account: who one is here, and how one likes it; a form for each matter, without need of a script."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from flask import Response, request, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import lifetimes, now, store
from server.routes.pages.account import fresh_sign_in, time_zones
from server.routes.pages.shared import forms, page_addresses, rendering, visitor_preferences
from server.routes.pages.shared.local_times import local_time
from server.service.accounts import bot_accounts, profiles, sessions, tokens
from server.service.accounts.players import Player
from server.service.common.preferences import MAIL_MODES
from server.service.outbox import stranger_mail
from server.service.play import vacation
from server.storage.times import parse_utc, utc

HELD_BACK = "held"
"""What is said instead where the mail to a new address was held back."""
SECTIONS = ("name", "address", HELD_BACK, "confirmation", "mail", "look", "table", "vacation", "session")


def show(status: int = 200, section: str = "", errors: dict[str, str] | None = None, **typed: Any) -> Response:
    """The page of the account. `section` is the one whose form was refused: `errors` by field stand there, and what
    was `typed`."""
    player = browser_session.visitor()
    if player is None:
        raise RuntimeError("nobody is signed in")
    found = profiles.profile(player)
    saved = request.args.get("saved", "")
    return rendering.page(
        "account/account",
        status,
        form=forms.form_token(browser_session.session_secret()),
        profile=found,
        guest=player.is_guest,
        typed={**_typed(found), **typed},
        modes=_modes(),
        hours=[(hour, f"{hour:02}:00") for hour in range(24)],
        zones=time_zones.groups(found["preferences"]["time_zone"]),
        vacations=[_vacation(one) for one in vacation.listing(store(), player, now()) if one["ends_at"] > utc(now())],
        today=today(player).isoformat(),
        blocked=found["email_confirmed"]
        and stranger_mail.is_blocked(store(), stranger_mail.claim(found["email"] or "")),
        stopped_at=None if found["mail_stopped"] is None else local_time(found["mail_stopped"]["at"]),
        tokens=len(tokens.listing(store(), player)),
        bots=len(bot_accounts.of_owner(store(), player)),
        sessions=_sessions(player),
        sure=not fresh_sign_in.needed(player),
        saved=saved if saved in SECTIONS and not errors else "",
        section=section,
        errors=errors or {},
    )


def to_sign_in() -> Redirect:
    """Let somebody sign in and come back: to the page that was asked for, or to the account where it was a form."""
    return page_addresses.to_sign_in(None if request.method == "GET" else url_for("account-pages.account"))


def _modes() -> dict[str, str]:
    words = {
        "at_once": _("A mail at once, whenever there is news"),
        "digest": _("One mail a day, with all that waits"),
        "reminders": _("Only reminders, when the time for a turn is running out"),
        "mute": _("No mail about games"),
    }
    return {mode: words[mode] for mode in MAIL_MODES}


def _typed(found: profiles.Profile) -> dict[str, Any]:
    """What the forms hold before anybody types."""
    wishes = found["preferences"]
    quiet = wishes["quiet_hours"] or {"from": "", "to": ""}
    return {
        **wishes,
        "time_zone": time_zones.offered(wishes["time_zone"]),
        "name": found["name"],
        "email": found["email"] or "",
        "quiet_from": quiet["from"],
        "quiet_to": quiet["to"],
        "first": "",
        "last": "",
    }


def _vacation(one: vacation.ShownVacation) -> dict[str, Any]:
    """With its first and its last day in words, or the times where they are in the middle of a day."""
    zone = ZoneInfo(visitor_preferences.time_zone())
    begins, ends = (parse_utc(moment).astimezone(zone) for moment in (one["starts_at"], one["ends_at"]))
    return {
        **one,
        "begins": language.day(begins) if begins.time() == time() else local_time(one["starts_at"]),
        "ends": language.day(ends - timedelta(days=1)) if ends.time() == time() else local_time(one["ends_at"]),
    }


def _sessions(player: Player) -> list[dict[str, Any]]:
    """Where the player is signed in, this browser first."""
    here = browser_session.session()
    found = sessions.listing(store(), player, now(), lifetimes(), None if here is None else here.id)
    found.sort(key=lambda one: not one["current"])
    return [{**one, "began": local_time(one["began_at"]), "used": local_time(one["last_used_at"])} for one in found]


def today(player: Player) -> date:
    """The day that it is where the player lives."""
    return now().astimezone(ZoneInfo(player.preferences["time_zone"])).date()
