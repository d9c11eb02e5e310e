"""kill -9 of one process of several."""

from __future__ import annotations

import contextlib
import os
import random
import signal

from tests.chaos.fault import Fault
from tests.chaos.site import Site


class KillChild(Fault):
    """Kills one of the processes that a web process has started, which has to start another; the rest answer
    meanwhile."""

    weight = 4
    stops = True

    def strike(self, site: Site, rng: random.Random) -> None:
        having = [(member, child) for member in site.members if member.ready.is_set() for child in member.children()]
        if having:
            member, child = rng.choice(having)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
                self.struck += 1
                self.befell = member.name
