"""Whose fault is it? What each answer of a mail server, and each lost connection, means: the table of docs/mail.md. An
enhanced status code (RFC 3463) counts more than the three digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, IntEnum

from server.service.outbox import mail_status


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
    STOP = "stop"  # the same, and no mail is sent to this address any more
    GIVE_UP = "give up"  # this mail is never taken


class DeliveryError(Exception):
    """A mail was not taken, in words for the operator. `ours`: the fault is on this side, mail server included;
    `offered`: it was about a mail, if only about its sender or size."""

    def __init__(self, message: str, verdict: Verdict, ours: bool = True, offered: bool = False) -> None:
        super().__init__(message)
        self.verdict, self.ours, self.offered = verdict, ours, offered

    @property
    def lost(self) -> bool:
        """Whether the connection is of no more use: what went wrong is not about one mail alone."""
        return self.verdict in (Verdict.PAUSE, Verdict.SUSPECT)


class Stage(IntEnum):
    """How far a conversation with a mail server has come."""

    CONNECT = 0  # the connection, and the greeting
    EHLO = 1
    STARTTLS = 2
    AUTH = 3
    MAIL = 4
    RCPT = 5
    DATA = 6  # the command, and its 354
    TEXT = 7  # the mail itself, up to the dot at its end
    DOT = 8  # after the dot: the answer to the mail

    @property
    def words(self) -> str:
        """For operators."""
        return _WORDS[self]


_WORDS = {
    Stage.CONNECT: "at the greeting",
    Stage.EHLO: "to EHLO",
    Stage.STARTTLS: "to STARTTLS",
    Stage.AUTH: "to the login",
    Stage.MAIL: "to the sender",
    Stage.RCPT: "to the recipient",
    Stage.DATA: "to DATA",
    Stage.TEXT: "in the midst of the mail",
    Stage.DOT: "to the mail",
}
_PERSONAL = (Stage.RCPT, Stage.DATA, Stage.DOT)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table: fits where all that is given fits. Patterns have to match the whole but `words`."""

    stages: tuple[Stage, ...]
    verdict: Verdict
    code: str = r"\d+"
    status: str | None = None
    """Of the enhanced status code; None: whatever it is, and where there is none. Empty: there is none."""
    words: str = ""  # somewhere in the answer, in whatever case
    meaning: mail_status.Meaning | None = None  # of the words
    theirs: bool = False  # it is this mail's or its reader's alone, and nothing to keep others waiting for


RULES = (
    Rule((Stage.CONNECT, Stage.EHLO, Stage.STARTTLS, Stage.AUTH), Verdict.PAUSE),
    Rule((Stage.MAIL,), Verdict.PAUSE, code="421"),
    Rule(_PERSONAL, Verdict.SUSPECT, code="421"),
    # The mail's own: too large, or an address that this server cannot carry.
    Rule((Stage.MAIL, *_PERSONAL), Verdict.GIVE_UP, code=r"5\d\d", status=r"5\.(3\.4|2\.3|6\.7)"),
    Rule((Stage.MAIL, Stage.DOT), Verdict.GIVE_UP, code="552", status=""),
    Rule((Stage.MAIL,), Verdict.PAUSE),
    # The words count more than the code: nobody is there, we are not liked, not now.
    Rule((Stage.RCPT,), Verdict.STOP, code=r"5\d\d", meaning="nobody", theirs=True),
    Rule((Stage.RCPT, Stage.DATA), Verdict.SUSPECT, code=r"5\d\d", meaning="us"),
    Rule((Stage.DOT,), Verdict.GIVE_UP, code=r"5\d\d", meaning="us", theirs=True),
    Rule(_PERSONAL, Verdict.LATER, code=r"5\d\d", status=r"5\.[124]\.\d+|", meaning="now", theirs=True),
    # The server is out of order, does not understand us, or wants nothing to do with this sender.
    Rule(_PERSONAL, Verdict.SUSPECT, status=r"[45]\.3\.\d+|5\.1\.[78]|5\.5\.[0-24-9]\d*"),
    Rule((Stage.RCPT, Stage.DATA), Verdict.SUSPECT, code=r"5\d\d", status=r"5\.7\.\d+"),
    Rule((Stage.RCPT, Stage.DATA), Verdict.SUSPECT, code=r"50[0234]|53\d", status=""),
    Rule((Stage.RCPT, Stage.DATA), Verdict.SUSPECT, code=r"5\d\d", status="", words="relay|authenti[cf]"),
    # "451 Temporary local problem" (Exim), "451 Requested action aborted: local error in processing" (RFC 5321).
    Rule(_PERSONAL, Verdict.SUSPECT, code="451", status="", words=r"\blocal (problem|error|configuration)"),
    # A full mailbox may be emptied.
    Rule(_PERSONAL, Verdict.LATER, status=r"[45]\.2\.2", theirs=True),
    Rule((Stage.RCPT,), Verdict.LATER, code="552", status="", theirs=True),
    # Nobody of that name, moved, shut, no way there.
    Rule(_PERSONAL, Verdict.STOP, code=r"5\d\d", status=r"5\.[124]\.\d+", theirs=True),
    Rule((Stage.RCPT,), Verdict.STOP, code=r"5\d\d", theirs=True),
    # What it says is not liked: spam, a virus, a policy. Another mail may be.
    Rule((Stage.DOT,), Verdict.GIVE_UP, code=r"5\d\d", status=r"5\.[67]\.\d+", theirs=True),
    Rule((Stage.DATA,), Verdict.SUSPECT, code=r"5\d\d"),
    Rule((Stage.DOT,), Verdict.REFUSED, code=r"5\d\d", theirs=True),
    # Greylisting and everything else that is so for now.
    Rule(_PERSONAL, Verdict.LATER, code=r"4\d\d", theirs=True),
    # No answer that a mail server gives.
    Rule(_PERSONAL, Verdict.SUSPECT, code=r"-?\d+"),
)


def of_reply(stage: Stage, code: int, words: str) -> DeliveryError:
    """The error that a refusing answer is, with its verdict."""
    status = mail_status.find(words[:20])
    message = f"the mail server answered {stage.words}: {code} {words}"
    said = mail_status.meaning(words)
    for rule in RULES:
        if (
            stage in rule.stages
            and re.fullmatch(rule.code, str(code))
            and (rule.status is None or re.fullmatch(rule.status, status))
            and re.search(rule.words, words, re.IGNORECASE)
            and rule.meaning in (None, said)
        ):
            return DeliveryError(message, rule.verdict, not rule.theirs, offered=stage >= Stage.MAIL)
    return DeliveryError(message, Verdict.PAUSE)  # a code without digits, before anybody was named


def of_loss(stage: Stage, why: str) -> DeliveryError:
    """The error that a lost or silent connection is: whether the server has the mail, nobody knows after the dot."""
    if stage is Stage.DOT:
        return DeliveryError(f"the connection was lost when the mail was sent: {why}", Verdict.LATER, offered=True)
    verdict = Verdict.PAUSE if stage <= Stage.MAIL else Verdict.SUSPECT
    return DeliveryError(
        f"the connection to the mail server was lost {stage.words}: {why}",
        verdict,
        offered=stage >= Stage.MAIL,
    )
