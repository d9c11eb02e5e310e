"""`/new`: making a game; what the form begins with, and what was filled in, field by field."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.engine import rulesets
from server.language import gettext as _
from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.http.problem_details import status_of
from server.routes.pages.shared import forms, game_wording, newcomers, rendering, visitor_preferences
from server.routes.pages.shared.newcomers import REFUSALS, new_player, secret, signed_in
from server.service.accounts import contacts
from server.service.common import checks, preferences, quotas
from server.service.common.errors import Conflict, TooManyRequests, Unprocessable
from server.service.games import bots, clock
from server.service.lists import opponents
from server.service.lists.game_lists import RatingRange
from server.service.lists.ratings import POINTS_MAX
from server.service.seating import creating, invitations

blp = Blueprint("new-game-pages", __name__)
_LONGEST = 400


@blp.get("/new")
def form() -> Response:
    """The form; `?second=` chooses who plays, by what stands in the list."""
    second = request.args.get("second", PERSON)[:_LONGEST]
    private = {"private": "on"} if _person(second) else {}
    return _page(Wish({**DEFAULTS, "second": second, **private}))


@blp.post("/new")
def create() -> Response | Redirect:
    """Make the game; a stranger gives a name and gets an account with it."""
    forms.guard(secret(), beginning=True)
    wish = Wish({name: value[:_LONGEST] for name, value in request.form.items()})
    player = browser_session.visitor()
    game = _read(wish)
    if player is None:
        wish.check("your_name", lambda text: checks.name("your_name", text))
    if wish.errors:
        return _page(wish, 422)
    try:
        player = player or new_player(wish.typed["your_name"])
        most = settings().allowed(quotas.GAMES_PER_PLAYER)
        page = creating.create(store(), player, **game, now=now(), most=most, asked=forms.once(player))
        for invited in filter(_person, (wish.typed.get(place, "") for place in OTHERS)):
            with suppress(Conflict, TooManyRequests):  # the game's page shows who was invited, and asks others
                invitations.invite_player(store(), player, page["id"], invited, now())
    except REFUSALS as refusal:
        wish.errors[""] = sentence(refusal.message)
        return signed_in(forms.refused(_page(wish, status_of(refusal)), refusal))
    return signed_in(redirect(url_for("game-pages.game", game_id=page["id"]), 303))


def _page(wish: Wish, status: int = 200) -> Response:
    return rendering.page(
        "lobby/new_game",
        status,
        typed=wish.typed,
        errors=wish.errors,
        others=OTHERS,
        levels=game_wording.opponents(browser_session.visitor()),
        people=_people(wish),
        unmailed=newcomers.why_unmailed(browser_session.visitor()),
        sign_in=url_for("account-pages.sign_in", next=url_for("new-game-pages.form")),
        form=forms.form_token(secret()),
        limits={
            "name": checks.NAME_MAX,
            "client_seed": checks.CLIENT_SEED_MAX,
            "hours": clock.HOURS_MAX,
            "days": clock.VACATION_DAYS_MAX,
        },
    )


def _person(chosen: str) -> str | None:
    """What somebody is called who can be chosen by their id; None of anything else."""
    player = browser_session.visitor()
    return None if player is None else contacts.invitable(store(), player, chosen)


def _people(wish: Wish) -> dict[str, str]:
    """Whom the form offers by name: friends, those met lately, and who is chosen already."""
    player = browser_session.visitor()
    known = {} if player is None else {one["player"]: one["name"] for one in opponents.people(store(), player)}
    chosen = {one: _person(one) for one in (wish.typed.get(place, "") for place in OTHERS) if one not in known}
    return {**known, **{one: name for one, name in chosen.items() if name is not None}}


OTHERS = ("second", "third", "fourth")
"""The places at the table beside one's own."""
PERSON, NOBODY = "person", "nobody"
PRESETS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "day": {"turn_hours": 24, "reserve_hours": 72},
    "three_days": {"turn_hours": 72, "reserve_hours": 72},
    "hour": {"turn_hours": 1, "reserve_hours": 0, "vacation_days": 0, "reminders": [0.5]},
}
OWN_CLOCK = "own"
DEFAULTS = {
    "second": PERSON,
    "third": NOBODY,
    "fourth": NOBODY,
    "clock": "day",
    "turn_hours": "24",
    "reserve_hours": "72",
    "vacation_days": "21",
    "on_timeout": clock.BOT_PLAYS,
    "reminders": "50, 90",
}
"""What the form begins with; what is not here is empty or off."""


@dataclass
class Wish:
    """A form as it was filled in: `typed` goes back into it when `errors` (by field; "" for all of it) are told."""

    typed: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    def check(self, name: str, reader: Callable[[str], Any]) -> Any:
        """What `reader` makes of a field; None, and an error, when it refuses."""
        try:
            return reader(self.typed.get(name, ""))
        except Unprocessable as refusal:
            self.errors[name] = forms.reason(refusal)
            return None


def _read(wish: Wish) -> dict[str, Any]:
    """The arguments of `creating.create`; what is wrong is noted in `wish.errors`."""
    others = _others(wish)
    name = wish.typed.get("name", "").strip()
    return {
        "seats": 1 + len(others),
        "name": wish.check("name", lambda text: checks.name("name", text)) if name else None,
        "options": {option: option in wish.typed for option in rulesets.for_new_games().check_options({})},
        "client_seed": wish.check("client_seed", checks.client_seed),
        "bots": others,
        "private": "private" in wish.typed,
        "hints": "hints" in wish.typed,
        "rating": _rating(wish),
        "clock": _clock(wish),
    }


def _others(wish: Wish) -> list[str | None]:
    """Who sits at the other places: a bot's name, or None for a person, who may be invited by name."""
    chosen = [wish.typed.get(place, NOBODY) for place in OTHERS]
    chosen = [PERSON if _person(one) else one for one in chosen]
    if any(one not in (PERSON, NOBODY, *bots.names()) and not one.startswith("@") for one in chosen):
        wish.errors[OTHERS[0]] = _("Choose from the list.")
        return [None]
    others = [None if one == PERSON else one for one in chosen if one != NOBODY]
    if not others:
        wish.errors[OTHERS[0]] = _("Somebody has to play against you.")
    return others


def _rating(wish: Wish) -> RatingRange:
    """Between which ratings somebody sits down."""
    least = wish.check("rating_min", lambda text: _points(text, 0))
    return {"min": least, "max": wish.check("rating_max", lambda text: _points(text, least or 0))}


def _points(text: str, least: int) -> int | None:
    return _whole(text, least, POINTS_MAX) if text.strip() else None


def _clock(wish: Wish) -> dict[str, Any] | None:
    """The clock as `creating.create` takes it."""
    chosen = wish.typed.get("clock", "none")
    if chosen not in (*PRESETS, OWN_CLOCK):
        wish.errors["clock"] = _("Choose from the list.")
        return None
    start_by = wish.check("start_by", lambda text: _end_of_day(text, _zone(wish)))
    if chosen != OWN_CLOCK:
        preset = PRESETS[chosen]
        if preset is None:
            return None
        return {**preset, **_days(wish), "start_by": start_by}
    return {
        **_days(wish),
        "turn_hours": wish.check("turn_hours", lambda text: _whole(text, 1, clock.HOURS_MAX)),
        "reserve_hours": wish.check("reserve_hours", lambda text: _whole(text or "0", 0, clock.HOURS_MAX)),
        "vacation_days": wish.check("vacation_days", lambda text: _whole(text or "0", 0, clock.VACATION_DAYS_MAX)),
        "reminders": wish.check("reminders", _percents),
        "on_timeout": "resign" if wish.typed.get("on_timeout") == "resign" else clock.BOT_PLAYS,
        "start_by": start_by,
    }


def _days(wish: Wish) -> dict[str, Any]:
    """What every clock may have: nights, weekends, the time of the day at which turns end."""
    night, due = _night(wish), wish.typed.get("due_time", "").strip() or None
    known = None if "night_from" in wish.errors else night
    try:
        clock.check({"turn_hours": 1, "night": known, "due_time": due}, now())
    except Unprocessable:
        wish.errors["due_time"] = _("Give a time outside the night such as 20:00, or none.")
    return {"night": night, "weekends_off": "weekends_off" in wish.typed, "due_time": due}


def _night(wish: Wish) -> dict[str, str] | None:
    begins, ends = (wish.typed.get(name, "").strip() for name in ("night_from", "night_to"))
    if not begins and not ends:
        return None
    night = {"from": begins, "to": ends}
    try:
        clock.check({"turn_hours": 1, "night": night}, now())
    except Unprocessable:
        wish.errors["night_from"] = _("Give two times such as 22:00 and 07:00, at most 12 hours apart, or neither.")
    return night


def _end_of_day(text: str, zone: str) -> str | None:
    """The end of a day where the reader lives, in UTC; None for no day."""
    if not text.strip():
        return None
    try:
        last = datetime.combine(date.fromisoformat(text.strip()), time(23, 59), ZoneInfo(zone))
        return str(clock.check({"turn_hours": 1, "start_by": last.isoformat()}, now())["start_by"])  # type: ignore[index]
    except (ValueError, OverflowError, Unprocessable):
        message = _("Give a day within the coming year, such as %(day)s.", day=now().date().replace(day=28).isoformat())
        raise Unprocessable(message, {"start_by": [message]}) from None


def _zone(wish: Wish) -> str:
    """Where the visitor lives; a script tells it of strangers."""
    told = wish.typed.get("time_zone", "")
    if browser_session.visitor() is None and preferences.is_time_zone(told):
        return told
    return visitor_preferences.time_zone()


def _whole(text: str, least: int, most: int) -> int:
    number = forms.whole(text)
    if number is not None and least <= number <= most:
        return number
    message = _("Give a whole number from %(least)s to %(most)s.", least=least, most=most)
    raise Unprocessable(message, {"number": [message]})


def _percents(text: str) -> list[float]:
    """`50, 90` as fractions."""
    parts = text.replace("%", " ").replace(";", " ").replace(",", " ").split()
    message = _("Give at most 5 different numbers from 1 to 99, such as 50, 90; or nothing.")
    if len(parts) > clock.REMINDERS_MAX or len(set(parts)) < len(parts):
        raise Unprocessable(message, {"reminders": [message]})
    try:
        return [_whole(part, 1, 99) / 100 for part in parts]
    except Unprocessable:
        raise Unprocessable(message, {"reminders": [message]}) from None
