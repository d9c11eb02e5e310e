"""Times as a recipient reads them, and the hours in which they want to be left alone. All by the player's own clock."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from server import language
from server.language import ngettext
from server.service.common.preferences import WallTimes
from server.service.games.running_time import instant


def local(moment: datetime, zone: str) -> str:
    """`Sunday 22 November 2026, 10:30 (Europe/Berlin)`, in the language in force."""
    return f"{language.long_date_and_time(moment, zone)} ({zone})"


def day(moment: datetime, zone: str) -> str:
    """`Sunday 22 November`, in the language in force."""
    return language.weekday_and_day(moment, zone)


def span(length: timedelta) -> str:
    """About how long: `3 days`, `5 hours`, `20 minutes`, in the language in force."""
    minutes = max(int(length.total_seconds() // 60), 1)
    # Two units of the larger kind at least: "1 day" could be up to two.
    if minutes >= 2 * 24 * 60:
        return ngettext("%(num)s day", "%(num)s days", minutes // (24 * 60))
    if minutes >= 2 * 60:
        return ngettext("%(num)s hour", "%(num)s hours", minutes // 60)
    return ngettext("%(num)s minute", "%(num)s minutes", minutes)


def quiet_until(quiet: WallTimes | None, zone: str, now: datetime) -> datetime | None:
    """When the quiet hours end that `now` lies in, in UTC; None when it lies in none.

    `quiet` is `{"from": "22:00", "to": "07:00"}`, over midnight when `from` is the later one.
    """
    if quiet is None:
        return None
    here = ZoneInfo(zone)
    begins, ends = time.fromisoformat(quiet["from"]), time.fromisoformat(quiet["to"])
    present = now.astimezone(here)
    clock = present.time().replace(tzinfo=None)
    if begins < ends:
        inside, last = begins <= clock < ends, present.date()
    else:
        inside = clock >= begins or clock < ends
        last = present.date() + timedelta(days=clock >= begins)
    if not inside:
        return None
    until = instant(datetime.combine(last, ends), here)
    # In an hour that comes twice the end may lie behind: then it is the second one's.
    return until if until > now else instant(datetime.combine(last, ends), here, 1)
