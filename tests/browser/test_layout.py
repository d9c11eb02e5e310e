"""One turn through all its phases, at the widths of five windows: what stands where, and that it stays there."""

from typing import Any

import pytest

from tests.browser.scripts import script

WINDOWS = {"desk": [(1920, 1080), (1280, 800), (1024, 768), (820, 1180)], "phone": [(390, 844)]}
STAYS = {"heading": "#headline", "board": "#board", "mat": "#mat", "end": ".bar .end"}
_LOOK = script("layout.look")


def seen(box, window):
    """Whether all of a box is in the window."""
    x, y, w, h = box
    return x >= 0 and y >= 0 and x + w <= window[0] and y + h <= window[1]


class Walk:
    """A page that goes through the phases of a turn in windows of one layout, and what was where in each."""

    def __init__(self, site, tab, game, windows):
        self.site, self.tab, self.game, self.windows = site, tab, game, windows
        self.found: dict[tuple[int, int], dict[str, dict[str, Any]]] = {window: {} for window in windows}

    def look(self, phase, path="", *, primary, choices=True):
        """Open the page and measure it in each window; `primary`: how many primary buttons it is to have. None: one
        where only the end of the turn is left, else none."""
        self.tab.goto(f"/games/{self.game}{path}")
        for window in self.windows:
            self.tab.set_viewport_size({"width": window[0], "height": window[1]})
            found = self.found[window][phase] = self.tab.evaluate(_LOOK, STAYS)
            where = (phase, window)
            for name, box in found["boxes"].items():
                if name != "heading":
                    assert seen(box, found["window"]), (*where, name, box)
            assert found["wide"] <= found["window"][0], where
            left = self.tab.locator("#moves button.move:not(#move-end):not(:disabled)").count()
            expected = int(not left) if primary is None else primary
            assert len(found["primary"]) == expected, (*where, found["primary"], self.tab.inner_text("#moves"))
            assert found["smallest"] >= 8.99, (*where, found["smallest"])
            if choices and left:
                # Also where the rest scrolls the first of them is seen, and no bar lies over it.
                assert found["first"], where
                assert seen(found["first"], [window[0], found["boxes"]["end"][1]]), (*where, found)

    def check(self):
        """Nothing has moved from phase to phase."""
        for window, found in self.found.items():
            first, *others = found
            for phase in others:
                assert found[phase]["boxes"] == found[first]["boxes"], (window, first, phase)


@pytest.fixture
def turn(site):
    """A game of two and a bot in its third round, before the draw; who is to move, and the other."""
    ann, ben = site.person("Ann"), site.person("Benedikt")
    for person in (ann, ben):
        site.call("/players/me", {"preferences": {"auto_draw": False}}, person.token, method="PATCH")
    game = site.game(ann, ben, bots=("steady",), options={"tower": True}, clock={"turn_hours": 48})
    site.advance(game, ann, ben, until=lambda page: (
        page["round"] >= 3 and page["seat"] == page["to_move"] == 0 and page["phase"] == "draw"
        and page["view"]["tower"][page["round"] - 1] != "pick_tile"  # then no choice is the one to take
    ))  # fmt: skip
    return game, ann, ben


def seal_that_asks(site, game, ann, ben):
    """Go on to a turn of the first in which a seal can be placed where something is chosen then; None in a game, which
    is drawn by lot, that has none."""

    def possible(page):
        if not page["seat"] == page["to_move"] == 0:
            return []
        asks = ("leaning_house", "garden", "town_hall", "goose_tower")
        return [move for move in site.legal(game, ann) if move.startswith("seal") and move.endswith(asks)]

    site.advance(game, ann, ben, until=lambda page: bool(possible(page)))
    return next(iter(possible(site.page(game, ann))), None)


def test_every_phase_of_a_turn_is_one_screen_and_nothing_jumps(site, open_page, turn):
    game, ann, ben = turn
    walks = []
    for layout, windows in WINDOWS.items():
        tab = open_page(person=ann, width=windows[0][0], touch=layout == "phone", reduced_motion="reduce")
        tab.context.add_cookies([{"name": "ulm_board", "value": layout, "url": site.url}])
        tab.on("dialog", lambda dialog: dialog.accept())
        tab.route("**/stream", lambda route: route.fulfill(status=204))  # it is opened anew for each phase
        walks.append(Walk(site, tab, game, windows))

    def all_look(phase, path="", *, primary, choices=True):
        for walk in walks:
            walk.look(phase, path, primary=primary, choices=choices)

    all_look("draw", primary=int(not any(move.startswith("pick") for move in site.legal(game, ann))))  # a Patrician may
    site.play(game, ann, "draw")
    if site.page(game, ann)["phase"] == "keep":
        all_look("keep", primary=0)
        site.play(game, ann, next(move for move in site.legal(game, ann) if move.startswith("keep")))
    all_look("push", primary=0)
    ply = site.page(game, ann)["ply"]
    push = next(move for move in site.legal(game, ann) if move.startswith("push")).replace(" ", "+")
    all_look("act", f"?ply={ply}&draft={push}", primary=None)
    all_look("end?", f"?ply={ply}&draft={push}&ask=end", primary=1)
    site.play(game, ann, push.replace("+", " "), "end")
    all_look("waiting", primary=0, choices=False)
    if move := seal_that_asks(site, game, ann, ben):
        site.play(game, ann, move)
        all_look("pending choice", primary=0)
    site.advance(game, ann, ben, until=lambda page: page["status"] == "finished")
    at_desk, on_phone = walks
    at_desk.look("game over", primary=1, choices=False)
    on_phone.tab.goto(f"/games/{game}")
    assert seen(on_phone.tab.evaluate(_LOOK, STAYS)["boxes"]["end"], [390, 844]), (
        "there the result lies above the board"
    )
    for walk in walks:
        walk.check()
