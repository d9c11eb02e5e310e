"""`/account`: who one is here, and how one likes it. One form for each matter, none of which needs a script."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.language import gettext as _
from server.routes.http.context import lifetimes, now, store
from server.routes.pages.account import fresh_sign_in, time_zones
from server.routes.pages.shared import fields, frame
from server.service.accounts import opening, profiles, sessions, tokens
from server.service.accounts.players import Player
from server.service.common.errors import ServiceError, Unprocessable
from server.service.common.preferences import MAIL_MODES
from server.service.outbox import unsolicited
from server.service.play import vacation
from server.storage.models import parse_utc, utc

blp = Blueprint("profile-pages", __name__)

HELD_BACK = "held"
"""What is said instead where the mail to a new address was held back."""
SECTIONS = ("name", "address", HELD_BACK, "confirmation", "mail", "look", "table", "vacation", "session")


def show(status: int = 200, section: str = "", errors: dict[str, str] | None = None, **typed: Any) -> Response:
    """The page of the account. `section` is the one whose form was refused: `errors` by field stand there, and what
    was `typed`."""
    player = frame.visitor()
    if player is None:
        raise RuntimeError("nobody is signed in")
    found = profiles.profile(player)
    saved = request.args.get("saved", "")
    return frame.page(
        "account",
        status,
        form=frame.form_token(frame.session_secret()),
        profile=found,
        guest=player.is_guest,
        typed={**_typed(found), **typed},
        modes=_modes(),
        hours=[(hour, f"{hour:02}:00") for hour in range(24)],
        zones=time_zones.groups(found["preferences"]["time_zone"]),
        vacations=[_vacation(one) for one in vacation.listing(store(), player, now()) if one["ends_at"] > utc(now())],
        today=_today(player).isoformat(),
        blocked=found["email_confirmed"] and unsolicited.is_blocked(store(), unsolicited.claim(found["email"])),
        stopped_at=None if found["mail_stopped"] is None else frame.local_time(found["mail_stopped"]["at"]),
        tokens=len(tokens.listing(store(), player)),
        sessions=_sessions(player),
        sure=not fresh_sign_in.needed(player),
        saved=saved if saved in SECTIONS and not errors else "",
        section=section,
        errors=errors or {},
    )


def to_sign_in() -> Redirect:
    """Let somebody sign in and come back: to the page that was asked for, or to the account where it was a form."""
    return frame.to_sign_in(None if request.method == "GET" else url_for("account-pages.account"))


def _modes() -> dict[str, str]:
    words = {
        "at_once": _("A mail at once, whenever there is news"),
        "digest": _("One mail a day, and reminders at once"),
        "reminders": _("Reminders alone, when the time of a turn runs out"),
        "mute": _("No mail about games"),
    }
    return {mode: words[mode] for mode in MAIL_MODES}


def _typed(found: dict[str, Any]) -> dict[str, Any]:
    """What the forms hold before anybody types."""
    wishes = found["preferences"]
    quiet = wishes["quiet_hours"] or {"from": "", "to": ""}
    return {
        **wishes,
        "name": found["name"],
        "email": found["email"] or "",
        "quiet_from": quiet["from"],
        "quiet_to": quiet["to"],
        "first": "",
        "last": "",
    }


def _vacation(one: dict[str, Any]) -> dict[str, Any]:
    """With its first and its last day in words, or the times where they are in the middle of a day."""
    zone = ZoneInfo(frame.time_zone())
    begins, ends = (parse_utc(one[name]).astimezone(zone) for name in ("starts_at", "ends_at"))
    return {
        **one,
        "begins": language.day(begins) if begins.time() == time() else frame.local_time(one["starts_at"]),
        "ends": language.day(ends - timedelta(days=1)) if ends.time() == time() else frame.local_time(one["ends_at"]),
    }


def _sessions(player: Player) -> list[dict[str, Any]]:
    """Where the player is signed in, this browser first."""
    here = frame.session()
    found = sessions.listing(store(), player, now(), lifetimes(), None if here is None else here.id)
    found.sort(key=lambda one: not one["current"])
    return [
        {**one, "began": frame.local_time(one["began_at"]), "used": frame.local_time(one["last_used_at"])}
        for one in found
    ]


def _today(player: Player) -> date:
    return now().astimezone(ZoneInfo(player.preferences["time_zone"])).date()


# What the forms do


def _change(section: str, act: Callable[[Player], Any], **typed: Any) -> Response | Redirect:
    """Let the visitor's form `act`; back to its section, with what is wrong or with the news that it is done."""
    frame.guard(frame.session_secret())
    player = frame.visitor()
    if player is None:
        return to_sign_in()
    try:
        done = act(player)
    except ServiceError as refusal:
        return frame.refused(show(refusal.status, section, _errors(refusal), **typed), refusal)
    said = HELD_BACK if done == HELD_BACK else section
    answer = redirect(url_for("account-pages.account", saved=said, _anchor=section), 303)
    if sessions.player_of(store(), frame.session_secret(), now()) is not None:
        return answer
    # Another address ends all sessions; whoever gave it stays signed in here.
    return frame.set_session(answer, sessions.new_session(store(), player.id, now()))


def _errors(refusal: ServiceError) -> dict[str, str]:
    return {name.removeprefix("preferences."): why for name, why in fields.reasons(refusal).items()}


def _wrong(field: str, message: str) -> Unprocessable:
    return Unprocessable(message, {field: [message]})


@blp.post("/account/name")
def name() -> Response | Redirect:
    """Another name, in games to come."""
    given = frame.text_field("name", 400)
    return _change("name", lambda player: _update(player, name=given), name=given)


def _update(player: Player, **changes: Any) -> dict[str, Any]:
    return profiles.update_profile(store(), player, changes, now())


@blp.post("/account/address")
def address() -> Response | Redirect:
    """Another address, which is asked to confirm; with `remove` none any more."""
    given = frame.text_field("email", 400)
    frame.guard(frame.session_secret())
    player = frame.visitor()
    if player is not None and fresh_sign_in.needed(player):
        return fresh_sign_in.asked(url_for("account-pages.account") + "#address")

    def act(player: Player) -> str | None:
        changed: dict[str, Any] = {}
        if frame.text_field("remove", 1):
            if not tokens.is_way_in(store(), player, now()):
                raise _wrong("", _("Without an address and without a token nobody could come back to this account."))
            _update(player, email=None)
        elif not given.strip():
            raise _wrong("email", _("Give an address such as ann@example.org."))
        else:
            try:
                changed = _update(player, email=given)
            except Unprocessable:
                raise _wrong("email", _("Give an address such as ann@example.org.")) from None
        return HELD_BACK if changed.get("confirmation") == opening.HELD_BACK else None

    return _change("address", act, email=given)


@blp.post("/account/confirmation")
def confirmation() -> Response | Redirect:
    """Send the mail that asks to confirm once more."""
    return _change("confirmation", lambda player: profiles.ask_to_confirm(store(), player, now()))


@blp.post("/account/mail-again")
def mail_again() -> Response | Redirect:
    """Let mail come to the address again after somebody who reads there wanted none for ever."""

    def act(player: Player) -> None:
        if player.email is not None and player.email_confirmed_at is not None:
            unsolicited.unblock(store(), unsolicited.claim(player.email), now())

    return _change("mail", act)


@blp.post("/account/mail")
def mail() -> Response | Redirect:
    """When mails come."""
    mode, hour = frame.text_field("mail", 20), frame.text_field("digest_hour", 2)
    begin, end = frame.text_field("quiet_from", 8), frame.text_field("quiet_to", 8)

    def act(player: Player) -> None:
        if bool(begin) != bool(end) or (begin and begin == end):
            raise _wrong("quiet_hours", _("Give two different times, or leave both empty."))
        quiet = {"from": begin[:5], "to": end[:5]} if begin else None
        _update(player, preferences={"mail": mode, "digest_hour": fields.whole(hour), "quiet_hours": quiet})

    return _change("mail", act, mail=mode, digest_hour=hour, quiet_from=begin, quiet_to=end)


@blp.post("/account/look")
def look() -> Response | Redirect:
    """Language, colours, and where one lives."""
    wishes = {one: frame.text_field(one, 64) for one in ("language", "theme", "time_zone")}
    return _change("look", lambda player: _update(player, preferences=wishes), **wishes)


@blp.post("/account/table")
def table() -> Response | Redirect:
    """What the server does for one at the table."""
    wished = bool(frame.text_field("auto_draw", 3))
    return _change("table", lambda player: _update(player, preferences={"auto_draw": wished}))


@blp.post("/account/vacation", endpoint="vacation")
def add_vacation() -> Response | Redirect:
    """Days on which no clock runs, from the first to the last, as days are where the player lives."""
    first, last = frame.text_field("first", 10), frame.text_field("last", 10)

    def act(player: Player) -> None:
        begins, ends = _day(first), _day(last)
        if ends is None:
            raise _wrong("last", _("Give the last day of the vacation."))
        if first and (begins is None or begins < _today(player)):
            raise _wrong("first", _("Give today or a day to come, or leave it empty to begin now."))
        zone = ZoneInfo(player.preferences["time_zone"])
        starts = None if begins is None else _midnight(begins, zone)
        try:
            vacation.add(
                store(),
                player,
                None if starts is None or starts <= now() else starts,
                _midnight(ends + timedelta(days=1), zone),
                now(),
            )
        except Unprocessable as refusal:
            raise _refused_days(refusal) from None

    return _change("vacation", act, first=first, last=last)


def _refused_days(refusal: Unprocessable) -> Unprocessable:
    days = vacation.AHEAD.days
    if "starts_at" in (refusal.errors or {}):
        return _wrong(
            "first",
            language.ngettext("A vacation begins within %(num)s day.", "A vacation begins within %(num)s days.", days),
        )
    return _wrong(
        "last",
        language.ngettext(
            "Give a day after the first one; a vacation lasts at most %(num)s day.",
            "Give a day after the first one; a vacation lasts at most %(num)s days.",
            days,
        ),
    )


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
    """Sign another device out."""
    return _change("session", lambda player: sessions.end(store(), player, session_id, now()))
