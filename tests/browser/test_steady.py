"""What lies under a finger stays there: pointing at a gate, which shows what its push would do, moves nothing."""

import pytest

PLACES = "all => all.map(one => { const box = one.getBoundingClientRect(); return [box.x, box.y] })"


@pytest.mark.parametrize("width", [360, 820, 1280])
def test_pointing_at_a_gate_moves_no_button(site, open_page, width):
    """By mouse and by keyboard; on a phone the press itself moves the focus."""
    ann = site.person("Ann")
    tab = open_page(f"/games/{site.game(ann, bots=('steady',))}", person=ann, width=width)
    tab.wait_for_selector(f"#play.live[data-layout={'desk' if width >= 720 else 'phone'}]")
    pushes, preview = tab.locator("#moves .group-push button"), tab.locator("#preview")
    pushes.first.scroll_into_view_if_needed()
    before = pushes.evaluate_all(PLACES)
    pushes.first.hover()
    preview.wait_for()
    assert pushes.evaluate_all(PLACES) == before
    box = preview.bounding_box()
    assert box["y"] + box["height"] <= tab.viewport_size["height"], "it is seen without scrolling"
    tab.mouse.move(0, 0)
    preview.wait_for(state="hidden")
    pushes.first.evaluate("one => one.focus({ preventScroll: true })")
    preview.wait_for()
    assert pushes.evaluate_all(PLACES) == before
