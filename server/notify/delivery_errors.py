"""What can go wrong when a mail is handed over, and what follows from it."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """What delivery does about a failure, and whose fault it is taken for."""

    PAUSE = "pause"
    """Before anybody was named: the mail server's fault or ours. Nothing is sent for a while, no mail is blamed."""
    SUSPECT = "suspect"
    """As `LATER`, over a new connection: it looks like the mail server's fault or ours, but somebody was named."""
    LATER = "later"
    """This mail is tried again. A try counts where mail to somebody else was taken since the one before, and
    `Settings.mail_tries` of those are all."""
    REFUSED = "refused"
    """This mail is not taken: when that is said once more, after mail to somebody else was taken, it is given up."""
    STOP = "stop"
    """The same, and no mail is sent to this address any more."""
    GIVE_UP = "give up"
    """This mail is never taken."""


class DeliveryError(Exception):
    """A mail was not taken. The message is for the operator: it may quote the mail server.

    `ours` tells whether the fault is on this side (mail server included) rather than its reader's, `offered` that it
    was about a mail, if only about its sender or size.
    """

    def __init__(self, message: str, verdict: Verdict, ours: bool = True, offered: bool = False) -> None:
        super().__init__(message)
        self.verdict, self.ours, self.offered = verdict, ours, offered
