"""The wall clock of the machine jumps."""

from __future__ import annotations

import random

from tests.chaos.fault import Fault
from tests.chaos.site import Site

HOUR = 3600


class JumpClock(Fault):
    """Sets the clock of all processes of the site, those that run as well: seconds, an hour or two days, forward, back,
    or to where it should be. By time-machine, inside the processes; PostgreSQL's own clock stays, and so do monotonic
    ones."""

    weight = 2

    def strike(self, site: Site, rng: random.Random) -> None:
        by = rng.choice([0, 0, 30, -30, HOUR, -HOUR, 48 * HOUR, -48 * HOUR])
        _set(site, by)
        self.struck += by != 0

    def heal(self, site: Site) -> None:
        _set(site, 0)


def _set(site: Site, by: int) -> None:
    part = site.clock.with_suffix(".part")
    part.write_text(str(by), "ascii")
    part.rename(site.clock)
