"""How the replay viewer looks and reads: for fingers, for magnifiers, for everybody, and what it weighs."""

import pytest

from tests.browser.replay.conftest import GAME, at, ready


def test_targets_are_large_enough_for_a_finger_and_nothing_sticks_out(open_page):
    page = ready(open_page(f"{GAME}?ply=20", width=360, touch=True))
    for box in [one.bounding_box() for one in page.locator(".step:visible, #play, #speed, .eyes a, #slider").all()]:
        assert box["height"] >= 44
        assert box["width"] >= 38
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator('[data-step="on"]').tap()
    at(page, 21)


@pytest.mark.parametrize(("language", "width"), [("en", 390), ("de", 390), ("it", 390), ("de", 820), ("it", 1280)])
def test_every_move_is_read_whole(open_page, language, width):
    """What a golden coat of arms brings stopped in the middle of its second sentence, without dots."""
    page = ready(open_page(f"{GAME}?ply=0", width=width, touch=width == 390, language=language))
    cut = page.evaluate("""() => {
        const [now, text] = [document.getElementById("now"), document.getElementById("text")];
        return [...document.querySelectorAll("#moves .line")].filter(line => {
            // Of a guest, whose name is longer than those of the example.
            text.textContent = line.textContent.replace(/^\\S+/, "Gast Schwalbe");
            now.classList.toggle("long", text.textContent.length > 100);
            return now.scrollHeight > now.clientHeight + 1;
        }).map(line => line.textContent);
    }""")
    assert cut == []
