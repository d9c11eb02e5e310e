"""Where the choices of a turn are cut off by the window, the page says that there is more of them, and only there."""

import pytest

from tests.browser.scripts import script

_ON_TOP = script("more_below.on_top")


@pytest.mark.parametrize(("width", "height"), [(390, 667), (1280, 560)])
def test_more_below_is_said_until_all_was_seen(site, open_page, width, height):
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


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 560)])
def test_what_is_tapped_over_the_choices_plays_none(site, open_page, width, height, javascript):
    """It leads down, in the middle of the words and anywhere in the strip in which a choice fades."""
    ann = site.person()
    tab = open_page(person=ann, width=width, touch=True, javascript=javascript)
    tab.set_viewport_size({"width": width, "height": height})
    layout = "phone" if width < 720 else "desk"
    tab.context.add_cookies([{"name": "ulm_board", "value": layout, "url": site.url}])
    tab.goto(f"/games/{site.game(ann, bots=('steady',))}")
    first = tab.locator("#moves .move").first.bounding_box()
    words = tab.locator(".more-below span").bounding_box()
    for x in (words["x"] + words["width"] / 2, first["x"] + first["width"] / 2):
        for up in (0, 18):
            before = tab.locator("#moves .move").first.bounding_box()["y"]
            tab.touchscreen.tap(x, words["y"] + words["height"] / 2 - up)
            tab.wait_for_timeout(200)
            assert tab.locator("#play").get_attribute("data-draft") is None
            assert not tab.locator("#done .drafted").count()
            assert tab.locator("#moves .move").first.bounding_box()["y"] < before
            tab.evaluate("() => { document.getElementById('now').scrollTop = 0; scrollTo(0, 0) }")
