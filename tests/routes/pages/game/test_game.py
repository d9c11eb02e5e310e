"""The page of a game by a session: who may see it and play on it, and that it offers every legal move once."""

import random
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from server.service.play import turns
from tests.routes.pages.conftest import read, sign_in, turn_token


def buttons(browser):
    """What the buttons of the page would play."""
    tags = read(browser.response).tags
    return [found["data-move"] for tag, found in tags if tag == "button" and "data-move" in found]


def board_links(browser):
    """The parts of the board that are moves."""
    return [found for tag, found in read(browser.response).tags if tag == "a" and "data-move" in found]


@pytest.mark.parametrize(("seed", "seats", "tower"), [(1, 2, True), (2, 3, False), (3, 4, True), (4, 2, False)])
def test_every_legal_move_is_offered_once_and_nothing_else(match, browser, client, seed, seats, tower):
    """At many plies of random games, and after drafts: the same set as `legal_moves`; the board offers no other."""
    m = match(seats, auto_draw=False, seed=seed, options={"tower": tower})
    chance = random.Random(seed)
    drafts = asked = 0
    for _ in range(12):
        if m.to_move is None:
            break
        seat = m.active
        sign_in(client, m.store, m.players[seat])
        browser.open(f"/games/{m.id}")
        legal = m.legal(seat)
        assert sorted(buttons(browser)) == sorted(legal)
        links = board_links(browser)
        assert {link["data-move"] for link in links} <= set(legal)
        for link in links:
            target = parse_qs(urlsplit(link["href"]).query)
            if "ask" in target and asked < 6:
                browser.open(link["href"])
                assert sorted(buttons(browser)) == sorted(legal)
                assert 'id="asked-title"' in browser.response.text
                asked += 1
            elif "ask" not in target:
                assert target["draft"] == [link["data-move"]]
        browser.open(f"/games/{m.id}")
        plain = [form for move, form in browser.moves().items() if form.method == "get" and move != "end"]
        if plain:
            chosen = chance.choice(plain)
            browser.press(chosen)
            drafts += 1
            after = turns.preview(m.store, m.id, m.players[seat], m.ply(seat), [chosen.fields["move"]])
            assert after["applied"] == 1
            m.play(seat, chosen.fields["move"])
            assert sorted(buttons(browser)) == sorted(m.legal(seat)), "the draft offers what the game offers after it"
        else:
            m.play(seat, chance.choice(legal))
    assert drafts > 3
    assert asked


def test_what_reveals_is_never_drafted_and_says_so(match, browser, client):
    m = match(2, auto_draw=False)
    sign_in(client, m.store, m.players[m.active])
    browser.open(f"/games/{m.id}")
    draw = browser.moves()["draw"]
    assert (draw.method, draw.action) == ("post", f"/games/{m.id}/turn")
    assert "cannot be taken back: it uncovers something" in draw.label
    ply = m.ply(m.active)
    page = browser.open(f"/games/{m.id}?ply={ply}&draft=draw").text
    assert "cannot be drafted" in page
    assert m.ply(m.active) == ply
    browser.press(draw)
    assert m.ply(0 if m.active == 0 else 1) == ply + 1
    assert "draw" not in browser.moves()


def test_a_draft_for_another_position_says_that_the_game_has_moved_on(match, browser, client):
    m = match(2)
    seat = m.active
    sign_in(client, m.store, m.players[seat])
    ply = m.ply(seat)
    m.play(seat, "push N2")
    page = browser.open(f"/games/{m.id}?ply={ply}&draft=push+N1").text
    assert "The game has moved on" in page
    assert "push N1" not in buttons(browser)
    assert "data-draft" not in page
    for text in ("push N1", "nonsense", "x" * 3000, "push N1,,,", "\u00e9", "%00", "end", "resign", "," * 500):
        shown = browser.open(f"/games/{m.id}?ply={ply + 1}&draft={text}").text
        assert "data-draft" not in shown
        assert sorted(buttons(browser)) == sorted(m.legal(seat))
    for odd in ("x", "-1", "9" * 40, "", "\u0663"):
        assert browser.open(f"/games/{m.id}?ply={odd}&draft=money").status_code == 200


def test_who_looks_on_sees_and_plays_nothing(match, browser, client):
    m = match(2)
    seat = m.active
    sign_in(client, m.store, m.players[1 - seat])
    waiting = browser.open(f"/games/{m.id}?ply=0&draft=push+N1").text
    assert browser.moves() == {}
    assert board_links(browser) == []
    assert "It is Player" in waiting
    assert f"/games/{m.id}/resign" in read(browser.response).links
    client.delete_cookie("ulm_session")
    shown = browser.open(f"/games/{m.id}").text
    assert "You are watching" in shown
    assert "/resign" not in shown
    assert browser.moves() == {}


@pytest.mark.parametrize("by_link", [False, True])
def test_resigning_asks_first_and_by_a_session_is_possible_at_any_time(match, browser, client, by_link):
    m = match(3)
    seat = m.active if by_link else (m.active + 1) % 3
    path = f"/t/{turn_token(m)}/resign" if by_link else f"/games/{m.id}/resign"
    if not by_link:
        sign_in(client, m.store, m.players[seat])
    assert "Leave this game?" in browser.open(path).text
    assert not m.page(seat)["view"]["players"][seat]["resigned"]
    browser.press(browser.button("Yes, I resign"))
    assert m.page(seat)["view"]["players"][seat]["resigned"]
    assert "/resign" not in browser.response.text
    assert "Leave this game?" not in browser.open(path).text


def test_the_same_page_by_both_doors(match, browser, client):
    """A link shows the turn as the session does, with addresses and secrets of its own."""
    m = match(2)
    sign_in(client, m.store, m.players[m.active])
    by_session = browser.open(f"/games/{m.id}").text
    offered = buttons(browser)
    token = turn_token(m)
    by_link = browser.open(f"/t/{token}").text
    assert buttons(browser) == offered
    assert f"/t/{token}" in by_link
    assert token not in by_session
    for form in browser.forms:
        assert form.action.startswith(f"/t/{token}"), form.action


def test_the_layout_of_the_board_fits_the_machine(match, browser, client):
    m = match(2)
    sign_in(client, m.store, m.players[m.active])
    phone = {"Sec-CH-UA-Mobile": "?1"}
    assert 'data-layout="desk"' in browser.open(f"/games/{m.id}").text
    mobile = client.get(f"/games/{m.id}", headers=phone).text
    assert 'data-layout="phone"' in mobile
    assert re.findall(r'class="panel" id="panel-(\w+)"', mobile) == ["square", "town"]
    for wish, layout in (("desk", "desk"), ("phone", "phone"), ("nonsense", "phone")):
        client.set_cookie("ulm_board", wish)
        assert f'data-layout="{layout}"' in client.get(f"/games/{m.id}", headers=phone).text
