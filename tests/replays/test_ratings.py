"""Ratings: a function of results in their order, in whole numbers."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.ratings import BEGINNER, Rating, after

TABLES = st.integers(2, 4).flatmap(lambda size: st.lists(st.integers(1, size), min_size=size, max_size=size))


def test_who_begins_has_1500_and_may_be_off_by_500():
    assert (BEGINNER.points, BEGINNER.deviation, BEGINNER.provisional) == (1500, 500, True)


def table(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    found = after(dict(enumerate(before)), range(len(before)), places)
    return [found[seat] for seat in range(len(before))]


def test_these_results_give_these_ratings_for_ever():
    """To the last digit, whatever the processor or the library's next version does."""
    assert table([BEGINNER] * 2, [1, 2]) == [Rating(27635389, 8065901), Rating(22364611, 8065901)]
    assert table([BEGINNER, Rating(30_000_000, 2_000_000), BEGINNER], [2, 1, 2]) == [
        Rating(23550205, 7919072), Rating(30167290, 2001018), Rating(23550205, 7919072),
    ]  # fmt: skip


@given(TABLES)
def test_who_is_in_a_better_place_has_no_less_and_all_are_known_better(places):
    found = table([BEGINNER] * len(places), places)
    by_place = [one.mu for _place, one in sorted(zip(places, found, strict=True), key=lambda pair: pair[0])]
    assert by_place == sorted(by_place, reverse=True)
    assert all(one.sigma < BEGINNER.sigma for one in found)


@given(TABLES, st.randoms())
def test_the_order_of_seats_does_not_matter(places, rng):
    before = [Rating(rng.randrange(10**7, 4 * 10**7), rng.randrange(10**6, 8 * 10**6)) for _ in places]
    order = rng.sample(range(len(places)), len(places))
    found = table(before, places)
    turned = table([before[seat] for seat in order], [places[seat] for seat in order])
    for place, seat in enumerate(order):
        assert turned[place].mu == pytest.approx(found[seat].mu, abs=1)
        assert turned[place].sigma == pytest.approx(found[seat].sigma, abs=1)


def test_who_has_several_seats_gets_the_mean_of_what_each_brought():
    each = table([BEGINNER] * 3, [1, 2, 3])
    found = after({}, ["Ann", "bot", "bot"], [1, 2, 3])
    assert found["Ann"] == each[0]
    assert found["bot"] == Rating((each[1].mu + each[2].mu) // 2, (each[1].sigma + each[2].sigma) // 2)


def test_as_many_places_as_players():
    with pytest.raises(ValueError, match="2 players and 3 places"):
        table([BEGINNER] * 2, [1, 2, 3])
