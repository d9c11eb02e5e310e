"""The disk of the database is full."""

from __future__ import annotations

import contextlib
import random
import resource
import time

from tests.chaos.fault import Fault
from tests.chaos.site import Site

SHORT = 128 << 10
"""Bytes beyond which no file of a process grows: less than the database has."""


class FullDisk(Fault):
    """Lets no file of one process of the site grow for a while. Of an SQLite file: a server of PostgreSQL writes by
    itself, and would need a disk of its own."""

    weight = 2
    stops = True

    def fits(self, site: Site) -> bool:
        return site.database.cluster is None

    def strike(self, site: Site, rng: random.Random) -> None:
        member = rng.choice(site.members)
        running = member.process
        if running is None:
            return
        with contextlib.suppress(OSError, ValueError):
            old = resource.prlimit(running.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (SHORT, old[1]))
            self.struck += 1
            self.befell = member.name
            time.sleep(rng.uniform(0.1, 0.5))
            resource.prlimit(running.pid, resource.RLIMIT_FSIZE, old)
