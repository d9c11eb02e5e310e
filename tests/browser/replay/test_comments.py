"""Comments below the viewer, with its scripts: they come with their moves, and are written where one is."""

from datetime import UTC, datetime

from server.service.accounts.players import player_by_id
from server.service.archive import comments
from server.service.seating.example_game import EXAMPLE_ID
from tests.browser.replay.conftest import GAME, on_stage, ready


def test_they_come_with_their_moves_and_are_written_where_one_is(site, open_page, axe):
    ann = site.person("Ann", "ann-writes@example.org", confirmed=True)
    own = site.store.ask(lambda: player_by_id(site.store, ann.id))
    for ply, text in ((20, "The barge comes first."), (22, "Here it turned.")):
        comments.post(site.store, EXAMPLE_ID, own, ply, text, datetime.now(UTC))
    page = ready(open_page(f"{GAME}?ply=19", person=ann, width=375))
    said = page.locator("#comments li:not([hidden])")
    assert said.count() == 0
    assert page.locator("#next-comment").text_content() == "Next comment (2 later on)"
    page.locator("#next-comment").click()
    on_stage(page, 20)
    assert said.all_text_contents()[0].strip().endswith("The barge comes first.")
    assert page.locator("#comments-here").text_content() == "Comments: 1"
    assert page.locator("#next-comment").text_content() == "Next comment (1 later on)"
    page.keyboard.press("ArrowRight")
    assert page.locator("#comments-here").is_hidden()
    page.locator("#comment-text").fill("Between the two")
    page.get_by_role("button", name="Write").click()
    said.nth(1).wait_for()
    assert page.locator("#comments .here .text").text_content() == "Between the two"
    assert page.locator("#comment-text").input_value() == ""
    on_stage(page, 21)
    axe(page)
    page.locator("#comments .here button").click()
    said.nth(1).wait_for(state="detached")
    page.locator("#slider").fill("30")
    said.nth(1).wait_for()
    assert page.locator("#next-comment").is_hidden()
