"""`/account/…`: what the forms of the account's page do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from http import HTTPStatus
from typing import Any, Unpack
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.account import account_page
from server.routes.pages.shared import forms, page_addresses
from server.service.accounts import confirming, profiles, sessions
from server.service.accounts.players import Player
from server.service.common.errors import ServiceError, Unprocessable
from server.service.outbox import stranger_mail
from server.service.play import vacation

blp = Blueprint("profile-pages", __name__)


def _change(section: str, do: Callable[[Player], Any], fresh: str = "", **typed: Any) -> Response | Redirect:
    """Let the visitor's form `do` something; back to its section, with what is wrong, or with the news of it."""

    def done(found: Any) -> Redirect:
        said = account_page.HELD_BACK if found == account_page.HELD_BACK else section
        answer = redirect(url_for("account-pages.account", saved=said, _anchor=section), 303)
        if section != "address":
            return answer
        # Another address ends all sessions but this one, and whoever has a copy of its token.
        return browser_session.set_session(answer, sessions.renew(store(), browser_session.session_secret()))

    def refused(player: Player, refusal: ServiceError) -> Response:
        errors = {name.removeprefix("preferences."): why for name, why in forms.reasons(refusal).items()}
        return account_page.account(player, status_of(refusal), section, errors, **typed)

    return account_page.act(do, done, refused, fresh)


def _wrong(field: str, message: str) -> Unprocessable:
    return Unprocessable(message, {field: [message]})


@blp.post("/account/name")
def name() -> Response | Redirect:
    """Another name, in games to come."""
    given = forms.text_field("name", 400)
    return _change("name", lambda player: _update(player, name=given), name=given)


def _update(player: Player, **changes: Unpack[profiles.ProfileChanges]) -> profiles.Profile:
    return profiles.update_profile(store(), player, changes, now())


@blp.post("/account/address")
def address() -> Response | Redirect:
    """Another address, which is asked to confirm; with `remove` none any more."""
    given = forms.text_field("email", 400)

    def change(player: Player) -> str | None:
        confirmation = None
        if forms.text_field("remove", 1):
            _update(player, email=None)
        elif not given.strip():
            raise _wrong("email", _("Give an address such as ann@example.org."))
        else:
            confirmation = _update(player, email=given).get("confirmation")
        return account_page.HELD_BACK if confirmation == confirming.HELD_BACK else None

    return _change("address", change, url_for("account-pages.account") + "#address", email=given)


@blp.post("/account/confirmation")
def confirmation() -> Response | Redirect:
    """Send the mail that asks to confirm once more."""
    return _change("confirmation", lambda player: profiles.ask_to_confirm(store(), player, now()))


@blp.post("/account/mail-again")
def mail_again() -> Response | Redirect:
    """Let mail come to the address again after somebody who reads there wanted none for ever."""

    def change(player: Player) -> None:
        if player.email is not None and player.email_confirmed_at is not None:
            stranger_mail.unblock(store(), stranger_mail.claim(player.email), now())

    return _change("mail", change)


@blp.post("/account/mail")
def mail() -> Response | Redirect:
    """When mails come."""
    mode, hour = forms.text_field("mail", 20), forms.text_field("digest_hour", 2)
    begin, end = forms.text_field("quiet_from", 8), forms.text_field("quiet_to", 8)

    def change(player: Player) -> None:
        if bool(begin) != bool(end) or (begin and begin == end):
            raise _wrong("quiet_hours", _("Give two different times, or leave both empty."))
        quiet = {"from": begin[:5], "to": end[:5]} if begin else None
        _update(player, preferences={"mail": mode, "digest_hour": forms.whole(hour), "quiet_hours": quiet})

    return _change("mail", change, mail=mode, digest_hour=hour, quiet_from=begin, quiet_to=end)


@blp.post("/account/look")
def look() -> Response | Redirect:
    """Language, colours, and where one lives."""
    wishes = {one: forms.text_field(one, 64) for one in ("language", "theme", "time_zone")}
    return _change("look", lambda player: _update(player, preferences=wishes), **wishes)


@blp.post("/account/table")
def table() -> Response | Redirect:
    """What the server does for one at the table."""
    wished = bool(forms.text_field("auto_draw", 3))
    return _change("table", lambda player: _update(player, preferences={"auto_draw": wished}))


@blp.post("/account/people")
def people() -> Response | Redirect:
    """Whether strangers find one's page, and whether games count for ratings."""
    wished = {name: bool(forms.text_field(name, 3)) for name in ("private", "rated")}
    return _change("people", lambda player: _update(player, preferences=wished))


@blp.post("/account/vacation", endpoint="vacation")
def add_vacation() -> Response | Redirect:
    """Days on which no clock runs, from the first to the last, as days are where the player lives."""
    first, last = forms.text_field("first", 10), forms.text_field("last", 10)

    def change(player: Player) -> None:
        begins, ends = _day(first), _day(last)
        if ends is None:
            raise _wrong("last", _("Give the last day of the vacation."))
        if first and (begins is None or begins < account_page.today(player)):
            raise _wrong("first", _("Give today or a later day, or leave it empty to begin now."))
        zone = ZoneInfo(player.preferences["time_zone"])
        starts, over = None if begins is None else _midnight(begins, zone), _midnight(ends + timedelta(days=1), zone)
        try:
            vacation.add(store(), player, None if starts is None or starts <= now() else starts, over, now())
        except Unprocessable as refusal:
            fields = {"starts_at": "first", "ends_at": "last"}
            errors = {fields[name]: why for name, why in (refusal.errors or {}).items()}
            raise Unprocessable(refusal.message, errors) from None

    return _change("vacation", change, first=first, last=last)


def _day(text: str) -> date | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if 1990 < found.year < 9000 else None


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone)


@blp.post("/account/vacation/<number>/end")
def end_vacation(number: str) -> Response | Redirect:
    """Take back a vacation to come, or end the one under way."""
    return _change("vacation", lambda player: vacation.end(store(), player, number, now()))


@blp.post("/account/sessions/<session_id>/end")
def end_session(session_id: str) -> Response | Redirect:
    """Sign another device out, or this one."""
    session = browser_session.session()
    ended = _change("session", lambda player: sessions.end(store(), player, session_id, now()))
    own = session is not None and session.id == session_id and ended.status_code < HTTPStatus.BAD_REQUEST
    return browser_session.set_session(ended, None) if own else ended


@blp.post("/account/sure")
def fresh_sign_in() -> Response | Redirect:
    """Send the link for a fresh sign-in."""
    back = page_addresses.local_path(forms.text_field("next", 300))
    return account_page.act(
        lambda player: sessions.ask_once_more(store(), player, now(), back),
        lambda _: account_page.fresh_sign_in(back, sent=True),
        lambda _, refusal: account_page.fresh_sign_in(back, status_of(refusal), error=sentence(refusal.message)),
    )
