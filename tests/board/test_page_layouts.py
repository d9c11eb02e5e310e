"""The layouts of a page of a game: all on them whole, nothing over anything else, large enough for eye and finger."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from server.board.measure import width
from server.board.svg import board_svg
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import (
    CARDS,
    COLORS,
    DESCENDANTS,
    QUARTERS,
    SLOTS,
    TOWER,
)
from server.engine.ulm1.view import view
from server.engine.ulm2 import RULES
from server.language import LANGUAGES
from tests.board.positions import play
from tests.board.test_links import FINGER, area, link, links_of
from tests.board.test_svg import ALLOWED, SVG, by_id, font_size, parse, placed, texts, uses

PAGE = ("desk", "square", "town")
SMALLEST = {"desk": 12, "square": 11, "town": 10.5}
CELLS = [f"cell-{row}-{column}" for row in (1, 2, 3) for column in (1, 2, 3)]
ON_SQUARE = {*CELLS, *(f"slot-{slot}" for slot in SLOTS), "pile", "coats", "discard", "tower"}
ON_SQUARE |= {f"{kind}-{color}" for kind in ("docks", "bag") for color in COLORS}
IN_TOWN = {*(f"quarter-{name}" for name in QUARTERS), *(f"space-{space}" for space in range(1, 23)), "barge-0"}
PARTS = {"desk": ON_SQUARE | IN_TOWN, "square": ON_SQUARE, "town": IN_TOWN}


class Written(NamedTuple):
    """A text and the box of its letters."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def written(root: ElementTree.Element) -> list[Written]:
    found = []
    for element, x, y in placed(root):
        text, size = element.text or "", font_size(element, root)
        long = width(text, size)
        left = x - {"start": 0, "middle": long / 2, "end": long}[element.attrib.get("text-anchor", "start")]
        found.append(Written(text, left, y - 0.73 * size, left + long, y + 0.1 * size))
    return found


def apart(one: Written, other: Written) -> bool:
    return one.right <= other.left + 0.5 or other.right <= one.left + 0.5 or one.bottom <= other.top + 0.5 or (
        other.bottom <= one.top + 0.5
    )  # fmt: skip


def crowd(tower: tuple[str, ...] = ("dear_seal",) * 3, waiting: tuple[str, ...] = ()) -> View:
    """As much as can be: each slot, seal space and crest taken, four barges in a row."""
    shown = view(RULES.new_game(bytes(32), 4, {"tower": True}), 0)
    shown["round"] = 2
    shown["tower"] = list(tower)
    shown["discard"] = list(CARDS[:20])
    shown["descendants"] = list(waiting)
    shown["docks"] = dict.fromkeys(COLORS, 1)
    shown["bag"] = dict.fromkeys(COLORS, 10)
    shown["coat_seals"] = {slot: index % 4 for index, slot in enumerate(SLOTS)}
    shown["quarters"] = {name: [index % 4] * RULES.seal_spaces[index] for index, name in enumerate(QUARTERS)}
    shown["crests"] = {name: index % 4 for index, name in enumerate(QUARTERS)}
    return shown


def crowds() -> Iterator[View]:
    """The Tower tiles and the Descendants in turn, the barges everywhere."""
    for index, tile in enumerate(TOWER):
        waiting = DESCENDANTS[index % 5 : index % 5 + 4]
        shown = crowd((tile, tile, TOWER[index - 1]), waiting)
        for seat, player in enumerate(shown["players"]):
            player["barge"] = 1 + (index * 2 + seat) % 22
        yield shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("layout", PAGE)
def test_no_text_is_cut_small_or_over_another(layout, language):
    """Every name, privilege, Descendant and Tower tile, with all the pennants there can be beside it."""
    for shown in crowds():
        root = parse(board_svg(shown, seat=0, layout=layout, language=language))
        right, bottom = (float(side) for side in root.attrib["viewBox"].split()[2:])
        found = written(root)
        for index, one in enumerate(found):
            assert not one.text.endswith("…"), one
            assert one.left >= 0
            assert one.right <= right, one
            assert one.top > 0
            assert one.bottom < bottom, one
            for other in found[index + 1 :]:
                assert apart(one, other), (one, other)
        assert min(font_size(each, root) for each in root.iter(f"{SVG}text")) >= SMALLEST[layout]


@pytest.mark.parametrize("pennants", [True, False])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("layout", ["desk", "town"])
def test_what_is_written_in_a_quarter_stays_in_it(layout, language, pennants):
    """Between its fences, and beside pennants and seals rather than under them; the first lessons have no pennants."""
    for shown in crowds():
        keys = {f"quarter-{name}": link(name) for name in QUARTERS}
        root = parse(board_svg(shown, seat=0, layout=layout, language=language, links=keys, pennants=pennants))
        found = by_id(root)
        for name in QUARTERS:
            quarter = found[f"ulm-quarter-{name}"]
            wrapped = ElementTree.Element(f"{SVG}svg", root.attrib)
            wrapped.append(quarter)
            (box,) = [each for each in quarter.iter(f"{SVG}rect") if "area" in each.attrib.get("class", "")]
            left, top, wide, high = (float(box.attrib[key]) for key in ("x", "y", "width", "height"))
            flags, seals = [], []
            for each in quarter.iter(f"{SVG}use"):
                place = re.match(r"translate\((\S+) (\S+)\) scale\((\S+)\)", each.attrib["transform"])
                assert place
                x, y, scale = (float(value) for value in place.groups())
                if "seal" in each.attrib["href"]:
                    seals.append(Written(each.attrib["href"], x, y, x + 24 * scale, y + 24 * scale))
                if "pennant" in each.attrib["href"]:
                    flags.append(Written(each.attrib["href"], x, y, x + 23 * scale, y + 18 * scale))
                    assert left <= x
                    assert x + 24 * scale <= left + wide + 1
                    assert top <= y
                    assert y + 24 * scale <= top + high + 3
            for one in written(wrapped):
                assert left <= one.left + 0.5, one
                assert one.right <= left + wide + 0.5, one
                assert top <= one.top
                assert one.bottom <= top + high
                assert all(apart(one, covering) for covering in (*flags, *seals)), one


@pytest.mark.parametrize("layout", PAGE)
def test_each_half_has_its_parts_and_no_panel(positions, layout):
    """The page itself shows the players, the turn and the scores."""
    for state in positions[::4]:
        svg = board_svg(view(state, state.active), seat=state.active, layout=layout, theme="page")
        root = parse(svg)
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
        found = {name.removeprefix("ulm-") for name in by_id(root)}
        assert PARTS[layout] <= found
        others = set().union(*PARTS.values()) - PARTS[layout]
        assert not found & (others | {"turn", "scores", "player-0", "hand-0"})
        assert len(svg.encode()) < 75_000
        assert root.find(f"{SVG}desc") is not None


@pytest.mark.parametrize("layout", PAGE)
def test_what_is_on_the_board_is_a_link_and_nothing_else(layout):
    """Every key of docs/board.md: those of parts that the layout has are links, all others are ignored."""
    shown = crowd(waiting=DESCENDANTS[:4])
    keys = [f"slot-{slot}" for slot in SLOTS] + CELLS + [f"quarter-{name}" for name in QUARTERS]
    keys += [f"{kind}-{color}" for kind in ("docks", "bag") for color in COLORS]
    keys += [f"discard-{card}" for card in shown["discard"]] + [f"descendant-{name}" for name in DESCENDANTS[:4]]
    keys += ["barge", "pile", "coats", "end", "coat-N1"]
    root = parse(board_svg(shown, seat=0, layout=layout, theme="page", links={key: link(key) for key in keys}))
    square = {key for key in keys if key.startswith(("slot", "cell", "docks", "bag", "pile", "coats", "discard"))}
    town = {key for key in keys if key.startswith(("quarter", "descendant")) or key == "barge"}
    wanted = {"desk": square | town, "square": square, "town": town}[layout]
    found = links_of(root)
    if layout == "square":  # not all of twenty discarded cards find room
        wanted -= {key for key in wanted if key.startswith("discard")}
        assert len(found.keys() - wanted) >= 6
        assert all(key.startswith("discard") for key in found.keys() - wanted)
    # Within a quarter that is a link, the Descendants are none.
    wanted -= {key for key in wanted if key.startswith("descendant")}
    assert wanted <= found.keys() <= set(keys)
    assert not list(parse(board_svg(shown, layout=layout, links={"dragon": link("x")})).iter(f"{SVG}a"))
    people = {f"descendant-{name}": link(name) for name in DESCENDANTS[:4]}
    alone = links_of(parse(board_svg(shown, seat=0, layout=layout, links=people)))
    assert alone.keys() == (set() if layout == "square" else people.keys())


@pytest.mark.parametrize(("layouts", "pixels"), [(("square", "town"), 1), (("narrow",), 360 / 400)])
def test_a_finger_hits_gates_cells_and_quarters(crowded, layouts, pixels):
    """44 pixels on a phone of 390; of a whole board, where a puzzle has cards and buttons too, on one of 360."""
    shown = view(crowded, 0)
    keys = [f"slot-{slot}" for slot in SLOTS] + CELLS + [f"quarter-{name}" for name in QUARTERS]
    if layouts == ("narrow",):
        keys += [*(f"card-{card}" for card in shown["players"][0]["hand"]), "end", "use-gray"]
    links, found = {key: link(key) for key in keys}, {}
    for layout in layouts:
        found |= links_of(parse(board_svg(shown, seat=0, layout=layout, links=links)))
    assert found.keys() == set(keys)
    for key in keys:
        assert min(area(found[key])) * pixels >= FINGER, key


def test_tiles_that_were_used_are_pale():
    """K3: of two tiles of one colour, of which one was used, the first is, which is the one that people touch."""
    shown = crowd()
    shown["grid"][0] = ["gray", "gray", "white"]
    shown["turn"]["slot"] = "E1"
    shown["turn"]["activated"] = {**dict.fromkeys(COLORS, 0), "gray": 1}
    parts = by_id(parse(board_svg(shown, layout="square")))
    used = {name for name in CELLS if parts[f"ulm-{name}"].attrib.get("data-used")}
    assert used == {"cell-1-1", "cell-1-3"}
    for name in CELLS:
        pale = any("opacity" in each.attrib for each in parts[f"ulm-{name}"].iter(f"{SVG}use"))
        assert pale == (name in used)
        assert parts[f"ulm-{name}"].find(f"{SVG}title").text.endswith(", used") == (name in used)


@pytest.mark.parametrize("count", [0, 1, 5, 10, 16, 20, 33])
@pytest.mark.parametrize("layout", ["desk", "square"])
def test_the_discard_pile_finds_room(layout, count):
    """Card by card; what finds no room is counted, and its names are told."""
    for tower in (("dear_seal",) * 3, ()):
        shown = crowd(tower)
        shown["discard"] = list(CARDS[:count])
        root = parse(board_svg(shown, layout=layout, language="de"))
        pile = by_id(root)["ulm-discard"]
        assert pile.attrib["data-count"] == str(count)
        drawn = [each.attrib["data-card"] for each in pile.iter() if "data-card" in each.attrib]
        assert drawn == list(CARDS[:count])[::-1][: len(drawn)]  # the newest first
        more = [text for text in texts(pile) if text.startswith("+")]
        assert more == ([f"+{count - len(drawn)}"] if len(drawn) < count else [])
        assert len(drawn) >= min(count, 20 if layout == "desk" else 6)


def test_pennants_tell_whose_barge_reaches_a_quarter(positions):
    """D5, and V12 while that Tower tile is in force; the reader's own first, none when the game is over."""
    banks = (*RULES.north_bank, *RULES.south_bank)
    beside = {space: {QUARTERS[which] for first, last, which in banks if first <= space <= last}
              for space in range(1, 23)}  # fmt: skip
    long = 0
    for state in [*positions[::5], *list(play(11, 4, tower=True))[::9]]:
        shown, seat = view(state, 1), 1
        far = 3 if shown["tower"] and shown["tower"][shown["round"] - 1] == "long_reach" else 0
        long += bool(far)
        for layout in ("desk", "town"):
            found = by_id(parse(board_svg(shown, seat=seat, layout=layout)))
            for name in QUARTERS:
                reached = {
                    number
                    for number, player in enumerate(shown["players"])
                    if shown["phase"] != "over"
                    and not player["resigned"]
                    and any(name in beside.get(player["barge"] + step, ()) for step in range(-far, far + 1))
                }
                order = sorted(reached, key=lambda number: (number != seat, number))
                quarter = found[f"ulm-quarter-{name}"]
                assert quarter.attrib.get("data-reached", "") == " ".join(map(str, order))
                flags = [symbol for symbol in uses(quarter) if symbol.startswith("pennant")]
                assert sorted(flags) == [f"pennant-{number}" for number in sorted(reached)]
    assert long
