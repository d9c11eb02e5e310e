"""kill -9."""

from __future__ import annotations

import random

from tests.chaos.fault import Fault
from tests.chaos.site import Site


class KillProcess(Fault):
    """Kills a process of the site, whichever: web, worker, or one that is just starting. The first web process lives
    on, so that its memory can be looked at."""

    weight = 12

    def strike(self, site: Site, rng: random.Random) -> None:
        if rng.choice(site.members[1:]).kill():
            self.struck += 1
