"""The Cathedral area and the actions: rules.md §4, §5."""

import pytest

from tests.engine.positions import bag, do, kinds, legal, one, position, refused, tiles

SLOTS = [side + number for side in "NESW" for number in "123"]
PHASES = [("draw", ""), ("keep", "gray white"), ("push", "gray"), ("actions", "")]


def naive_push(grid: list[list[str]], slot: str, color: str) -> tuple[list[list[str]], str, str, list[str]]:
    """Push by walking over rows and columns: (grid, what falls out, where, the line after the push)."""
    side, index = slot[0], int(slot[1]) - 1
    line = list(grid[index]) if side in "WE" else [grid[row][index] for row in range(3)]
    from_the_start = side in "WN"
    line = [color, *line] if from_the_start else [*line, color]
    fallen = line.pop() if from_the_start else line.pop(0)
    after = [list(row) for row in grid]
    for place in range(3):
        if side in "WE":
            after[index][place] = line[place]
        else:
            after[place][index] = line[place]
    return after, fallen, {"N": "S", "S": "N", "W": "E", "E": "W"}[side] + slot[1], line


def test_K1_grid_and_slots() -> None:
    """K1: row 0 is north; N above and S below the columns, W left and E right of the rows."""
    state = position(phase="push", drawn="orange", grid=["gray white brown", "gray white brown", "gray white brown"])
    assert legal(state, "push") == {f"push {slot}" for slot in SLOTS}
    assert do(state, "push W1").to_dict()["grid"][0] == ["orange", "gray", "white"]
    assert do(state, "push E3").to_dict()["grid"][2] == ["white", "brown", "orange"]
    assert [row[0] for row in do(state, "push N1").to_dict()["grid"]] == ["orange", "gray", "gray"]
    assert [row[2] for row in do(state, "push S3").to_dict()["grid"]] == ["brown", "brown", "orange"]


@pytest.mark.parametrize("slot", SLOTS)
def test_K2_K3_push_shifts_falls_out_opposite_and_activates_the_line(slot: str) -> None:
    """K2, K3: the line shifts, the last tile falls out opposite; the three tiles after it are activated."""
    state = position(phase="push", drawn="orange")
    grid, fallen, out, line = naive_push(state.to_dict()["grid"], slot, "orange")
    after = do(state, f"push {slot}").to_dict()
    assert after["grid"] == grid
    assert after["outer"] == {out: fallen}
    assert {color: n for color, n in after["turn"]["activated"].items() if n} == {c: line.count(c) for c in line}
    assert (after["turn"]["slot"], after["turn"]["tiles"], after["phase"]) == (slot, [], "actions")


@pytest.mark.parametrize("slot", SLOTS)
def test_K4_a_tile_in_either_slot_blocks_the_line_both_ways(slot: str) -> None:
    """K4: a line is blocked while one of its two outer slots holds a tile."""
    out = naive_push([["gray"] * 3] * 3, slot, "gray")[2]
    state = position(phase="push", drawn="orange", outer={slot: "gray"})
    assert legal(state, "push") == {f"push {other}" for other in SLOTS if other not in (slot, out)}
    line = ("Column " if slot[0] in "NS" else "Row ") + slot[1]
    refused(state, f"push {slot}", "K4", f"{line} is blocked: a tile lies in {slot}")
    refused(state, f"push {out}", "K4", f"{line} is blocked: a tile lies in {slot}")


def test_K4_the_own_push_blocks_its_line_until_it_is_cleared() -> None:
    """K4: the tile that fell out blocks the line for the next player, unless it is taken away."""
    state = do(position(phase="push", drawn="white"), "push N2", "end", "draw")
    assert not {"push N2", "push S2"} & legal(state)
    cleared = do(position(phase="push", drawn="white"), "push N2", "clear S", "end", "draw")
    assert {"push N2", "push S2"} <= legal(cleared)


@pytest.mark.parametrize(("owner", "resigned"), [(0, False), (1, False), (2, False), (2, True)])
def test_K5_a_coat_seal_earns_a_sparrow(owner: int, resigned: bool) -> None:
    """K5, O3: a tile that falls out into a slot with a coat seal gives its player 1 sparrow, whoever pushed."""
    seats: list[dict[str, object]] = [{}, {}, {}]
    seats[owner] = {"coats": ["S2"], "resigned": resigned}
    state = position(3, phase="push", drawn="orange", seats=seats)
    after = do(state, "push N2")
    assert [player.sparrows for player in after.players] == [2 + (seat == owner) for seat in range(3)]
    for slot in ("S2", "N1"):  # pushing at the slot itself, or into another one, earns nothing
        assert [player.sparrows for player in do(state, f"push {slot}").players] == [2, 2, 2]


# §5 Actions


def test_A1_money() -> None:
    """A1: gray, 1 coin, once per activated tile."""
    state = position(activated="gray gray")
    assert do(state, "money", "money").players[0].coins == 4
    refused(do(state, "money", "money"), "money", "K3", "no activated gray tile left")


@pytest.mark.parametrize(("phase", "drawn"), PHASES[:3])
def test_A1_A2_A4_tile_actions_come_after_the_push(phase: str, drawn: str) -> None:
    """T3: what needs an activated tile waits for the push."""
    state = position(phase=phase, drawn=drawn, outer={"N1": "gray"})
    for text in ("money", "clear N", "river"):
        refused(state, text, "T3", "Actions come after the push")
    refused(state, "seal tillage", "A5", "after the push")
    refused(state, "buy gray gray", "A3", "after the push")


def test_A2_clear_away_takes_a_whole_side() -> None:
    """A2: all outer tiles of one side, 1 to 3; a side with none cannot be chosen."""
    outer = {"N1": "gray", "N2": "gray", "N3": "white", "W2": "orange"}
    state = position(activated="white white", outer=outer)
    assert legal(state, "clear") == {"clear N", "clear W"}
    refused(state, "clear E", "A2", "No tile lies outside on side E")
    after = do(state, "clear N")
    assert tiles(after) == {"gray": 2, "white": 1}
    assert after.to_dict()["outer"] == {"W2": "orange"}
    assert legal(after, "clear") == {"clear W"}
    assert not legal(do(after, "clear W"), "clear")


def test_A3_buying_with_two_tiles() -> None:
    """A3: two tiles of the supply go into the bag, the top card comes to hand."""
    state = position(activated="brown", seats=[{"tiles": "gray white"}], top=["siege", "nave-1"])
    assert legal(state, "buy") == {"buy gray white"}
    after, _, reveals = one(state, "buy gray white")
    assert after.players[0].hand == ("nave-1",)
    assert tiles(after) == {}
    assert sum(after.bag) == sum(state.bag) + 2
    assert (kinds(after), after.discard, reveals) == ([], (), True)
    refused(after, "buy gray white", "A3", "no activated brown tile")
    # A3: with 2 tiles of one colour: look at the top two, keep one, the other goes onto the discard pile.
    state = position(activated="brown", seats=[{"tiles": "gray gray"}], top=["siege", "nave-1"], discard=["choir-1"])
    after = do(state, "buy gray gray")
    assert after.to_dict()["pending"] == [{"kind": "choose", "offer": ["nave-1", "siege"]}]
    assert legal(after) == {"choose nave-1", "choose siege"}
    kept = do(after, "choose siege")
    assert kept.players[0].hand == ("siege",)
    assert kept.discard == ("choir-1", "nave-1")
    # A3: every pair that the supply holds, in canonical order, a colour twice only with two tiles of it.
    state = position(activated="brown", seats=[{"tiles": "orange orange gray brown"}])
    assert legal(state, "buy") == {"buy orange orange", "buy gray brown", "buy gray orange", "buy brown orange"}
    refused(state, "buy gray gray", "A3", "two gray tiles")
    refused(state, "buy gray white", "A3", "no white tile")
    assert not legal(position(activated="brown", seats=[{"tiles": "orange"}]), "buy")


@pytest.mark.parametrize(("pile", "discard"), [(["siege"], []), ([], ["siege"])])
def test_A3_a_pair_with_one_card_to_be_had(pile: list[str], discard: list[str]) -> None:
    """A3: with only one card to be had, it comes straight to hand, without a choice."""
    state = position(activated="brown", seats=[{"tiles": "gray gray"}], pile=pile, discard=discard)
    after, _, reveals = one(state, "buy gray gray")
    assert (after.players[0].hand, kinds(after), after.pile, after.discard) == (("siege",), [], (), ())
    assert reveals


def test_A3_the_tiles_are_in_the_bag_before_cards_are_drawn() -> None:
    """A3, L4: the docks are filled from the two tiles first, which moves the stream before a reshuffle does."""
    state = position(
        activated="brown",
        seats=[{"tiles": "gray white"}],
        pile=[],
        discard=["siege", "nave-1"],
        docks="gray white brown turquoise",
        bag={},
    )
    after, events, _ = one(state, "buy gray white")
    assert [event.kind for event in events] == ["buy", "refill", "reshuffle", "draw_card"]
    assert sum(bag(after).values()) == 1


def test_A3_play_as_a_card_action() -> None:
    """A3, B8: a brown tile also lets one more hand card be played."""
    hand = ["siege", "nave-1", "reformation"]
    state = position(activated="brown", free_play=False, seats=[{"hand": hand}])
    after = do(state, "play siege table")
    assert after.players[0].table == ("siege",)
    assert sum(after.turn.activated) == 0
    assert not legal(after, "play")


def test_A4_river_moves_one_step() -> None:
    """A4: turquoise, one step."""
    state = position(activated="turquoise")
    after = do(state, "river")
    assert after.players[0].barge == 2
    assert after.turn.step_credits == 0
    refused(after, "river", "K3", "no activated turquoise tile left")
    refused(after, "sail", "A7", "no bonus step")


def test_A5_seal_pays_two_coins_and_needs_everything() -> None:
    """A5: pay 2 coins, place a seal on a free space of a quarter that the barge reaches."""
    state = position(activated="orange", seats=[{"barge": 16}])
    assert legal(state, "seal") == {"seal reichenauer_hof", "seal shipyard"}
    after = do(state, "seal reichenauer_hof")
    assert (after.players[0].coins, after.players[0].seals) == (0, 11)
    assert after.to_dict()["quarters"]["reichenauer_hof"] == [0]
    refused(state, "seal goose_tower", "D5", "does not reach goose_tower")
    refused(after, "seal shipyard", "A5", "no activated orange tile")
    # A5: needs the coins, a seal in supply, and a free space there.
    poor = position(activated="orange", seats=[{"coins": 1}])
    refused(poor, "seal tillage", "A5", "costs 2 coins, and you have 1")
    refused(position(activated="orange", seats=[{"seals": 0}]), "seal tillage", "A5", "no seal left")
    full = position(activated="orange", quarters={"tillage": [1, 1, 1, 0]})
    assert legal(full, "seal") == {"seal leaning_house"}
    refused(full, "seal tillage", "A5", "All 4 spaces of tillage are taken")


@pytest.mark.parametrize(
    ("quarter", "spaces", "barge"),
    [
        ("leaning_house", 4, 1), ("oath_house", 4, 6), ("town_hall", 4, 12), ("reichenauer_hof", 3, 16),
        ("goose_tower", 3, 20), ("tillage", 4, 1), ("garden", 4, 7), ("shipyard", 7, 12),
    ],
)  # fmt: skip
def test_A5_seal_spaces_of_each_quarter(quarter: str, spaces: int, barge: int) -> None:
    """A5, §7: a quarter takes as many seals as it has spaces, several of one player too."""
    last = position(activated="orange", seats=[{"barge": barge}], quarters={quarter: [0] * (spaces - 1)})
    assert f"seal {quarter}" in legal(last)
    full = do(last, f"seal {quarter}")
    assert len(full.to_dict()["quarters"][quarter]) == spaces
    again = position(activated="orange", seats=[{"barge": barge}], quarters={quarter: [0] * spaces})
    assert f"seal {quarter}" not in legal(again)


def test_A6_what_has_no_effect_is_no_legal_move() -> None:
    """A6: no river step without a free space, no buy without a card, no clear-away without a tile; the rest is lost."""
    state = position(
        activated="turquoise white brown",
        credits_={"step": 1, "card": 1},
        pile=[],
        discard=[],
        seats=[{"barge": 22, "tiles": "gray gray"}],
    )
    assert legal(state) == {"end"}
    refused(state, "river", "D2", "no free space ahead")
    refused(state, "sail", "D2", "no free space ahead")
    refused(state, "buy gray gray", "B3", "No card is left")
    after = do(state, "end")
    assert (after.turn.card_credits, after.turn.step_credits, sum(after.turn.activated)) == (0, 0, 0)


@pytest.mark.parametrize(("phase", "drawn"), PHASES)
def test_A7_credits_can_be_used_in_every_phase(phase: str, drawn: str) -> None:
    """A7: bonus steps, card actions and seal actions can be used at any later moment of the turn, in every phase."""
    seat = {"tiles": "gray white", "coins": 9, "hand": ["siege"], "descendants": ["builder"]}
    state = position(
        phase=phase,
        drawn=drawn,
        free_play=False,
        seats=[seat],
        credits_={"card": 1, "seal": 1, "seal_at_1": 1, "step": 1},
    )
    assert {"sail", "buy gray white", "seal tillage", "play siege table"} <= legal(state)
    assert do(state, "sail").players[0].barge == 2
    assert do(state, "seal leaning_house").phase == phase
    assert do(state, "buy gray white").phase == phase


def test_A7_credits_come_after_tiles_and_end_with_the_turn() -> None:
    """A7: a brown tile first, then a credit."""
    seats = [{"tiles": "gray gray white white"}]
    state = position(activated="brown", credits_={"card": 1}, seats=seats)
    after = do(state, "buy gray white")
    assert (sum(after.turn.activated), after.turn.card_credits) == (0, 1)
    after = do(after, "buy gray white")
    assert after.turn.card_credits == 0
    assert not legal(after, "buy")
    # A7: credits do not pass into another turn, nor to another player.
    state = position(credits_={"card": 2, "seal": 2, "seal_at_1": 2, "step": 2})
    turn = do(state, "end").to_dict()["turn"]
    assert turn["credits"] == {"card": 0, "seal": 0, "seal_at_1": 0, "step": 0}
