"""Rounds and turns, bag and docks: rules.md §3 and §12."""

import pytest

from server.engine.ulm1.view import view
from tests.engine.positions import bag, do, docks, kinds, legal, one, position, refused, simple_turn, tiles

BLOCKED = {"N1": "gray", "S2": "gray", "N3": "white", "E1": "white", "W2": "brown", "E3": "brown"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_T1_T2_ten_rounds_clockwise_from_a_start_player_who_stays(players: int) -> None:
    """T1, T2, E1: 10 rounds, one turn each, clockwise; the start player does not change; then the game ends."""
    state = position(players, phase="draw", active=1, start=1)
    seen = []
    while state.active is not None:
        seen.append((state.round, state.active))
        assert state.start == 1
        state = simple_turn(state)
    order = [(1 + step) % players for step in range(players)]
    assert seen == [(round_, seat) for round_ in range(1, 11) for seat in order]
    assert state.phase == "over"
    assert state.round == 10


@pytest.mark.parametrize("players", [2, 3, 4])
def test_O2_rotate_start_moves_the_start_player_one_seat_each_round(players: int) -> None:
    """T2, O2: with `rotate_start` the start player moves one seat clockwise each round; still one turn each."""
    state = position(players, phase="draw", active=1, start=1, rotate_start=True)
    seen = []
    while state.active is not None:
        seen.append((state.round, state.active))
        state = simple_turn(state)
    want = [(r, (1 + r - 1 + step) % players) for r in range(1, 11) for step in range(players)]
    assert seen == want


def test_T3_draw_push_actions_end() -> None:
    """T3: draw, push, any of the activated actions in any order, end; push and draw are not optional, actions are."""
    state = position(phase="draw", seats=[{"tiles": "gray gray"}])
    assert legal(state) == {"draw"}
    for text in ("end", "push N1", "money", "river", "clear N", "seal leaning_house", "keep gray", "swap gray"):
        with pytest.raises(ValueError, match=r"\("):
            do(state, text)
    state = do(state, "draw")
    assert state.phase == "push"
    refused(state, "end", "T3", "draw and push first")
    refused(state, "draw", "T3", "drawn already")
    state = do(state, "push N1")
    assert state.phase == "actions"
    refused(state, "push N2", "T3", "pushed already")
    assert do(state, "end").active == 1
    # T3: the activated actions may be carried out in any order, and what is unused is lost.
    state = position(activated="gray turquoise white", outer={"E2": "brown"})
    texts = ["money", "river", "clear E"]
    ends = {do(state, *(texts[i] for i in order)).digest() for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2))}
    assert len(ends) == 1
    after = do(state, "river", "end")
    assert sum(after.turn.activated) == 0
    assert after.players[0].coins == 2


@pytest.mark.parametrize("phase", ["draw", "keep", "push", "actions"])
def test_T4_the_free_play_in_every_phase(phase: str) -> None:
    """T4: once per turn, at any moment of it, one hand card free of charge."""
    drawn = {"keep": "gray white", "push": "gray"}.get(phase, "")
    hand = ["construction_freeze", "siege"]
    state = position(phase=phase, drawn=drawn, seats=[{"hand": hand, "descendants": ["builder"]}])
    after = do(state, "play construction_freeze top")
    assert after.players[0].coins == 5
    assert after.phase == phase
    assert not legal(after, "play")
    refused(after, "play siege table", "B8", "played your card of this turn")


def test_T4_a_free_play_of_each_turn_and_none_while_a_choice_is_pending() -> None:
    """T4, T6: not while a choice is pending."""
    state = position(pending=[{"kind": "barge", "max": 2}], seats=[{"hand": ["siege"]}])
    assert legal(state) == {"barge 0", "barge 1", "barge 2"}
    refused(state, "play siege table", "D3", "how many steps")
    # T4: each turn has its own; one that was not used is not saved up.
    state = position(seats=[{"hand": ["siege"]}, {"hand": ["patrician", "reformation"]}])
    state = do(state, "end")
    assert state.turn.free_play
    state = do(state, "play patrician table")
    assert not legal(state, "play")


def test_T5_six_blocked_lines_are_swept_before_the_turn() -> None:
    """T5: all six lines blocked at the start of a turn: all outer tiles go into the bag, in the move that ends."""
    state = position(outer=BLOCKED | {"S1": "orange"})
    before = sum(bag(state).values())
    after, events, reveals = one(state, "end")
    assert after.to_dict()["outer"] == {}
    assert sum(bag(after).values()) == before + 7
    assert [event.number for event in events if event.kind == "sweep"] == [7]
    assert not reveals
    five = dict(list(BLOCKED.items())[:5])
    assert do(position(outer=five | {"S1": "orange"}), "end").to_dict()["outer"] == five | {"S1": "orange"}
    # T5, L4: the swept tiles go in together, then the docks are filled.
    state = position(outer=BLOCKED, docks="gray", bag={})
    after, events, reveals = one(state, "end")
    assert sum(docks(after).values()) == 5
    assert sum(bag(after).values()) == 2
    assert reveals
    assert [event.kind for event in events].count("refill") == 4
    # T5: not at the end of the game.
    state = do(position(outer=BLOCKED, active=1, round_=10), "end")
    assert state.phase == "over"
    assert state.to_dict()["outer"] == BLOCKED
    # T5, O3: the turn that begins because the active seat resigned is swept too.
    after = do(position(3, outer=BLOCKED, phase="draw"), "resign")
    assert after.active == 1
    assert after.to_dict()["outer"] == {}


def test_T6_a_pending_choice_comes_first() -> None:
    """T6: nothing but an answer to the choice on top is legal."""
    pending = [{"kind": "barge", "max": 1}, {"kind": "tillage"}]
    seat = {"tiles": "gray gray", "coins": 9, "hand": ["siege"], "descendants": ["merchant"]}
    state = position(
        tower="free_seal",
        activated="gray white brown turquoise orange",
        outer={"N1": "gray"},
        credits_={"card": 1, "seal": 1, "seal_at_1": 1, "step": 1},
        pending=pending,
        seats=[seat],
    )
    assert legal(state) == {"dock gray", "dock white", "dock brown", "dock turquoise", "dock orange"}
    refused(state, "end", "Q6", "First choose a tile")
    state = do(state, "dock gray")
    assert legal(state) == {"barge 0", "barge 1"}
    assert "end" in legal(do(state, "barge 0"))
    # T6: choices form a stack.
    state = position(seats=[{"barge": 20}], pending=[{"kind": "abbot"}, {"kind": "barge", "max": 1}])
    state = do(state, "barge 1")
    assert kinds(state) == ["abbot", "dock"]
    assert kinds(do(state, "dock gray")) == ["abbot"]


# §12 Bag, docks, piles


def test_L1_the_bag_is_drawn_from_at_random_and_public() -> None:
    """L1: the tile drawn depends on the stream alone; the counts of the bag are in every view."""
    drawn = set()
    for counter in range(40):
        state = position(phase="draw")
        state.chance = counter
        after = do(state, "draw")
        drawn.add(after.turn.tiles[0])
        assert sum(state.bag) - sum(after.bag) == 1
        assert state.bag[after.turn.tiles[0]] == after.bag[after.turn.tiles[0]] + 1
        assert after.chance > counter
    assert drawn == {0, 1, 2, 3, 4}
    assert view(state, None)["bag"] == state.to_dict()["bag"]
    # record.md §1: below(1) takes nothing; the draw is a reveal all the same.
    state = position(phase="draw", bag="orange")
    after, _, reveals = one(state, "draw")
    assert after.to_dict()["turn"]["tiles"] == ["orange"]
    assert after.chance == state.chance
    assert reveals


def test_L2_swap_the_tile_in_hand_for_a_sparrow() -> None:
    """L2, L3: once per turn, 1 sparrow, tile in hand against one of another colour; the given tile lies there."""
    state = position(phase="push", drawn="gray", docks="gray white white brown orange")
    assert legal(state, "swap") == {"swap white", "swap brown", "swap orange"}
    refused(state, "swap gray", "L2", "gray already")
    refused(state, "swap turquoise", "L2", "No turquoise tile lies in the docks")
    after, _, reveals = one(state, "swap white")
    assert (after.to_dict()["turn"]["tiles"], after.players[0].sparrows) == (["white"], 1)
    assert docks(after) == {"gray": 2, "white": 1, "brown": 1, "orange": 1}
    assert after.bag == state.bag
    assert not reveals
    assert not legal(after, "swap")
    refused(after, "swap gray", "L2", "already this turn")
    # L2: the price is 1 sparrow.
    state = position(phase="push", drawn="gray", seats=[{"sparrows": 0}])
    refused(state, "swap white", "L2", "you have none")


@pytest.mark.parametrize(("phase", "drawn"), [("draw", ""), ("keep", "gray white"), ("actions", ""), ("push", "")])
def test_L2_only_between_draw_and_push(phase: str, drawn: str) -> None:
    """L2: after the draw (and `keep`) and before the push, with a tile in hand."""
    state = position(phase=phase, drawn=drawn, seats=[{"tiles": "brown", "descendants": ["builder"]}])
    assert not legal(state, "swap")


def test_L3_L4_a_tile_from_the_docks_is_replaced_while_there_is_one() -> None:
    """L3: a tile taken from the docks is at once replaced from the bag; that reveals."""
    state = position(pending=[{"kind": "dock"}], bag="orange orange")
    after, _, reveals = one(state, "dock gray")
    assert tiles(after) == {"gray": 1}
    assert docks(after) == {"white": 1, "brown": 1, "turquoise": 1, "orange": 2}
    assert bag(after) == {"orange": 1}
    assert reveals
    # L4: with an empty bag a docks space stays empty.
    state = position(pending=[{"kind": "dock"}, {"kind": "dock"}], bag={})
    after, _, reveals = one(state, "dock gray")
    assert docks(after) == {"white": 1, "brown": 1, "turquoise": 1, "orange": 1}
    assert not reveals
    assert legal(after) == {"dock white", "dock brown", "dock turquoise", "dock orange"}


def test_L4_tiles_of_one_effect_go_in_together_then_the_docks_fill() -> None:
    """L4: spaces are filled as soon as tiles come into the bag; the tiles of one effect go in together."""
    seen = set()
    for counter in range(30):
        seats = [{"tiles": "gray orange"}]
        state = position(tower="tile_levy", docks="gray white brown turquoise", bag={}, seats=seats)
        state.chance = counter
        after = do(state, "levy gray orange")
        assert sum(docks(after).values()) == 5
        assert sum(bag(after).values()) == 1
        seen.update(bag(after))
    assert seen == {"gray", "orange"}  # either may be the one that fills the docks


def test_L4_bag_empty_at_the_draw_the_outer_tiles_go_in() -> None:
    """L4: the outer tiles go into the bag, the docks are filled, then the tile is drawn."""
    state = position(phase="draw", bag={}, docks="gray white brown orange", outer={"N1": "gray", "E3": "gray"})
    after, events, reveals = one(state, "draw")
    assert after.to_dict()["outer"] == {}
    assert docks(after) == {"gray": 2, "white": 1, "brown": 1, "orange": 1}
    assert after.to_dict()["turn"]["tiles"] == ["gray"]
    assert bag(after) == {}
    assert [event.kind for event in events] == ["empty_bag", "refill", "draw"]
    assert reveals
    # L4: what the docks take is not there to be drawn; then a tile of the own supply is pushed.
    state = position(
        phase="draw",
        bag={},
        docks="gray white brown",
        outer={"N1": "gray", "E3": "gray"},
        seats=[{"tiles": "orange white"}],
    )
    after = do(state, "draw")
    assert after.phase == "push"
    assert after.to_dict()["turn"]["tiles"] == []
    assert len(legal(after)) == 24
    refused(after, "push N1", "L4", "no tile in hand")
    refused(after, "push N1 gray", "N2", "You have no gray tile")
    refused(after, "swap gray", "L2", "no drawn tile")
    pushed = do(after, "push W1 orange")
    assert tiles(pushed) == {"white": 1}
    assert pushed.to_dict()["grid"][0] == ["orange", "gray", "white"]
    # L4: only an empty bag brings the outer tiles back.
    state = position(phase="draw", bag="gray", outer={"N1": "white"}, docks="gray")
    assert do(state, "draw").to_dict()["outer"] == {"N1": "white"}


@pytest.mark.parametrize("builder", [[], ["builder"]])
def test_L4_nothing_left_to_push(builder: list[str]) -> None:
    """L4: with no tile at all the turn goes on with no activated tile; the draw then reveals nothing."""
    state = position(phase="draw", bag={}, seats=[{"descendants": builder}])
    after, events, reveals = one(state, "draw")
    assert after.phase == "actions"
    assert sum(after.turn.activated) == 0
    assert legal(after) == {"end"}
    assert [event.kind for event in events] == ["draw_nothing", "no_push"]
    assert not reveals


def test_L4_the_last_own_tile_given_away_before_the_push() -> None:
    """L4: nothing left to push arises also when the last own tile is spent while it should be pushed."""
    state = position(phase="push", bag={}, seats=[{"tiles": "gray", "hand": ["nave-1"]}])
    after = do(state, "play nave-1 top gray")
    assert after.phase == "actions"
    assert bag(after) == {"gray": 1}
    # L4: "with nothing left to push and no choice pending": a tile from the docks can still be pushed.
    state = position(phase="push", bag={}, seats=[{"tiles": "gray", "hand": ["works_of_art-gray"], "barge": 20}])
    after = do(state, "play works_of_art-gray top")
    assert (after.phase, kinds(after)) == ("push", ["dock"])
    after = do(after, "dock white")
    assert (after.phase, tiles(after)) == ("push", {"white": 1})
    assert (
        do(
            position(phase="push", bag={}, seats=[{"tiles": "gray", "hand": ["works_of_art-gray"]}]),
            "play works_of_art-gray top",
        ).phase
        == "actions"
    )


def test_L5_the_discard_pile_is_open() -> None:
    """L5: all may read the discard pile, in its order."""
    state = position(3, discard=["siege", "nave-1"])
    for viewer in (None, 0, 1, 2):
        assert view(state, viewer)["discard"] == ["siege", "nave-1"]
