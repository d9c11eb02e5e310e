"""How much of incoming mail is looked at: every number in one place.

The first are about one mail, the next about how many of them; the rest is of the doors.
"""

from __future__ import annotations

from datetime import timedelta

SIZE = 10_000_000
"""The largest mail in bytes: room for an answer below whose quotation lie pictures."""
HEADER = 200_000
"""The longest header in bytes."""
HEADER_LINES = 2000
"""The most lines of a header."""
FIELD = 2000
"""So many letters are read of a field of a header; what Python makes of parameters costs it the square of them."""
LONG_FIELD = 20_000
"""So many of one that lists what there may be many of: recipients, the mails before it."""
REPORT = 400_000
"""So much of a report of non-delivery is read: what happened comes before the mail that it happened to."""
REPORT_LINES = 5000
"""So many lines of it."""
TEXT = 600_000
"""Bytes of one part's text: what a person writes comes early, and the quotation after it may go on."""
TEXT_PARTS = 100
"""Parts of a mail with an answer."""
PART_DEPTH = 12
"""Levels of parts in it."""
PART_HEADER = 8000
"""Bytes of a part's header."""
PARTS = 200
"""A report that announces more boundaries is not read."""
RECIPIENTS = 10
"""Addresses of ours in one mail; what it says to more of them is not read."""

PER_TOKEN = {timedelta(hours=1): 20, timedelta(days=1): 60}
"""Mails to one address of a turn or a table. A turn takes three, with some questions."""
PER_PLAYER = {timedelta(hours=1): 120, timedelta(days=1): 600}
"""Mails to all addresses of one player."""
SEARCHED = 60
"""Reports within an hour in which no token can be seen at once, and which are searched for one. Anybody may send them.
"""

TRIES = 5
"""Who has failed so often at one mail by a mistake of this program does not try it again."""
CONNECTIONS = 20
"""Connections to the LMTP listener at once."""
SECONDS = 300
"""How long a mail server may take for a command, and for the whole text of one mail."""
WORKERS = 4
"""Mails that the listener works on at once."""
POLLED = 200
"""Mails that are taken out of a mailbox in one go."""
