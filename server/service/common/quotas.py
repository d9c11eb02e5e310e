"""Every quota that one caller or player has, at one sight.

Requests are counted by `routes/request_limits.py` in memory; `ULM_LIMITS_PERCENT` makes these and what a player may
have larger or smaller. What costs others is counted in the database by `db_rate_limits.py`. Counts are of a player, or
of the network that a stranger comes from; a network's players together may do some times as much."""

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
TOURNAMENTS = 3
"""Tournaments that one player organises and that are not over."""
TOURNAMENT_BOTS = 8
"""Bots of the house that enter one of these."""
RECORDS_PER_PLAYER = 200
"""Outside records that are kept for a player."""
BYTES_PER_PLAYER = 20_000_000
"""What a player may have stored: records, sandboxes, messages, notes. Without a confirmed address a tenth."""

# By db_rate_limits.py.

BOTS_A_DAY = 20
"""How many an account may make in a day, those included that it deleted again."""
CONFIRMATIONS_A_DAY = 5
"""So many mails that ask for confirmation go to one address a day for one account."""
ASKED_ADDRESS_A_DAY = 12
"""The same for all accounts together, whoever gives it as theirs; so many of them lie in its mailbox then."""
CONFIRMATION_TRIES_A_DAY = 4 * ASKED_ADDRESS_A_DAY
"""The same with those that never left."""
ADDRESSES_A_DAY = 10
"""So often may one account change its address: each time a mail goes out."""
SIGN_INS_AN_HOUR = 3
"""Sign-in mails to one address that one network asks for."""
SIGN_INS_OF_ADDRESS_AN_HOUR = 10
"""The same from all networks. Each link works for an hour, so a mailbox that gets no more has one that does."""
SIGN_IN_ASKS_AN_HOUR = 100
"""Requests for sign-in mails from one machine."""
TOKENS_A_DAY = 100
"""So many tokens a player makes in a day: each may cost a mail."""
CHANNELS_A_DAY = 20
"""Browsers and webhooks that a player adds in a day: each is sent a trial."""
ANSWERS_AN_HOUR = 60
"""Answers of one player. What comes beyond is noted, and not looked at."""
MESSAGES_AN_HOUR = 20
"""Messages of one player in one game."""
COMMENTS_AN_HOUR = 20
"""Comments of one player, on whatever games."""
COMMENTS_OF_GAME = 500
COLLECTIONS_PER_PLAYER = 50
ENTRIES_OF_COLLECTION = 30
"""As one file they are some megabytes, and as many seconds of work."""
TABLE_EVENTS_AN_HOUR = 60
"""Joins, pauses and their like that are noted among the messages of one game."""
PROPOSALS_A_DAY = 10
"""What one player proposes to the others of one game: each is a mail to all of them."""
STRANGER_MAILS_A_DAY = 60
"""Mails to people who may not have asked for any, by network (an IPv6 /48: `networks.WIDER` times as many)."""
STRANGER_MAILS_AN_HOUR = 200
"""So many by everybody together, unless the operator says otherwise (`ULM_STRANGER_MAILS_PER_HOUR`)."""
STRANGER_MAILS_PART = 8
"""One network has this part of what is left of them, and a /48 of IPv6 is one network here."""
STRANGER_MAILS_LEAST = 3
"""But so many in any case, as long as there are any."""
INVITATIONS_A_DAY = 20
"""Invitations by one player."""
INVITATIONS_OF_GUEST_A_DAY = 3
"""The same by an account without a confirmed address: enough to fill a table. Such accounts cost nothing, and what they
are called and call their games would be written to anybody."""
INVITATIONS_TO_ADDRESS_A_DAY = 3
"""Invitations to one mailbox, whoever invites."""
INVITED_TO_GAME = 12
"""Addresses invited to one game."""
TURN_LINKS_AN_HOUR = 3
"""Mails with the link of a present turn, by game and player."""
TURN_LINK_ASKS_AN_HOUR = 30
"""Requests for such mails from one machine."""
