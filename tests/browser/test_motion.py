"""How far what moves on a board moves: from where it was to where it is, on every layout. Without a server."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from server.board.layouts import LAYOUTS
from server.board.svg import board_svg
from server.engine.ulm1.view import view
from tests.board.positions import play
from tests.browser.scripts import script

SCRIPT = (Path(__file__).parents[2] / "server/routes/pages/static/js/replay-motion.js").read_text("utf-8")
MOVED = script("motion.moved")


def moved(page, before, after, layout):
    """From where each part comes that is set in motion, in units of the board."""
    page.set_content("".join(board_svg(shown, seat=0, layout=layout) for shown in (before, after)))
    return [(round(float(x)), round(float(y))) for x, y in
            (re.findall(r"-?[\d.]+(?:e-\d+)?(?=px)", text) for text in page.evaluate(MOVED, SCRIPT))]  # fmt: skip


@pytest.fixture
def page(chromium):
    made = chromium.new_page(viewport={"width": 700, "height": 700})
    yield made
    made.close()


def test_a_push_moves_each_tile_by_a_cell(page):
    """The tiles of a column slid from the corner of the board: the place of a symbol was not counted."""
    states = [view(state, 0) for state in play(4, 2, tower=False)]
    before, after = next(pair for pair in pairwise(states) if pair[0]["phase"] == "push" and pair[1]["turn"]["slot"])
    down = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}[str(after["turn"]["slot"])[0]]
    for name, layout in LAYOUTS.items():
        steps = moved(page, before, after, name)
        assert len(steps) == (0 if name == "town" else 4), name
        for step in steps:  # gates in the north and south lie a little nearer to the square than a cell
            assert step == pytest.approx((down[0] * layout.pitch, down[1] * layout.pitch), abs=2), name
