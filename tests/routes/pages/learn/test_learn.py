"""The pages of the guided first game, without a script: every lesson by its links, in each language."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from server.language import LANGUAGES
from server.service.learning.lessons import LAST, LESSONS
from tests.routes.pages.conftest import read


def primary(page):
    """Where the one obvious next thing leads; None where it is a form. There is never a second one."""
    [(tag, attributes)] = re.findall(r'<(a|button)\b([^>]*\bclass="[^"]*\bprimary\b[^>]*)>', page.text)
    href = re.search(r'href="([^"]*)"', attributes)
    return unescape(href[1]) if tag == "a" and href else None


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_whole_game_is_played_by_its_links(store, browser, code):
    browser.client.set_cookie("ulm_language", code)
    page = browser.open("/learn")
    href = primary(page)
    numbers, clicks = [], 0
    while href is not None:
        page = browser.open(href)
        numbers.append(int(urlsplit(href).path.split("/")[2]))
        assert f'lang="{code}"' in page.text
        assert page.text.count('data-asked=""') <= 12  # the parts to press: at a desk, and on a phone
        assert "%(" not in page.text
        href, clicks = primary(page), clicks + 1
    assert sorted(set(numbers)) == list(range(1, LAST + 1))
    assert clicks < 65
    [play] = [form for form in browser.forms if form.action == "/guest"]
    assert play.fields["seats"] == "2"
    assert "/rules" in read(page).links
    assert "−" in page.text  # the barge's points


def test_a_move_is_pressed_on_the_board_or_beside_it(store, browser):
    page = browser.open("/learn/1?moves=draw")
    links = [found for tag, found in read(page).tags if tag == "a" and found.get("data-move") == "push E1"]
    assert {link["href"] for link in links} == {"/learn/1?moves=draw,push+E1"}
    assert sum("data-asked" in link for link in links) == 2  # at a desk, and on a phone
    other = browser.open("/learn/1?moves=draw,push+S1")
    assert primary(other) == "/learn/1?moves=draw"
    assert "For this lesson, take it back" in other.text
    early = browser.open("/learn/1?moves=draw,push+E1,end")
    assert "they would be lost" in early.text
    assert primary(early) == "/learn/1?moves=draw,push+E1,money"


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("/learn/0", "/learn/1?note=nearest"),
        ("/learn/77?moves=end", "/learn/6?note=nearest"),
        ("/learn/1?moves=draw,dance", "/learn/1?moves=draw&note=nearest"),
        ("/learn/7", "/learn/6"),
    ],
)
def test_a_wrong_address_leads_to_the_nearest_place(store, browser, path, leads):
    answer = browser.open(path, 303)
    assert answer.headers["Location"] == leads
    assert ("this is the nearest" in browser.open(leads).text) == ("nearest" in leads)


def test_the_browser_remembers_where_one_was(store, browser):
    assert "/learn" in read(browser.open("/")).links
    browser.open("/learn/3?moves=draw,push+N1")
    for path in ("/", "/learn"):
        page = browser.open(path)
        assert "/learn/3?moves=draw,push+N1" in read(page).links, path
        assert "lesson 3" in unescape(page.text)
    browser.open("/learn/4?moves=draw,push+N2,river,clear+S,money,end")
    assert "/learn/5" in read(browser.open("/learn")).links
    # Moves have signs of their own in them: the names of quarters, and those of cards.
    sealing = "/learn/6?moves=draw,push+S2,seal+leaning_house"
    browser.open(sealing)
    assert sealing in read(browser.open("/learn")).links
    for nonsense in ("", "7", "x.y", "9" * 400, "3.\\", "²."):
        browser.client.set_cookie("ulm_learn", nonsense)
        browser.open("/learn")
        browser.open("/")


def test_both_sides_of_a_choice_are_shown(store, browser):
    """Not only the one that the coach would take; the other asks for a tile that the learner has not."""
    page = browser.open("/learn/3?moves=draw,push+N1,buy+turquoise+turquoise")
    shown = page.text.split('class="choices pair"')[1].split("</section>")[0]
    moves = [
        found.get("data-move") for tag, found in read(page).tags if tag == "a" and "move" in found.get("class", "")
    ]
    assert moves == ["choose steeple-1", "choose fustian-brown"]
    assert "You have one." in shown
    assert "You have none." in shown
    assert "(white/turquoise)" not in shown
    assert "others" not in shown


FIRST_DONE = "/learn/1?moves=draw,push+E1,money,money,money,end"
SEALING = "/learn/5?moves=draw,push+E3,river,river"
CHOOSING = "/learn/6?moves=draw,push+S2,seal+leaning_house"
SAID = (
    ("/rules", "", 'href="/learn"', ""),
    (FIRST_DONE, "", LESSONS[0].learned, ""),
    # Sparrows are not spoken of before they are explained; a newcomer overlooked them below the headline.
    ("/learn/1?moves=draw", "", "", 'data-move="swap'),
    # Flags are neither drawn nor told to a screen reader before the coach names them; seals beside gates likewise.
    ("/learn/3?moves=draw", "", "", "_pennant-|reached by"),
    ("/learn/4", "", "_pennant-", ""),
    ("/learn/4?moves=draw", "", "", "coat-seal"),
    ("/learn/5", "", "coat-seal", ""),
    # That a coat takes a seal is said once, where it is asked. A third new thing at once waits for lesson 6.
    (SEALING, "coach", "", "second seal|one more seal|family crest"),
    # W4, W5: crests are told of where the first golden coat can be taken, and from then on one sees how many one has.
    ("/learn/6?moves=draw,push+S2", "", "", "3 family crests"),
    (CHOOSING, "", "3 family crests", "Those left over at the end are worth nothing"),  # it speaks for gold alone
)
"""An address; where on its page, "" for anywhere; what is said there; what is not."""


@pytest.mark.parametrize(("path", "part", "said", "unsaid"), SAID)
def test_a_thing_is_said_where_it_is_new_and_not_before(store, browser, path, part, said, unsaid):
    text = unescape(browser.open(path).text)
    if part:
        text = re.split(f'(?:class|id)="{part}"', text)[1]
        text = re.split("</ul>|</h1>", text)[0] if part != "coach" else text
    assert said in text
    assert not unsaid or not re.search(unsaid, text)


def test_the_deck_asks_which_tiles_are_paid_where_there_are_several_ways(store, browser):
    before = "draw,push+S2,seal+leaning_house,coat+S2,clear+N,clear+W,end,draw,push+N3"
    page = browser.open(f"/learn/7?moves={before}")
    [deck] = {found["href"] for tag, found in read(page).tags if tag == "a" and found.get("data-link") == "pile"}
    assert deck == f"/learn/7?moves={before}&ask=buy"
    asked = browser.open(deck)
    moves = [
        found["data-move"] for tag, found in read(asked).tags if tag == "a" and found.get("class", "")[:4] == "move"
    ]
    assert len(moves) == 12
    assert all(move.startswith("buy ") for move in moves)
    assert f"/learn/7?moves={before}" in read(asked).links
    assert "Which two tiles do you give up?" in asked.text
    assert "Which two tiles" not in browser.open(f"/learn/7?moves={before}&ask=fly").text


@pytest.mark.parametrize(
    ("path", "move", "tiles"),
    [
        ("/learn/1?moves=draw,push+E1", "money", {"cell-1-1", "cell-1-2", "cell-1-3"}),
        ("/learn/2?moves=draw,push+N2", "clear W", {"cell-1-2", "slot-W1", "slot-W3"}),
    ],
)
def test_tiles_that_can_be_used_are_pressed_on_the_square(store, browser, path, move, tiles):
    """As in a game: they were framed in gold, and did nothing."""
    links = [found for tag, found in read(browser.open(path)).tags if tag == "a" and found.get("data-move") == move]
    assert tiles <= {link.get("data-link") for link in links}
