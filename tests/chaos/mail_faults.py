"""The mail server does what mail servers do."""

from __future__ import annotations

import random

from tests.chaos.fault import Fault
from tests.chaos.site import Site

WAYS = (
    "at CONNECT close",
    "at DOT*3 silence",
    "at RCPT*5 451 4.3.0 not now",
    "at MAIL 421 4.3.2 going down",
    "at DOT*3 keep and close",
    "at DATA*3 close",
    "at DOT*3 554 5.3.0 it failed",
    "keep",
    "keep",
    "keep",
)


class MailFaults(Fault):
    """Hangs, refuses, breaks off, or takes a mail and dies before it says so; and now and then does what it should."""

    weight = 4

    def strike(self, site: Site, rng: random.Random) -> None:
        way = rng.choice(WAYS)
        site.sink.behave(way)
        self.struck += way != "keep"

    def heal(self, site: Site) -> None:
        site.sink.behave("keep")
