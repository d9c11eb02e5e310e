"""Every quota that one caller or player has, at one sight.

Requests are counted by `routes/request_limits.py`, before any transaction, in memory; `ULM_LIMITS_PERCENT` makes these
and what a player may have larger or smaller. What costs others (mails, messages, accounts) is counted in the database
by `db_rate_limits.py`, so that it outlives a restart. Counts are of a player, or of the network that a stranger comes
from (an IPv4 address, an IPv6 /64); a network's players together may do some times as much.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from server.language import N_

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class RequestQuota(NamedTuple):
    """How much a caller may do in a time; the players of a network together may do `together` times as much."""

    name: str
    most: int
    per: timedelta
    together: int
    message: str


_OFTEN = N_("you are asking too often: %(when)s")

REQUESTS = RequestQuota("requests", 6000, MINUTE, 4, _OFTEN)
"""All requests."""
PAGES = RequestQuota("pages", 600, MINUTE, 4, _OFTEN)
"""Pages and pictures, which are dearer than other requests."""
GAMES = RequestQuota(
    "games", 240, HOUR, 2, N_("many games were made by you or from your network within the hour: %(when)s")
)
GAMES_AT_A_TIME = RequestQuota(
    "games at a time", 24, MINUTE, 2, N_("so many games at a time are hardly meant to be played: %(when)s")
)
WORK = RequestQuota(
    "work", 120, MINUTE, 4, N_("that is a lot of work for the server, and you have had your share: %(when)s")
)
"""What takes the server long, as `WORK` in routes/request_limits.py weighs it."""

GAMES_PER_PLAYER = 200
"""Unfinished games that a player may sit in when making another."""
BOT_GAMES = 2
"""Games of bots alone that one player may have under way: they use the time of this machine."""
RECORDS_PER_PLAYER = 200
"""Outside records that are kept for a player."""
BYTES_PER_PLAYER = 20_000_000
"""What a player may have stored: records, sandboxes, messages, notes. Without a confirmed address a tenth."""
