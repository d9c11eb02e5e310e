"""The replay viewer without a script: boards, steps, the list of moves, words, points, the tab about luck and skill."""

import re

import pytest

from server.service.archive import analyses, replay_lists, replays
from server.service.seating.example_game import EXAMPLE_ID
from tests import tables
from tests.routes.pages.replay.conftest import GAME, board, elements, wanted


def steps(text):
    """Where the links of the viewer lead, by step."""
    links = [one for one in elements(text, "a") if "data-step" in one]
    return {str(one["data-step"]): int(re.search(r"ply=(\d+)", str(one["href"]))[1]) for one in links}  # type: ignore[index]


@pytest.mark.parametrize(("ply", "seat"), [(0, None), (41, None), (41, 0), (41, 2), (197, 1)])
def test_the_page_shows_the_board_of_its_ply_and_seat_before_any_script(example, browser, ply, seat):
    text = browser.open(f"{GAME}?ply={ply}" + ("" if seat is None else f"&seat={seat}")).text
    for layout in ("narrow", "wide"):
        assert board(text, layout) == wanted(example, ply, seat, layout)
    marked = elements(text, "a", aria_current="step")
    assert [one["href"] for one in marked] == [f"?ply={ply}" + ("" if seat is None else f"&seat={seat}")]


def test_a_shared_link_has_a_card_with_the_board_of_its_ply(example, browser):
    text = browser.open(f"{GAME}?ply=41").text
    card = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)"', text))
    assert card["title"] in text.split("<h1>")[1].split("</h1>")[0]
    assert card["url"].endswith(f"{GAME}?ply=41")
    assert card["image"].startswith("http"), "a whole address: it is fetched from elsewhere"
    picture = browser.open(card["image"][card["image"].index(GAME) :])
    assert picture.mimetype == "image/png"
    assert picture.data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture.data[16:20], "big") == 1200
    browser.open(f"{GAME}/picture.png?ply=9999", 404)


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


@pytest.mark.parametrize("address", [
    f"{GAME}?ply=198", f"{GAME}?seat=3", f"{GAME}?ply=x", f"{GAME}?ply=-1", f"{GAME}?seat=0x1",
    f"{GAME}?ply=9999999", "/replays/nosuch", f"{GAME}/frames?chunk=5", f"{GAME}/frames?layout=tall",
    f"{GAME}/frames?language=xx", f"{GAME}/frames?seat=7", f"{GAME}/states?from=900", f"{GAME}/export.html?theme=pink",
    f"{GAME}/export.html?language=xx", f"/embed/{EXAMPLE_ID}?ply=198", "/embed/nosuch",
])  # fmt: skip
def test_what_there_is_not_is_not_found(example, browser, address):
    browser.open(address, 404)


@pytest.mark.parametrize(("language", "names"), [("de", ("Rot", "Grün", "Blau")), ("it", ("Rosso", "Verde", "Blu"))])
def test_the_colours_of_the_example_are_said_in_the_readers_language(example, browser, language, names):
    """The record keeps its words."""
    browser.client.set_cookie("ulm_language", language)
    for address in (GAME, "/replays"):
        page = browser.open(address).text
        assert all(name in page for name in names), address
        assert "Green" not in page, address
    assert [seat["name"] for seat in replays.record(example, EXAMPLE_ID)["players"]] == ["Red", "Green", "Blue"]


def test_the_tab_about_luck_and_skill_needs_no_script(example, browser):
    """The example brings its analysis along: chances, sums, and the costliest errors, each a link to its ply."""
    plain = browser.open(f"{GAME}?ply=100").text
    assert elements(plain, "a", href="?ply=100&tab=analysis#tabs")
    assert 'id="analysis"' not in plain
    text = browser.open(f"{GAME}?ply=100&tab=analysis").text
    found = analyses.required(example, EXAMPLE_ID, None)
    assert "moments" in found
    assert found["plies"][-1]["ply"] == replay_lists.summary(example, EXAMPLE_ID)["plies"]
    replay = replays.replay_at(example, EXAMPLE_ID, 0, None, None)
    for moment in found["moments"]:
        assert replay.record.moves[moment["ply"]].text == moment["move"], "the packed analysis is of another game"
        assert elements(text, "a", href=f"?ply={moment['ply']}&tab=analysis")
        assert elements(text, "a", href=f"?ply={moment['ply']}#go-on")
    assert len(elements(text, "svg", aria_labelledby="chances-title chances-desc")) == 1
    added = re.findall(r'<div class="sum">.*?</dl>', text, re.S)
    assert len(added) == 3
    for one in added:
        numbers = [int(number.replace("−", "-")) for number in re.findall(r"<dd>([+−]?\d+)", one)]
        assert len(numbers) == 6
        assert sum(numbers[:-1]) == numbers[-1]
    assert "chances-title" not in browser.open(f"/embed/{EXAMPLE_ID}?tab=analysis").text


def test_who_wishes_an_analysis_presses_a_button(example, browser):
    """Then the tab says how far it is."""
    with example.write():
        tables.Analysis.delete().execute()
    wished = browser.open(f"{GAME}?ply=3&tab=analysis").text
    assert 'http-equiv="refresh"' not in wished
    text = browser.press(browser.button("Analyse this game")).text
    assert example.ask(lambda: tables.Analysis.get().wanted_at) is not None
    assert "This game is waiting to be analysed" in text
    with example.write():
        tables.Analysis.update(lease_owner="a job", done=120).execute()
    shown = browser.open(f"{GAME}?ply=3&tab=analysis").text
    assert "120 of 197 moves are done" in shown
    # It is loaded again where no script does it, by itself or by a press, and stays where it is.
    assert '<noscript><meta http-equiv="refresh"' in shown
    with example.write():
        tables.Analysis.update(failures=3, wanted_at=None).execute()
    assert "could not be analysed" in browser.open(f"{GAME}?tab=analysis").text
