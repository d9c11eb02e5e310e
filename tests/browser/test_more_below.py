"""Where the choices of a turn are cut off by the window, the page says that there is more of them, and only there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.site import Site

# What is painted on top in the middle of the words "More below".
_ON_TOP = """() => {
    const words = document.querySelector(".more-below span"), box = words.getBoundingClientRect();
    for (const one of document.querySelectorAll(".more-below, .more-below *")) one.style.pointerEvents = "auto";
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === words;
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 667), (1280, 560)])
def test_more_below_is_said_until_all_was_seen(site: Site, open_page: Any, width: int, height: int) -> None:
    """Also without a script."""
    ann = site.person()
    tab = open_page(person=ann, width=width, touch=width < 720, javascript=False)
    tab.set_viewport_size({"width": width, "height": height})
    layout = "phone" if width < 720 else "desk"
    tab.context.add_cookies([{"name": "ulm_board", "value": layout, "url": site.url}])
    tab.goto(f"/games/{site.game(ann, bots=('steady',))}")
    assert tab.evaluate(_ON_TOP)
    last = tab.locator("#done li").last
    last.scroll_into_view_if_needed()
    tab.evaluate("() => { document.getElementById('now').scrollTop = 1e6; scrollTo(0, 1e6) }")
    assert last.is_visible()
    assert not tab.evaluate(_ON_TOP)
