"""What happened since the reader's last turn: told turn by turn, and the boards on the way, for what each may see."""

import gzip
import json
import re
from html import unescape

import pytest

from server.board.changes import changed
from server.board.svg import board_svg
from server.service.lists import board_view
from server.service.views import since, turn_page
from tests.routes.pages.conftest import enter, text_of, turn_token


def strip(page):
    found = re.search(r'<section id="since".*?</section>', page, re.S)
    return "" if found is None else found[0]


def told_plies(page):
    return [int(ply) for ply in re.findall(r'<li data-ply="(\d+)"', strip(page))]


def attribute(page, name):
    found = re.search(rf'data-{name}="([^"]*)"', strip(page))
    assert found
    return unescape(found[1])


def fetch(browser, path, **query):
    answer = browser.client.get(path, query_string=query)
    assert answer.status_code == 200
    return dict(json.loads(gzip.decompress(answer.data)))


def test_who_plays_is_told_the_turns_since_their_own(match, browser):
    m = match(3)
    first = m.active
    enter(browser, m, first)
    page = browser.open(f"/games/{m.id}").text
    assert 'id="since"' not in page  # nothing to tell: the own draw is of the turn under way
    m.play_turn()
    began = m.ply(first)
    page = browser.open(f"/games/{m.id}").text
    assert "Since your last turn : nothing yet" in text_of(strip(page))
    m.play_turn()
    page = browser.open(f"/games/{m.id}").text
    assert re.search(r"Since your last turn : Player \d has played", text_of(strip(page)))
    assert told_plies(page) == list(range(began + 1, m.ply(first) + 1))
    m.play_turn()
    assert m.active == first
    page = browser.open(f"/games/{m.id}").text
    plies = told_plies(page)
    assert "2 turns" in text_of(strip(page))
    assert plies == list(range(began + 1, m.ply(first)))  # but for the own draw
    assert [attribute(page, name) for name in ("first", "last")] == [str(began), str(plies[-1])]
    pushes = [f"{place['name']} pushed at" for place in m.page(0)["players"] if place["seat"] != first]
    assert all(text in text_of(strip(page)) for text in pushes)
    by_link = browser.open(f"/t/{turn_token(m)}").text
    assert told_plies(by_link) == plies
    assert attribute(by_link, "boards").startswith("/t/")


def test_who_looks_on_is_told_the_last_round(browser, long_game):
    m = long_game
    page = browser.open(f"/games/{m.id}").text
    assert "The last round" in text_of(strip(page))
    with m.store.read():
        shown = turn_page.page_of_game(m.store, m.id, None)
    ended = [turn for turn in shown.story.turns if turn.ended is not None]
    assert told_plies(page) == list(range(ended[-2].began + 1, m.ply(None) + 1))
    assert attribute(page, "auto") == "came"


@pytest.mark.parametrize("layout", ["desk", "town"])
def test_the_boards_are_those_that_the_reader_saw(browser, long_game, layout):
    m = long_game
    for seat in (m.active, 1 - m.active, None):
        enter(browser, m, seat)
        page = browser.open(f"/games/{m.id}").text
        first, last = (int(attribute(page, name)) for name in ("from", "last"))
        found = fetch(browser, attribute(page, "boards"), layout=layout)
        assert found["from"] == first
        assert len(found["plies"]) == last - first + 1
        eyes = None if seat is None else m.players[seat]
        before = None
        for index, numbers in enumerate(found["plies"]):
            seen = board_view.of_game(m.store, m.id, eyes, first + index)
            marked = changed(before, seen.view) if before is not None else ()
            drawn = board_svg(
                seen.view,
                seat=seen.seat,
                names=seen.names,
                layout=layout,
                theme="page",
                prefix=since.PREFIXES[layout],
                highlight=marked,
            )
            assert "".join(found["parts"][number] for number in numbers) == drawn
            assert found["marks"][index] == sorted(marked)
            before = seen.view


def test_only_the_span_is_given_out_and_no_more_than_so_many_plies(browser, long_game, monkeypatch):
    m = long_game
    seat = m.active
    enter(browser, m, seat)
    page = browser.open(f"/games/{m.id}").text
    here, last = attribute(page, "boards"), int(attribute(page, "last"))
    first = int(attribute(page, "first"))
    assert fetch(browser, here, after=last - 2)["from"] == last - 2
    assert fetch(browser, here, after=0)["from"] == first
    assert fetch(browser, here, after=last + 99)["from"] == last
    assert fetch(browser, here, after="x")["from"] == first
    assert browser.client.get(here, query_string={"layout": "round"}).status_code == 404
    without = fetch(browser, here, layout="")
    assert without["plies"] == without["parts"] == []
    assert without["changed"]
    monkeypatch.setattr(since, "PLIES", 3)
    assert fetch(browser, here)["from"] == last - 3
    assert attribute(browser.open(f"/games/{m.id}?log=all").text, "from") in (str(first), str(last - 3))


def test_why_no_tile_lies_outside_any_more_is_said(match, browser, swept):
    """T5: the board looks quite different then; who did not see it happen is told what it was, folded or not."""
    m = match(swept.seats, seed=swept.seed)
    m.follow(swept.moves)
    enter(browser, m, m.active)
    assert "so the outer tiles went back into the bag" in text_of(strip(browser.open(f"/games/{m.id}").text))
    whose = (m.active - 1) % swept.seats
    for _ in range(swept.seats - 1):
        m.play_turn()
    enter(browser, m, whose)  # it happened at the end of the turn of whoever comes back now
    assert "so the outer tiles went back into the bag" in text_of(strip(browser.open(f"/games/{m.id}").text))
    m.play_turn()
    enter(browser, m, m.active)
    assert "outer tiles" not in text_of(strip(browser.open(f"/games/{m.id}").text))
