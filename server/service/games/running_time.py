"""Time that counts: what is left of it when nights and vacations are taken out. Pure functions of aware times in UTC.

A *standstill* is a pair of times between which a player's clock does not run. Hand-written: libraries of business hours
count the working days of a place, here each player has nights of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from heapq import merge
from zoneinfo import ZoneInfo

from server.service.common.preferences import WallTimes

Interval = tuple[datetime, datetime]

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Night:
    """From when to when, by the player's own clock on the wall; over midnight when `begins` is the later one."""

    begins: time
    ends: time

    @property
    def length(self) -> timedelta:
        """How long it lasts on days without a change of the clocks."""
        begins, ends = self.begins, self.ends
        return timedelta(hours=ends.hour - begins.hour, minutes=ends.minute - begins.minute) % DAY


def night_of(form: WallTimes) -> Night:
    """The night, or the quiet hours, that is stored so."""
    return Night(time.fromisoformat(form["from"]), time.fromisoformat(form["to"]))


@dataclass(frozen=True, slots=True)
class Calendar:
    """When the clock of one player stands still in one game. `vacations` are those that count (see `capped`)."""

    zone: ZoneInfo
    night: Night | None = None
    vacations: tuple[Interval, ...] = ()
    weekends: bool = False  # Saturdays and Sundays stand still, too

    def standstills(self, since: datetime) -> Iterator[Interval]:
        """Every standstill that ends after `since`, in order and without overlaps; endless where there are nights."""
        nights = _nights(self.night, self.zone, since) if self.night is not None else iter(())
        weekends = _weekends(self.zone, since) if self.weekends else iter(())
        return (found for found in _joined(merge(sorted(self.vacations), nights, weekends)) if found[1] > since)

    def advance(self, start: datetime, span: timedelta) -> datetime:
        """The moment at which the clock has run for `span` since `start`: the earliest one."""
        at = start
        for begins, ends in self.standstills(start):
            if begins - at >= span:
                break
            span -= max(begins - at, timedelta())
            at = max(at, ends)
        return at + span

    def first_at(self, wall: time, at: datetime) -> datetime:
        """The first moment, `at` or later, at which the clock on the wall shows that time while this one runs."""
        day = at.astimezone(self.zone).date()
        while True:
            found = instant(datetime.combine(day, wall), self.zone)
            begins, _ends = next(self.standstills(found), (found, found))
            if at <= found <= begins:
                return found
            day += DAY

    def elapsed(self, start: datetime, end: datetime) -> timedelta:
        """How long the clock ran between the two; nothing when `end` is not after `start`."""
        if end <= start:
            return timedelta()
        stood = timedelta()
        for begins, ends in self.standstills(start):
            if begins >= end:
                break
            stood += min(ends, end) - max(begins, start)
        return end - start - stood

    def retreat(self, end: datetime, span: timedelta) -> datetime:
        """The latest moment from which on the clock has run for `span` until `end`: the inverse of `elapsed`."""
        # A night is at most two thirds of a day (one hour more or less where the clocks change), and a week may have
        # five days, so six times the span is far enough back.
        holidays = sum((ends - begins for begins, ends in self.vacations), timedelta())
        earliest = end - 6 * span - holidays - 4 * DAY
        at, stops = end, []
        for begins, ends in self.standstills(earliest):
            if begins >= end:
                break
            stops.append((begins, min(ends, end)))
        for begins, ends in reversed(stops):
            if at - ends >= span:
                break
            span -= at - ends
            at = begins
        return at - span


def quiet_until(quiet: WallTimes | None, zone: str, now: datetime) -> datetime | None:
    """When the quiet hours end that `now` lies in, in UTC; None when it lies in none."""
    if quiet is None:
        return None
    begins, ends = next(Calendar(ZoneInfo(zone), night_of(quiet)).standstills(now))
    return ends if begins <= now else None


def capped(vacations: Iterable[Interval], days: int) -> tuple[Interval, ...]:
    """What counts of `vacations` where each calendar year (UTC) has `days` of them: the first ones."""
    left: defaultdict[int, timedelta] = defaultdict(lambda: days * DAY)
    counted: list[Interval] = []
    for begins, ends in sorted(vacations):
        while begins < ends:
            until = min(ends, datetime(begins.year + 1, 1, 1, tzinfo=UTC))
            taken = min(until - begins, left[begins.year])
            left[begins.year] -= taken
            if taken:
                counted.append((begins, begins + taken))
            begins = until
    return tuple(counted)


def _nights(night: Night, zone: ZoneInfo, since: datetime) -> Iterator[Interval]:
    day = since.astimezone(zone).date() - DAY
    while True:
        after = day + DAY if night.ends <= night.begins else day
        # Where clocks are put back an hour comes twice: the night begins with the first and ends with the second.
        yield (
            instant(datetime.combine(day, night.begins), zone, 0),
            instant(datetime.combine(after, night.ends), zone, 1),
        )
        day += DAY


def _weekends(zone: ZoneInfo, since: datetime) -> Iterator[Interval]:
    day = since.astimezone(zone).date()
    day -= (day.weekday() + 2) % 7 * DAY  # the newest Saturday
    while True:
        begins, ends = (datetime.combine(one, time()) for one in (day, day + 2 * DAY))
        yield instant(begins, zone), instant(ends, zone)
        day += 7 * DAY


def instant(local: datetime, zone: ZoneInfo, fold: int = 0) -> datetime:
    """The time in UTC of a time on the wall: the first, or with `fold` 1 the second, of two where clocks are put back;
    one that is left out where they are put forward is moved forward."""
    found = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) != local:
        found = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    return found


def _joined(intervals: Iterable[Interval]) -> Iterator[Interval]:
    """Ordered intervals with those that touch or overlap made one."""
    present: Interval | None = None
    for begins, ends in intervals:
        if present is None:
            present = (begins, ends)
        elif begins <= present[1]:
            present = (present[0], max(present[1], ends))
        else:
            yield present
            present = (begins, ends)
    if present is not None:
        yield present
