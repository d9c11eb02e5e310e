"""Statements that hide behind a rule's id: each was once broken without any other test of a rule noticing."""

from __future__ import annotations

import pytest

from tests.engine.positions import bag, do, docks, kinds, legal, one, position, refused, tiles


def test_N1_the_abbot_after_each_of_two_clear_aways() -> None:
    """N1: after a Clear-away action: after the second one of a turn as after the first."""
    seats = [{"descendants": ["abbot"]}]
    state = position(activated="white white", outer={"N1": "gray", "S2": "brown"}, seats=seats)
    for side in "NS":
        state = do(state, f"clear {side}")
        assert kinds(state) == ["abbot"]
        state = do(state, "dock orange")
    assert sum(tiles(state).values()) == 4


@pytest.mark.parametrize("choice", ["town_hall", "abbot", "tillage", "shipyard", "dock"])
def test_L3_the_docks_are_refilled_after_every_choice_of_a_tile(choice: str) -> None:
    """L3: a tile taken from the docks is at once replaced from the bag, whatever let the player take it."""
    state = do(position(pending=[{"kind": choice}], bag="white"), "dock gray")
    assert tiles(state) == {"gray": 1}
    assert docks(state) == {"white": 2, "brown": 1, "turquoise": 1, "orange": 1}
    assert bag(state) == {}


def test_L4_the_docks_are_filled_to_five_and_no_further() -> None:
    """L4: with an empty bag the outer tiles go into it; from there the docks are filled, then the tile is drawn."""
    outer = dict.fromkeys(("N1", "N2", "N3", "E1", "E2"), "gray")
    state = do(position(phase="draw", bag={}, docks="orange orange orange", outer=outer), "draw")
    assert (docks(state), bag(state), state.turn.tiles) == ({"orange": 3, "gray": 2}, {"gray": 2}, (0,))


def test_A3_T4_a_card_that_was_bought_may_be_played_at_once() -> None:
    """T4: one hand card at any moment of the turn, also one that came to hand in it."""
    state = do(position(activated="brown", seats=[{"tiles": "gray white"}], top=["siege"]), "buy gray white")
    assert {"play siege table", "play siege top"} <= legal(state)
    assert do(state, "play siege table").players[0].table == ("siege",)


@pytest.mark.parametrize(
    ("state", "moves"),
    [
        (position(activated="brown", seats=[{"tiles": "gray gray"}], top=["nave-1", "siege"]), ["buy gray gray"]),
        (position(pending=[{"kind": "goose_tower"}], top=["nave-1", "nave-2", "siege"]), ["search"]),
        (position(activated="brown", seats=[{"hand": ["reformation"]}], top=["nave-1", "siege"], free_play=True),
         ["play reformation top"]),
    ],
    ids=["buy", "search", "reformation"],
)  # fmt: skip
def test_A3_Q5_B6_a_card_that_was_chosen_may_be_played_at_once(state, moves: list[str]) -> None:  # type: ignore[no-untyped-def]
    """T4, B8: by the free play, or by a card action where that is used up."""
    after = do(state, *moves, "choose siege")
    assert do(after, "play siege table").players[0].table == ("siege",)


def test_B5_the_tile_of_a_trade_card_goes_into_the_bag() -> None:
    """B5, B6: tiles given up go into the bag; nowhere else."""
    state = position(seats=[{"hand": ["fustian-brown"], "tiles": "brown gray"}])
    before = bag(state)
    after = do(state, "play fustian-brown top")
    assert tiles(after) == {"gray": 1}
    assert bag(after) == {**before, "brown": before["brown"] + 1}


def test_N5_L2_the_builders_kept_tile_may_still_be_swapped() -> None:
    """N5, L2: the tile that is kept is in hand like one that was drawn."""
    state = position(phase="keep", drawn="gray white", seats=[{"descendants": ["builder"]}])
    kept = do(state, "keep white")
    assert legal(kept, "swap") == {f"swap {color}" for color in ("gray", "brown", "turquoise", "orange")}
    after = do(kept, "swap orange")
    assert (after.players[0].sparrows, after.turn.tiles, docks(after)["white"]) == (1, (4,), 2)


@pytest.mark.parametrize(
    ("tower", "buy", "left"), [("card_for_coin", "buy coin", {"gray": 1}), ("card_for_tile", "buy gray", {})]
)
@pytest.mark.parametrize("action", [{"activated": "brown"}, {"credits_": {"card": 1}}], ids=["tile", "credit"])
def test_V3_V4_the_lower_price_with_a_credit_too(tower: str, buy: str, left: dict[str, int], action) -> None:  # type: ignore[no-untyped-def]
    """V3, V4: a buy may instead be paid with 1 coin or 1 tile, whether a brown tile or a credit gives the action."""
    state = position(tower=tower, seats=[{"tiles": "gray", "coins": 1}], top=["siege"], **action)
    after = do(state, buy)
    player = after.players[0]
    assert (player.hand, player.coins, tiles(after)) == (("siege",), 1 - (buy == "buy coin"), left)
    assert (sum(after.turn.activated), after.turn.card_credits) == (0, 0)


@pytest.mark.parametrize("brown", ["", "brown"])
def test_N7_the_councilman_while_a_shipyard_credit_is_left(brown: str) -> None:
    """N7, Q8: two cards for tiles of different colours, bought by the credit or by a tile beside it."""
    seat = {"descendants": ["councilman"], "tiles": "gray white"}
    state = position(activated=brown, credits_={"card": 1}, seats=[seat], top=["siege", "nave-1"])
    after = do(state, "buy gray white")
    assert after.to_dict()["pending"] == [{"kind": "choose", "offer": ["nave-1", "siege"]}]
    assert after.turn.card_credits == (1 if brown else 0)
    after = do(after, "choose siege")
    assert (after.players[0].hand, after.discard) == (("siege",), ("nave-1",))


def test_N7_Q7_Q8_a_councilman_bought_for_at_the_shipyard() -> None:
    """Q8: the credit is there when the docks choice is settled, and buys as a brown tile does."""
    seat = {"descendants": ["councilman"], "tiles": "gray", "barge": 12}
    state = position(activated="orange", seats=[seat], top=["siege", "nave-1"])
    state = do(state, "seal shipyard")
    refused(state, "buy gray white", "Q7", "First choose a tile of the docks")
    state = do(state, "dock white", "buy gray white")
    assert state.to_dict()["pending"] == [{"kind": "choose", "offer": ["nave-1", "siege"]}]


def test_B1_N5_Q1_what_is_told_to_its_own_player_alone() -> None:
    """B1, N5, Q1: cards and coats that nobody else sees, and which two tiles the builder drew; nothing else."""
    builder = [{"descendants": ["builder"]}]
    bought = position(activated="brown brown orange", seats=[{"tiles": "gray gray white orange", "barge": 7}])
    kept = do(bought, "buy gray gray")
    for state, move, secret in (
        (position(phase="draw", bag="gray white", seats=builder), "draw", {"draw"}),
        (position(phase="draw", bag="gray", seats=builder), "draw", set()),
        (bought, "buy white orange", {"draw_card"}),
        (bought, "buy gray gray", {"look_at_cards"}),
        (kept, f"choose {kept.pending[-1][1][0]}", {"keep_card"}),
        (bought, "seal garden", {"look_at_coats"}),
    ):
        assert {event.kind for event in one(state, move)[1] if event.private} == secret


@pytest.mark.parametrize("own", [False, True])
def test_K2_K3_N2_what_a_push_will_do_is_what_it_does(own: bool) -> None:
    """K2, K3: which tile goes in, which three it activates, which falls out where: told before it happens."""
    seat = {"descendants": ["scholar"], "tiles": "orange"} if own else {}
    state = position(phase="push", drawn="gray", seats=[seat])
    pushes = [text for text in legal(state, "push") if text.endswith("orange") == own]
    assert len(pushes) == 12
    for text in pushes:
        told, after = state.rules.pushed(state, state.rules.parse_move(text)), do(state, text)
        data = after.to_dict()
        assert (told.slot, told.color) == (after.rules.parse_move(text)[1], "orange" if own else "gray")
        assert data["outer"] == {told.falls_at: told.falls}
        assert {color: told.activates.count(color) for color in data["turn"]["activated"]} == data["turn"]["activated"]
