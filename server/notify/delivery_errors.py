"""What can go wrong when a mail is handed over, and what follows from it."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """What delivery does about a failure, and whose fault it is taken for."""

    PAUSE = "pause"
    """Before anybody was named: the mail server's fault or ours. Nothing is sent for a while, no notice is blamed."""
    SUSPECT = "suspect"
    """It looks like the mail server's fault or ours, but was seen when somebody was named. The next mail tells: when
    that is taken it was this one's own, and counts as a try."""
    LATER = "later"
    """This mail is tried again, `ULM_MAIL_TRIES` times in all."""
    GIVE_UP = "give up"
    """This mail is never taken, another to the same address may be."""
    STOP = "stop"
    """This address takes no mail: none is sent there any more."""


class DeliveryError(Exception):
    """A mail was not taken. The message is for the operator: it may quote the mail server.

    `ours` tells whether the fault is on this side (mail server included) rather than its reader's, `contents` whether
    it may lie in what the mail says, `offered` that it was about a mail, if only about its sender or size.
    """

    def __init__(
        self,
        message: str,
        verdict: Verdict,
        ours: bool = True,
        contents: bool = False,
        offered: bool = False,
    ) -> None:
        super().__init__(message)
        self.verdict, self.ours, self.contents, self.offered = verdict, ours, contents, offered
