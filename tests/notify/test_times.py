"""Times as mails tell them, quiet hours and the hour of the digest, also where clocks are changed."""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from server.board.measure import columns
from server.notify import plain_text
from server.notify.compose import KINDS
from server.notify.recipients import IN_DIGEST
from server.notify.times import local, span
from server.service.games.running_time import quiet_until
from server.service.outbox.news import Kind
from server.service.play import reminders


@pytest.mark.parametrize(
    ("zone", "now", "until"),
    [
        ("Europe/Berlin", "2026-03-28T23:00", "2026-03-29T05:00"),  # clocks put forward in that night
        ("Europe/Berlin", "2026-10-24T23:00", "2026-10-25T06:00"),  # and back
        ("Asia/Kathmandu", "2026-11-21T16:15", "2026-11-22T01:15"),
        ("America/New_York", "2026-11-21T12:00", None),
    ],
)
def test_quiet_hours_across_changes_of_the_clock(zone: str, now: str, until: str | None) -> None:
    found = quiet_until({"from": "22:00", "to": "07:00"}, zone, datetime.fromisoformat(now + "+00:00"))
    assert found == (None if until is None else datetime.fromisoformat(until + "+00:00"))


def test_times_are_told_in_the_readers_zone() -> None:
    moment = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert local(moment, "Europe/Berlin") == "Sunday 29 March 2026, 03:30 (Europe/Berlin)"
    assert local(moment, "America/New_York") == "Saturday 28 March 2026, 21:30 (America/New_York)"
    assert [span(timedelta(minutes=m)) for m in (0, 59, 130, 60 * 47, 60 * 24 * 3)] == [
        "1 minute",
        "59 minutes",
        "2 hours",
        "47 hours",
        "3 days",
    ]


@pytest.mark.parametrize(
    ("now", "hour", "day", "at"),
    [
        ("2026-03-29T06:00", 2, "2026-03-29", "2026-03-29T01:00"),  # 02:00 is left out: an hour later on the wall
        ("2026-10-25T06:00", 2, "2026-10-25", "2026-10-25T00:00"),  # 02:00 comes twice: the first
        ("2026-11-21T05:00", 8, "2026-11-20", "2026-11-20T07:00"),
    ],
)
def test_the_hour_of_a_digest_across_changes_of_the_clock(now: str, hour: int, day: str, at: str) -> None:
    found, moment = reminders.newest_digest(hour, "Europe/Berlin", datetime.fromisoformat(now + "+00:00"))
    assert (found.isoformat(), moment) == (day, datetime.fromisoformat(at + "+00:00"))


def test_every_kind_has_its_letter() -> None:
    assert set(KINDS) == set(get_args(Kind))


def test_every_kind_of_a_digest_is_told_there() -> None:
    """By the games themselves, or counted."""
    assert set(IN_DIGEST) == {"started", "turn", "over", *reminders.COUNTED}


def test_lines_and_tables_keep_to_their_columns() -> None:
    wide = "李" * 100
    for line in plain_text.wrapped(f"a {wide} https://example.org/{'x' * 100} b", "* ", "  ").splitlines():
        assert columns(line) <= plain_text.WIDTH or "://" in line
    shown = plain_text.wrapped(f"a {wide} b", "* ", "  ")
    assert shown.replace("\n  ", "").replace("* ", "").replace(" ", "") == f"a{wide}b"
    assert plain_text.wrapped("") == ""
    rows = [["", *[wide] * 4], ["Übrige Siegel und Familienwappen", "1", "22", "-3", "4"]]
    assert all(columns(line) <= plain_text.WIDTH for line in plain_text.table(rows).splitlines())
