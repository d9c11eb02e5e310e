"""Cards and their tops: rules.md §10. Their table values are in test_rules_scoring.py."""

from dataclasses import replace

import pytest

from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.ruleset import Top
from server.engine.ulm1.view import view
from server.engine.ulm2 import RULES as ULM2
from tests.engine.positions import CHRONICLE, bag, do, docks, kinds, legal, one, position, refused, tiles

COLORS = ["gray", "white", "brown", "turquoise", "orange"]
PAYS = {
    "nave-1": "gray white", "nave-2": "brown turquoise", "nave-3": "gray orange", "choir-1": "white brown",
    "choir-2": "turquoise orange", "choir-3": "gray brown", "steeple-1": "white turquoise", "steeple-2": "brown orange",
    "steeple-3": "gray turquoise",
}  # fmt: skip
TRADE = {"fustian": (3, 2, 0), "works_of_art": (0, 5, 1), "commercial_goods": (0, 2, 3)}  # coins, VP, steps
TRADE_CARDS = [f"{kind}-{color}" for kind in TRADE for color in COLORS]
ALL = [*PAYS, *TRADE_CARDS, *CHRONICLE]


def holding(*cards: str, players: int = 2, seat: dict[str, object] | None = None, **more: object):
    """A position in which seat 0 holds `cards`."""
    first = {"hand": list(cards)} | (seat or {})
    return position(players, seats=[first, *({} for _ in range(players - 1))], **more)  # type: ignore[arg-type]


def test_B1_hand_cards_are_secret_and_alone_can_be_played() -> None:
    """B1: hand cards are secret, their number is public; there is no hand limit."""
    state = holding(*ALL[:30], pile=["siege"], activated="brown", seat={"tiles": "gray white"})
    for viewer in (None, 1):
        shown = view(state, viewer)["players"][0]
        assert shown["hand_size"] == 30
        assert "hand" not in shown
    assert view(state, 0)["players"][0]["hand"] == ALL[:30]
    assert len(do(state, "buy gray white").players[0].hand) == 31
    # B1, B2: a card of the table, of another hand or of a pile cannot be played.
    state = position(seats=[{"hand": ["siege"], "table": ["patrician"]}, {"hand": ["nave-1"]}])
    assert legal(state, "play") == {"play siege top", "play siege table"}
    for card in ("patrician", "nave-1", "choir-1"):
        refused(state, f"play {card} table", "B1", f"You do not have {card} in your hand")


@pytest.mark.parametrize("card", ALL)
def test_B2_every_card_onto_the_table(card: str) -> None:
    """B2: onto the table, face up, without any effect now; it counts as played and stays out of the piles."""
    state = holding("reformation" if card != "reformation" else "siege", card, discard=[])
    after, events, reveals = one(state, f"play {card} table")
    want = state.to_dict()
    want["players"][0] |= {"hand": [state.players[0].hand[0]], "table": [card], "played": 1}
    want["turn"]["free_play"] = False
    want["ply"] += 1
    assert after.to_dict() == want
    assert ([event.kind for event in events], reveals) == (["play_table"], False)
    assert card in view(after, None)["players"][0]["table"]


def test_B2_a_top_goes_face_up_onto_the_discard_pile() -> None:
    """B2: played for its top a card goes onto the discard pile."""
    after = do(holding("construction_freeze", discard=["siege"]), "play construction_freeze top")
    assert after.discard == ("siege", "construction_freeze")
    assert (after.players[0].hand, after.players[0].table, after.players[0].played) == ((), (), 1)


def test_B3_the_discard_pile_becomes_the_draw_pile() -> None:
    """B3: draw pile empty: the discard pile is shuffled into a new one; a look may take from both."""
    cards = ["nave-1", "nave-2", "nave-3", "choir-1", "choir-2"]
    seen = set()
    for counter in range(12):
        state = position(activated="brown", pile=[], discard=cards, seats=[{"tiles": "gray white"}])
        state.chance = counter
        after, events, _ = one(state, "buy gray white")
        assert after.discard == ()
        assert {*after.pile, *after.players[0].hand} == set(cards)
        assert [event.number for event in events if event.kind == "reshuffle"] == [5]
        assert after.chance == counter + 4  # a shuffle of five takes four numbers
        seen.add(after.players[0].hand)
    assert len(seen) > 2
    both = position(activated="brown", pile=["siege"], discard=["nave-1", "nave-2"], seats=[{"tiles": "gray gray"}])
    offer = do(both, "buy gray gray").pending[-1][1]
    assert offer[0] == "siege"
    assert offer[1] in ("nave-1", "nave-2")
    # B3: both piles empty: no card, nowhere.
    state = position(activated="brown orange", pile=[], discard=[], seats=[{"tiles": "gray white", "barge": 12}])
    assert not legal(state, "buy")
    assert do(state, "seal town_hall").players[0].hand == ()


@pytest.mark.parametrize("card", PAYS)
def test_B4_cathedral_tops(card: str) -> None:
    """B4: give up one tile of one of the two colours shown: 6 VP."""
    state = holding(card, seat={"tiles": "gray white brown turquoise orange"})
    assert legal(state, "play") == {f"play {card} table", *(f"play {card} top {color}" for color in PAYS[card].split())}
    for color in PAYS[card].split():
        after = do(state, f"play {card} top {color}")
        assert after.players[0].vp == 11
        assert color not in tiles(after)
        assert sum(after.bag) == sum(state.bag) + 1
        assert after.discard == (card,)
        only = holding(card, seat={"tiles": color})
        assert legal(only, "play") == {f"play {card} table", f"play {card} top {color}"}
    others = [color for color in COLORS if color not in PAYS[card]]
    without = holding(card, seat={"tiles": others})
    refused(without, f"play {card} top {PAYS[card].split()[1]}", "B7", "and you have none")


@pytest.mark.parametrize("card", TRADE_CARDS)
def test_B5_trade_tops(card: str) -> None:
    """B5: give up one tile of that colour for the benefit: coins, VP, a move of so many."""
    kind, color = card.split("-")
    coins, vp, steps = TRADE[kind]
    after = do(holding(card, seat={"tiles": [color]}), f"play {card} top")
    player = after.players[0]
    assert (player.coins, player.vp, tiles(after), after.discard) == (2 + coins, 5 + vp, {}, (card,))
    assert (player.barge, kinds(after)) == (1 + steps, [])
    others = [other for other in COLORS if other != color]
    assert legal(holding(card, seat={"tiles": others}), "play") == {f"play {card} table"}
    # B7: the move is not the only effect, so no free space ahead does not forbid it
    at_end = do(holding(card, seat={"tiles": [color], "barge": 22}), f"play {card} top")
    assert (at_end.players[0].vp, kinds(at_end)) == (5 + vp, [])


def test_B5_a_move_reaches_the_last_space_only() -> None:
    """B5, D3, D4: the move of commercial goods gives what its last space gives."""
    state = holding("commercial_goods-gray", seat={"tiles": "gray", "barge": 17})
    player = do(state, "play commercial_goods-gray top").players[0]
    assert (player.barge, player.coins, player.sparrows) == (20, 2, 3)


def test_B6_B9_first_chronicle_one_seal_for_exactly_one_coin() -> None:
    """B6, B9: one seal action as a credit, without an orange tile, price exactly 1 coin."""
    state = do(holding("first_chronicle", seat={"coins": 1, "barge": 20}), "play first_chronicle top")
    assert legal(state, "seal") == {"seal goose_tower", "seal shipyard"}
    after = do(state, "seal shipyard")
    assert (after.players[0].coins, after.players[0].seals, kinds(after)) == (0, 11, ["shipyard"])
    assert not legal(do(after, "dock gray"), "seal")
    poor = do(holding("first_chronicle", seat={"coins": 0}), "play first_chronicle top")
    refused(poor, "seal tillage", "A5", "costs 1 coin, and you have 0")
    # B9: with one coin and the credit a seal is legal, though the orange tile alone would cost two.
    state = holding("first_chronicle", seat={"coins": 1, "barge": 20}, activated="orange")
    assert not legal(state, "seal")
    after = do(state, "play first_chronicle top", "seal shipyard", "dock gray")
    assert not legal(after, "seal")  # the orange tile is left, the coin is gone


@pytest.mark.parametrize("tower", ["cheap_seal", "dear_seal", "free_seal", None])
def test_B9_whatever_the_tower_tile(tower: str | None) -> None:
    """B9, record.md §3: exactly 1 coin whatever the Tower tile; this credit goes first, then orange, then V5."""
    state = holding(
        "first_chronicle",
        seat={"coins": 20, "barge": 20},
        tower=tower,
        activated="orange",
        credits_={"seal": 1},
        docks={"gray": 5},
    )
    price = {"cheap_seal": 1, "dear_seal": 3}.get(tower or "", 2)
    state = do(state, "play first_chronicle top", "seal shipyard", "dock gray")
    assert (state.players[0].coins, state.turn.seal_at_1_credits, sum(state.turn.activated)) == (19, 0, 1)
    state = do(state, "seal shipyard", "dock gray")
    assert (state.players[0].coins, sum(state.turn.activated), state.turn.seal_credits) == (19 - price, 0, 1)
    state = do(state, "seal shipyard", "dock gray")
    assert (state.players[0].coins, state.turn.seal_credits) == (19 - 2 * price, 0)
    assert not legal(state, "seal")


def test_B6_B7_city_wall_freeze_and_jousting() -> None:
    """B6: take all outer tiles of one side; B7: a side without any cannot be chosen."""
    outer = {"N1": "gray", "N3": "white", "E2": "orange"}
    state = holding("city_wall", outer=outer, phase="draw")
    assert legal(state, "play") == {"play city_wall table", "play city_wall top N", "play city_wall top E"}
    after = do(state, "play city_wall top N")
    assert (tiles(after), after.to_dict()["outer"]) == ({"gray": 1, "white": 1}, {"E2": "orange"})
    refused(state, "play city_wall top S", "B7", "No tile lies outside on side S")
    assert legal(holding("city_wall"), "play") == {"play city_wall table"}
    # B6: 3 coins.
    assert do(holding("construction_freeze"), "play construction_freeze top").players[0].coins == 5
    # B6, B7: a move of 3; not without a free space ahead.
    state = do(holding("fisherman_jousting"), "play fisherman_jousting top")
    assert (state.players[0].barge, kinds(state), state.discard) == (4, [], ("fisherman_jousting",))
    stuck = holding("fisherman_jousting", seat={"barge": 22})
    refused(stuck, "play fisherman_jousting top", "B7", "no free space ahead")


def test_B6_B11_patrician() -> None:
    """B6, B11: before the draw; then only `pick` is left for the draw; the tile picked is ready to push."""
    state = holding("patrician", phase="draw", bag="gray orange orange", seat={"descendants": ["builder"]})
    state = do(state, "play patrician top")
    assert (state.phase, state.turn.patrician) == ("draw", True)
    assert legal(state) == {"pick gray", "pick orange"}
    refused(state, "draw", "B11", "pick your tile")
    refused(state, "pick white", "L1", "The bag holds no white tile")
    after, _, reveals = one(state, "pick orange")
    assert (after.phase, after.to_dict()["turn"]["tiles"], bag(after)) == ("push", ["orange"], {"gray": 1, "orange": 1})
    assert (after.turn.patrician, reveals, after.chance) == (False, False, state.chance)


@pytest.mark.parametrize(("phase", "drawn"), [("keep", "gray white"), ("push", "gray"), ("actions", "")])
def test_B7_patrician_only_before_the_draw(phase: str, drawn: str) -> None:
    """B7: patrician's top needs that nothing is drawn yet, and a bag that is not empty."""
    state = holding("patrician", phase=phase, drawn=drawn, seat={"descendants": ["builder"]})
    refused(state, "play patrician top", "B7", "before the draw")
    refused(holding("patrician", phase="draw", bag={}), "play patrician top", "B7", "The bag is empty")


def test_B11_the_pick_lapses_when_the_bag_runs_empty() -> None:
    """B11: should the bag have become empty before the pick, the pick lapses and `draw` is legal again."""
    state = position(
        phase="draw",
        patrician=True,
        bag="gray",
        credits_={"seal": 1},
        outer={"N1": "white"},
        seats=[{"barge": 12}],
        free_play=False,
    )
    assert legal(state) == {"pick gray", "seal town_hall", "seal shipyard"}
    state = do(state, "seal shipyard", "dock orange")  # the last tile of the bag refills the docks
    assert bag(state) == {}
    assert not state.turn.patrician
    assert "draw" in legal(state)
    assert not legal(state, "pick")
    after = do(state, "draw")
    assert after.to_dict()["turn"]["tiles"] == ["white"]
    # B11: as soon as the bag is empty, also while the choices are pending that took its last tile.
    state = position(phase="draw", patrician=True, bag="gray", credits_={"seal": 1}, free_play=False)
    state = do(state, "seal tillage", "dock orange")
    assert (bag(state), kinds(state), state.turn.patrician) == ({}, ["barge"], False)
    assert "draw" in legal(do(state, "barge 2"))
    # B11: while a tile is left in the bag the pick stays due.
    state = position(phase="draw", patrician=True, bag="gray gray", credits_={"seal": 1}, seats=[{"barge": 12}])
    state = do(state, "seal shipyard", "dock orange")
    assert legal(state, "pick", "draw") == {"pick gray"}


def test_B6_B7_B10_reformation() -> None:
    """B6, B10: look at the top 2, keep 1, discard the other; it is never in its own reshuffle."""
    state = do(holding("reformation", top=["siege", "nave-1"]), "play reformation top")
    assert state.to_dict()["pending"] == [{"kind": "choose", "offer": ["nave-1", "siege"]}]
    assert state.discard == ("reformation",)
    after, events, _ = one(state, "choose siege")
    assert (after.players[0].hand, after.discard) == (("siege",), ("reformation", "nave-1"))
    assert [event.number for event in events if event.kind == "discard"] == [1]
    short = do(holding("reformation", pile=[], discard=["siege", "nave-1"]), "play reformation top")
    assert set(short.pending[-1][1]) == {"siege", "nave-1"}
    assert short.discard == ("reformation",)
    # B7, record.md §3: a card to be had; with one it still asks.
    state = do(holding("reformation", pile=["siege"]), "play reformation top")
    assert legal(state) == {"choose siege"}
    assert do(state, "choose siege").players[0].hand == ("siege",)
    none = holding("reformation", pile=[], discard=[])
    assert legal(none, "play") == {"play reformation table"}
    refused(none, "play reformation top", "B7", "would change nothing")


def test_B6_B7_siege_and_swabian_league() -> None:
    """B6, B7: 2 tiles from the docks, one after the other; not with empty docks."""
    state = do(holding("siege", bag="gray gray", docks="white brown turquoise orange orange"), "play siege top")
    assert kinds(state) == ["dock", "dock"]
    state = do(state, "dock white")
    assert docks(state) == {"gray": 1, "brown": 1, "turquoise": 1, "orange": 2}
    assert tiles(do(state, "dock gray")) == {"white": 1, "gray": 1}
    refused(holding("siege", docks={}, bag={}), "play siege top", "B7", "The docks are empty")
    # B6: 1 coin, 1 sparrow, 1 tile from the docks; with empty docks the tile is skipped.
    state = do(holding("swabian_league"), "play swabian_league top")
    assert (state.players[0].coins, state.players[0].sparrows, kinds(state)) == (3, 3, ["dock"])
    bare = do(holding("swabian_league", docks={}, bag={}), "play swabian_league top")
    assert (bare.players[0].coins, bare.players[0].sparrows, kinds(bare)) == (3, 3, [])


@pytest.mark.parametrize("sparrows", [0, 1, 4, 5, 9])
def test_B6_ulm_sparrow(sparrows: int) -> None:
    """B6, B7: turn 1 to 5 sparrows into as many coins."""
    state = holding("ulm_sparrow", seat={"sparrows": sparrows})
    tops = {f"play ulm_sparrow top {number}" for number in range(1, min(sparrows, 5) + 1)}
    assert legal(state, "play") == {"play ulm_sparrow table"} | tops
    for number in range(1, min(sparrows, 5) + 1):
        player = do(state, f"play ulm_sparrow top {number}").players[0]
        assert (player.sparrows, player.coins) == (sparrows - number, 2 + number)
    if sparrows < 5:
        refused(state, "play ulm_sparrow top 5", "B7", "sparrow")


def test_B7_tops_that_always_change_something() -> None:
    """B7: first_chronicle, construction_freeze and swabian_league can always be played, in every phase."""
    for phase, drawn in (("draw", ""), ("push", "gray"), ("actions", "")):
        for card in ("first_chronicle", "construction_freeze", "swabian_league"):
            assert f"play {card} top" in legal(holding(card, phase=phase, drawn=drawn, pile=[], docks={}, bag="gray"))


def test_B6_B7_what_a_card_of_an_own_box_alone_does() -> None:
    """B6: cards to hand, card actions, an orange tile's seal for the price of the card; B7: where there is one."""

    def by(effect: str, number: int, **more: object):
        own = replace(ULM2, tops={**ULM2.tops, "siege": Top(None, ((effect, number),))})
        return holding("siege", rules=own, **more)

    assert len(do(by("cards", 2), "play siege top").players[0].hand) == 2
    refused(by("cards", 2, pile=[]), "play siege top", "B7", "would change nothing")
    assert do(by("actions", 2), "play siege top").turn.card_credits == 2
    state = do(by("orange_seal", 1, activated="orange orange", seat={"coins": 9}), "play siege top")
    assert (state.turn.activated, state.turn.seal_at_1_credits) == ([0, 0, 0, 0, 1], 1)
    refused(by("orange_seal", 1), "play siege top", "B7", "orange tile")


def test_B8_free_play_then_brown_tile_then_credit() -> None:
    """B8: the free play is used up first, then a brown tile, then a card credit."""
    cards = ["nave-1", "nave-2", "nave-3", "siege"]
    state = holding(*cards, activated="brown", credits_={"card": 1})
    left = []
    for card in cards[:3]:
        state = do(state, f"play {card} table")
        left.append((state.turn.free_play, sum(state.turn.activated), state.turn.card_credits))
    assert left == [(False, 1, 1), (False, 0, 1), (False, 0, 0)]
    refused(state, "play siege table", "B8", "no card action is left")
    # B8, T3: before the push only the free play and credits can play a card.
    state = holding("nave-1", "nave-2", phase="draw", credits_={"card": 1})
    state = do(state, "play nave-1 table", "play nave-2 table")
    assert state.turn.card_credits == 0


def test_B10_a_card_is_discarded_before_its_choices_are_settled() -> None:
    """B10: when its tile is paid and its immediate effects are done, before the choices that it raised."""
    for card, tile, barge in (("siege", "", 1), ("works_of_art-gray", "gray", 20), ("swabian_league", "", 1)):
        state = do(holding(card, seat={"tiles": tile, "barge": barge}), f"play {card} top")
        assert kinds(state)[-1] == "dock"
        assert state.discard == (card,)


def test_D3_B10_a_card_that_moves_is_never_in_its_own_reshuffle() -> None:
    """B10: the move to space 22 is an immediate effect: the card that it draws comes before this one is discarded."""
    state = holding("works_of_art-gray", pile=[], discard=["siege"], seat={"tiles": "gray", "barge": 21})
    after = do(state, "play works_of_art-gray top")
    assert (after.players[0].hand, after.discard) == (("siege",), ("works_of_art-gray",))
    bare = do(holding("works_of_art-gray", pile=[], seat={"tiles": "gray", "barge": 21}), "play works_of_art-gray top")
    assert (bare.players[0].hand, bare.discard) == ((), ("works_of_art-gray",))
    # R2: where the steps are chosen, they come after it.
    before = holding("works_of_art-gray", pile=[], seat={"tiles": "gray", "barge": 21}, rules=ULM1)
    chosen = do(before, "play works_of_art-gray top", "barge 1")
    assert (chosen.players[0].hand, chosen.discard) == (("works_of_art-gray",), ())
