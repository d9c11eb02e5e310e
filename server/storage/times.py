"""Times as they are stored: text in UTC, `2026-11-21T09:30:00Z`: of one width, so they sort by time."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(moment: datetime) -> str:
    """An aware time as stored text, cut to seconds. A naive one is a mistake: ValueError."""
    if moment.tzinfo is None:
        raise ValueError("times are stored in UTC: a time zone is needed")
    return moment.astimezone(UTC).isoformat(timespec="seconds")[:19] + "Z"


def parse_utc(stored: str) -> datetime:
    """A stored time (`2026-11-21T09:30:00Z`) as an aware `datetime`."""
    return datetime.fromisoformat(stored)
