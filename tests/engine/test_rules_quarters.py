"""City quarters and coats of arms: rules.md §7, §8."""

from dataclasses import replace

import pytest

from server.engine.ulm2 import RULES
from tests.engine.positions import QUARTER_OF_COAT, do, docks, kinds, legal, one, position, refused, tiles

VP_AT_ONCE = {
    "N1": 3, "N2": 4, "N3": 3, "E1": 3, "E2": 4, "E3": 3, "S1": 1, "S2": 4, "S3": 3, "W1": 2, "W2": 4, "W3": 2,
}  # fmt: skip
LATER = {
    "leaning_house": 1, "oath_house": 1, "town_hall": 1, "reichenauer_hof": 2, "shipyard": 1, "goose_tower": 2,
    "tillage": 2, "garden": 2,
}  # fmt: skip
SPACE = {
    "leaning_house": 1, "oath_house": 6, "town_hall": 12, "reichenauer_hof": 16, "goose_tower": 20, "tillage": 1,
    "garden": 7, "shipyard": 12,
}  # fmt: skip


def at(quarter: str, players: int = 2, seat: dict[str, object] | None = None, **more: object):
    """A position in which seat 0 can place a seal in `quarter`."""
    first = {"barge": SPACE[quarter]} | (seat or {})
    return position(players, activated="orange", seats=[first, *({} for _ in range(players - 1))], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("quarter", ["leaning_house", "garden"])
def test_Q1_W3_draw_two_coats_keep_one(quarter: str) -> None:
    """Q1, W3: the top two coats are shown, one is kept, the other goes to the bottom of the stack."""
    state, _, reveals = one(at(quarter, coats=["E1", "W3", "N2", "S1"]), f"seal {quarter}")
    assert state.to_dict()["pending"] == [{"kind": "coat", "offer": ["S1", "N2"]}]
    assert reveals
    assert legal(state) == {"coat S1", "coat N2"}
    after = do(state, "coat N2")
    assert after.coats == ("S1", "E1", "W3")
    assert after.players[0].coats == ("N2",)
    assert "N2" not in after.coats


@pytest.mark.parametrize("coats", [["W2"], []])
def test_Q1_with_one_coat_or_none_left(coats: list[str]) -> None:
    """Q1, Q9: one coat left is offered alone; with none the privilege is skipped."""
    state, _, reveals = one(at("garden", coats=coats), "seal garden")
    assert [choice[1] for choice in state.pending] == ([("W2",)] if coats else [])
    assert reveals is bool(coats)
    if coats:
        assert do(state, "coat W2").coats == ()


def test_Q2_take_a_descendant() -> None:
    """Q2: take one of the Descendants that are left; one seal, not two."""
    state = do(at("oath_house", descendants=["scholar", "builder", "abbot"]), "seal oath_house")
    assert legal(state) == {"descendant scholar", "descendant builder", "descendant abbot"}
    after = do(state, "descendant builder")
    assert after.players[0].descendants == ("builder",)
    assert after.descendants == ("scholar", "abbot")
    assert after.players[0].seals == 11
    assert after.to_dict()["quarters"]["oath_house"] == [0]
    assert kinds(do(at("oath_house", descendants=[]), "seal oath_house")) == []  # Q9
    # §9: in force from the moment they are taken, also for the rest of the turn.
    state = position(activated="orange gray", seats=[{"barge": 6}], descendants=["mint_master"])
    assert do(state, "seal oath_house", "descendant mint_master", "money").players[0].coins == 2 - 2 + 2


def test_Q3_draw_a_card_then_coin_or_tile() -> None:
    """Q3: draw 1 card, then take either 1 coin or 1 tile from the docks."""
    state, _, reveals = one(at("town_hall", top=["siege"]), "seal town_hall")
    assert (state.players[0].hand, reveals) == (("siege",), True)
    assert legal(state) == {"coin", *(f"dock {color}" for color in docks(state))}
    assert do(state, "coin").players[0].coins == 1
    assert tiles(do(state, "dock orange")) == {"orange": 1}
    bare = do(at("town_hall", pile=[], discard=[], docks={}, bag={}), "seal town_hall")
    assert (bare.players[0].hand, legal(bare)) == ((), {"coin"})


def test_Q4_a_point_for_each_quarter() -> None:
    """Q4: 1 VP for each quarter that holds at least one own seal, this one included."""
    for mine, vp in (({}, 1), ({"tillage": [0, 0], "shipyard": [1, 0]}, 3), ({"reichenauer_hof": [0]}, 1)):
        after = do(at("reichenauer_hof", quarters=mine), "seal reichenauer_hof")
        assert after.players[0].vp == 5 + vp
        assert kinds(after) == []


def test_Q5_Q9_a_card_of_either_pile() -> None:
    """Q5: any 1 card of the discard pile."""
    state = do(at("goose_tower", discard=["siege", "nave-1", "choir-1"]), "seal goose_tower")
    assert legal(state) == {"search", "take siege", "take nave-1", "take choir-1"}
    after, _, reveals = one(state, "take nave-1")
    assert (after.players[0].hand, after.discard, reveals) == (("nave-1",), ("siege", "choir-1"), False)
    assert after.pile == state.pile
    # Q5, B10: look at the top 3, keep 1, the others go face up onto the discard pile in drawing order.
    state = do(at("goose_tower", top=["choir-1", "nave-1", "siege"], discard=["patrician"]), "seal goose_tower")
    state, _, reveals = one(state, "search")
    assert state.to_dict()["pending"] == [{"kind": "choose", "offer": ["siege", "nave-1", "choir-1"]}]
    assert reveals
    after = do(state, "choose nave-1")
    assert (after.players[0].hand, after.discard) == (("nave-1",), ("patrician", "siege", "choir-1"))
    # Q5, B3: the discard pile is shuffled in when the pile runs out; with one card `search` still asks.
    state = do(at("goose_tower", pile=["nave-1"], discard=["siege", "choir-1"]), "seal goose_tower", "search")
    assert state.pending[-1][1][0] == "nave-1"
    assert set(state.pending[-1][1]) == {"nave-1", "siege", "choir-1"}
    assert (state.pile, state.discard) == ((), ())
    state = do(at("goose_tower", pile=["nave-1"], discard=[]), "seal goose_tower")
    assert legal(state) == {"search"}
    state = do(state, "search")
    assert legal(state) == {"choose nave-1"}
    assert do(state, "choose nave-1").discard == ()
    # Q9: neither a draw pile nor a discard pile: skipped.
    assert kinds(do(at("goose_tower", pile=[], discard=[]), "seal goose_tower")) == []


def test_Q6_Q9_tillage_tile_coin_move_in_that_order() -> None:
    """Q6: 1 tile from the docks, 1 coin when that is settled, then the barge 0 to 2."""
    state = do(at("tillage"), "seal tillage")
    assert state.to_dict()["pending"] == [{"kind": "barge", "max": 2}, {"kind": "tillage"}]
    assert state.players[0].coins == 0
    state = do(state, "dock white")
    assert (state.players[0].coins, legal(state)) == (1, {"barge 0", "barge 1", "barge 2"})
    state = do(state, "barge 2")
    assert (state.players[0].barge, kinds(state)) == (3, [])
    # Q6, Q9: the docks choice is skipped, the coin comes at once, the move follows.
    state = do(at("tillage", docks={}, bag={}), "seal tillage")
    assert (state.players[0].coins, kinds(state)) == (1, ["barge"])
    # Tillage is far from the end of the river: a barge that reaches it always has a free space ahead.
    far = position(tower="long_reach", activated="orange", seats=[{"barge": 9}, {"barge": 22}])
    assert kinds(do(far, "seal tillage")) == ["barge", "tillage"]
    # Q9: in an own box it may lie elsewhere; with no free space ahead there is no move to choose.
    own = replace(RULES, south_bank=((1, 22, 5),))
    assert kinds(do(at("tillage", seat={"barge": 22}, rules=own), "seal tillage")) == ["tillage"]


def test_Q7_Q8_Q9_shipyard_tile_then_card_credit() -> None:
    """Q7, Q8: 1 tile from the docks, then one card action as a credit, there when the choice is settled."""
    state = do(at("shipyard"), "seal shipyard")
    assert (kinds(state), state.turn.card_credits) == (["shipyard"], 0)
    state = do(state, "dock gray")
    assert (state.turn.card_credits, tiles(state)) == (1, {"gray": 1})
    # Q8, Q9: with empty docks the credit is there at once, and it can buy.
    state = do(at("shipyard", 2, {"tiles": "gray white"}, docks={}, bag={}), "seal shipyard")
    assert (kinds(state), state.turn.card_credits) == ([], 1)
    after = do(state, "buy gray white")
    assert (after.turn.card_credits, len(after.players[0].hand)) == (0, 1)
    assert sum(docks(after).values()) == 2  # L4: the two tiles go to the empty docks


def test_Q9_choices_of_empty_docks_are_skipped() -> None:
    """Q9: with empty docks the abbot's choice is skipped."""
    seat = {"descendants": ["abbot"]}
    state = position(activated="white", outer={"N1": "gray"}, docks={}, bag={}, seats=[seat])
    assert kinds(do(state, "clear N")) == []
    two = position(pending=[{"kind": "abbot"}, {"kind": "dock"}], docks="gray", bag={}, seats=[seat])
    assert kinds(do(two, "dock gray")) == []  # emptied while it waits
    # Q9, B6: siege's second tile is skipped when the first was the last.
    state = position(docks="gray", bag={}, seats=[{"hand": ["siege"]}])
    state = do(state, "play siege top")
    assert kinds(state) == ["dock", "dock"]
    assert kinds(do(state, "dock gray")) == []


# §8 City coats of arms


@pytest.mark.parametrize("coat", VP_AT_ONCE)
def test_W1_W2_W4_each_coat(coat: str) -> None:
    """W1, W2, W4: the VP at once, a crest for a gold coat, a coat seal beside the slot of its name."""
    state = position(pending=[{"kind": "coat", "offer": [coat]}])
    after = do(state, f"coat {coat}")
    player = after.players[0]
    assert player.vp == 5 + VP_AT_ONCE[coat]
    gold = coat in QUARTER_OF_COAT
    assert (player.crests, player.seals) == (3 - gold, 11)
    assert after.to_dict()["crests"] == ({QUARTER_OF_COAT[coat]: 0} if gold else {})
    assert after.to_dict()["coat_seals"] == {coat: 0}


def test_W2_no_gold_coat_without_a_crest() -> None:
    """W2: with no crest left only a silver coat can be taken."""
    crests = {"coats": ["N1", "N3", "E1"]}
    state = do(at("garden", 2, crests, coats=["S1", "W2", "S3"]), "seal garden")
    assert legal(state) == {"coat W2"}
    refused(state, "coat S3", "W2", "golden rim")
    refused(state, "coat S1", "Q1", "First choose one of the coats")
    assert do(state, "coat W2").coats == ("S3", "S1")
    # W2: both go to the bottom, first drawn first, and the privilege is over; that reveals.
    crests = {"coats": ["N1", "N3", "E1"]}
    state, _, reveals = one(at("garden", 2, crests, coats=["W2", "E3", "S1", "S3"]), "seal garden")
    assert kinds(state) == []
    assert state.coats == ("S1", "S3", "W2", "E3")  # S3 was drawn first and goes under first, then S1
    assert reveals
    alone, _, reveals = one(at("garden", 2, crests, coats=["S3"]), "seal garden")
    assert (alone.coats, kinds(alone), reveals) == (("S3",), [], True)


def test_W4_without_a_seal_none_is_placed() -> None:
    """W4: with no seal left the coat is taken without a coat seal."""
    state = position(seats=[{"seals": 1}], activated="orange", coats=["E2", "S2"])
    after = do(state, "seal leaning_house", "coat S2")
    assert after.players[0].seals == 0
    assert after.to_dict()["coat_seals"] == {}
    assert after.players[0].vp == 9


@pytest.mark.parametrize("quarter", LATER)
@pytest.mark.parametrize("owner", [0, 1, 2])
def test_W5_a_later_seal_pays_the_owner_of_the_crest(quarter: str, owner: int) -> None:
    """W5: each seal action of any player in a quarter with a crest gives its owner the VP, a resigned one too."""
    coat = next(name for name, where in QUARTER_OF_COAT.items() if where == quarter)
    seats: list[dict[str, object]] = [{"barge": SPACE[quarter]}, {}, {"resigned": owner == 2}]
    seats[owner]["coats"] = [coat]
    state = position(3, activated="orange", seats=seats)
    after, events, _ = one(state, f"seal {quarter}")
    bonus = [event for event in events if event.kind == "crest_vp"]
    assert [(event.seat, event.number) for event in bonus] == [(owner, LATER[quarter])]
    hof = 1 if quarter == "reichenauer_hof" else 0
    for seat, player in enumerate(after.players):
        assert player.vp == 5 + LATER[quarter] * (seat == owner) + hof * (seat == 0)


def test_W5_which_seals_count_and_when() -> None:
    """W5: the seal action that brought the coat does not count, nor does the coat seal."""
    state = do(at("garden", coats=["N2", "W3"]), "seal garden", "coat W3")
    assert state.players[0].vp == 5 + 2
    again = position(activated="orange", seats=[{"barge": 7, "coats": ["W3"]}], coats=["N2", "S2"])
    assert do(again, "seal garden").players[0].vp == 5 + 2
    # §7: pay, place the seal, crest bonus, privilege.
    state = position(activated="orange", seats=[{"barge": 16, "coats": ["E3"]}])
    _, events, _ = one(state, "seal reichenauer_hof")
    assert [(event.kind, event.number) for event in events] == [("seal", 2), ("crest_vp", 2), ("hof_vp", 1)]
    # W5: "each seal action", also those of first_chronicle and free_seal.
    for credit in ("seal_at_1", "seal"):
        state = position(credits_={credit: 1}, seats=[{"barge": 20, "coats": ["S3"]}])
        assert do(state, "seal goose_tower").players[0].vp == 7
