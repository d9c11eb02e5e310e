"""What the address of a page asks about: moves that begin with its words, or that give tiles of one's own supply."""

from collections import Counter

import pytest

from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.tables import COLORS
from server.routes.pages.game import board_links
from tests.service.views.test_drafts import GAMES, positions


@pytest.mark.parametrize(("number", "seats", "tower"), GAMES)
def test_which_tiles_a_move_gives_is_what_the_supply_has_less(number, seats, tower):
    """A3, B4, B5, N6, V8: a purchase, a card's upper effect, an exchange, the levy."""
    given = 0
    for state in positions(number, seats, tower):
        assert state.active is not None
        for move in game.legal_moves(state):
            if move[0] == "push":  # what is in hand goes into the supply for it (N7)
                assert board_links.given(RULES, format_move(move)) == list(move[2:])
                continue
            after = game.apply(state, state.active, move).state.players[state.active].tiles
            less = Counter(dict(zip(COLORS, state.players[state.active].tiles, strict=True)))
            less.subtract(dict(zip(COLORS, after, strict=True)))
            assert Counter(board_links.given(RULES, format_move(move))) == +less, move
            given += any(number > 0 for number in less.values())
    assert given > 3


LEGAL = ["money", "buy gray gray", "buy gray brown", "buy brown orange", "play nave-1 top gray",
         "play fustian-white top", "play siege top", "push N1 turquoise", "exchange orange gray", "end"]  # fmt: skip


@pytest.mark.parametrize(("wanted", "found"), [
    ("buy", LEGAL[1:4]), ("buy gray", LEGAL[1:3]), ("buy gray gray", LEGAL[1:2]), ("buy brown gray", LEGAL[2:3]),
    ("give gray", [*LEGAL[1:3], LEGAL[4]]), ("give white", LEGAL[5:6]), ("give gray brown", LEGAL[2:3]),
    ("give turquoise", LEGAL[7:8]), ("give orange", [LEGAL[3], LEGAL[8]]), ("push N1", LEGAL[7:8]), ("give", []),
    ("push N", []), ("give purple", []), ("", []), ("end", ["end"]),
])  # fmt: skip
def test_what_words_ask_for(wanted, found):
    assert [move for move in LEGAL if board_links.is_asked(RULES, move, wanted)] == found


@pytest.mark.parametrize(("color", "asked", "words"), [
    ("gray", None, "give gray"), ("brown", None, "buy brown"), ("turquoise", "end", "give turquoise"),
    ("brown", "buy gray", "buy gray brown"), ("gray", "give gray", "give gray gray"), ("orange", "buy gray", None),
    ("white", "buy gray", None),
])  # fmt: skip
def test_a_tile_asks_for_what_it_can_be_given_for(color, asked, words):
    """With the one that was named before, where one was."""
    assert board_links.with_tile(RULES, LEGAL, color, asked) == words
    assert board_links.with_tile(RULES, ["money", "end"], color, None) is None
