"""The choices on the page of a game: what its address asks, what buttons say, the line "what now", bots that think."""

from collections import Counter

import pytest

from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.tables import COLORS
from server.engine.ulm2 import RULES
from server.routes.pages.game import board_links
from server.service.seating import creating
from tests.routes.pages.conftest import NOW, read, sign_in
from tests.service.bots_here import play_due
from tests.service.conftest import make_player
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


AWAY = "Do not show again"


def first(match, client):
    """A game whose player to move is signed in."""
    m = match(2, auto_draw=False)
    sign_in(client, m.store, m.players[m.active])
    return m


def test_it_is_sent_away_for_good_and_the_page_is_the_same_one(match, browser, client):
    m = first(match, client)
    browser.open(f"/games/{m.id}")
    [away] = [form for form in read(browser.response).forms if "hints" in form.fields]
    browser.press(away)
    assert browser.moves()
    assert AWAY not in browser.response.text
    assert "Draw a tile to begin." in browser.response.text


def test_who_has_finished_a_game_or_looks_on_gets_none(match, browser, client):
    m = first(match, client)
    sign_in(client, m.store, m.players[1 - m.active])
    assert AWAY not in browser.open(f"/games/{m.id}").text
    with m.store.write():
        m.store.database.execute_sql("UPDATE game SET finished_at = created_at")
    sign_in(client, m.store, m.players[m.active])
    assert AWAY not in browser.open(f"/games/{m.id}").text


REFRESH = '<noscript><meta http-equiv="refresh"'


def test_who_thinks_is_told_until_it_has_played(browser, store):
    ann = make_player(store, "Ann")
    sign_in(browser.client, store, ann)
    # Nobody has to move first: bots alone, the first of whom thinks.
    game = creating.create(store, ann, 2, "Two of them", None, "", ["master", "master"], False, NOW)["id"]
    page = browser.open(f"/games/{game}").text
    assert "Master builder" in page
    assert "is thinking …" in page
    assert REFRESH in page
    assert "Look again" in page
    play_due(store, NOW)
    page = browser.open(f"/games/{game}").text
    assert "is thinking" not in page
    assert REFRESH not in page
