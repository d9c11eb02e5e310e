"""Games and puzzles in words for their readers: options, clocks, bots, levels."""

from __future__ import annotations

from datetime import timedelta

from bots import offers
from server import language
from server.engine.ulm1.shapes import Options
from server.language import N_, ngettext
from server.language import gettext as _
from server.routes.http.context import now, store
from server.routes.pages.shared.visitor_preferences import local_time
from server.service.accounts import bot_accounts
from server.service.accounts.bot_rules import VARIANTS
from server.service.accounts.players import Player
from server.service.games import bots
from server.service.games.model import ClockForm
from server.service.lists import ratings
from server.service.lists.game_lists import RatingRange
from server.storage.times import utc

DAY_HOURS = 24


def options(chosen: Options, rating: RatingRange | None = None) -> list[str]:
    """What is played, beyond the basic game, and for whom it is."""
    words = [_("advanced game, with Tower tiles") if chosen["tower"] else _("basic game")]
    if chosen["rotate_start"]:
        words.append(_("the start player changes each round"))
    if rating is not None:
        words.append(_("for ratings of %(range)s", range=ratings.range_words(rating)))
    return words


_STRENGTH = {
    "journeyman": N_("With two players it wins nearly every game against the apprentice."),
    "master": N_("With two players it wins about three of four games against the journeyman."),
}
"""What was measured of bots (docs/bots.md)."""


def levels() -> list[tuple[str, str]]:
    """The bots that can be chosen, from the easiest on: name, how it plays, and its rating in the basic game of two
    where enough is known."""
    known = offers.known()
    rated = ratings.of_several(store(), list(known))
    return [(name, _level(bots.described(offer), rated.get((name, VARIANTS[0], 2)))) for name, offer in known.items()]


def _level(described: str, rated: ratings.ShownRating | None) -> str:
    if rated is None or rated["provisional"]:
        return described
    return _("%(bot)s (rating %(points)s)", bot=described, points=rated["points"])


def strength(bot: str) -> str:
    """What was measured of a bot of the house; "" where nothing was."""
    return _(_STRENGTH[bot]) if bot in _STRENGTH else ""


def opponents(player: Player | None) -> list[tuple[str, str]]:
    """The same, and behind them the bots with accounts that `player` is offered, by handle."""
    since = utc(now() - bot_accounts.SEEN)
    others = bot_accounts.offered(store(), player, since)
    return [
        *levels(),
        *((handle, _("%(name)s of %(owner)s", name=name, owner=owner)) for handle, name, owner in others),
    ]


def turn_time(clock: ClockForm | None) -> str:
    """How long a turn may take, in a few words."""
    if clock is None:
        return _("no time limit")
    hours = clock["turn_hours"]
    if hours % DAY_HOURS == 0:
        return ngettext("%(num)s day a turn", "%(num)s days a turn", hours // DAY_HOURS)
    return ngettext("%(num)s hour a turn", "%(num)s hours a turn", hours)


def clock(chosen: ClockForm | None) -> list[str]:
    """All that a clock says, a phrase for each."""
    words = [turn_time(chosen)]
    if chosen is None:
        return words
    if chosen["reserve_hours"]:
        time = _hours(chosen["reserve_hours"])
        words.append(_("%(time)s in reserve for the whole game: what a turn takes longer goes off it", time=time))
    if chosen["night"]:
        night = chosen["night"]
        words.append(_("clocks stop from %(begin)s to %(end)s", begin=night["from"], end=night["to"]))
    if chosen["weekends_off"]:
        words.append(_("clocks stop on Saturdays and Sundays"))
    if chosen["due_time"]:
        words.append(_("a turn’s time ends at %(time)s, where its player lives", time=chosen["due_time"]))
    if chosen["vacation_days"]:
        days = chosen["vacation_days"]
        words.append(ngettext("%(num)s day of vacation a year", "%(num)s days of vacation a year", days))
    if chosen["on_timeout"] == "resign":
        words.append(_("whoever runs out of time resigns"))
    else:
        words.append(_("a bot plays for whoever runs out of time"))
    return words


def given_up_by(start_by: str | None) -> list[str]:
    """What an open game says of the date by which it has to start."""
    return [_("given up if not started by %(when)s", when=local_time(start_by))] if start_by else []


def _hours(hours: int) -> str:
    return language.span(timedelta(hours=hours))


_LEVELS = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard")}


def level_name(level: str) -> str:
    """The word for a level (`replays.analysis.puzzles.Level`)."""
    word = _LEVELS[level]
    return _(word)
