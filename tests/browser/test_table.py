"""Beside the turn, in a real browser: the clock counts, what is typed stays, positions are walked, the last round."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.scripts import script
from tests.browser.site import open_drawer, open_phone

CLOCK = {"turn_hours": 2, "night": None}


@pytest.fixture(scope="module")
def running(site):
    """Two people in the middle of a game with a clock."""
    game, ann, ben = site.two("Ann", "Ben", clock=CLOCK, options={"tower": True})
    site.advance(game, ann, ben, until=lambda page: page["round"] == 3)
    return game, ann, ben


def test_the_countdown_goes_by_the_servers_clock(running, open_page):
    """A device whose clock is a day ahead said that the time is over."""
    game, ann, _ben = running
    tab = open_page(person=ann)
    tab.clock.install(time=datetime.now(UTC) + timedelta(days=1))
    tab.goto(f"/games/{game}")
    expect(tab.locator(".score [data-deadline]")).to_have_text(re.compile(r"^1 hour, 5\d minutes left$"))
    piece = tab.locator(".mat a, .mat button").first
    assert piece.evaluate("part => getComputedStyle(part).touchAction") == "manipulation"  # two taps are two moves


def test_a_message_is_written_without_losing_the_page(site, running, open_page):
    """And stays where it was typed when it is refused; meanwhile the clock counts down."""
    game, ann, ben = running
    tab = open_page(f"/games/{game}", person=ann, allow="422")
    # The server says the greatest unit alone, the script two.
    expect(tab.locator(".score [data-deadline]")).to_have_text(re.compile(r"^1 hour, 5\d minutes left$"))
    open_drawer(tab, "Messages")
    tab.evaluate("document.querySelector('#message').removeAttribute('maxlength')")
    tab.fill("#message", "x" * 1001)
    tab.locator("#message-write").click()
    tab.wait_for_selector("#messages [role=alert]")
    assert tab.input_value("#message") == "x" * 1001
    tab.evaluate("window.untouched = true")
    open_drawer(tab, "This game")
    tab.locator("#note summary").click()
    tab.fill("#note-text", "not kept yet")
    open_drawer(tab, "Messages")
    tab.fill("#message", "Well pushed")
    tab.locator("#message-write").click()
    expect(tab.locator("#messages")).to_contain_text("Well pushed")
    assert tab.evaluate("window.untouched"), "the page was not loaded anew"
    assert tab.input_value("#message") == ""
    assert tab.input_value("#note-text") == "not kept yet", "what else is typed stays"
    assert tab.locator("#note").get_attribute("open") is not None
    assert tab.evaluate("document.activeElement.id") == "message-write"
    open_drawer(tab, "This game")
    tab.locator("#note-keep").click()
    tab.wait_for_selector("#done-said")
    assert site.call(f"/games/{game}/note", token=ann.token) == {"note": "not kept yet"}
    assert "done=" not in tab.url
    other = open_page(f"/games/{game}", person=ben)
    assert "Well pushed" in other.text_content("#messages")
    assert "not kept yet" not in other.content()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_log_shows_its_end_first_where_the_newest_is(running, open_page, width):
    game, ann, ben = running
    for person in (ann, ben):  # to one it is a window over the page, to the other it stands below the turn
        tab = open_page(f"/games/{game}", person=person, width=width, touch=width < 500)
        if width < 500:  # the first answer has the boards of a desk
            tab.wait_for_selector("#panel-town")
        if tab.locator("[popovertarget=drawer]:visible").count():
            open_drawer(tab, "Log")
        line, box = tab.locator("#log .lines li").last.bounding_box(), tab.locator("#log .log-box").bounding_box()
        assert box["y"] < line["y"] + line["height"] <= box["y"] + box["height"] + 1
        assert tab.locator("#log .log-box").evaluate("one => one.scrollHeight > one.clientHeight")


def test_positions_are_walked_by_keyboard(running, open_page):
    game, ann, _ = running
    tab = open_page(f"/games/{game}", person=ann)
    open_drawer(tab, "Log")
    line = tab.locator("#log .lines a:not(.rule-link)").nth(3)
    ply = int(line.get_attribute("href").rpartition("/")[2])
    line.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile(rf"/at/{ply}$"))
    assert f"After move {ply} of" in tab.text_content("h1")
    tab.locator("#move-before").focus()
    for step in (1, 2):
        tab.keyboard.press("Enter")
        tab.wait_for_url(re.compile(rf"/at/{ply - step}$"))
        expect(tab.locator("h1")).to_contain_text(f"After move {ply - step} of")
        assert tab.evaluate("document.activeElement.id") == "move-before", "the focus stays on the button"
    tab.go_back()
    expect(tab.locator("h1")).to_contain_text(f"After move {ply - 1} of")


def test_the_invitation_is_copied(site, open_page):
    ann = site.person("Ann")
    game = site.game(ann, seats=2, private=True)
    tab = open_page(f"/games/{game}", person=ann, permissions=["clipboard-read", "clipboard-write"])
    tab.get_by_role("button", name="Copy").click()
    expect(tab.locator("#said")).to_contain_text("copied")
    link = tab.evaluate("navigator.clipboard.readText()")
    guest = open_page(link.replace("http://localhost", site.url), person=site.person("Ben"))
    assert "/join" in guest.url


def test_a_game_begins_with_the_board_that_fits(site, open_page):
    """Also on a narrow window that does not say that it is a phone's: nothing was asked before there was a board."""
    ann, ben = site.person("Ann"), site.person("Ben")
    game = site.game(ann, seats=2)
    tab = open_page(f"/games/{game}", person=ann, width=360)
    tab.evaluate("scrollTo(0, 200)")
    assert tab.evaluate("scrollY") > 0
    site.call(f"/games/{game}/players", {}, ben.token)
    tab.wait_for_selector("#play.phone .picture")
    tab.wait_for_function("() => scrollY === 0")


def test_a_window_of_changing_width_ends_with_the_board_that_fits(running, open_page):
    """Even if it changes again while the other board is on the way."""
    game, ann, _ = running
    tab = open_page(f"/games/{game}", person=ann)
    tab.wait_for_selector("#play.desk[data-layout=desk] .picture")
    held = []
    tab.route(f"**/games/{game}", lambda route: route.continue_() if held else held.append(route))
    with tab.expect_request(f"**/games/{game}"):
        tab.set_viewport_size({"width": 600, "height": 800})
    with tab.expect_response(f"**/games/{game}"):
        tab.set_viewport_size({"width": 1280, "height": 800})
    held[0].continue_()
    tab.wait_for_selector("#main:not([aria-busy])")
    expect(tab.locator("#play")).to_have_attribute("data-layout", "desk")
    assert "ulm_board=desk" in tab.evaluate("document.cookie")


def test_no_line_of_the_log_is_brought_under_the_heading_of_its_round(site, open_page):
    """Whoever goes up through the lines with the keyboard or a reader sees each of them whole."""
    game, ann = site.alone()
    site.advance(game, ann, until=lambda page: page["round"] >= 4 and page["seat"] == page["to_move"])
    tab = open_page(f"/games/{game}", person=ann, width=360, touch=True)
    open_drawer(tab, "Log")
    covered = tab.evaluate("""() => [...document.querySelectorAll(".log .lines li")].reverse().filter(line => {
        line.scrollIntoView({ block: "nearest" });
        const heading = line.closest(".round").querySelector("h3").getBoundingClientRect();
        return line.getBoundingClientRect().top < heading.bottom - 1;
    }).map(line => line.textContent)""")
    assert covered == []


_CUT = script("table.cut")


def test_on_a_phone_it_is_said_that_more_lies_beyond_the_edge_of_the_mat(site, open_page):
    """A tap leads there, where nothing more is said. In words: "+1" beside a coat of arms was taken for its points."""
    game, ann, ben = site.two()

    def lies(page):
        player = page["view"]["players"][0]
        return page["to_move"] == page["seat"] == 0 and len([*player["coats"], *player["table"], *player["hand"]]) > 1

    site.advance(game, ann, ben, until=lies)
    for javascript in (True, False):
        tab = open_phone(site, open_page, f"/games/{game}", ann, javascript=javascript)
        for width in (360, 390):
            tab.set_viewport_size({"width": width, "height": 740})
            tab.goto(f"/games/{game}")
            tab.locator("#mat").scroll_into_view_if_needed()
            found = tab.evaluate(_CUT)
            if site.page(game, ann)["status"] == "running":
                assert found["pieces"]
                assert found["said"] == "and more"
            for _ in range(4):
                if tab.evaluate(_CUT)["said"]:
                    tab.locator(".beyond").tap()
            assert tab.evaluate(_CUT) == {"pieces": 0, "said": None}
            if javascript:
                tab.locator(".back-to").tap()
                expect(tab.locator(".back-to")).to_be_hidden()
                assert tab.locator("#mat").evaluate("one => one.scrollLeft") == 0
            assert tab.locator("#mat").evaluate("one => one.getBoundingClientRect().bottom <= innerHeight")


WINDOWS = {"phone": ((360, 667), (390, 844)), "desk": ((820, 1180), (1280, 800))}
WHOLE = script("last_round.whole")


def test_the_last_round_is_said_in_full_beside_whose_turn_it_is(site, open_page):
    """Not in the one before."""
    game, ann, ben = site.two()
    tabs = {name: open_page(person=ann, width=sizes[0][0], touch=name == "phone") for name, sizes in WINDOWS.items()}
    for round_ in (9, 10):
        for tab in tabs.values():
            tab.goto("about:blank")  # the game's page would load itself anew meanwhile
        site.advance(game, ann, ben, until=lambda page, at=round_: page["round"] == at and page["to_move"] == 0)
        for language in ("en", "de", "it") if round_ == 10 else ("en",):
            site.call("/players/me", {"preferences": {"language": language}}, ann.token, method="PATCH")
            for name, tab in tabs.items():
                tab.goto(f"/games/{game}")
                assert tab.locator("h1 .last-round").count() == (round_ == 10)
                for width, height in WINDOWS[name] if round_ == 10 else ():
                    tab.set_viewport_size({"width": width, "height": height})
                    tab.wait_for_function(WHOLE, timeout=60_000)  # what the other did may be played first, in its place
