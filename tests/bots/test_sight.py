"""What bots know: what their seat sees, and no more. What they make up fits it."""

import random
from collections import Counter

import pytest

from bots import journeyman, offers
from bots.determinise import Worlds, held_openly
from bots.sight import Sight
from server.engine.ulm1.tables import CARDS, TOWER
from tests.bots.positions import RULES, positions, sight
from tests.engine.positions import position
from tests.rulesets.other_cards import other_cards  # noqa: F401 - a fixture

QUICK = (
    "random", "apprentice", "journeyman:worlds=2,first=4,limit=12",
    "master:tries=2,moves=2,limit=6,worlds=1,look=6,first=3", "flat:playouts=8",
)  # fmt: skip


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("advanced", [False, True])
def test_a_made_up_position_looks_the_same(players, advanced):
    """The view of what was dealt anew is the view that it was dealt from, and all cards and tiles are there once."""
    rng = random.Random(1)
    for state, log in positions(players, advanced, f"made up {players}"):
        seen = sight(state, log)
        for _ in range(2):
            world = Worlds(seen).one(rng)
            assert RULES.view(world, state.active) == seen.view
            offered = [card for choice in world.pending if choice[0] == "choose" for card in choice[1]]
            hands = [card for player in world.players for card in (*player.hand, *player.table)]
            assert sorted([*world.pile, *world.discard, *hands, *offered]) == sorted(CARDS)
            assert len(set(world.tower)) == RULES.rounds
            assert set(world.tower) <= set(TOWER)
            coats = [coat for player in world.players for coat in player.coats]
            shown = [coat for choice in world.pending if choice[0] == "coat" for coat in choice[1]]
            assert sorted([*world.coats, *coats, *shown]) == sorted(RULES.coats)


def test_made_up_positions_differ():
    """What is hidden is not always dealt in the same way, nor as it truly is."""
    rng = random.Random(1)
    state, log = list(positions(2, True, "differ"))[12]
    piles = {Worlds(sight(state, log)).one(rng).pile for _ in range(20)}
    assert len(piles) == 20
    assert state.pile not in piles


def test_cards_taken_openly_are_where_they_were_seen_to_go():
    """Who took a card of the discard pile (Q5) and has not played it holds it in every position that is made up."""
    state, log = next((s, g) for s, g in positions(2, False, "openly") if s.players[1 - s.active].hand)
    other = 1 - state.active
    card = state.players[other].hand[0]
    seen = sight(state, [*log, (other, ("take", card))])
    assert held_openly(seen.log, seen.view) == {other: (card,)}
    for number in range(10):
        world = Worlds(seen).one(random.Random(number))
        assert card in world.players[other].hand
        assert RULES.view(world, state.active) == seen.view
        assert Counter((*world.pile, *(c for player in world.players for c in player.hand)))[card] == 1
    played = sight(state, [*log, (other, ("take", card)), (other, ("play", card, "table"))])
    assert held_openly(played.log, played.view) == {}


@pytest.mark.parametrize("name", QUICK)
def test_twin_worlds(name):
    """Two true positions that a seat cannot tell apart: it plays the same move in both."""
    shuffle = random.Random(5).shuffle
    compared = 0
    for state, log in positions(3, True, "twins", every=23):
        twin = RULES.dealt(state, (state.active,), shuffle)
        twin.seed = bytes(range(32))
        one, other = sight(state, log), sight(twin, log)
        assert one == other
        compared += state.pile != twin.pile
        moves = [offers.bot(name).choose(seen, random.Random(7)) for seen in (one, other)]
        assert moves[0] == moves[1]
        assert moves[0] in one.legal
    assert compared > 5


@pytest.mark.parametrize(("card", "waits"), [("first_chronicle", True), ("patrician", False)])
def test_who_may_choose_the_tile_by_a_card_does_not_draw_without_a_thought(other_cards, card, waits):  # noqa: F811
    """B11: by what the card does in the box, whatever it is called."""
    state = position(phase="draw", seats=[{"hand": [card]}], rules=other_cards)
    seen = Sight(other_cards.view(state, 0), other_cards.legal_moves(state))
    assert (journeyman.obvious(seen) is None) == waits
