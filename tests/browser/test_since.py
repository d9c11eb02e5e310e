"""What others did is played on the board: once, to be skipped, and without motion for who wishes none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.site import Site

MOVES = "no-preference"


def play_on(site: Site, game: str, mover: Any, word: str) -> str:
    """Play the first legal move that begins with `word`."""
    move = next(move for move in site.legal(game, mover) if move.startswith(word))
    site.play(game, mover, move)
    return move


def test_others_moves_are_played_once(site: Site, open_page: Callable[..., Any]) -> None:
    ann, ben = site.person("Ann"), site.person("Ben")
    game = site.game(ann, ben)
    if site.page(game)["to_move"] == 1:
        ann, ben = ben, ann
    tab = open_page(f"/games/{game}", person=ben, reduced_motion=MOVES)
    stage, now, button = tab.locator(".since-stage"), tab.locator("#since-now"), tab.locator("#since-play")
    folded = tab.locator("#since").bounding_box()["height"]
    slot = play_on(site, game, ann, "push").split()[1]
    # It came while the page was open: it slides in, and the strip says what it is.
    expect(now).to_contain_text(f"in at {slot}")
    expect(stage).to_have_count(1)
    box, board = stage.bounding_box(), tab.locator(".panel > svg").bounding_box()
    assert all(abs(box[side] - board[side]) < 1 for side in box)
    assert tab.locator("#since").bounding_box()["height"] == folded
    expect(stage).to_have_count(0)
    expect(now).to_be_hidden()
    site.advance(game, ann, until=lambda page: page["to_move"] != page["seat"])
    expect(tab.locator("#headline")).to_have_text("Your turn")
    tab.reload()
    expect(button).to_have_text("Play it again")
    expect(stage).to_have_count(0)
    for key in (None, "Escape"):
        button.click()
        expect(now).to_be_visible()
        tab.keyboard.press(key) if key else button.click()
        expect(stage).to_have_count(0)
    # Whoever begins to act sees the present.
    button.click()
    expect(now).to_be_visible()
    tab.locator("#since summary").focus()
    tab.locator("button.move").first.click()
    expect(stage).to_have_count(0)
    still = open_page(f"/games/{game}", person=ben)
    expect(still.locator(".since-mark").first).to_be_attached()
    assert still.locator(".since-stage").count() == 0
