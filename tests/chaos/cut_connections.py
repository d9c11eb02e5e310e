"""Connections break in the midst of an answer."""

from __future__ import annotations

import random

from tests.chaos.fault import Fault
from tests.chaos.site import Site


class CutConnections(Fault):
    """Lets the proxy pass on some bytes of the next answers, streams among them, and then reset the connection."""

    weight = 5

    def strike(self, site: Site, rng: random.Random) -> None:
        rng.choice(site.proxies).cut = rng.randint(1, 6)
        self.struck += 1

    def heal(self, site: Site) -> None:
        for proxy in site.proxies:
            proxy.cut = 0
