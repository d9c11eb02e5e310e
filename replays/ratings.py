"""Ratings: what a list of results in order makes of how well somebody plays.

A pure function of that list, by OpenSkill's Plackett-Luce model. After each game both numbers are whole millionths:
what a processor's last digit may do to an exponential is gone, and who computes them anew gets the very same.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from openskill.models import PlackettLuce

_Who = TypeVar("_Who", bound=Hashable)
_MEAN, _DEVIATION = 25.0, 25 / 3
# All that the model could otherwise choose by itself: another version of the library changes no rating unseen.
_MODEL = PlackettLuce(
    mu=_MEAN, sigma=_DEVIATION, beta=_DEVIATION / 2, kappa=0.0001, tau=_DEVIATION / 100, balance=False,
    limit_sigma=False,
)  # fmt: skip
_PARTS = 1_000_000
_POINTS = 60
"""Shown are so many points for one of the model: who begins has 1500, and may be off by 500."""
PROVISIONAL = 5 * _PARTS
"""Who may be off by more, 300 points, is not known well enough yet: it takes some twenty games."""


class Rating(NamedTuple):
    """How well somebody plays, and how far that may be off (one standard deviation), in millionths of the model's."""

    mu: int
    sigma: int

    @property
    def points(self) -> int:
        """What is shown of it."""
        return round(self.mu * _POINTS / _PARTS)

    @property
    def deviation(self) -> int:
        """How far that may be off."""
        return round(self.sigma * _POINTS / _PARTS)

    @property
    def provisional(self) -> bool:
        """Whether too little is known yet."""
        return self.sigma > PROVISIONAL


BEGINNER = Rating(round(_MEAN * _PARTS), round(_DEVIATION * _PARTS))
"""Of whom nothing is known."""


def after(known: Mapping[_Who, Rating], who: Sequence[_Who], places: Sequence[int]) -> dict[_Who, Rating]:
    """The ratings after a game of all who sat at its table, by seat; who is not `known` begins. `places` has 1 for the
    winner, the same for who share a place. Who has several seats gets the mean of what each brought. Raises
    `ValueError` where there are not as many places."""
    if len(who) != len(places):
        raise ValueError(f"{len(who)} players and {len(places)} places")
    before = [known.get(one, BEGINNER) for one in who]
    teams = [[_MODEL.rating(mu=one.mu / _PARTS, sigma=one.sigma / _PARTS)] for one in before]
    found = _MODEL.rate(teams, ranks=[float(place) for place in places])
    came: dict[_Who, list[Rating]] = {}
    for one, (rating,) in zip(who, found, strict=True):
        came.setdefault(one, []).append(Rating(round(rating.mu * _PARTS), round(rating.sigma * _PARTS)))
    return {
        one: Rating(sum(each.mu for each in all_) // len(all_), sum(each.sigma for each in all_) // len(all_))
        for one, all_ in came.items()
    }
