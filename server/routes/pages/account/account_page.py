"""The page of an account, and what the pages and forms of one's own things share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from flask import Response, request, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.routes.http import browser_session
from server.routes.http.context import now, session_idle, store
from server.routes.http.problem_details import status_of
from server.routes.pages.account import time_zones
from server.routes.pages.shared import forms, page_addresses, rendering, visitor_preferences
from server.routes.pages.shared.visitor_preferences import local_time
from server.service.accounts import bot_accounts, profiles, sessions, tokens
from server.service.accounts.players import AccessEndedError, Player
from server.service.common.errors import ServiceError
from server.service.outbox import stranger_mail
from server.service.play import vacation
from server.storage.times import parse_utc, utc

HELD_BACK = "held"
"""What is said instead where the mail to a new address was held back."""
SECTIONS = ("name", "address", HELD_BACK, "confirmation", "mail", "look", "table", "people", "vacation", "session")
Done = TypeVar("Done")


def for_owner(show: Callable[[Player], Response]) -> Response | Redirect:
    """The page of `show` for who is signed in; others sign in and come back to it."""
    player = browser_session.visitor()
    return page_addresses.to_sign_in() if player is None else show(player)


def act(
    do: Callable[[Player], Done],
    done: Callable[[Done], Response | Redirect],
    refused: Callable[[Player, ServiceError], Response],
    fresh: str = "",
) -> Response | Redirect:
    """Let the sender of a form `do` something, and answer with what `done` makes of it, or with the page of `refused`.

    With `fresh`, a path to come back to, they sign in once more first: a session may be weeks old, and somebody else
    may sit at the device. Who cannot be sent a mail is not asked for one. Raises what `forms.guard` does.
    """
    forms.guard(browser_session.session_secret())
    player = browser_session.visitor()
    if player is None:
        return page_addresses.to_sign_in(url_for("account-pages.account"))
    if fresh and must_sign_in(player):
        return fresh_sign_in(fresh, 403)
    try:
        made = do(player)
    except AccessEndedError:
        return page_addresses.to_sign_in(url_for("account-pages.account"))
    except ServiceError as refusal:
        return forms.refused(refused(player, refusal), refusal)
    return done(made)


def again(show: Callable[..., Response], **typed: Any) -> Callable[[Player, ServiceError], Response]:
    """The page of `show` once more, with what was wrong and what was `typed`."""
    return lambda player, refusal: show(player, status_of(refusal), error=forms.reason(refusal), **typed)


def must_sign_in(player: Player) -> bool:
    """Whether the visitor has to sign in once more before what the account hangs on is changed."""
    session = browser_session.session()
    return sessions.must_be_fresh(player) and not (session is not None and session.is_fresh(now()))


def fresh_sign_in(back: str, status: int = 200, sent: bool = False, error: str = "") -> Response:
    """The page that offers a mail to sign in once more and come to the path `back`, or says that it was `sent`."""
    form = forms.form_token(browser_session.session_secret())
    return rendering.page("account/sure", status, form=form, back=back, sent=sent, error=error)


def account(
    player: Player, status: int = 200, section: str = "", errors: dict[str, str] | None = None, **typed: Any
) -> Response:
    """The page of the account; `errors` by field and what was `typed` stand in the `section` whose form was refused."""
    found = profiles.profile(player)
    wishes, saved = found["preferences"], request.args.get("saved", "")
    quiet = wishes["quiet_hours"] or {"from": "", "to": ""}
    before: dict[str, Any] = {**wishes, "time_zone": time_zones.offered(wishes["time_zone"]), "name": found["name"],
                              "email": found["email"] or "", "quiet_from": quiet["from"], "quiet_to": quiet["to"],
                              "first": "", "last": ""}  # fmt: skip
    return rendering.page(
        "account/account",
        status,
        form=forms.form_token(browser_session.session_secret()),
        profile=found,
        guest=player.is_guest,
        typed={**before, **typed},
        zones=time_zones.groups(wishes["time_zone"]),
        vacations=[_vacation(one) for one in vacation.listing(store(), player, now()) if one["ends_at"] > utc(now())],
        today=today(player).isoformat(),
        blocked=found["email_confirmed"]
        and stranger_mail.is_blocked(store(), stranger_mail.claim(found["email"] or "")),
        tokens=len(tokens.listing(store(), player)),
        bots=len(bot_accounts.of_owner(store(), player)),
        sessions=_sessions(player),
        sure=not must_sign_in(player),
        saved=saved if saved in SECTIONS and not errors else "",
        section=section,
        errors=errors or {},
    )


def _vacation(one: vacation.ShownVacation) -> dict[str, Any]:
    """With its first and its last day in words, or the times where they are in the middle of a day."""
    zone = ZoneInfo(visitor_preferences.time_zone())
    begins, ends = (parse_utc(moment).astimezone(zone) for moment in (one["starts_at"], one["ends_at"]))
    return {
        **one,
        "begins": language.day(begins) if begins.time() == time() else local_time(one["starts_at"]),
        "ends": language.day(ends - timedelta(days=1)) if ends.time() == time() else local_time(one["ends_at"]),
    }


def _sessions(player: Player) -> list[sessions.ShownSession]:
    """Where the player is signed in, this browser first."""
    here = browser_session.session()
    found = sessions.listing(store(), player, now(), session_idle(), None if here is None else here.id)
    return sorted(found, key=lambda one: not one["current"])


def today(player: Player) -> date:
    """The day that it is where the player lives."""
    return now().astimezone(ZoneInfo(player.preferences["time_zone"])).date()
