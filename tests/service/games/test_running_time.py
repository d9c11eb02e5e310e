"""Time that counts: nights by the clock on the wall, changes of the clocks, vacations."""

from __future__ import annotations

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


def test_without_standstills_time_simply_passes() -> None:
    start = utc(2026, 11, 21, 9)
    assert Calendar(BERLIN).advance(start, 30 * HOUR) == start + 30 * HOUR
    assert Calendar(BERLIN).elapsed(start, start + 30 * HOUR) == 30 * HOUR
    assert Calendar(BERLIN).elapsed(start, start - HOUR) == timedelta()


@pytest.mark.parametrize("zone", [BERLIN, NEW_YORK, ZoneInfo("Asia/Kolkata"), ZoneInfo("UTC")])
def test_no_time_passes_at_night_where_the_player_lives(zone: ZoneInfo) -> None:
    days = Calendar(zone, NIGHT)
    evening = local(zone, 2026, 11, 21, 20)
    assert days.advance(evening, 2 * HOUR) == local(zone, 2026, 11, 21, 22)
    assert days.advance(evening, 3 * HOUR) == local(zone, 2026, 11, 22, 8)
    assert days.advance(evening, 24 * HOUR) == local(zone, 2026, 11, 23, 14)
    # A turn that begins at night begins to run in the morning.
    assert days.advance(local(zone, 2026, 11, 22, 3), HOUR) == local(zone, 2026, 11, 22, 8)


def test_a_night_within_one_day() -> None:
    days = Calendar(BERLIN, Night(time(1), time(6)))
    assert days.advance(local(BERLIN, 2026, 11, 21, 0), 2 * HOUR) == local(BERLIN, 2026, 11, 21, 7)


def test_night_keeps_to_the_wall_when_clocks_are_put_forward() -> None:
    """Berlin, 29 March 2026: at 2:00 it is 3:00. That night lasts eight hours."""
    days = Calendar(BERLIN, NIGHT)
    assert days.advance(local(BERLIN, 2026, 3, 28, 21), 2 * HOUR) == local(BERLIN, 2026, 3, 29, 8)
    assert local(BERLIN, 2026, 3, 29, 8) - local(BERLIN, 2026, 3, 28, 21) == 10 * HOUR
    assert days.elapsed(utc(2026, 3, 28, 12), utc(2026, 3, 29, 12)) == 16 * HOUR


def test_night_keeps_to_the_wall_when_clocks_are_put_back() -> None:
    """Berlin, 25 October 2026: at 3:00 it is 2:00 again. That night lasts ten hours."""
    days = Calendar(BERLIN, NIGHT)
    assert days.advance(local(BERLIN, 2026, 10, 24, 21), 2 * HOUR) == local(BERLIN, 2026, 10, 25, 8)
    assert days.elapsed(utc(2026, 10, 24, 12), utc(2026, 10, 25, 12)) == 14 * HOUR


def test_clocks_change_on_other_days_elsewhere() -> None:
    """New York, 8 March 2026; Berlin has an ordinary night then."""
    span = utc(2026, 3, 7, 12), utc(2026, 3, 8, 12)
    assert Calendar(NEW_YORK, NIGHT).elapsed(*span) == 16 * HOUR
    assert Calendar(BERLIN, NIGHT).elapsed(*span) == 15 * HOUR


def test_a_night_that_ends_in_the_doubled_hour_ends_with_its_second_half() -> None:
    days = Calendar(BERLIN, Night(time(20), time(2, 30)))
    # 2:30 comes at 0:30 UTC and at 1:30 UTC.
    assert days.advance(utc(2026, 10, 24, 17), 2 * HOUR) == utc(2026, 10, 25, 2, 30)


def test_a_night_that_begins_in_the_doubled_hour_begins_with_its_first_half() -> None:
    days = Calendar(BERLIN, Night(time(2, 30), time(8)))
    assert days.advance(utc(2026, 10, 25, 0), HOUR) == local(BERLIN, 2026, 10, 25, 8, 30)


def test_a_night_that_ends_in_the_missing_hour_ends_after_it() -> None:
    days = Calendar(BERLIN, Night(time(20), time(2, 30)))
    assert days.advance(utc(2026, 3, 28, 18), 2 * HOUR) == utc(2026, 3, 29, 1, 30) + HOUR
    begins = Calendar(BERLIN, Night(time(2, 30), time(8)))
    assert begins.advance(utc(2026, 3, 29, 0), 2 * HOUR) == local(BERLIN, 2026, 3, 29, 8, 30)


def test_vacations_stop_the_clock() -> None:
    away = (utc(2026, 12, 1), utc(2026, 12, 8))
    days = Calendar(BERLIN, None, (away,))
    assert days.advance(utc(2026, 11, 30), 2 * DAY) == utc(2026, 12, 9)
    assert days.advance(utc(2026, 11, 29), DAY) == utc(2026, 11, 30)
    assert days.advance(utc(2026, 12, 3), HOUR) == utc(2026, 12, 8, 1)
    assert days.elapsed(utc(2026, 11, 30), utc(2026, 12, 9)) == 2 * DAY


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
        days = Calendar(zone, night, capped(away, 366) if rng.random() < 0.5 else tuple(away))
        span = timedelta(minutes=rng.randrange(1, 20_000))
        end = days.advance(start, span)
        assert days.elapsed(start, end) == span
        assert days.elapsed(start, end - timedelta(seconds=1)) < span
        back = days.retreat(end, span)
        assert back >= start
        assert days.elapsed(back, end) == span
        assert days.advance(back, span) == end
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
