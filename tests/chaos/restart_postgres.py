"""The database server dies and comes back."""

from __future__ import annotations

import random

from tests.chaos.fault import Fault
from tests.chaos.site import Site


class RestartPostgres(Fault):
    """Ends PostgreSQL at once, as a kill would, or by cutting off whoever is connected, and starts it again."""

    weight = 1
    stops = True

    def fits(self, site: Site) -> bool:
        return site.database.cluster is not None

    def strike(self, site: Site, rng: random.Random) -> None:
        cluster = site.database.cluster
        assert cluster is not None
        cluster.stop(rng.choice(["immediate", "fast"]))
        cluster.start()
        self.struck += 1
