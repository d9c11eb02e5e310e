"""kill -9."""

from __future__ import annotations

import random

from tests.chaos.fault import Fault
from tests.chaos.site import Site


class KillProcess(Fault):
    """Kills a process of the site, whichever: web, worker, or one that is just starting. The first web process lives
    on, so that its memory can be looked at."""

    weight = 12
    stops = True

    def strike(self, site: Site, rng: random.Random) -> None:
        member = rng.choice(site.members[1:])
        if member.kill():
            self.struck += 1
            self.befell = member.name
