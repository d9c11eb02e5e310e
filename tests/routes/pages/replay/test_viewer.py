"""The replay viewer without a script: boards, steps, the list of moves, words."""

import re

import pytest

from server.service.archive import replays
from server.service.seating.example_game import EXAMPLE_ID
from tests.routes.pages.replay.viewer import GAME, Page, board, wanted


def steps(text):
    """Where the links of the viewer lead, by step."""
    links = [one for one in Page(text).found["a"] if "data-step" in one]
    return {str(one["data-step"]): int(re.search(r"ply=(\d+)", str(one["href"]))[1]) for one in links}  # type: ignore[index]


@pytest.mark.parametrize(("ply", "seat"), [(0, None), (41, None), (41, 0), (41, 2), (197, 1)])
def test_the_page_shows_the_board_of_its_ply_and_seat_before_any_script(example, browser, ply, seat):
    text = browser.open(f"{GAME}?ply={ply}" + ("" if seat is None else f"&seat={seat}")).text
    for layout in ("narrow", "wide"):
        assert board(text, layout) == wanted(example, ply, seat, layout)
    marked = Page(text).with_("a", aria_current="step")
    assert [one["href"] for one in marked] == [f"?ply={ply}" + ("" if seat is None else f"&seat={seat}")]


def test_links_step_by_move_turn_and_round(example, browser):
    timeline = replays.timeline(example, EXAMPLE_ID)["plies"]
    ends = [one["ply"] for one in timeline if one["move"] == "end"]
    last = timeline[-1]["ply"]
    at = ends[4] + 1
    found = steps(browser.open(f"{GAME}?ply={at}").text)
    assert (found["first"], found["back"], found["on"], found["last"]) == (0, at - 1, at + 1, last)
    assert (found["turn-back"], found["turn-on"]) == (ends[4], ends[5])
    assert (found["round-back"], found["round-on"]) == (ends[2], ends[5])  # three players: a round is three turns
    assert steps(browser.open(f"{GAME}?ply=0").text) == {
        "first": 0, "back": 0, "turn-back": 0, "round-back": 0, "on": 1, "turn-on": ends[0], "round-on": ends[2],
        "last": last,
    }  # fmt: skip
    at_end = steps(browser.open(f"{GAME}?ply={last}").text)
    assert {at_end[name] for name in ("on", "turn-on", "round-on", "last")} == {last}
    assert at_end["back"] == last - 1


def test_every_move_is_in_the_list_as_a_link_in_sentences(example, browser):
    text = browser.open(GAME).text
    timeline = replays.timeline(example, EXAMPLE_ID)["plies"]
    lines = re.findall(r'<li class="line" data-ply="(\d+)"><a href="\?ply=(\d+)"[^>]*>([^<]+)</a>', text)
    assert [int(ply) for ply, _, _ in lines] == [one["ply"] for one in timeline]
    assert all(ply == link for ply, link, _ in lines)
    assert timeline[0]["text"] == ["Blue draws brown."]
    assert lines[0][2] == "Blue draws a Card tile."  # a page names tiles by what they do


def test_a_seat_reads_only_what_it_knew(example, browser):
    """Its move list has the public sentences of the others' private events."""
    whole = browser.open(GAME).text
    private = re.findall(
        r"(?:Green|Blue) (?:draws|keeps|looks at) "
        r"(?!\d|a card|a \w+ tile|the)[^.<]+\.",
        whole,
    )
    assert any("Nave" in text for text in private), "the example has hidden cards"
    as_red = browser.open(f"{GAME}?seat=0").text
    moves = as_red[as_red.index('id="moves"') : as_red.index('class="below"')]
    assert [text for text in private if text in moves] == []


@pytest.mark.parametrize("address", [
    f"{GAME}?ply=198", f"{GAME}?seat=3", f"{GAME}?ply=x", f"{GAME}?ply=-1", f"{GAME}?seat=0x1",
    f"{GAME}?ply=9999999", "/replays/nosuch", f"{GAME}/frames?chunk=5", f"{GAME}/frames?layout=tall",
    f"{GAME}/frames?language=xx", f"{GAME}/frames?seat=7", f"{GAME}/states?from=900", f"{GAME}/export.html?theme=pink",
    f"{GAME}/export.html?language=xx", f"/embed/{EXAMPLE_ID}?ply=198", "/embed/nosuch",
])  # fmt: skip
def test_what_there_is_not_is_not_found(example, browser, address):
    browser.open(address, 404)


def test_a_move_without_consequences_is_told_in_words(match, store, client, time):
    """Who may sail in Tillage and stays: no event tells of it, and the notation is for nobody to read."""
    m = match()
    while not any(move.startswith("seal tillage") for move in m.legal(m.active)):
        legal = m.legal(m.active)
        m.play(m.active, next(move for kind in ("push", "end") for move in legal if move.startswith(kind)))
    mover = m.active
    m.play(mover, "seal tillage")
    m.play(mover, next(move for move in m.legal(mover) if move.startswith("dock")))
    m.play(mover, "barge 0")
    m.play(mover, "resign")
    text = client.get(f"/replays/{m.id}").text
    assert f"Player {mover} sails no further." in text
    assert "barge 0" not in re.sub("<[^>]*>", "", text)


@pytest.mark.parametrize(("language", "names"), [("de", ("Rot", "Grün", "Blau")), ("it", ("Rosso", "Verde", "Blu"))])
def test_the_colours_of_the_example_are_said_in_the_readers_language(example, browser, language, names):
    """The record keeps its words."""
    browser.client.set_cookie("ulm_language", language)
    for address in (GAME, "/replays"):
        page = browser.open(address).text
        assert all(name in page for name in names), address
        assert "Green" not in page, address
    assert [seat["name"] for seat in replays.record(example, EXAMPLE_ID)["players"]] == ["Red", "Green", "Blue"]
