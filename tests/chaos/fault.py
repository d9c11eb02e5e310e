"""What a fault is."""

from __future__ import annotations

import random
from typing import ClassVar

from tests.chaos.site import Site


class Fault:
    """Something that goes wrong again and again. `struck` counts how often it did."""

    weight: ClassVar[int] = 1
    """How often, beside the others."""
    stops: ClassVar[bool] = False
    """Whether a process that it befalls is not ready for it."""

    def __init__(self) -> None:
        self.struck = 0
        self.befell = ""
        """The process that it struck last; empty: all."""

        self.wrong: list[str] = []
        """What should not have happened meanwhile."""

    def fits(self, site: Site) -> bool:
        """Whether it can befall this site."""
        return True

    def strike(self, site: Site, rng: random.Random) -> None:
        """Let it happen once."""
        raise NotImplementedError

    def heal(self, site: Site) -> None:
        """Let it be over."""

    def figures(self) -> dict[str, object]:
        """What more there is to tell of it."""
        return {}
