"""The end and scoring: rules.md §13, and the table values of §10."""

from functools import cache
from itertools import product
from typing import Any

import pytest

from server.engine.ulm1 import scoring
from server.engine.ulm2 import RULES
from tests.engine.positions import do, legal, position, refused

CATHEDRAL = [f"{kind}-{number}" for kind in ("nave", "choir", "steeple") for number in (1, 2, 3)]
COLORS = ["gray", "white", "brown", "turquoise", "orange"]
TRADE = ["fustian", "works_of_art", "commercial_goods"]


def finish(*seats: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """End the game in this position and return the scores. Barges lie on 12 (+1) unless given."""
    given = [{"barge": 12, "sparrows": 0, "coins": 0} | seat for seat in seats]
    last = len(seats) - 1
    state = do(position(len(seats), active=last, round_=10, seats=given, **more), "end")
    assert state.phase == "over"
    assert state.scores is not None
    return state.scores


def chronicle(card: str, seat: dict[str, Any], *others: dict[str, Any], **more: Any) -> int:
    """What one Chronicle card on the table of seat 0 is worth at the end."""
    seat = {"table": [card, *seat.pop("table", [])]} | seat
    return finish(seat, *(others or ({},)), **more)[0]["chronicle"][card]


def test_E1_the_game_ends_after_round_ten() -> None:
    """E1: after the last turn of round 10 nobody moves, and everything of the turn is empty (record.md §4)."""
    before = position(
        3,
        active=1,
        round_=10,
        start=2,
        tower="free_seal",
        activated="gray",
        credits_={"step": 2},
        levy_paid=True,
        swapped=True,
        exchanged=True,
        salvaged=True,
        slot="N1",
    )
    state = do(before, "end")
    data = state.to_dict()
    none = dict.fromkeys(COLORS, 0)
    assert data["turn"] == {
        "tiles": [], "slot": None, "activated": none, "credits": {"card": 0, "seal": 0, "seal_at_1": 0, "step": 0},
        "free_play": False, "swapped": False, "exchanged": False, "salvaged": False, "levy_paid": False,
        "patrician": False,
    }  # fmt: skip
    assert (data["active"], data["phase"], data["round"], data["start"], data["pending"]) == (None, "over", 10, 2, [])
    assert legal(state) == set()
    for seat in range(3):
        refused(state, "resign", "E1", "The game is over", seat=seat)
        refused(state, "end", "E1", "The game is over", seat=seat)
    # E1: the last round is played to its end.
    assert do(position(3, active=0, start=2, round_=10), "end").phase == "draw"
    assert do(position(3, active=1, start=2, round_=9), "end").round == 10


def test_B2_E2_E6_sparrows_count_hands_do_not_and_the_score_may_be_negative() -> None:
    """E2: 1 VP per sparrow."""
    assert [score["sparrows"] for score in finish({"sparrows": 7}, {})] == [7, 0]
    # B2: cards in hand at the end count nothing.
    score = finish({"hand": ["patrician", "nave-1", "nave-2", "fustian-gray"]}, {})[0]
    assert (score["cathedral"], score["trade"], score["chronicle"]) == (0, 0, {})
    # E6: VP and total may be negative.
    score = finish({"vp": -8, "barge": 1}, {})[0]
    assert (score["vp"], score["total"]) == (-8, -19)


@pytest.mark.parametrize("space", range(1, 23))
def test_E3_the_space_of_the_barge(space: int) -> None:
    """E3: by D1; E6: it may bring the total below 0."""
    score = finish({"barge": space, "vp": 2}, {})[0]
    assert score["barge"] == (space - 12 if space <= 11 else space - 11)
    assert score["total"] == 2 + score["barge"]


def test_E4_the_breakdown_adds_up() -> None:
    """E4, record.md §4: vp before the final scoring stays in the player; total is the sum of all parts."""
    table = ["nave-1", "choir-1", "steeple-2", "fustian-gray", "siege", "reformation", "patrician"]
    state = do(position(active=1, round_=10, seats=[{"table": table, "played": 9, "sparrows": 4, "barge": 14}]), "end")
    assert state.scores[0] == {
        "vp": 5, "sparrows": 4, "barge": 3, "cathedral": 18, "trade": 3,
        "chronicle": {"siege": 9, "reformation": 6, "patrician": 4}, "total": 5 + 4 + 3 + 18 + 3 + 19, "quarters": 0,
        "rank": 1,
    }  # fmt: skip
    assert state.players[0].vp == 5


@pytest.mark.parametrize("kinds", list(product(range(4), repeat=3)))
def test_B4_cathedral_cards_on_the_table(kinds: tuple[int, int, int]) -> None:
    """B4: 3 VP each, and 9 VP more for each complete set of the three."""
    table = [
        f"{name}-{number + 1}"
        for name, n in zip(("nave", "choir", "steeple"), kinds, strict=True)
        for number in range(n)
    ]
    assert scoring.cathedral_vp(RULES, tuple(table)) == 3 * sum(kinds) + 9 * min(kinds)


@cache
def best_division(counts: tuple[int, ...]) -> int:
    """The most VP that any division into sets brings, tried out set by set."""
    best = 0
    if min(counts) >= 1:
        best = 3 + best_division(tuple(sorted(n - 1 for n in counts)))
    for kind, n in enumerate(counts):
        if n >= 3:
            rest = tuple(sorted(n - 3 * (kind == other) for other, n in enumerate(counts)))
            best = max(best, 6 + best_division(rest))
    return best


@pytest.mark.parametrize("counts", list(product(range(6), repeat=3)))
def test_B5_trade_cards_on_the_table(counts: tuple[int, int, int]) -> None:
    """B5: 3 VP each; 6 more for three of a kind, 3 more for one of every kind; the best division counts."""
    table = tuple(f"{kind}-{COLORS[number]}" for kind, n in zip(TRADE, counts, strict=True) for number in range(n))
    assert scoring.trade_vp(RULES, table) == 3 * sum(counts) + best_division(tuple(sorted(counts)))


def test_B6_chronicle_cards_on_the_table() -> None:
    """B6: first_chronicle 2 VP per coat of arms owned, silver ones too."""
    assert chronicle("first_chronicle", {"coats": ["N1", "N2", "W3"]}) == 6
    assert chronicle("first_chronicle", {}) == 0
    # B6, E4: city_wall 2 VP per quarter where one has strictly the most seals; ties do not count.
    quarters = {"tillage": [0], "garden": [0, 1], "shipyard": [0, 1, 0, 2], "town_hall": [1, 1, 0], "oath_house": [1]}
    assert chronicle("city_wall", {}, {}, {}, quarters=quarters) == 4
    assert chronicle("city_wall", {}, {}, {}, quarters={"shipyard": [0, 0, 1, 1, 2]}) == 0
    state = position(quarters={**quarters, "garden": [0, 1, 1]}, players=3)
    assert [scoring.CHRONICLE_VP["city_wall"](state, seat) for seat in range(3)] == [4, 6, 0]
    # B6, D2: barges that share space 1 are not ahead; a resigned one that is ahead counts.
    assert chronicle("fisherman_jousting", {"barge": 1}, {"barge": 1}, {"barge": 1}) == 6
    assert chronicle("fisherman_jousting", {"barge": 1}, {"barge": 2, "resigned": True}, {"barge": 1}) == 3
    # B6: patrician 4 VP; reformation 2 VP per Cathedral card on one's own table.
    assert chronicle("patrician", {}) == 4
    table = ["nave-1", "nave-2", "choir-3", "fustian-gray"]
    assert chronicle("reformation", {"table": table, "hand": ["steeple-1"]}, {"table": ["steeple-2"]}) == 6
    # B6: siege 1 VP per card played, either way, itself included.
    seat = {"hand": ["nave-1", "construction_freeze", "siege"], "sparrows": 0}
    state = position(active=1, round_=10, credits_={"card": 2}, seats=[{}, seat])
    state = do(state, "play construction_freeze top", "play siege table", "play nave-1 table", "end")
    assert state.scores[1]["chronicle"] == {"siege": 3}
    # B6: swabian_league 2 VP per tile colour in one's supply.
    assert chronicle("swabian_league", {"tiles": "gray gray orange"}) == 4
    assert chronicle("swabian_league", {}) == 0


@pytest.mark.parametrize("coins", [0, 1, 5, 6, 7, 50])
def test_B6_table_construction_freeze(coins: int) -> None:
    """B6: construction_freeze 1 VP per coin, at most 6."""
    assert chronicle("construction_freeze", {"coins": coins}) == min(coins, 6)


@pytest.mark.parametrize(("ahead", "vp"), [([], 6), ([13], 3), ([13, 22], 0), ([13, 14, 15], 0)])
def test_B6_table_fisherman_jousting(ahead: list[int], vp: int) -> None:
    """B6: fisherman_jousting 6 VP if no barge is ahead, 3 VP if exactly one is."""
    barges = [*ahead, 11, 10, 9][:3]
    assert chronicle("fisherman_jousting", {}, *({"barge": barge} for barge in barges)) == vp


@pytest.mark.parametrize("sparrows", [0, 4, 5, 6])
def test_B6_table_ulm_sparrow(sparrows: int) -> None:
    """B6: ulm_sparrow 1 VP per sparrow, at most 5, besides the 1 VP each of E2."""
    score = finish({"table": ["ulm_sparrow"], "sparrows": sparrows}, {})[0]
    assert score["chronicle"] == {"ulm_sparrow": min(sparrows, 5)}
    assert score["sparrows"] == sparrows


def ranks(seats: list[tuple[int, int, bool]]) -> list[int]:
    """The ranks of seats with (vp, quarters, resigned)."""
    names = ["tillage", "garden", "shipyard", "town_hall", "oath_house"]
    quarters = {name: [seat for seat, (_, n, _) in enumerate(seats) if n > place] for place, name in enumerate(names)}
    given = [{"vp": vp, "resigned": resigned} for vp, _, resigned in seats]
    scores = finish(*given, quarters=quarters)
    assert [score["quarters"] for score in scores] == [n for _, n, _ in seats]
    assert scoring.winners(scores) == [seat for seat, score in enumerate(scores) if score["rank"] == 1]
    return [score["rank"] for score in scores]


@pytest.mark.parametrize(
    ("seats", "want"),
    [
        ([(9, 0, False), (8, 5, False)], [1, 2]),
        ([(9, 1, False), (9, 2, False)], [2, 1]),
        ([(9, 2, False), (9, 2, False)], [1, 1]),
        ([(9, 2, False), (9, 2, False), (8, 0, False)], [1, 1, 3]),
        ([(9, 2, False), (9, 1, False), (9, 2, False), (9, 1, False)], [1, 3, 1, 3]),
        ([(50, 5, True), (1, 0, False), (60, 5, True), (1, 0, False)], [4, 1, 3, 1]),
        ([(-3, 0, False), (50, 5, True), (-3, 1, False)], [2, 3, 1]),
        ([(9, 2, True), (9, 2, True), (0, 0, False)], [2, 2, 1]),
    ],
)
def test_E5_O3_ranks_and_ties(seats: list[tuple[int, int, bool]], want: list[int]) -> None:
    """E5, O3: most VP, then most quarters, then shared; those who resigned rank below all others by the same keys."""
    assert ranks(seats) == want


def test_E5_quarters_count_once_and_coat_seals_do_not() -> None:
    """E5: quarters with at least one own seal; several seals in one count once, coat seals lie in none."""
    scores = finish({"coats": ["N1", "N2"]}, {}, quarters={"tillage": [0, 0, 0], "garden": [1], "shipyard": [1]})
    assert [score["quarters"] for score in scores] == [1, 2]
