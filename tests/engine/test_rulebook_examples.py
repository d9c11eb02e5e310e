"""The worked examples of the English rulebook (source 002), played as they are told there."""

from __future__ import annotations

import pytest

from tests.engine.positions import BESIDE, bag, do, kinds, legal, one, position, tiles


def test_K3_A4_A5_Q3_albert_sails_seals_and_jumps() -> None:
    """K3: 002 "Albert pushes a turquoise Action tile into the row that … contains … turquoise, … orange, … gray"."""
    grid = ("turquoise orange gray", "white brown white", "gray white brown")
    seats = [{"barge": 11}, {"barge": 13}]  # the red barge lies ahead
    state = position(phase="push", drawn="turquoise", grid=grid, seats=seats, top=["siege"])
    state = do(state, "push W1")
    assert state.to_dict()["outer"] == {"E1": "gray"}
    assert [*state.turn.activated] == [0, 0, 0, 2, 1]
    assert "money" not in legal(state)
    state = do(state, "river")
    assert state.players[0].barge == 12  # the other side of the bridge
    state = do(state, "seal town_hall", "coin")
    player = state.players[0]
    assert (player.coins, player.hand, state.quarters[2]) == (2 - 2 + 1, ("siege",), (0,))
    assert do(state, "river").players[0].barge == 14


def test_K3_A1_A2_A3_T4_joan_clears_buys_and_may_play_at_once() -> None:
    """A3: 002 "Joan pushes a gray Action tile into the row that … contains one brown and two white Action tiles"."""
    grid = ("orange turquoise gray", "brown white white", "gray orange turquoise")
    state = position(
        phase="push", drawn="gray", grid=grid, outer={"N1": "brown", "N3": "brown"}, top=["patrician", "siege"]
    )
    state = do(state, "push W2")
    assert [*state.turn.activated] == [1, 1, 1, 0, 0]
    state = do(state, "clear N")
    assert tiles(state) == {"brown": 2}
    before = bag(state)["brown"]
    state = do(state, "buy brown brown")
    assert bag(state)["brown"] == before + 2
    state = do(state, "choose siege")
    assert state.discard == ("patrician",)
    state = do(state, "money")
    assert state.players[0].coins == 3
    assert do(state, "play siege table").players[0].table == ("siege",)
    assert do(state, "end").players[0].hand == ("siege",)


def test_A2_stephen_takes_the_tiles_of_one_side() -> None:
    """A2: 002 "He may now either take the turquoise tile (A) or the orange and the white tiles (B)"."""
    state = position(activated="white", outer={"E2": "turquoise", "S1": "orange", "S3": "white"})
    assert legal(state, "clear") == {"clear E", "clear S"}
    assert tiles(do(state, "clear E")) == {"turquoise": 1}
    assert tiles(do(state, "clear S")) == {"orange": 1, "white": 1}


def test_A3_albert_gives_up_two_different_tiles_for_the_top_card() -> None:
    """A3: 002 "Albert gives up 2 different tiles and takes 1 card from the draw pile"."""
    state = do(position(activated="brown", seats=[{"tiles": "gray white"}], top=["nave-1", "siege"]), "buy gray white")
    assert (state.players[0].hand, kinds(state), state.discard) == (("siege",), [], ())


def test_D2_the_red_barge_jumps_the_green_and_the_blue_one() -> None:
    """D2: 002 "the red barge ends up on the space in front of the blue barge"."""
    seats = [{"barge": 5}, {"barge": 6}, {"barge": 7}]
    assert do(position(3, activated="turquoise", seats=seats), "river").players[0].barge == 8


def test_D5_the_blue_barge_reaches_the_oath_house_or_the_garden() -> None:
    """D5: 002 "The owner of the blue barge can carry out a Seal action either in the Oath House … or the Garden"."""
    for space in range(max(BESIDE["oath_house"][0], BESIDE["garden"][0]), BESIDE["garden"][1] + 1):
        state = position(activated="orange", seats=[{"barge": space}])
        assert legal(state, "seal") == {"seal oath_house", "seal garden"}


@pytest.mark.parametrize(("space", "points"), [(10, -2), (16, 5)])
def test_E3_two_points_less_two_spaces_before_the_bridge_five_more_after_it(space: int, points: int) -> None:
    """E3: 002 "The red barge is lying 2 spaces before the bridge … the green barge … gains 5 victory points"."""
    state = do(position(round_=10, active=1, seats=[{"barge": space}]), "end")
    assert state.scores
    assert state.scores[0]["barge"] == points


def test_D3_D4_a_card_advances_the_total_of_steps_at_once() -> None:
    """D3: 002 "if triggered by a card, you advance your barge the total of steps at once"; tiles move one by one."""
    seats = [{"barge": 18, "hand": ["fisherman_jousting"]}]
    by_card = do(position(seats=seats), "play fisherman_jousting top")
    assert (by_card.players[0].barge, by_card.players[0].coins, kinds(by_card)) == (21, 2, ["dock"])
    by_tiles = do(position(activated="turquoise turquoise turquoise", seats=seats), "river", "river", "river")
    player = by_tiles.players[0]
    assert (player.barge, player.coins, player.sparrows, kinds(by_tiles)) == (21, 3, 3, ["dock"])


def test_A6_what_cannot_be_paid_goes_to_waste() -> None:
    """A6: 002 "you don't have the resources required (tiles or money) …; in this case, the action goes to waste"."""
    state = position(activated="brown orange", seats=[{"coins": 1, "tiles": "gray"}])
    assert legal(state) == {"end"}
    after, events, _ = one(state, "end")
    assert sum(after.turn.activated) == 0
    assert [event.kind for event in events] == ["end"]
