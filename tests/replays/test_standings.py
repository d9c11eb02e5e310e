"""Who meets whom in a tournament, and the table that follows from its games."""

import json
import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays import pairing
from replays.standings import Played, Sat, going_on, next_season, standings
from tests.replays.conftest import GAMES, game, good

fields = st.tuples(st.integers(2, 24), st.integers(2, 4)).filter(lambda both: both[0] >= both[1])


def rounds_of(kind, entrants, seats, number, chance=None):
    """So many rounds, with places at random between them."""
    order, played = list(range(1, entrants + 1)), []
    for _ in range(number):
        if chance is not None:
            chance.shuffle(order)
        played.append(pairing.pair(kind, seats, order, played))
    return played


def meetings(played):
    return Counter(two for tables in played for table in tables for two in combinations(sorted(filter(None, table)), 2))


@settings(deadline=None, max_examples=30)
@given(fields, st.sampled_from(["swiss", "round-robin"]), st.randoms(use_true_random=False))
def test_all_sit_once_in_each_round_and_bots_fill_the_tables(field, kind, chance):
    entrants, seats = field
    played = rounds_of(kind, entrants, seats, min(4, pairing.usual_rounds(kind, entrants, seats)), chance)
    for tables in played:
        assert all(len(table) == seats and any(table) for table in tables)
        assert sorted(one for table in tables for one in table if one) == list(range(1, entrants + 1))
        assert sum(table.count(None) for table in tables) < seats
    sat = Counter((one, seat) for tables in played for table in tables for seat, one in enumerate(table) if one)
    assert max(sat.values()) <= len(played) - (len(played) > 2)  # nobody is always on the same seat


@given(st.integers(2, 31))
def test_in_a_round_robin_for_two_all_meet_once(entrants):
    met = meetings(rounds_of("round-robin", entrants, 2, pairing.usual_rounds("round-robin", entrants, 2)))
    assert met == Counter(combinations(range(1, entrants + 1), 2))


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds", "most"), [(8, 4, 7, 4), (9, 3, 4, 2), (16, 4, 5, 2), (12, 3, 11, 3)]
)
def test_in_a_round_robin_of_larger_tables_all_meet_about_as_often(entrants, seats, rounds, most):
    met = meetings(rounds_of("round-robin", entrants, seats, rounds))
    assert max(met.values()) <= most
    assert len(met) >= 0.9 * entrants * (entrants - 1) / 2


@settings(deadline=None, max_examples=15)
@given(st.integers(4, 32), st.randoms(use_true_random=False))
def test_swiss_tables_of_two_have_no_rematch_while_half_are_unmet(entrants, chance):
    played = rounds_of("swiss", entrants, 2, entrants // 2, chance)
    assert max(meetings(played).values()) == 1
    alone = Counter(one for tables in played for table in tables if None in table for one in table if one)
    assert max(alone.values(), default=1) == 1


def test_swiss_tables_are_of_neighbours():
    assert pairing.pair("swiss", 4, [5, 3, 8, 1, 2, 7, 6, 4], []) == [(5, 3, 8, 1), (2, 7, 6, 4)]
    tables = pairing.pair("swiss", 2, [1, 2, 3, 4], [[(1, 2), (3, 4)]])
    assert sorted(map(sorted, tables)) == [[1, 3], [2, 4]]


@settings(deadline=None, max_examples=30)
@given(fields, st.randoms(use_true_random=False))
def test_a_knock_out_ends_with_one_table(field, chance):
    entrants, seats = field
    order, played = list(range(1, entrants + 1)), []
    games = []
    while order:
        tables = pairing.pair("knock-out", seats, order, played)
        played.append(tables)
        for table in tables:
            ranks = chance.sample(range(1, seats + 1), seats)
            sats = [Sat(one, 30 - rank, rank, False) for one, rank in zip(table, ranks, strict=True)]
            games.append(Played(len(played), f"deal {len(played)}", sats))
        lines = standings([one for one in games if one.round == len(played)])
        before, order = order, going_on([line.entrant for line in lines], tables, seats)
        winners = {next((line.entrant for line in lines if line.entrant in table), None) for table in tables}
        assert not order or {one for one in winners if one} <= set(order) <= set(before)
        assert len(order) < len(before) or not order
    assert len(played) == pairing.usual_rounds("knock-out", entrants, seats)
    first = standings(games, knock_out=True)[0]
    assert first.entrant in played[-1][0]
    assert first.entrant == standings([games[-1]])[0].entrant


def evening(*tables, deal="one"):
    """Games of one deal by totals, of entrants 1, 2, 3, … by table and seat."""
    numbers = iter(range(1, 99))
    return [
        Played(1, deal, [Sat(next(numbers), one, 1 + sum(other > one for other in table), False) for one in table])
        for table in tables
    ]


def test_points_are_won_at_the_table_and_duplicate_points_against_the_same_seat():
    lines = standings(evening((40, 30), (50, 35), (40, 40)))
    assert [(line.place, line.entrant, tuple(line.measure)) for line in lines] == [
        (1, 3, (2, 4, 15)),
        (2, 1, (2, 1, 10)),
        (3, 6, (1, 4, 0)),
        (4, 5, (1, 1, 0)),
        (5, 4, (0, 2, -15)),
        (6, 2, (0, 0, -10)),
    ]


def test_who_resigns_gains_nothing_and_who_is_left_alone_is_compared_with_nobody():
    whole, other = evening((40, 30), (50, 35))
    gone = Played(1, "one", [Sat(5, 6, 1, False), Sat(6, 90, 2, True)])
    found = {line.entrant: line.measure for line in standings([whole, other, gone])}
    assert found[5] == (2, 2, 0)  # a tie with each
    assert found[6] == (0, 0, 0)
    assert (found[1], found[3]) == ((2, 1, 10), (2, 3, 15))
    assert (found[2], found[4]) == ((0, 2, -10), (0, 4, -15))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.lists(st.integers(0, 60), min_size=3, max_size=3), min_size=1, max_size=6), st.randoms())
def test_the_order_of_the_records_does_not_matter(tables, chance):
    games = evening(*tables) + evening(*tables[::-1], deal="two")
    mixed = random.Random(chance.random()).sample(games, len(games))
    assert standings(mixed) == standings(games)
    assert sum(line.measure.points for line in standings(games)) == 6 * len(games)
    assert sum(line.measure.margin for line in standings(games)) == 0


def test_a_season_follows_from_the_last():
    assert next_season([[1, 2, 3, 4], [5, 6, 7, 8]], 4) == [[1, 2, 3, 5], [4, 6, 7, 8]]
    assert next_season([[1, 2, 3, 4, 5, 6, 7]], 4) == [[1, 2, 3, 4], [5, 6, 7]]
    assert next_season([[1, 2, 3, 4, 5]], 4) == [[1, 2, 3, 4, 5]]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(2, 8))
def test_a_season_has_all_of_the_last_and_whoever_wins_a_division_goes_no_further_down(sizes, size):
    numbers = iter(range(1, 99))
    divisions = [[next(numbers) for _ in range(one)] for one in sizes]
    found = next_season(divisions, size)
    assert sorted(one for division in found for one in division) == list(range(1, sum(sizes) + 1))
    assert all(len(one) == size for one in found[:-1])
    assert len(found) == 1 or len(found[-1]) >= size / 2
    order = [one for division in found for one in division]
    for above, below in pairwise(divisions):
        assert len(above) < 2 or len(below) < 2 or order.index(below[0]) < order.index(above[-1])


def test_the_table_of_records(save):
    """Records of two rulesets; those that say of which tournament they are go by number."""
    second = json.loads((GAMES.parent / "ulm2" / "games" / "vector-01.ulm.json").read_text("utf-8"))
    for number, record in enumerate((first := game(1), second), 1):
        entrants = [3, 1, None, 2][: len(record["players"])]
        record["id"] = f"game{number}"
        record["tournament"] = {"id": "one", "kind": "swiss", "round": number, "entrants": entrants}
    assert {first["ruleset"], second["ruleset"]} == {"ulm/1", "ulm/2"}
    paths = save(first, "1.json"), save(second, "2.json")
    printed = good("standings", *paths, paths[0], "--json")  # one that is given twice counts once
    lines = [json.loads(line) for line in printed.splitlines()]
    assert {line["entrant"] for line in lines} == {1, 3} | {2} & {*second["tournament"]["entrants"]}
    points = [
        sum(2 for other in one["result"]["scores"] if other["rank"] > one["result"]["scores"][1]["rank"])
        for one in (first, second)
    ]
    assert next(line["points"] for line in lines if line["entrant"] == 1) == sum(points)
    first["tournament"]["id"] = "other"
    good("standings", save(first, "1.json"), paths[1], code=2)
    first["tournament"]["entrants"] = [1]
    good("standings", save(first, "1.json"), paths[1], code=1)
