"""Playing in a real browser: with a mouse, with a finger from the link of a mail, by keyboard alone, without script."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.site import open_drawer, open_phone

GATE = ".picture a.hit[data-link^=slot-]"


def game_of(site, *people, phase="push", at=1, **more):
    """A game and the person who is to move in it: from round `at` on, at the first such `phase`."""
    game = site.game(*people, **more)
    site.advance(
        game,
        *people,
        until=lambda page: page["round"] >= at and page["seat"] == page["to_move"] and page["phase"] == phase,
    )
    return game, site.mover(game, *people)


def game_of_two(site, **more):
    """A game of two new people (see `game_of`), who is to move in it, and the other."""
    people = site.person("Ann"), site.person("Ben")
    game, who = game_of(site, *people, **more)
    return game, who, people[people[0] is who]


def focused(tab):
    """The name of what has the focus."""
    return str(
        tab.evaluate(
            "document.activeElement === document.body ? '' : "
            "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
        )
    )


def draft_a_push(tab):
    """Draft the first push of the list, and return the draft."""
    tab.locator("#moves .group-push button").first.click()
    tab.wait_for_selector("[data-draft]", state="attached")
    return drafted(tab)


def drafted(tab):
    """The draft on the page."""
    found = tab.evaluate("document.querySelector('#play')?.dataset.draft ?? null")
    return None if found is None else str(found)


def test_a_turn_by_keyboard_alone(site, open_page):
    """With Tab, arrows and Enter; the focus is never lost, and each step is said."""
    game, who, other = game_of_two(site)
    tab = open_page(f"/games/{game}", person=who)
    tab.evaluate("""() => { window.pointed = 0;
        for (const name of ["pointerdown", "mousedown", "touchstart"])
            addEventListener(name, () => window.pointed++, true) }""")
    press = tab.keyboard.press
    for _ in range(60):  # from the beginning of the page, as somebody who knows no key comes
        press("Tab")
        if tab.evaluate("document.activeElement.matches('.picture a.hit[data-link^=slot-]')"):
            break
    first = focused(tab)
    press("ArrowDown")
    assert focused(tab) != first
    push = tab.evaluate("document.activeElement.dataset.move")
    assert tab.locator("#preview").is_visible()
    press("Enter")
    tab.wait_for_selector("[data-draft]", state="attached")
    assert drafted(tab) == push
    assert focused(tab)
    assert "You push" in tab.locator("#said").inner_text()
    press("u")
    tab.wait_for_selector("#play:not([data-draft])")
    assert focused(tab)
    press("b")
    assert tab.evaluate("document.activeElement.matches('.picture a')")
    press("b")
    offered = tab.locator("#moves .move").evaluate_all("all => all.map(one => one.value)")
    push = next(move for move in offered if move.startswith("push"))
    press(str(offered.index(push) + 1))
    tab.wait_for_selector(f'[data-draft="{push}"]', state="attached")
    press("?")
    assert tab.get_by_role("dialog").is_visible()
    press("Escape")
    for _ in range(12):  # whatever else can be done, the first of each list, answers included
        offered = tab.locator("#moves .move").evaluate_all("all => all.map(one => one.value)")
        if not offered:
            break
        before = drafted(tab), tab.get_attribute("#play", "data-ply")
        press("1")
        tab.wait_for_function(
            """([draft, ply]) => { const now = document.querySelector("#play")?.dataset;
            return now && ((now.draft ?? null) !== draft || now.ply !== ply) }""",
            arg=[*before],
        )
        assert focused(tab)
    press("e")
    assert tab.evaluate("document.activeElement.value") == "end"
    press("Enter")
    tab.wait_for_selector("#play:not(.live), #move-end-now")
    if tab.locator("#move-end-now").count():  # something is lost by it: the page asks, and the answer has the focus
        assert tab.evaluate("document.activeElement.id") == "move-end-now"
        press("Enter")
    tab.wait_for_selector("#play:not(.live)")
    assert focused(tab), "the focus is somewhere"
    assert site.mover(game, who, other) is other
    assert tab.evaluate("window.pointed") == 0, "no mouse, no finger, and no page that was loaded anew"


@pytest.mark.parametrize("by_link", [False, True])
def test_a_turn_without_script(site, open_page, by_link):
    """By a session, and by the link of a mail."""
    game, who, other = game_of_two(site)
    if by_link:
        tab = open_page(site.turn_path(game, who), width=360, javascript=False)
    else:
        tab = open_page(f"/games/{game}", person=who, width=360, javascript=False)
    assert tab.locator("[hidden]:visible").count() == 0, "nothing is offered that needs one"
    tab.locator(GATE).first.click()
    assert "draft=push" in tab.url
    tab.get_by_role("link", name=re.compile("^Undo: ")).click()
    assert "draft" not in tab.url
    tab.locator("#moves .group-push button").first.click()
    tab.locator("#sending-now > summary").click()
    tab.get_by_role("button", name="Send this now").click()
    assert site.page(game, who)["phase"] == "actions"
    tab.get_by_role("button", name=re.compile("^Take back from here")).click()
    assert site.page(game, who)["phase"] == "push"
    tab.locator("#moves .group-push button").first.click()
    tab.locator("#sending-now").wait_for()  # else it goes back while it goes on
    tab.go_back()
    tab.locator("#moves .group-push button").last.click()
    tab.locator("#move-end").click()
    assert site.mover(game, who, other) is who, "what is still to do would be lost: the page asks"
    tab.locator("#move-end-now").click()
    assert site.mover(game, who, other) is other
    assert "turn" in tab.locator("#headline").inner_text()
    assert not any(re.search(r"\.js\b|/stream|/pulse", url) for url in tab.watch.requests), "no script was fetched"


@pytest.mark.parametrize(("width", "touch"), [(360, True), (1280, False)])
def test_what_reveals_is_asked_about_when_the_board_is_touched(site, open_page, axe, width, touch):
    game, ann, ben = site.two("Ann", "Ben")
    tells = "seal leaning_house"  # whoever places a seal there looks at two coats of arms
    site.advance(
        game,
        ann,
        ben,
        until=lambda page: page["seat"] == page["to_move"] and tells in site.legal(game, (ann, ben)[page["seat"]]),
    )
    who = site.mover(game, ann, ben)
    tab = open_page(f"/games/{game}", person=who, width=width, touch=touch)
    if touch:
        tab.get_by_role("link", name="Town").tap()
    part = tab.locator(".picture a.hit[data-link=quarter-leaning_house]")
    part.tap() if touch else part.click()
    tab.get_by_role("heading", name="Play this?").wait_for()
    axe(tab)
    assert tab.evaluate("document.activeElement.value") == tells
    box = tab.locator("#asked button.move").bounding_box()
    below = tab.locator(".bar").bounding_box()["y"] if touch else tab.viewport_size["height"]
    assert box["y"] + box["height"] <= below, "the question is seen, and what answers it"
    assert not site.page(game, who)["view"]["pending"], "nothing is played yet"
    button = tab.locator("#asked button.move")
    button.tap() if touch else button.click()
    tab.wait_for_selector(".group-choice")
    assert site.page(game, who)["view"]["pending"]


def test_a_draft_is_pointed_at_walked_through_and_taken_up_again(site, open_page):
    """What a gate activates is lit; back and forward walk through the draft; what was not sent is offered again; and
    single keys can be switched off."""
    game, who, _ = game_of_two(site)
    tab = open_page(f"/games/{game}", person=who)
    gate = tab.locator(GATE).first
    gate.hover()
    assert tab.locator(".lights").count() == 3
    slot = gate.get_attribute("data-link").removeprefix("slot-")
    assert tab.locator("#preview").inner_text().startswith(slot)
    assert tab.locator(f"button[data-slot={slot}]").evaluate("one => one.classList.contains('lit')")
    tab.locator("#headline").hover()
    assert tab.locator(".lights").count() == 0
    assert not tab.locator("#preview").is_visible()

    kept = draft_a_push(tab)
    tab.evaluate("window.same = true")
    tab.go_back()
    tab.wait_for_selector("#play:not([data-draft])")
    tab.go_forward()
    tab.wait_for_selector("[data-draft]", state="attached")
    assert drafted(tab) == kept
    assert tab.evaluate("window.same"), "no page was loaded anew"

    asked: list[str] = []
    tab.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    tab.goto(f"/games/{game}")
    assert asked == ["beforeunload"]
    assert drafted(tab) is None
    tab.get_by_role("link", name="Resume your unsent moves").click()
    tab.wait_for_selector("[data-draft]", state="attached")
    assert drafted(tab) == kept
    tab.goto(f"/games/{game}")
    tab.get_by_role("button", name="Forget them").click()
    tab.reload()
    assert not tab.locator("#kept").is_visible()

    open_drawer(tab, "This game")
    tab.get_by_role("button", name="Keys").click()
    tab.get_by_label("Single-key shortcuts").uncheck()
    tab.get_by_role("button", name="Close").click()
    tab.keyboard.press("1")
    assert drafted(tab) is None
    assert tab.locator("[data-number]").count() == 0
    tab.reload()
    tab.keyboard.press("?")
    assert not tab.get_by_role("dialog").is_visible()


def test_what_kept_moves_from_being_sent_is_said_and_the_draft_stays(site, open_page):
    """A page of an error is no page to go to: it would cost the draft, or its own reason."""
    game, who, _ = game_of_two(site)
    tab = open_page(f"/games/{game}", person=who, width=360, allow="ERR_|Failed to load resource")
    tab.evaluate("window.same = true")
    unreached: list[Any] = [
        lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>"),
        lambda route: route.abort("connectionrefused"),
    ]
    for answer in unreached:  # without a network, or where a proxy alone answers, nothing can be drafted either
        tab.route("**draft*", answer)
        tab.locator(GATE).first.click()
        tab.get_by_role("alert").filter(has_text="The server cannot be reached.").wait_for()
        tab.evaluate("document.getElementById('unsent').remove()")
        tab.unroute("**draft*")
    assert tab.evaluate("window.same")
    kept, send = draft_a_push(tab), tab.get_by_role("button", name="Send this now")
    assert tab.get_by_role("alert").count() == 0
    tab.locator("#sending-now > summary").click()
    asked: list[str] = []
    tab.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    tab.evaluate("window.same = true")
    problem = tab.locator("#main [role=alert]")

    def refused(reason):
        send.click()
        tab.wait_for_function("why => document.getElementById('said').textContent.includes(why)", arg=reason)
        assert reason in problem.inner_text()
        box = problem.bounding_box()
        assert 0 <= box["y"] < tab.viewport_size["height"], "it is seen"
        assert tab.evaluate("window.same")
        assert drafted(tab) == kept
        assert not tab.get_attribute("#main", "aria-busy")

    token = tab.input_value("#sending [name=form]")
    tab.evaluate("document.querySelector('#sending [name=form]').value = 'no token'")
    refused("This page is too old")
    tab.evaluate("token => document.querySelector('#sending [name=form]').value = token", token)
    for answer in unreached:
        tab.evaluate("document.getElementById('said').textContent = ''")
        tab.route("**/turn", answer)
        refused("The server cannot be reached.")
        tab.unroute("**/turn")
    send.click()
    tab.wait_for_selector("#play:not([data-draft])")
    assert problem.count() == 0
    assert tab.evaluate("window.same")
    assert asked == []
    assert site.page(game, who)["phase"] == "actions"


def test_moves_that_were_sent_are_not_asked_about(site, open_page):
    """Also where the page that follows has to be loaded: here, since its language is another."""
    game, who, _ = game_of_two(site)
    tab = open_page(f"/games/{game}", person=who)
    draft_a_push(tab)
    asked: list[str] = []
    tab.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    site.call("/players/me", {"preferences": {"language": "de"}}, who.token, method="PATCH")
    tab.locator("#sending-now > summary").click()
    tab.get_by_role("button", name="Send this now").click()
    tab.wait_for_selector("html[lang=de] #play:not([data-draft])")
    assert asked == []
    assert site.page(game, who)["phase"] == "actions"


def test_a_step_on_the_danube_is_seen_on_a_phone(site, open_page):
    """The town comes into view with it, and the square again, where it was, when all is taken back."""
    game, ann = site.alone("Ann")

    def sails(page):
        return page["seat"] == page["to_move"] and "river" in site.legal(game, ann)

    site.advance(game, ann, until=sails)
    tab = open_phone(site, open_page, f"/games/{game}", ann)
    in_view = """name => { const box = document.querySelector(`#panel-${name} svg`).getBoundingClientRect();
        return box.left > -2 && box.right < innerWidth + 2 && box.top > -2 && box.bottom < innerHeight }"""
    assert tab.evaluate(in_view, "square")
    lay = tab.locator("#panel-square svg").bounding_box()["x"]
    tab.locator("#move-river").tap()
    tab.wait_for_selector("[data-draft]", state="attached")
    tab.wait_for_function(in_view, arg="town")
    tab.locator(".bar a.undo").tap()
    tab.wait_for_selector("#play:not([data-draft])", state="attached")
    tab.wait_for_function(in_view, arg="square")
    assert tab.locator("#panel-square svg").bounding_box()["x"] == lay


def test_on_a_phone_the_page_keeps_its_place_within_a_turn_and_shows_the_whole_board_after_it(site, open_page):
    """What the bar leads to is in sight, too, and is marked in it."""
    game, who, _ = game_of_two(site)
    tab = open_page(f"/games/{game}", person=who, width=390, touch=True)
    tab.set_viewport_size({"width": 390, "height": 667})
    tab.wait_for_selector("#play.phone.live")
    small = tab.evaluate(
        "[...document.querySelectorAll('#play button, #play .button, .bar a')].filter(one => "
        "one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map(one => one.outerHTML)"
    )
    assert small == [], "every button is as large as a finger"
    tab.evaluate("scrollTo(0, 60)")
    tab.locator("#moves .group-push button").first.tap()
    tab.wait_for_selector("#play[data-draft]")
    assert tab.evaluate("scrollY") == 60
    assert 0 <= tab.locator("#moves button.move, #move-end").first.bounding_box()["y"] < 667
    tab.evaluate("scrollTo(0, 300)")
    for name, panel in (("Town", "#panel-town"), ("Square", "#panel-square")):
        link = tab.locator(".bar").get_by_role("link", name=name)
        link.tap()
        tab.wait_for_function("() => scrollY === 0")
        tab.wait_for_function("hash => document.querySelector('.bar [aria-current]').hash === hash", arg=panel)
        box = tab.locator(f"{panel} svg").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 391
    tab.evaluate("scrollTo(0, 300)")
    tab.locator("#move-end").tap()
    tab.wait_for_selector("#move-end-now, #play:not(.live)", state="attached")
    if tab.locator("#move-end-now").count():
        tab.locator("#move-end-now").tap()
        tab.wait_for_selector("#play:not(.live)", state="attached")
    tab.wait_for_function("() => scrollY === 0")


def test_a_phone_says_why_nothing_can_be_taken_back_and_shows_the_log_when_the_game_is_over(site, open_page):
    """A dead button looked live, and the log was wherever it had been left."""
    game, who, other = game_of_two(site)
    tab = open_phone(site, open_page, f"/games/{game}", who)
    undo, live = tab.locator(".bar .undo"), tab.locator(".bar .go").first
    color = "one => getComputedStyle(one).color"
    assert undo.evaluate(color) != live.evaluate(color)
    undo.click(force=True)  # to a screen reader it is disabled
    why = tab.locator("#no-undo")
    expect(why).to_have_text("You have done nothing yet that could be taken back.")
    box, bar = why.bounding_box(), tab.locator(".bar").bounding_box()
    assert bar["y"] - 30 < box["y"] + box["height"] <= bar["y"], (
        "it stands above the bar, and is no layer over the page"
    )
    assert box["height"] < 120
    assert why.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"
    tab.locator('button[data-move^="push"]').first.click()  # what is tapped next is played
    expect(undo).to_have_attribute("aria-label", re.compile("^Undo: "))
    assert undo.evaluate(color) == live.evaluate(color)
    undo.click()
    expect(tab.locator("[data-draft]")).to_have_count(0)
    seat = site.page(game, who)["seat"]
    site.advance(game, who, until=lambda page: page["to_move"] != seat)
    tab.reload()
    undo.click(force=True)
    why.get_by_role("link").click()
    expect(why).to_be_hidden()
    expect(tab.locator("#take-back")).to_be_in_viewport(ratio=1)
    assert tab.locator("#keys-open").is_hidden(), "there are no keys"
    tab.locator("#take-back").click()
    expect(tab.locator("#proposed")).to_be_in_viewport(ratio=1)
    site.play(game, other, "resign")
    expect(tab.locator("#result")).to_be_visible()
    tab.locator("label[for=tab-game]").click()
    tab.evaluate("() => scrollTo(0, 0)")
    tab.locator(".bar .go", has_text="Log").click()
    expect(tab.locator("#log-title")).to_be_in_viewport()


def test_a_page_magnified_twice_keeps_its_board_as_large_as_before(site, open_page):
    """At 1280 by 800: the tiles of the square, in pixels of the screen."""
    game, who, _ = game_of_two(site)

    def tile(tab):
        return tab.evaluate("() => document.getElementById('b-cell-2-2').getBoundingClientRect().width")

    before = tile(open_page(f"/games/{game}", person=who))
    assert 2 * tile(open_phone(site, open_page, f"/games/{game}", who, 640, 400)) >= before
