"""A turn against a bot that thinks: the page says so, and shows its moves by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.site import Site

Open = Callable[..., Any]


def test_a_turn_against_the_journeyman(site: Site, open_page: Open) -> None:
    ann = site.person()
    game = site.game(ann, bots=("journeyman",), name="Against a journeyman")
    site.advance(game, ann, until=lambda page: page["to_move"] == 0 and page["seat"] == 0 and page["ply"] > 0)
    tab = open_page(f"/games/{game}", person=ann)
    expect(tab.locator("#headline")).to_have_text("Your turn")
    before = site.page(game, ann)["ply"]
    site.advance(game, ann, until=lambda page: page["to_move"] != 0 or page["ply"] > before + 40)
    # The answer comes without anything being pressed.
    tab.wait_for_function(
        "before => Number(document.getElementById('live')?.dataset.ply) > before"
        " && document.getElementById('headline')?.textContent === 'Your turn'",
        arg=before,
        timeout=30_000,
    )
    page = site.page(game, ann)
    assert page["to_move"] == 0
    assert page["thinking"] is False
    expect(tab.locator("#since")).to_contain_text("Journeyman")
