"""What becomes of a mail that came in, as every door is told it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from server.service.outbox.received_mail import Result

NOT_FOR_US = "not for us"
GAVE_UP = "gave up"
"""What is dropped for one of these stays in a mailbox, for people to look at."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`done`: it did what it could, durably. `dropped`: on purpose, and `why` says the reason. `again`: it cannot be
    done now; whoever brought it keeps it and comes back. `why` holds no word of the mail."""

    result: Result
    why: str = ""


class Receive(Protocol):
    """`receiving.receive` with everything bound that is not of the mail."""

    def __call__(self, data: bytes, recipients: Sequence[str], sender: str | None) -> Outcome:
        """Do what a mail asks for. Raises nothing.

        `recipients` are the envelope's (empty: the header tells them), `sender` is the envelope's: empty for the null
        sender, None where only the header tells it.
        """


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """What to say of a mail to several addresses at once: again if any is, for the others are done but once."""
    for result in ("again", "done"):
        for one in outcomes:
            if one.result == result:
                return one
    return outcomes[0]
