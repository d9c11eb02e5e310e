"""The Danube: rules.md §6."""

import pytest

from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm2 import RULES
from tests.engine.positions import BESIDE, do, docks, kinds, legal, one, position, refused, tiles


def test_D1_spaces_and_their_value() -> None:
    """D1: 22 spaces; up to 11 worth s - 12, from 12 on s - 11; no space is worth 0."""
    assert list(RULES.space_value[1:]) == [*range(-11, 0), *range(1, 12)]


@pytest.mark.parametrize(
    ("barges", "space"),
    [
        ([1, 1, 1], 2), ([1, 2, 1], 3), ([1, 2, 3], 4), ([5, 6, 8], 7), ([5, 4, 3], 6), ([20, 21, 1], 22),
        ([10, 11, 12], 13),
    ],
)  # fmt: skip
def test_D2_a_step_jumps_occupied_spaces(barges: list[int], space: int) -> None:
    """D2: to the next space ahead that holds no other barge; occupied ones are not counted."""
    state = position(3, activated="turquoise", seats=[{"barge": barge} for barge in barges])
    assert do(state, "river").players[0].barge == space


@pytest.mark.parametrize("barges", [[22, 1, 1], [21, 22, 1], [20, 21, 22]])
def test_D2_no_free_space_ahead_no_step(barges: list[int]) -> None:
    """D2: without a free space ahead there is no step, neither river nor sail nor a move."""
    state = position(3, activated="turquoise", credits_={"step": 1}, seats=[{"barge": b} for b in barges])
    assert legal(state) == {"end"}
    refused(state, "river", "D2", "no free space ahead")
    trade = position(
        3,
        seats=[
            {"barge": barges[0], "hand": ["works_of_art-gray"], "tiles": "gray"},
            {"barge": barges[1]},
            {"barge": barges[2]},
        ],
    )
    assert kinds(do(trade, "play works_of_art-gray top")) == []


def test_D2_resigned_barges_go_on_blocking() -> None:
    """D2, O3: a resigned player's barge is jumped like any other."""
    state = position(3, activated="turquoise", seats=[{}, {"barge": 2, "resigned": True}, {"barge": 3}])
    assert do(state, "river").players[0].barge == 4


def test_D3_steps_and_moves() -> None:
    """D3: each step of a river action or credit is a move of its own, with its own arrival."""
    state = position(activated="turquoise", credits_={"step": 1}, seats=[{"barge": 18}])
    state = do(state, "river")
    assert (state.players[0].barge, state.players[0].coins) == (19, 3)
    state = do(state, "sail")
    assert (state.players[0].barge, state.players[0].sparrows) == (20, 3)
    # D3: a move of several steps reaches only its last space; Tillage's may be shorter.
    state = position(seats=[{"barge": 19}], pending=[{"kind": "barge", "max": 2}])
    assert legal(state) == {"barge 0", "barge 1", "barge 2"}
    for steps, sparrows, pending in ((0, 2, []), (1, 3, []), (2, 2, ["dock"])):
        after = do(state, f"barge {steps}")
        player = after.players[0]
        assert (player.barge, player.coins, player.sparrows, kinds(after)) == (19 + steps, 2, sparrows, pending)


@pytest.mark.parametrize(
    ("barges", "space", "coins", "sparrows", "pending"),
    [
        ([15, 1, 1], 18, 2, 2, []), ([16, 1, 1], 19, 3, 2, []), ([17, 18, 19], 22, 2, 2, []),
        ([18, 1, 1], 21, 2, 2, ["dock"]), ([19, 20, 1], 22, 2, 2, []), ([20, 22, 1], 21, 2, 2, ["dock"]),
    ],
)  # fmt: skip
def test_D3_a_card_moves_its_whole_number_of_steps_at_once(
    barges: list[int], space: int, coins: int, sparrows: int, pending: list[str]
) -> None:
    """D3: as many as there are free spaces, other barges jumped; nothing is asked, and only the last space gives."""
    seats: list[dict[str, object]] = [{"barge": barge} for barge in barges]
    seats[0] |= {"hand": ["fisherman_jousting"]}
    after, events, _ = one(position(3, seats=seats, top=["siege"]), "play fisherman_jousting top")
    player = after.players[0]
    assert (player.barge, player.coins, player.sparrows, kinds(after)) == (space, coins, sparrows, pending)
    assert player.hand == (("siege",) if space == 22 else ())
    assert [(event.kind, event.number) for event in events if event.kind in ("card_steps", "barge")] == [
        ("card_steps", space - barges[0] - sum(barges[0] < barge < space for barge in barges)), ("barge", space)
    ]  # fmt: skip


def test_D3_R2_in_ulm_1_the_steps_of_a_card_are_chosen() -> None:
    """R2: 0..k, k cut to the free spaces ahead."""
    seats = [{"barge": 19, "hand": ["fisherman_jousting"]}, {"barge": 20}, {"barge": 1}]
    state = do(position(3, seats=seats, rules=ULM1), "play fisherman_jousting top")
    assert state.to_dict()["pending"] == [{"kind": "barge", "max": 2}]
    refused(state, "barge 3", "D3", "barge 0, barge 1, barge 2")
    for steps, space in enumerate((19, 21, 22)):
        assert do(state, f"barge {steps}").players[0].barge == space


def test_D4_what_the_last_spaces_give() -> None:
    """D4: 19 a coin, 20 a sparrow, 21 one tile from the docks, 22 the top card."""

    def arrive(barge: int, **more: object):
        return one(position(activated="turquoise", seats=[{"barge": barge}], top=["siege"], **more), "river")  # type: ignore[arg-type]

    assert arrive(18)[0].players[0].coins == 3
    assert arrive(19)[0].players[0].sparrows == 3
    state, _, reveals = arrive(20)
    assert (kinds(state), reveals) == (["dock"], False)
    assert tiles(do(state, "dock brown")) == {"brown": 1}
    assert kinds(arrive(20, docks={}, bag={})[0]) == []
    state, _, reveals = arrive(21)
    assert (state.players[0].hand, reveals) == (("siege",), True)
    assert arrive(17)[0].players[0].to_dict() == position(seats=[{"barge": 18}]).players[0].to_dict()
    # D4, B3: no card to be had: nothing happens, the step stays legal.
    state = position(activated="turquoise", seats=[{"barge": 21}], pile=[], discard=[])
    after, _, reveals = one(state, "river")
    assert (after.players[0].barge, after.players[0].hand, reveals) == (22, (), False)
    # D3, D4: a barge that stays on 19 gets no second coin.
    state = position(seats=[{"barge": 19}], pending=[{"kind": "barge", "max": 2}])
    assert do(state, "barge 0").players[0].coins == 2
    # T6, D4: tillage's barge reaching 21 raises a second docks choice after the coin.
    state = position(seats=[{"barge": 20}], pending=[{"kind": "barge", "max": 1}, {"kind": "tillage"}])
    state = do(state, "dock gray")
    assert state.players[0].coins == 3
    state = do(state, "barge 1", "dock white")
    assert tiles(state) == {"gray": 1, "white": 1}
    assert sum(docks(state).values()) == 5


@pytest.mark.parametrize("space", range(1, 23))
def test_D5_the_quarters_beside_each_space(space: int) -> None:
    """D5: a barge reaches the north and the south quarter beside its space."""
    state = position(activated="orange", seats=[{"barge": space}])
    beside = {name for name, (first, last) in (BESIDE).items() if first <= space <= last}
    assert len(beside) == 2
    assert legal(state, "seal") == {f"seal {name}" for name in beside}
