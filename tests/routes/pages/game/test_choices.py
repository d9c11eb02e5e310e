"""The choices on the page of a game: what its address asks, what buttons say, the line "what now", bots that think."""

import re
from collections import Counter

import pytest

from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.tables import COLORS
from server.routes.pages.game import board_links, move_pictures
from server.service.explain import move_choices
from server.service.seating import creating
from tests.engine.positions import position
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


@pytest.mark.parametrize(("color", "asked", "words"), [
    ("gray", None, "give gray"), ("brown", None, "buy brown"), ("turquoise", "end", "give turquoise"),
    ("brown", "buy gray", "buy gray brown"), ("gray", "give gray", "give gray gray"), ("orange", "buy gray", None),
    ("white", "buy gray", None),
])  # fmt: skip
def test_a_tile_asks_for_what_it_can_be_given_for(color, asked, words):
    """With the one that was named before, where one was."""
    assert board_links.with_tile(RULES, LEGAL, color, asked) == words
    assert board_links.with_tile(RULES, ["money", "end"], color, None) is None


def labels(**seat):
    state = position(seats=[seat], activated="gray")
    options = [option for group in move_choices.groups(state, 0) for option in group.options]
    return {one.move: str(move_pictures.label(one, RULES)) for one in options if one.move.startswith("play")}


def test_a_card_is_called_by_its_name_and_its_tile_is_shown():
    """B4: "Nave (Coin/Clear)" was taken for the name, and two buttons that differ by what is paid said the same."""
    found = labels(hand=["nave-1"], tiles={"gray": 1, "white": 1})
    assert {move: re.findall("#t-([a-z]+)", said) for move, said in found.items()} == {
        "play nave-1 top gray": ["gray"],
        "play nave-1 top white": ["white"],
        "play nave-1 table": [],
    }
    seen = {move: re.sub(r'<span class="sr">.*?</span>|<[^>]+>', "", said) for move, said in found.items()}
    assert seen["play nave-1 table"] == "Lay Nave on the table"
    assert seen["play nave-1 top gray"].strip() == "Play the top half of Nave"
    assert 'class="sr"> (Coin or Clear)' in found["play nave-1 table"], (
        "who hears the page is told which of three it is"
    )


AWAY = "Do not show again"


def first(match, client):
    """A game whose player to move is signed in."""
    m = match(2, auto_draw=False)
    sign_in(client, m.store, m.players[m.active])
    return m


def test_a_first_game_says_what_to_do_at_each_step(match, browser, client):
    m = first(match, client)
    assert "Draw a tile; then push it into the square." in browser.open(f"/games/{m.id}").text
    m.play(m.active, "draw")
    assert "Choose a gate: you use the tiles of its line." in browser.open(f"/games/{m.id}").text


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
