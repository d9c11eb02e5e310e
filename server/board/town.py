"""The town along the Danube: quarters on both banks, beside the spaces from which they are reached (D5)."""

from server.board import danube
from server.board.canvas import Canvas
from server.board.danube import Reach
from server.board.layouts import WHOLE
from server.board.plots import draw_plot
from server.board.quarters import Plot
from server.board.scene import draw_scene
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import BRIDGE_AFTER, LAST_SPACE, QUARTERS

_OATH_HOUSE = 12  # how much higher than others the bank of the Oath House is on a phone: its Descendants stand there


def draw_town(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """Draw quarters, river and barges, their top at y; returns the height."""
    bridge = canvas.layout.bridge
    if canvas.layout.name in ("wide", "desk"):
        return _reach(canvas, view, Reach(1, LAST_SPACE, 0, w, bridge), x, y)
    town = canvas.layout.name == "town"
    gap = 4 if town else 8
    high = _reach(canvas, view, Reach(1, BRIDGE_AFTER, 0, w, bridge), x, y, _OATH_HOUSE if town else 0)
    return high + gap + _reach(canvas, view, Reach(BRIDGE_AFTER + 1, LAST_SPACE, 0, w, bridge), x, y + high + gap)


def _reach(canvas: Canvas, view: View, reach: Reach, x: float, y: float, more: float = 0) -> float:
    """One stretch of the river with its banks, the northern one `more` higher."""
    north = canvas.layout.bank + more
    high = north + canvas.layout.bank + canvas.layout.river
    with canvas.at(x, y):
        _banks(canvas, view, reach, north)
        danube.draw_river(canvas, view, reach, north)
        canvas.rect(0, 0, reach.w, high, "none", "ink", 1.4, 3)
    return high


def _banks(canvas: Canvas, view: View, reach: Reach, north: float) -> None:
    """The quarters on both sides of a stretch of the river, the northern bank so high."""
    south = canvas.layout.bank
    banks = (
        (canvas.rules.north_bank, 0, north, "ground"),
        (canvas.rules.south_bank, north + canvas.layout.river, south, "meadow"),
    )
    draw = draw_scene if canvas.layout.name in WHOLE else draw_plot
    for _, top, high, fill in banks:
        canvas.rect(0, top, reach.w, high, fill)
    for bank, top, high, fill in banks:
        for first, last, quarter in bank:
            if first <= reach.last and last >= reach.first:
                left, right = reach.bounds(first, last)
                draw(canvas, _plot(canvas, view, quarter), (left, top, right - left, high), fill, right < reach.w - 1)


def _plot(canvas: Canvas, view: View, index: int) -> Plot:
    """One quarter, as the view has it; which barges reach it (D5, V12) where pennants are shown, and while it runs."""
    name, own = QUARTERS[index], canvas.seat
    reached: list[int] = []
    if canvas.layout.pennant and view["phase"] != "over":
        long = bool(view["tower"]) and view["tower"][view["round"] - 1] == "long_reach"
        reach = canvas.rules.reach_long if long else canvas.rules.reach
        players = enumerate(view["players"])
        reached = [seat for seat, player in players if not player["resigned"] and index in reach[player["barge"]]]
        reached.sort(key=lambda seat: seat != own)
    people = view["descendants"] if name == "oath_house" else []
    marked = canvas.marked(f"quarter-{name}")
    return Plot(name, index, view["quarters"][name], view["crests"].get(name), people, reached, own in reached, marked)
