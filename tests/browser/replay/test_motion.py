"""What moves in the replay viewer at a step, and what of the board comes into view."""

import pytest

from server.service.seating.example_game import EXAMPLE_ID
from tests.browser.replay.conftest import GAME, on_stage, ready


def plies_of(site, what):
    """Where moves of a kind are."""
    moves = site.call(f"/replays/{EXAMPLE_ID}/record")["moves"]
    return [ply for ply, (text, _, _) in enumerate(moves, 1) if text.split()[0] == what]


# Notes what is set in motion: a slow machine may come to look only when it is over.
NOTING = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const named = this.closest("[data-cell], [data-slot], [data-quarter]") ?? this.firstChild;
  window.moved.push(named.id);
  return animate.apply(this, given);
};
"""


def test_a_push_slides_the_line_and_a_seal_drops_and_a_barge_sails(open_page, site):
    page = open_page(reduced_motion="no-preference")
    page.add_init_script(NOTING)
    page.goto(f"{GAME}?ply=0")
    ready(page)

    def step(ply):
        page.locator("#slider").fill(str(ply - 1))
        on_stage(page, ply - 1)
        page.evaluate("window.moved = []")
        page.keyboard.press("ArrowRight")
        on_stage(page, ply)
        return list(page.evaluate("window.moved"))

    ply = plies_of(site, "push")[3]
    slot = site.call(f"/replays/{EXAMPLE_ID}/record")["moves"][ply - 1][0].split()[1]
    moved = step(ply)
    assert len([one for one in moved if "-cell-" in one]) == 3, moved
    assert len([one for one in moved if "-slot-" in one and slot not in one]) == 1, moved
    assert [one for one in step(plies_of(site, "seal")[0]) if "-quarter-" in one]
    assert [one for one in step(plies_of(site, "river")[0]) if "-barge-" in one]


def test_nothing_moves_for_who_wishes_no_motion(open_page, site):
    ply = plies_of(site, "push")[3]
    page = open_page(reduced_motion="reduce")
    page.add_init_script(NOTING)
    page.goto(f"{GAME}?ply={ply - 1}")
    ready(page).keyboard.press("ArrowRight")
    on_stage(page, ply)
    assert page.evaluate("window.moved") == []


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_on_a_phone_what_a_move_changes_comes_into_view(open_page, motion):
    """A barge sailed below the bar while only the square was seen."""
    page = ready(open_page(f"{GAME}?ply=0", width=390, touch=True, reduced_motion=motion))
    went = {"square": 0, "barge": 0}
    for ply in range(1, 60):
        page.locator('[data-step="on"]').tap()
        on_stage(page, ply)
        said = page.locator("#text").inner_text()
        part = "barge" if "barge reaches" in said else "square" if " pushes " in said else ""
        if part:
            went[part] += 1
            page.wait_for_function(IN_VIEW, arg=part)
        if min(went.values()) > 1:
            return
    raise AssertionError(went)


IN_VIEW = """(part) => {
  const board = [...document.querySelectorAll(".layout svg")].find((one) => one.checkVisibility());
  const space = document.getElementById("text").textContent.match(/[0-9]+(?=[.])/)?.[0];
  const wanted = part === "square" ? "[data-cell]" : `[id*="-barge-"][data-space="${space}"]`;
  const parts = [...board.querySelectorAll(wanted)];
  const foot = document.getElementById("controls").getBoundingClientRect().top;
  const boxes = parts.map((one) => one.getBoundingClientRect());
  return boxes.length > 0 && boxes.every((box) => box.top >= 0 && box.bottom <= foot);
}"""
