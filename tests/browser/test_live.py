"""An open page follows its game: at once by a stream, else by asking; drafts and half-written texts stay."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import site as sites
from tests.browser.scripts import script
from tests.browser.site import Person, open_drawer, open_phone

Open = Callable[..., Any]
Pair = tuple[str, Person, Person]
"""A game, who is to move in it, and the other."""


@pytest.fixture
def pair(site):
    """A game of two, the one to move and the other."""
    return site.two(mover_first=True, name="Live")


def end_turn(site, game, mover):
    seat = site.page(game, mover)["seat"]
    site.advance(game, mover, until=lambda page: page["to_move"] != seat)


def hide(tab, hidden):
    """Let the page believe that nobody looks at it, or that somebody does again."""
    tab.evaluate(
        """hidden => {
        Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        Object.defineProperty(document, "visibilityState", {value: hidden ? "hidden" : "visible", configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }""",
        hidden,
    )


def tag(tab):
    return str(tab.get_attribute("#live", "data-tag"))


def wait_for_new(tab, old, seconds=15):
    changed = "old => document.getElementById('live')?.dataset.tag !== old"
    tab.wait_for_function(changed, arg=old, timeout=seconds * 1000)


def test_a_waiting_page_shows_its_turn_by_itself(site, open_page, pair):
    """And so do the page of a stranger, and that of a mail's link, which is no longer live then."""
    game, mover, waits = pair
    stranger, by_link = open_page(f"/games/{game}", width=360), open_page(site.turn_path(game, mover))
    old = tag(stranger)
    assert by_link.locator("[data-move]").count() > 0
    tab = open_page(f"/games/{game}", person=waits)
    tab.evaluate("window.stays = true")
    assert tab.locator("[data-move]").count() == 0
    hide(tab, True)
    site.play(game, mover, next(move for move in site.legal(game, mover) if move != "resign"))
    end_turn(site, game, mover)
    tab.wait_for_function("() => document.title.startsWith('(●) Your turn – ')")
    assert tab.locator("button[data-move]").count() > 0
    tab.wait_for_function("() => document.getElementById('said').textContent.startsWith('Your turn.')")
    hide(tab, False)
    assert not tab.title().startswith("(●)")
    assert "Live" in tab.title()
    assert tab.evaluate("window.stays")  # it was not loaded anew
    assert sum("/stream" in url for url in tab.watch.requests) == 1
    wait_for_new(stranger, old)
    by_link.wait_for_function("() => !document.querySelector('[data-move]')")


def test_a_message_shows_and_a_half_written_one_stays(site, open_page, pair):
    game, mover, waits = pair
    tab = open_page(f"/games/{game}", person=waits)
    open_drawer(tab, "Messages")
    field = tab.locator("#main textarea[id]").first
    field.fill("I am just wri")
    old = tag(tab)
    site.call(f"/games/{game}/messages", {"text": "Have you seen that?"}, mover.token)
    wait_for_new(tab, old)
    assert "Have you seen that?" in tab.text_content("#main")
    assert tab.locator("#main textarea[id]").first.input_value() == "I am just wri"


def test_a_draft_stays_and_its_player_is_told(site, open_page, pair):
    game, mover, _ = pair
    if "draw" in site.legal(game, mover):
        site.play(game, mover, "draw")
    tab = open_page(f"/games/{game}", person=mover)
    push = next(move for move in site.legal(game, mover) if move.startswith("push"))
    tab.locator(f'button[data-move="{push}"]').first.click()
    tab.wait_for_selector("[data-draft]")
    end_turn(site, game, mover)  # on another device
    note = tab.locator("#live-note")
    note.wait_for()
    assert "moved on" in note.text_content()
    assert tab.locator("[data-draft]").count() == 1
    tab.on("dialog", lambda dialog: dialog.accept())
    note.locator("a").click()
    tab.wait_for_function("() => !document.querySelector('[data-draft]')")


def test_a_dialog_is_not_taken_from_under_its_reader(site, open_page, pair):
    game, mover, waits = pair
    tab = open_page(f"/games/{game}", person=waits)
    tab.evaluate("""() => {
        const dialog = document.createElement("dialog");
        document.getElementById("main").append(dialog);
        dialog.showModal();
    }""")
    old = tag(tab)
    end_turn(site, game, mover)
    tab.wait_for_timeout(1000)
    assert tag(tab) == old
    tab.evaluate("() => document.querySelector('dialog[open]').close()")
    wait_for_new(tab, old)


def test_a_renewal_that_gave_way_is_made_up_for_soon(site, open_page, pair):
    """Also when what the reader wished for came to nothing; and what is said of that stays."""
    game, mover, waits = pair
    tab = open_page(f"/games/{game}", person=waits, allow="Failed to load resource")
    tab.route(f"**/games/{game}", lambda route: None)  # it is never answered
    open_drawer(tab, "Messages")
    tab.fill("#message", "Well pushed")
    old = tag(tab)
    with tab.expect_request(re.compile(f"/games/{game}$")):
        end_turn(site, game, mover)
    tab.unroute(f"**/games/{game}")
    tab.route("**/messages", lambda route: route.fulfill(status=503, body="", content_type="text/html"))
    tab.click("#message-write")
    tab.wait_for_selector("#unsent")
    wait_for_new(tab, old, 5)  # not the 15 s after a page could not be had
    assert tab.locator("#unsent").is_visible()
    assert tab.input_value("#message") == "Well pushed"


def test_a_message_whose_answer_was_lost_is_written_once(site, open_page, pair):
    """Also when the page was renewed before it is sent again."""
    game, _mover, waits = pair
    tab = open_page(f"/games/{game}", person=waits, allow="Failed to load resource")

    def lose(route):
        route.fetch(max_redirects=0)
        route.fulfill(status=504, body="", content_type="text/html")

    tab.route("**/messages", lose)
    open_drawer(tab, "Messages")
    tab.fill("#message", "Well pushed, once")
    old = tag(tab)
    tab.click("#message-write")
    tab.wait_for_selector("#unsent")
    expect(tab.locator("#messages")).to_contain_text("Well pushed, once")  # it did arrive, says the next page
    assert tag(tab) != old
    assert tab.input_value("#message") == "Well pushed, once"
    tab.unroute("**/messages")
    tab.click("#message-write")
    tab.wait_for_function("() => document.getElementById('message').value === ''")
    tab.fill("#message", "Well pushed, once more")
    tab.click("#message-write")
    expect(tab.locator("#messages")).to_contain_text("once more")
    said = site.call(f"/games/{game}/messages", token=waits.token)
    assert [one["text"] for one in said if "once" in one["text"]] == ["Well pushed, once", "Well pushed, once more"]


def test_a_page_that_cannot_be_renewed_stays(site, open_page, pair):
    """A server that is busy for a moment puts no error in the place of a page that nobody wished to leave."""
    game, mover, waits = pair
    tab = open_page(person=waits, allow="Failed to load resource")
    tab.clock.install()
    tab.goto(f"/games/{game}")
    old = tag(tab)
    tab.evaluate("window.stays = true")
    tab.route(f"**/games/{game}", lambda route: route.fulfill(status=503, body="", content_type="text/html"))
    with tab.expect_response(re.compile(f"/games/{game}$")):
        end_turn(site, game, mover)
        tab.clock.run_for(1_000)
    tab.unroute(f"**/games/{game}")
    tab.clock.run_for(10_000)
    assert tag(tab) == old
    tab.clock.run_for(6_000)
    tab.clock.resume()
    wait_for_new(tab, old)
    assert tab.evaluate("window.stays")


def test_without_a_place_for_a_stream_the_page_asks(site, open_page, pair):
    game, mover, waits = pair
    tab = open_page(person=waits)
    tab.route("**/stream", lambda route: route.fulfill(status=204))
    tab.clock.install()
    tab.goto(f"/games/{game}")
    old = tag(tab)
    end_turn(site, game, mover)
    tab.clock.run_for(16_000)
    end = time.monotonic() + 15
    while tag(tab) == old:
        assert time.monotonic() < end
        tab.clock.run_for(1_000)
        tab.wait_for_timeout(100)
    asked = [url for url in tab.watch.requests if url.endswith("/pulse")]
    assert 1 <= len(asked) <= 3


@pytest.mark.parametrize("status", [429, 408])
def test_a_page_that_was_told_to_wait_asks_again(site, open_page, pair, status):
    """One 429 ended an open page's following for good."""
    game, mover, waits = pair
    tab = open_page(person=waits, allow="Failed to load resource")
    tab.route("**/stream", lambda route: route.fulfill(status=204))
    tab.clock.install()
    tab.goto(f"/games/{game}")
    old = tag(tab)
    tab.route("**/pulse", lambda route: route.fulfill(status=status, body="{}", headers={"Retry-After": "40"}))
    with tab.expect_response(re.compile("/pulse$")):
        tab.clock.run_for(16_000)
    tab.unroute("**/pulse")
    end_turn(site, game, mover)
    tab.wait_for_timeout(200)
    with tab.expect_request(re.compile("/pulse$")):
        tab.clock.run_for(41_000)
    tab.clock.run_for(2_000)
    tab.clock.resume()
    wait_for_new(tab, old)


def test_a_page_that_nobody_looks_at_gives_its_stream_back(site, open_page, pair):
    game, mover, waits = pair
    tab = open_page(person=waits)
    tab.clock.install()
    with tab.expect_request(re.compile("/stream$")):
        tab.goto(f"/games/{game}")
    hide(tab, True)
    tab.clock.run_for(61_000)
    with tab.expect_response(re.compile("/pulse$")):
        tab.clock.run_for(16_000)
    old = tag(tab)
    end_turn(site, game, mover)
    with tab.expect_request(re.compile("/stream$")):
        hide(tab, False)  # asks at once, and listens again
    tab.clock.run_for(1_000)
    tab.clock.resume()
    wait_for_new(tab, old)


def test_the_first_page_shows_turns_as_they_come(site, open_page, pair):
    game, mover, waits = pair
    tab = open_page(person=waits)
    tab.clock.install()
    tab.goto("/")
    assert tab.get_attribute("#live", "data-turns") == "0"
    hide(tab, True)
    end_turn(site, game, mover)
    tab.clock.run_for(16_000)
    tab.clock.resume()
    tab.wait_for_function("() => document.title.startsWith('(●) Your turn – ')")
    assert tab.get_attribute("#live", "data-turns") == "1"
    assert "Live" in tab.text_content("#main")
    assert tab.locator("#live[data-stream='']").count() == 1


def test_a_page_outlives_its_streams_and_its_server(open_page, tmp_path):
    site = sites.start(tmp_path / "data", ULM_STREAM_SECONDS="1")
    try:
        game, mover, waits = site.two(mover_first=True)
        tab = open_page(base=site.url, allow="ERR_|Failed to load resource")  # there is no server for a while
        site.sign_in(tab.context, waits)
        tab.goto(f"/games/{game}")
        tab.evaluate("() => { window.swaps = 0; document.addEventListener('ulm:swapped', () => window.swaps++) }")
        asked: list[str | None] = []
        tab.on("request", lambda request: asked.append(request.all_headers().get("last-event-id"))
               if request.url.endswith("/stream") else None)  # fmt: skip
        with tab.expect_request(re.compile("/stream$")):
            pass  # it comes back by itself
        tab.wait_for_timeout(500)
        assert asked[0] == tag(tab)
        assert tab.evaluate("window.swaps") == 0  # and is told nothing that the page shows already
        old, port = tag(tab), site.url.rpartition(":")[2]
        site.close()
        site = sites.start(tmp_path / "data", ULM_PORT=port)
        end_turn(site, game, mover)
        wait_for_new(tab, old, 30)
        tab.wait_for_selector("button[data-move]")
    finally:
        site.close()


def counts(tab):
    return tab.locator(".open-talk:visible .unread").all_inner_texts()


def test_who_waits_sees_the_newest_message_and_where_to_write(site, open_page):
    """On a desk the list stood at its oldest, and the button scrolled the header away."""
    game, mover, waits = site.two(mover_first=True)
    for number in range(9):
        site.call(f"/games/{game}/messages", {"text": f"The {number}th"}, mover.token)
    tab = open_page(f"/games/{game}", person=waits)
    for over in (False, True):
        if over:
            site.play(game, mover, "resign")
            tab.goto(f"/games/{game}?over#messages")
        else:
            tab.locator(".open-talk:visible").click()
        for part in (tab.locator(".talk .messages li").last, tab.locator("#message-write")):
            expect(part).to_be_in_viewport(ratio=1)
        assert tab.evaluate("() => scrollY") == 0


@pytest.mark.parametrize(("width", "written"), [(375, ""), (375, "I am just wri"), (1280, ""), (1280, "I am just wri")])
def test_whose_turn_begins_sees_it_whatever_they_read_or_write(site, open_page, width, written):
    """The tab of messages, tapped while waiting, became a window over all of the turn."""
    game, mover, waits = site.two(mover_first=True, clock={"turn_hours": 24, "reserve_hours": 72})
    tab = open_page(f"/games/{game}", person=waits, width=width, touch=width < 500)
    open_drawer(tab, "This game")
    assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    open_drawer(tab, "Messages")
    if written:
        tab.locator("#message").fill(written)
        site.call(f"/games/{game}/messages", {"text": "Take your time"}, mover.token)
        expect(tab.locator(".talk .messages")).to_contain_text("Take your time")
        expect(tab.locator("#toasts p")).to_have_count(0)  # it is seen where it stands
    seat = site.page(game, mover)["seat"]
    site.advance(game, mover, waits, until=lambda page: page["to_move"] != seat)
    tab.wait_for_selector("button[data-move]", state="attached")
    assert tab.locator(":popover-open").count() == bool(written)
    if written:  # the sheet hides the board and all that says whose turn it is
        expect(tab.locator("#message")).to_be_focused()
        expect(tab.locator("#message")).to_have_value(written)
        tab.locator("#message-write").click()
        expect(tab.locator(".talk .messages")).to_contain_text(written)
        tab.get_by_text("Your turn: to the board").click()
        expect(tab.locator("#board")).to_be_in_viewport(ratio=0.9)
        assert tab.locator(":popover-open").count() == 0


def test_what_others_write_and_wish_is_seen_where_one_looks_and_read_on_every_device(site, open_page, axe):
    """A message came to an open page and nothing showed it; a wish for a pause was told nowhere."""
    game, mover, waits = site.two(mover_first=True, name="Live", clock={"turn_hours": 24})
    tab, writer = open_page(f"/games/{game}", person=mover), open_page(f"/games/{game}", person=waits)
    push = next(move for move in site.legal(game, mover) if move.startswith("push"))
    tab.locator(f'button[data-move="{push}"]').first.click()
    tab.wait_for_selector("[data-draft]")
    open_drawer(writer, "Messages")
    writer.fill("#message", "Have you seen that?")
    writer.click("#message-write")
    said = f"{waits.name}: Have you seen that?"
    expect(tab.locator("#toasts[role=status]")).to_have_text(f"{said}×")
    assert tab.evaluate(script("live.covered")) == []
    tab.locator(".score .open-talk").click(trial=True)
    assert counts(tab) == ["1"]
    assert tab.title().startswith("(1) ")
    assert tab.locator("[data-draft]").count() == 1, "what is drafted stays"
    axe(tab)
    phone, home = open_page(f"/games/{game}", person=mover, width=360), open_page("/", person=mover)
    assert counts(phone) == ["1"]
    assert home.locator(f'.news[href="/games/{game}#messages"]').inner_text().startswith("1 new message")
    with tab.expect_response(re.compile("/read$")):
        tab.locator("#toasts .open").click()
        expect(tab.locator(".messages .fresh")).to_be_visible()
        tab.locator(".drawer .close").click()  # however soon: it was seen
    expect(tab.locator(".open-talk .unread")).to_have_count(0)
    assert not tab.title().startswith("(")
    for page in (phone, home):
        page.reload()
        assert page.locator(".unread, .news").count() == 0
    assert counts(writer) == [], "one's own words are read"

    open_drawer(writer, "This game")
    open_drawer(tab, "Log")
    writer.click("#pause-wish")
    expect(tab.locator("#toasts")).to_contain_text(f"{waits.name} asks for a pause.")
    assert tab.evaluate(script("live.covered")) == []
    tab.locator("#toasts .close").click()
    assert tab.locator("#drawer").is_visible(), "it lay above the drawer, and closing it closes that alone"
    tab.locator(".drawer .close").click()
    tab.locator("#pause-asked button").click()
    expect(tab.locator("#pause-asked")).to_contain_text("The game is paused: moves")
    assert tab.locator("[data-draft]").count() == 1
    expect(writer.locator("#toasts")).to_contain_text("The game is paused: the clock stands still.")
    writer.locator("#pause-asked button").click()
    expect(tab.locator("#toasts")).to_contain_text("The pause is over")


@pytest.mark.parametrize(("width", "height"), [(375, 667), (375, 812), (768, 1024)])
def test_what_is_told_covers_nothing_and_the_bar_of_a_phone_marks_where_one_is(site, open_page, width, height):
    """Players and gates lay under it for seconds; the bar marked the square while messages lay above that."""
    game, mover, waits = site.two(mover_first=True, name="Told")
    for reader, writer in ((waits, mover), (mover, waits)):
        tab = open_phone(site, open_page, f"/games/{game}", reader, width=width, height=height)
        site.call(f"/games/{game}/messages", {"text": "Have you seen that? " * 5}, writer.token)
        tab.wait_for_selector("#toasts p")
        assert tab.evaluate(script("live.covered")) == []
    if width == 375:
        marked = tab.locator(".bar [aria-current]")
        for press, mark in (("#toasts .open", "#messages"), (".drawer .close", "#panel-square")):
            tab.locator(press).click()
            expect(marked).to_have_attribute("href", mark)
            expect(marked).to_have_count(1)


def test_after_a_turn_the_next_game_is_one_press_away(site, open_page):
    """The games that wait stood on the first page alone."""
    soon, ann, _other = site.two(mover_first=True, clock={"turn_hours": 24})
    later = []
    for hours in (72, 48):
        third = site.person()
        game = site.game(ann, third, clock={"turn_hours": hours})
        site.advance(game, third, until=lambda page: page["players"][page["to_move"]]["player"] == ann.id)
        later.insert(0, game)
    tab = open_page(f"/games/{soon}", person=ann)
    count, onward = tab.locator("nav.site .waits"), tab.locator(".bar .next-game")
    expect(count).to_have_text("2 games wait for you")
    assert onward.count() == 0, "this turn comes first"
    end_turn(site, soon, ann)
    expect(onward).to_have_text("Next game (2)")
    expect(count).to_have_text("2 games wait for you")
    onward.click()
    tab.wait_for_url(f"**/games/{later[0]}")
    expect(tab.locator("#headline")).to_have_text("Your turn")
    tab.locator("nav.site a").first.click()
    cards = tab.locator(".game-card.urgent h3 a")
    assert [card.get_attribute("href") for card in cards.all()] == [f"/games/{game}" for game in later]
