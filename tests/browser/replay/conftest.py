"""The example game, and its replay viewer in a browser: where it is, and what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from tests.browser.site import Site
from tests.service.conftest import NOW

GAME = f"/replays/{EXAMPLE_ID}"
LAST = 197
SCRIPTS = Path(__file__).parent.parent.parent.parent / "server/routes/pages/static/js"


def ready(page: Any) -> Any:
    page.wait_for_selector("#viewer[data-ready]")
    return page


def on_stage(page: Any, ply: int) -> None:
    """Wait until the board of that ply is to be seen."""
    page.wait_for_selector(f'.layout svg[data-ply="{ply}"]:visible')


def at(page: Any, ply: int) -> None:
    """The board, the words, the list, the slider and the address speak of that ply."""
    on_stage(page, ply)
    assert page.locator("#slider").input_value() == str(ply)
    marked = page.locator('#moves a[aria-current="step"]')
    assert marked.count() == 1
    assert marked.get_attribute("href").startswith(f"?ply={ply}")
    if ply:
        assert page.locator("#where").text_content() == f"Move {ply} of {LAST}"
        assert page.locator("#text").text_content() == marked.text_content()
    page.wait_for_url(re.compile(rf"[?&]ply={ply}(&|$)"))


@pytest.fixture(autouse=True)
def example(site: Site) -> None:
    ensure_example(site.store, NOW)
