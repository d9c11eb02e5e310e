"""Descendants: rules.md §9."""

import pytest

from tests.engine.positions import bag, do, docks, kinds, legal, one, position, refused, tiles

LINES = [[(r, c) for c in range(3)] for r in range(3)] + [[(r, c) for r in range(3)] for c in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def test_N1_abbot_takes_a_tile_after_an_own_clear_away_action() -> None:
    """N1: after a Clear-away action the player may take 1 tile from the docks."""
    state = position(activated="white", outer={"N1": "gray"}, seats=[{"descendants": ["abbot"]}])
    state = do(state, "clear N")
    assert legal(state) == {"pass", *(f"dock {color}" for color in docks(state))}
    refused(state, "end", "N1", "or pass")
    assert tiles(do(state, "dock brown")) == {"gray": 1, "brown": 1}
    passed, _, reveals = one(state, "pass")
    assert (tiles(passed), kinds(passed), reveals) == ({"gray": 1}, [], False)
    # N1: not after city_wall, and not when another player clears away.
    state = position(outer={"N1": "gray"}, seats=[{"descendants": ["abbot"], "hand": ["city_wall"]}])
    assert kinds(do(state, "play city_wall top N")) == []
    other = position(activated="white", outer={"N1": "gray"}, seats=[{}, {"descendants": ["abbot"]}])
    assert kinds(do(other, "clear N")) == []


def test_N2_scholar_alone_pushes_an_own_tile() -> None:
    """N2: may push a tile of the own supply, of any colour in it; the drawn tile comes into the supply."""
    seat = {"descendants": ["scholar"], "tiles": "gray orange"}
    state = position(phase="push", drawn="white", seats=[seat])
    assert legal(state, "push") == {f"push {s}{n}{c}" for s in "NESW" for n in "123" for c in ("", " gray", " orange")}
    after = do(state, "push W2 orange")
    assert after.to_dict()["grid"][1] == ["orange", "turquoise", "orange"]
    assert tiles(after) == {"gray": 1, "white": 1}
    assert tiles(do(state, "push W2")) == {"gray": 1, "orange": 1}
    refused(state, "push W2 white", "N2", "You have no white tile")  # the drawn one is in hand, not in the supply
    # N2, L2: after a swap the tile in hand is the one of the docks; pushing an own tile brings it into the supply.
    seat = {"descendants": ["scholar"], "tiles": "orange"}
    state = position(phase="push", drawn="white", docks="brown", seats=[seat])
    after = do(state, "swap brown", "push W2 orange")
    assert (tiles(after), docks(after), after.players[0].sparrows) == ({"brown": 1}, {"white": 1}, 1)
    assert legal(after, "swap") == set()
    # N2: nobody else pushes a tile of the supply while one is in hand.
    state = position(phase="push", drawn="white", seats=[{"tiles": "gray"}, {"descendants": ["scholar"]}])
    assert len(legal(state, "push")) == 12
    refused(state, "push W2 gray", "N2", "Only the scholar")


@pytest.mark.parametrize("tower", [None, "extra_money"])
@pytest.mark.parametrize("mint", [[], ["mint_master"]])
def test_N3_mint_master_one_coin_more_for_each_money_action(mint: list[str], tower: str | None) -> None:
    """N3, V2: each Money action gives 1 coin more, from either and from both."""
    state = position(tower=tower, activated="gray gray", seats=[{"descendants": mint}])
    assert do(state, "money", "money").players[0].coins == 2 + 2 * (1 + bool(mint) + bool(tower))


def guard(grid: list[str], drawn: str, slot: str, **more: object) -> int:
    """The VP that the city guard brings by a push."""
    state = position(phase="push", grid=grid, drawn=drawn, bag={}, seats=[{"descendants": ["city_guard"]}], **more)  # type: ignore[arg-type]
    return do(state, f"push {slot}").players[0].vp - 5


@pytest.mark.parametrize(
    ("grid", "drawn", "slot", "vp"),
    [
        (["gray white brown", "white gray brown", "white brown white"], "orange", "N2", 0),
        (["gray gray brown", "white orange brown", "white brown white"], "gray", "W1", 2),  # the row itself
        (["white white brown", "orange gray white", "brown white gray"], "gray", "E1", 0),
        (["brown gray white", "orange gray brown", "white brown gray"], "gray", "N1", 2),  # the diagonal
        (["gray orange white", "brown gray white", "orange brown brown"], "gray", "S3", 2),
        (["gray gray gray", "white orange brown", "white brown white"], "gray", "W1", 0),  # it was there before
        (["gray gray gray", "gray gray white", "orange white brown"], "gray", "W2", 2),
        (["gray gray white", "gray gray brown", "white brown white"], "gray", "N3", 2),  # two at once, still 2
        (["orange white brown", "gray gray gray", "white brown white"], "orange", "N1", 0),  # one broken, none made
        (["gray gray gray", "gray gray gray", "gray gray white"], "orange", "W1", 0),
    ],
)
def test_N4_city_guard(grid: list[str], drawn: str, slot: str, vp: int) -> None:
    """N4: 2 VP for at least one new line of three of one colour, in a row, a column or a diagonal."""
    assert guard(grid, drawn, slot) == vp


def test_N4_against_every_push_of_many_grids() -> None:
    """N4: held against a check of all eight lines, for every slot of a hundred grids."""
    found = set()
    for number in range(100):
        cells = [["gray", "gray", "white"][(number * 7 + place * place * (number % 5 + 1)) % 3] for place in range(9)]
        grid = [" ".join(cells[row : row + 3]) for row in (0, 3, 6)]
        state = position(phase="push", grid=grid, drawn="gray", bag={}, seats=[{"descendants": ["city_guard"]}])
        before = state.to_dict()["grid"]
        for text in sorted(legal(state, "push")):
            moved = do(state, text)
            after = moved.to_dict()["grid"]
            new = any(
                len({after[r][c] for r, c in line}) == 1
                and {before[r][c] for r, c in line} != {after[r][c] for r, c in line}
                for line in LINES
            )
            found.add(new)
            assert moved.players[0].vp == 5 + 2 * new, (grid, text)
    assert found == {True, False}


def test_N4_only_for_the_own_push() -> None:
    """N4: when the own push makes it; another player's push brings nothing."""
    state = position(
        phase="push",
        grid=["gray gray brown", "white orange brown", "white brown white"],
        drawn="gray",
        seats=[{}, {"descendants": ["city_guard"]}],
    )
    assert [player.vp for player in do(state, "push W1").players] == [5, 5]


def test_N5_builder_draws_two_and_keeps_one() -> None:
    """N5: draws 2 tiles, keeps one to push, the other goes back into the bag."""
    state = position(phase="draw", bag={"gray": 1, "white": 1}, seats=[{"descendants": ["builder"]}])
    after, _, reveals = one(state, "draw")
    assert (after.phase, reveals, bag(after)) == ("keep", True, {})
    assert sorted(after.to_dict()["turn"]["tiles"]) == ["gray", "white"]
    assert legal(after) == {"keep gray", "keep white"}
    refused(after, "keep brown", "N5", "not brown")
    refused(after, "push N1", "N5", "which of the two")
    kept, _, reveals = one(after, "keep white")
    assert (kept.phase, kept.to_dict()["turn"]["tiles"], bag(kept), reveals) == ("push", ["white"], {"gray": 1}, False)
    # N5: two of one colour leave one answer, still a move; with one tile in the bag the builder draws one.
    state = position(phase="draw", bag="gray gray", seats=[{"descendants": ["builder"]}])
    after = do(state, "draw")
    assert legal(after) == {"keep gray"}
    assert bag(do(after, "keep gray")) == {"gray": 1}
    last = do(position(phase="draw", bag="gray", seats=[{"descendants": ["builder"]}]), "draw")
    assert (last.phase, last.to_dict()["turn"]["tiles"]) == ("push", ["gray"])
    # N5, L4: a tile that comes into the bag fills an empty docks space; that reveals.
    seats = [{"descendants": ["builder"]}]
    state = position(phase="draw", bag={"gray": 1, "white": 1}, docks="orange orange", seats=seats)
    after, _, reveals = one(do(state, "draw"), "keep white")
    assert (docks(after), bag(after), reveals) == ({"orange": 2, "gray": 1}, {}, True)


@pytest.mark.parametrize(("phase", "drawn"), [("draw", ""), ("keep", "gray white"), ("push", "gray"), ("actions", "")])
def test_N6_merchant_exchanges_once_in_any_phase(phase: str, drawn: str) -> None:
    """N6, L3: 1 tile of the supply for 1 of another colour of the docks; the given tile lies there instead."""
    seat = {"descendants": ["merchant"], "tiles": "gray gray white"}
    state = position(phase=phase, drawn=drawn, docks="gray brown brown orange white", seats=[seat])
    assert legal(state, "exchange") == {
        "exchange gray brown", "exchange gray orange", "exchange gray white", "exchange white gray",
        "exchange white brown", "exchange white orange",
    }  # fmt: skip
    refused(state, "exchange orange gray", "N6", "You have no orange tile")
    refused(state, "exchange gray turquoise", "N6", "No turquoise tile lies in the docks")
    after, events, reveals = one(state, "exchange gray brown")
    assert [event.what for event in events] == [("gray", "brown")]
    assert tiles(after) == {"gray": 1, "white": 1, "brown": 1}
    assert docks(after) == {"gray": 2, "brown": 1, "orange": 1, "white": 1}
    assert (after.bag, reveals, after.phase) == (state.bag, False, phase)
    refused(after, "exchange gray orange", "N6", "already this turn")
    assert do(after, "resign", seat=1).phase == "over"


def test_N6_only_the_merchant_and_again_next_turn() -> None:
    """N6: only its owner, on the own turn."""
    state = position(seats=[{"tiles": "gray"}, {"descendants": ["merchant"], "tiles": "gray"}], exchanged=True)
    refused(state, "exchange gray white", "N6", "Only the merchant")
    assert legal(do(state, "end"), "exchange")


def test_N7_councilman_looks_at_two_with_different_colours() -> None:
    """N7: a buy with 2 tiles of different colours also offers two cards."""
    seat = {"descendants": ["councilman"], "tiles": "gray white orange orange"}
    state = position(activated="brown", seats=[seat], top=["siege", "nave-1"])
    for text in ("buy gray white", "buy orange orange"):
        assert do(state, text).to_dict()["pending"] == [{"kind": "choose", "offer": ["nave-1", "siege"]}]
    single = position(activated="brown", seats=[seat], pile=["siege"])
    assert do(single, "buy gray white").players[0].hand == ("siege",)


@pytest.mark.parametrize(("tower", "text"), [("card_for_coin", "buy coin"), ("card_for_tile", "buy gray")])
def test_N7_not_with_the_cheaper_buys(tower: str, text: str) -> None:
    """N7, V3, V4: a buy for a coin or one tile gives the top card only, for the councilman too."""
    seat = {"descendants": ["councilman"], "tiles": "gray white"}
    state = position(tower=tower, activated="brown", seats=[seat], top=["siege", "nave-1"])
    after = do(state, text)
    assert (after.players[0].hand, kinds(after)) == (("nave-1",), [])


@pytest.mark.parametrize(
    ("tower", "driver", "credit"),
    [(None, ["barge_driver"], 1), ("extra_river", [], 1), ("extra_river", ["barge_driver"], 2), (None, [], 0)],
)
def test_N8_barge_driver_one_more_step_as_a_credit(tower: str | None, driver: list[str], credit: int) -> None:
    """N8, V1: each River action gives one more step as a credit, from either and from both."""
    state = position(tower=tower, activated="turquoise turquoise", seats=[{"descendants": driver}])
    after = do(state, "river")
    assert after.turn.step_credits == credit
    after = do(after, "river")
    assert after.turn.step_credits == 2 * credit
    if credit:
        moved = do(after, "sail")
        assert (moved.players[0].barge, moved.turn.step_credits) == (4, 2 * credit - 1)


def test_N9_money_and_steps_from_elsewhere_trigger_nothing() -> None:
    """N9: money and steps of privileges, cards or credits trigger neither the mint master nor the barge driver."""
    both = {"descendants": ["mint_master", "barge_driver"]}
    state = position(tower="extra_river", credits_={"step": 1}, seats=[both | {"hand": ["construction_freeze"]}])
    after = do(state, "sail", "play construction_freeze top")
    assert (after.players[0].coins, after.turn.step_credits) == (5, 0)
    money = position(tower="extra_money", pending=[{"kind": "barge", "max": 2}, {"kind": "tillage"}], seats=[both])
    after = do(money, "dock gray", "barge 2")
    assert (after.players[0].coins, after.turn.step_credits) == (3, 0)
    hall = position(tower="extra_money", pending=[{"kind": "town_hall"}], seats=[both])
    assert do(hall, "coin").players[0].coins == 3
