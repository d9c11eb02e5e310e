"""Time that counts: nights by the clock on the wall, changes of the clocks, vacations."""

import random
from datetime import UTC, datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest

from server.service.games.running_time import Calendar, Night, capped

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
NIGHT = Night(time(22), time(7))


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]


def local(zone: ZoneInfo, *parts: int) -> datetime:
    return datetime(*parts, tzinfo=zone).astimezone(UTC)  # type: ignore[arg-type, misc]


KOLKATA, EVENING, SMALL = ZoneInfo("Asia/Kolkata"), Night(time(20), time(2, 30)), Night(time(1), time(6))
MORNING = Night(time(2, 30), time(8))
ADVANCED = {
    "without a night time simply passes": (BERLIN, None, (2026, 11, 21, 9), 30, (2026, 11, 22, 15)),
    "up to the night": (NEW_YORK, NIGHT, (2026, 11, 21, 20), 2, (2026, 11, 21, 22)),
    "over it": (KOLKATA, NIGHT, (2026, 11, 21, 20), 3, (2026, 11, 22, 8)),
    "over two": (BERLIN, NIGHT, (2026, 11, 21, 20), 24, (2026, 11, 23, 14)),
    "what begins at night runs from the morning on": (BERLIN, NIGHT, (2026, 11, 22, 3), 1, (2026, 11, 22, 8)),
    "a night within one day": (BERLIN, SMALL, (2026, 11, 21, 0), 2, (2026, 11, 21, 7)),
    "clocks are put forward": (BERLIN, NIGHT, (2026, 3, 28, 21), 2, (2026, 3, 29, 8)),
    "clocks are put back": (BERLIN, NIGHT, (2026, 10, 24, 21), 2, (2026, 10, 25, 8)),
    "an end in the doubled hour is its second": (BERLIN, EVENING, (2026, 10, 24, 19), 2, (2026, 10, 25, 3, 30)),
    "a beginning in the doubled hour is its first": (BERLIN, MORNING, (2026, 10, 25, 2), 1, (2026, 10, 25, 8, 30)),
    "an end in the missing hour is after it": (BERLIN, EVENING, (2026, 3, 28, 19), 2, (2026, 3, 29, 4, 30)),
    "and so is a beginning": (BERLIN, MORNING, (2026, 3, 29, 1), 2, (2026, 3, 29, 8, 30)),
}
"""Zone, night, when the clock begins there on the wall, so many hours that it runs, and when these are over."""


@pytest.mark.parametrize("case", ADVANCED)
def test_no_time_passes_at_night_where_the_player_lives(case: str) -> None:
    zone, night, begins, hours, ends = ADVANCED[case]
    days = Calendar(zone, night)
    assert days.advance(local(zone, *begins), hours * HOUR) == local(zone, *ends)
    assert days.elapsed(local(zone, *begins), local(zone, *ends)) == hours * HOUR


def test_vacations_and_nights_together_are_not_counted_twice() -> None:
    # From the middle of one night to the middle of another.
    away = (local(BERLIN, 2026, 12, 1, 23), local(BERLIN, 2026, 12, 3, 3))
    days = Calendar(BERLIN, NIGHT, (away,))
    assert days.advance(local(BERLIN, 2026, 12, 1, 21), 2 * HOUR) == local(BERLIN, 2026, 12, 3, 8)


def test_advance_elapsed_and_retreat_undo_each_other() -> None:
    rng = random.Random(4)
    for _ in range(300):
        zone = rng.choice([BERLIN, NEW_YORK, ZoneInfo("Australia/Lord_Howe"), ZoneInfo("Pacific/Chatham")])
        nights = [None, NIGHT, Night(time(1), time(2, 30)), Night(time(12), time(4)), Night(time(2), time(3))]
        night = rng.choice(nights)
        start = utc(2026, 1, 1) + timedelta(minutes=rng.randrange(525_600))
        away = []
        for _ in range(rng.randrange(3)):
            begins = start + timedelta(hours=rng.randrange(-100, 400))
            away.append((begins, begins + timedelta(hours=rng.randrange(1, 300))))
        days = Calendar(zone, night, capped(away, 366) if rng.random() < 0.5 else tuple(away), rng.random() < 0.3)
        span = timedelta(minutes=rng.randrange(1, 20_000))
        end = days.advance(start, span)
        assert days.elapsed(start, end) == span
        assert days.elapsed(start, end - timedelta(seconds=1)) < span
        back = days.retreat(end, span)
        assert back >= start
        assert days.elapsed(back, end) == span
        assert days.advance(back, span) == end
        due = days.first_at(time(11), end)
        assert due >= end
        assert due.astimezone(zone).time() == time(11)
        assert days.elapsed(due - timedelta(seconds=1), due) > timedelta()
        assert all(one[1] < other[0] for one, other in pairwise(islice(days.standstills(start), 20)))


def test_a_year_has_so_many_days_of_vacation() -> None:
    summer = (utc(2026, 7, 1), utc(2026, 7, 15))
    winter = (utc(2026, 12, 20), utc(2027, 1, 10))
    assert capped([winter, summer], 21) == (
        summer,
        (utc(2026, 12, 20), utc(2026, 12, 27)),
        (utc(2027, 1, 1), utc(2027, 1, 10)),
    )
    assert capped([summer], 0) == ()
    assert capped([summer], 3) == ((utc(2026, 7, 1), utc(2026, 7, 4)),)
    assert capped([], 5) == ()
