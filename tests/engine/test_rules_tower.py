"""Tower tiles: rules.md §11."""

import pytest

from server.engine.rulesets import Rules
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.state import State
from server.engine.ulm2 import RULES as ULM2
from tests.engine.positions import BESIDE, bag, do, docks, kinds, legal, one, position, refused, tiles


@pytest.mark.parametrize(
    "tower",
    [
        "extra_river", "extra_money", "card_for_coin", "card_for_tile", "free_seal", "cheap_seal", "dear_seal",
        "tile_levy", "coin_levy", "keep_pushed", "pick_tile", "long_reach",
    ],
)  # fmt: skip
def test_V1_to_V12_each_tile_is_in_force_for_its_round_alone(tower: str) -> None:
    """§11: each for its round, no longer."""
    state = position(tower=tower, round_=3, active=1)
    assert state.tower_tile == tower
    after = do(state, "end")
    assert after.round == 4
    assert after.tower_tile != tower


def test_V1_V2_extra_river_and_extra_money() -> None:
    """V1: each River action gives one more step as a credit; a sail does not."""
    state = do(position(tower="extra_river", activated="turquoise"), "river")
    assert state.turn.step_credits == 1
    state = do(state, "sail")
    assert (state.players[0].barge, state.turn.step_credits) == (3, 0)
    # V2: each Money action gives 1 coin more.
    assert do(position(tower="extra_money", activated="gray"), "money").players[0].coins == 4
    assert do(position(tower="extra_river", activated="gray"), "money").players[0].coins == 3


def test_V3_V4_cards_for_a_coin_or_a_tile() -> None:
    """V3: a buy may instead be paid with 1 coin; top card only; the usual buys stay."""
    state = position(tower="card_for_coin", activated="brown", seats=[{"tiles": "gray gray"}], top=["siege", "nave-1"])
    assert legal(state, "buy") == {"buy gray gray", "buy coin"}
    after, _, reveals = one(state, "buy coin")
    assert (after.players[0].coins, after.players[0].hand, kinds(after), reveals) == (1, ("nave-1",), [], True)
    assert tiles(after) == {"gray": 2}
    assert sum(after.turn.activated) == 0
    refused(position(tower="card_for_coin", activated="brown", seats=[{"coins": 0}]), "buy coin", "V3", "no coin")
    refused(position(activated="brown"), "buy coin", "V3", "only in a round of card_for_coin")
    refused(state, "buy gray", "V4", "only in a round of card_for_tile")
    # V4: a buy may instead be paid with 1 tile; top card only.
    state = position(tower="card_for_tile", activated="brown", seats=[{"tiles": "gray gray"}], top=["siege", "nave-1"])
    assert legal(state, "buy") == {"buy gray gray", "buy gray"}
    after = do(state, "buy gray")
    assert (after.players[0].hand, kinds(after), tiles(after)) == (("nave-1",), [], {"gray": 1})
    refused(state, "buy white", "A3", "You have no white tile")
    refused(state, "buy coin", "V3", "only in a round of card_for_coin")


@pytest.mark.parametrize(("phase", "drawn"), [("draw", ""), ("push", "gray"), ("actions", "")])
def test_V5_one_seal_action_as_a_credit(phase: str, drawn: str) -> None:
    """V5, A7: at its usual price, no orange tile needed; in every phase, where the credit is there."""
    state = position(tower="free_seal", phase=phase, drawn=drawn, credits_={"seal": 1})
    after = do(state, "seal leaning_house")
    assert (after.players[0].coins, after.turn.seal_credits) == (0, 0)
    refused(
        position(tower="free_seal", phase=phase, drawn=drawn, credits_={"seal": 1}, seats=[{"coins": 1}]),
        "seal tillage",
        "A5",
        "costs 2 coins, and you have 1",
    )


def test_A7_V5_R1_the_credit_comes_when_the_push_is_done() -> None:
    """A7: not before the push; or when there is nothing to push (L4)."""
    state = do(position(tower="free_seal", active=0), "end")
    while state.phase in ("draw", "push"):
        assert (state.turn.seal_credits, legal(state, "seal")) == (0, set())
        state = do(state, "draw" if state.phase == "draw" else "push N1")
    assert state.turn.seal_credits == 1
    assert do(position(tower="free_seal", phase="draw", bag={}), "draw").turn.seal_credits == 1
    given_away = position(tower="free_seal", phase="push", bag={}, seats=[{"tiles": "gray", "hand": ["nave-1"]}])
    assert do(given_away, "play nave-1 top gray").turn.seal_credits == 1


def test_A7_V5_R2_in_ulm_1_the_credit_is_there_from_the_start_of_the_turn() -> None:
    """R2: and the push brings no second one."""
    state = do(position(tower="free_seal", active=0, rules=ULM1), "end")
    assert state.turn.seal_credits == 1
    assert legal(state, "seal")
    assert do(state, "draw", "push N1").turn.seal_credits == 1


@pytest.mark.parametrize("rules", [ULM1, ULM2], ids=lambda rules: rules.name)
def test_V5_no_credit_in_other_rounds(rules: Rules) -> None:
    """V5: the credit belongs to the turns of its round; those of the round after have none."""

    def credits_of_next_turn(state: State) -> int:
        return do(state, "end", "draw", "push N1").turn.seal_credits

    assert credits_of_next_turn(position(tower="free_seal", active=1, rules=rules)) == 0
    before = position(tower="free_seal", round_=5, active=1, rules=rules)
    before.round = 4
    assert credits_of_next_turn(before) == 1


@pytest.mark.parametrize(("tower", "price"), [("cheap_seal", 1), ("dear_seal", 3), ("free_seal", 2)])
@pytest.mark.parametrize("orange", [True, False])
def test_V6_V7_the_price_of_a_seal(tower: str, price: int, orange: bool) -> None:
    """V6, V7: seal actions cost 1 coin less, 1 coin more; those of a credit too."""
    kind = {"activated": "orange"} if orange else {"credits_": {"seal": 1}}
    state = position(tower=tower, seats=[{"coins": price}], **kind)  # type: ignore[arg-type]
    assert do(state, "seal leaning_house").players[0].coins == 0
    poor = position(tower=tower, seats=[{"coins": price - 1}], **kind)  # type: ignore[arg-type]
    refused(poor, "seal leaning_house", "A5", f"costs {price} coin")


@pytest.mark.parametrize(("phase", "drawn"), [("draw", ""), ("keep", "gray white"), ("push", "gray"), ("actions", "")])
def test_V8_tile_levy_at_any_moment(phase: str, drawn: str) -> None:
    """V8: at any moment of the own turn give up 2 tiles, once; they go into the bag."""
    seat = {"tiles": "gray gray orange", "descendants": ["builder"]}
    state = position(tower="tile_levy", phase=phase, drawn=drawn, seats=[seat])
    assert legal(state, "levy") == {"levy gray gray", "levy gray orange"}
    refused(state, "levy", "V8", "two tiles")
    refused(state, "levy white white", "V8", "two white tiles")
    after, _, reveals = one(state, "levy gray orange")
    assert (tiles(after), after.turn.levy_paid, reveals) == ({"gray": 1}, True, False)
    assert sum(after.bag) == sum(state.bag) + 2
    refused(after, "levy gray gray", "V8", "paid the levy")


@pytest.mark.parametrize("tower", ["tile_levy", "coin_levy"])
@pytest.mark.parametrize("paid", [True, False])
def test_V8_V9_unpaid_costs_five_points_at_the_end(tower: str, paid: bool) -> None:
    """V8, V9, E6: or lose 5 VP when the turn ends; the score may fall below 0."""
    state = position(tower=tower, levy_paid=paid, seats=[{"vp": 2}])
    after = do(state, "end")
    assert [player.vp for player in after.players] == [2 if paid else -3, 5]
    assert not after.turn.levy_paid


def test_V8_V9_each_turn_of_the_round_owes_its_own() -> None:
    """V8, V9: each player owes it in the own turn of that round, the last turn of the game included."""
    state = do(position(tower="coin_levy", round_=10), "end", "draw", "push N1", "levy", "end")
    assert state.phase == "over"
    assert [player.vp for player in state.players] == [0, 5]
    assert [score["vp"] for score in state.scores or []] == [0, 5]
    # V9: pay 2 coins, once.
    state = position(tower="coin_levy", seats=[{"coins": 5, "tiles": "gray gray"}])
    assert legal(state, "levy") == {"levy"}
    refused(state, "levy gray gray", "V9", "2 coins")
    after = do(state, "levy")
    assert (after.players[0].coins, legal(after, "levy")) == (3, set())
    refused(position(tower="coin_levy", seats=[{"coins": 1}]), "levy", "V9", "and you have 1")
    refused(position(tower="extra_money"), "levy", "V9", "no levy this round")
    # V8, T6: a pending choice comes first.
    state = position(tower="coin_levy", pending=[{"kind": "dock"}])
    assert not legal(state, "levy")
    # V8, L4: they go into the bag together, then the docks are filled; that reveals.
    state = position(tower="tile_levy", docks="gray white brown", bag={}, seats=[{"tiles": "orange orange"}])
    after, _, reveals = one(state, "levy orange orange")
    assert (docks(after), bag(after), reveals) == ({"gray": 1, "white": 1, "brown": 1, "orange": 2}, {}, True)


def test_V10_keep_pushed() -> None:
    """V10: the tile that the own push made fall out may be taken, once, while it still lies there."""
    state = do(position(tower="keep_pushed", phase="push", drawn="gray"), "push N2")
    assert "salvage" in legal(state)
    after, _, reveals = one(state, "salvage")
    assert (tiles(after), after.to_dict()["outer"], reveals) == ({"brown": 1}, {}, False)
    refused(after, "salvage", "V10", "no longer lies there")
    cleared = do(position(tower="keep_pushed", activated="white", slot="N2", outer={"S2": "gray"}), "clear S")
    refused(cleared, "salvage", "V10", "no longer lies there")
    # V10: only the tile of the own push, in a round of this tile.
    before = position(tower="keep_pushed", phase="push", drawn="gray", outer={"S2": "white"})
    refused(before, "salvage", "V10", "pushed no tile out yet")
    other = position(slot="N2", outer={"S2": "gray"})
    refused(other, "salvage", "V10", "only in a round of keep_pushed")
    nobody = position(tower="keep_pushed", outer={"S2": "gray"})
    assert not legal(nobody, "salvage")
    # V10, K5: taking the tile back does not undo the sparrow.
    state = position(tower="keep_pushed", phase="push", drawn="gray", seats=[{"coats": ["S2"]}])
    assert do(state, "push N2", "salvage").players[0].sparrows == 3


@pytest.mark.parametrize("descendants", [[], ["builder"]])
def test_V11_pick_tile(descendants: list[str]) -> None:
    """V11, B11: the player may choose the tile from the bag instead of drawing; one tile, for the builder too."""
    state = position(tower="pick_tile", phase="draw", bag="gray gray orange", seats=[{"descendants": descendants}])
    assert legal(state) == {"draw", "pick gray", "pick orange"}
    refused(state, "pick white", "L1", "no white tile")
    after, _, reveals = one(state, "pick gray")
    assert (after.phase, after.to_dict()["turn"]["tiles"], bag(after)) == ("push", ["gray"], {"gray": 1, "orange": 1})
    assert not reveals
    refused(after, "pick gray", "V11", "your tile already")


def test_V11_not_in_other_rounds_nor_from_an_empty_bag() -> None:
    """V11: only in its round; with an empty bag only `draw` is left."""
    refused(position(phase="draw"), "pick gray", "V11", "only in a round of pick_tile")
    assert legal(position(tower="pick_tile", phase="draw", bag={})) == {"draw"}


@pytest.mark.parametrize("space", range(1, 23))
@pytest.mark.parametrize("credit", ["orange", "seal_at_1"])
def test_V12_long_reach(space: int, credit: str) -> None:
    """V12: seal actions, also first_chronicle's, reach the quarters beside every space from 3 behind to 3 ahead."""
    kind = {"activated": "orange"} if credit == "orange" else {"credits_": {credit: 1}}
    state = position(tower="long_reach", seats=[{"barge": space}], **kind)  # type: ignore[arg-type]
    spaces = [other for other in range(1, 23) if abs(other - space) <= 3]
    near = {name for name, (low, high) in (BESIDE).items() if any(low <= other <= high for other in spaces)}
    assert legal(state, "seal") == {f"seal {name}" for name in near}
