"""The rules page in a browser: accessible in every colour, without sideways scrolling, loading nothing foreign."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("width", "theme"), [(360, "dark")])  # test_every_page.py has the other looks
def test_rules_are_for_everybody(open_page, axe, theme, width):
    tab = open_page("/rules", width=width, theme=theme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    axe(tab)


def test_the_contents_lead_to_their_sections(open_page):
    tab = open_page("/rules", width=360)
    tab.get_by_role("link", name="The Danube").click()
    assert tab.url.endswith("#danube")
    top = tab.get_by_role("heading", name="The Danube").bounding_box()
    assert top is not None
    assert 0 <= top["y"] < 400


def test_pictures_have_the_colours_of_the_page(open_page):
    """One picture for all themes: its colours come from the page's style."""
    seen = set()
    for theme in ("light", "dark", "colour-blind"):
        tab = open_page("/rules", theme=theme)
        seen.add(tab.locator("svg .piece, svg rect").first.evaluate("one => getComputedStyle(one).fill"))
    assert len(seen) == 3
