"""How much of incoming mail is looked at: every number in one place."""

from __future__ import annotations

from datetime import timedelta

SIZE = 10_000_000  # the largest mail in bytes: room for an answer below whose quotation lie pictures
HEADER = 200_000  # the longest header in bytes
HEADER_LINES = 2000  # the most lines of a header
FIELD = 2000  # letters of a field of a header; parameters cost Python the square of their length
LONG_FIELD = 20_000  # of one that lists recipients, or the mails before it
REPORT = 400_000  # bytes of a report: what happened comes before the mail that it happened to
REPORT_LINES = 5000  # lines of it
TEXT = 600_000  # bytes of one part's text: what a person writes comes before the quotation
TEXT_PARTS = 100  # parts of a mail with an answer
PART_DEPTH = 12  # levels of parts in it
PART_HEADER = 8000  # bytes of a part's header
PARTS = 200  # a report that announces more boundaries is not read
RECIPIENTS = 10  # addresses of ours in one mail; what it says to more of them is not read

PER_TOKEN = {timedelta(hours=1): 20, timedelta(days=1): 60}  # mails to one address; a turn takes about three
PER_PLAYER = {timedelta(hours=1): 120, timedelta(days=1): 600}  # mails to all addresses of one player
SEARCHED = 60  # reports within an hour that are searched for a token that cannot be seen at once

TRIES = 5  # who has failed so often at one mail by a mistake of this program does not try it again
CONNECTIONS = 20  # connections to the LMTP listener at once
SECONDS = 300  # how long a mail server may take for a command, and for the whole text of one mail
WORKERS = 4  # mails that the listener works on at once
POLLED = 200  # mails that are taken out of a mailbox in one go
