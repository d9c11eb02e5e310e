"""Times as a recipient reads them, and the hours in which they want to be left alone. All by the player's own clock."""

from __future__ import annotations

from datetime import datetime, timedelta

from server import language
from server.language import ngettext


def local(moment: datetime, zone: str) -> str:
    """`Sunday 22 November 2026, 10:30 (Europe/Berlin)`, in the language in force."""
    return f"{language.long_date_and_time(moment, zone)} ({zone})"


def span(length: timedelta) -> str:
    """About how long: `3 days`, `5 hours`, `20 minutes`, in the language in force."""
    minutes = max(int(length.total_seconds() // 60), 1)
    # Two units of the larger kind at least: "1 day" could be up to two.
    if minutes >= 2 * 24 * 60:
        return ngettext("%(num)s day", "%(num)s days", minutes // (24 * 60))
    if minutes >= 2 * 60:
        return ngettext("%(num)s hour", "%(num)s hours", minutes // 60)
    return ngettext("%(num)s minute", "%(num)s minutes", minutes)
