"""The picture: complete, well formed, safe, deterministic, small, and silent about what the reader may not know."""

import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from server.board.changes import changed
from server.board.measure import width
from server.board.svg import board_svg
from server.board.themes import THEMES
from server.engine import rulesets
from server.engine.ulm1.tables import CARDS, COLORS, DESCENDANTS, QUARTERS, SLOTS
from server.engine.ulm1.view import view
from server.language import LANGUAGES
from tests.board.positions import play

SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = ("wide", "narrow")
ALLOWED = {"svg", "title", "desc", "defs", "g", "rect", "circle", "path", "text", "use"}
HOSTILE = ('<script>alert("1")</script>', "</text></svg>&amp;", "a\x00b\x1b[31m\ud800\u202eevil\nline", "'\" onload='x")


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own


def by_id(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}


def texts(element: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in element.iter(f"{SVG}text")]


def font_size(text: ElementTree.Element, root: ElementTree.Element) -> float:
    return float(text.attrib.get("font-size", root.attrib["font-size"]))


def placed(root: ElementTree.Element, tag: str = "text") -> Iterator[tuple[ElementTree.Element, float, float]]:
    """Every text (or rectangle) with its place on the sheet: parts have origins of their own."""

    def walk(element: ElementTree.Element, x: float, y: float) -> Iterator[tuple[ElementTree.Element, float, float]]:
        shift = re.fullmatch(r"translate\((\S+) (\S+)\)", element.attrib.get("transform", ""))
        if shift:
            x, y = x + float(shift[1]), y + float(shift[2])
        if element.tag == f"{SVG}{tag}":
            yield element, x + float(element.attrib.get("x", 0)), y + float(element.attrib.get("y", 0))
        for child in element:
            yield from walk(child, x, y)

    return walk(root, 0, 0)


def uses(element: ElementTree.Element) -> list[str]:
    return [found.attrib["href"].removeprefix("#ulm_") for found in element.iter(f"{SVG}use")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_position_is_a_whole_picture(positions, layout):
    """Valid XML of the few kinds of element allowed, no id twice, no reference to what is not there."""
    for index, state in enumerate(positions):
        seat = None if index % 3 == 0 else state.active
        language, theme = list(LANGUAGES)[index % len(LANGUAGES)], list(THEMES)[index % len(THEMES)]
        svg = board_svg(view(state, seat), seat=seat, layout=layout, theme=theme, language=language)
        root = parse(svg)
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert max(Counter(ids).values()) == 1
        hrefs = {element.attrib["href"] for element in root.iter() if "href" in element.attrib}
        assert hrefs <= {f"#{name}" for name in ids}
        assert not re.search(r"style=|url\(|data:|\bnan\b|\binf\b|None|https?://(?!www\.w3\.org/2000/svg)", svg)
        assert len(svg.encode()) < 120_000


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_picture_says_what_the_view_says(positions, layout):  # noqa: C901
    """Tiles, gates, seals, crests, barges, counts: read back from the picture, they are those of the view."""
    for state in positions:
        shown = view(state, None)
        found = by_id(parse(board_svg(shown, layout=layout)))

        def part(name, found=found):
            return found[f"ulm-{name}"]

        for row in range(3):
            for column in range(3):
                assert uses(part(f"cell-{row + 1}-{column + 1}")) == [f"tile-{shown['grid'][row][column]}"]
        opposite = dict(zip(SLOTS, (*SLOTS[6:], *SLOTS[:6]), strict=True))
        opposite |= {"E1": "W1", "E2": "W2", "E3": "W3", "W1": "E1", "W2": "E2", "W3": "E3"}
        for slot in SLOTS:
            tile = shown["outer"].get(slot)
            expected = [f"tile-{tile}"] if tile else ["gate"] if opposite[slot] in shown["outer"] else ["arrow"]
            if slot in shown["coat_seals"]:
                expected.append(f"seal-{shown['coat_seals'][slot]}")
            assert uses(part(f"slot-{slot}")) == expected
        for quarter, spaces in zip(QUARTERS, rulesets.NEWEST.seal_spaces, strict=True):
            drawn = [symbol for symbol in uses(part(f"quarter-{quarter}")) if symbol.startswith(("seal-", "crest-"))]
            expected = [f"seal-{seat}" for seat in shown["quarters"][quarter]]
            if quarter in shown["crests"]:
                expected.append(f"crest-{shown['crests'][quarter]}")
            assert drawn == expected
            places = [each for each in part(f"quarter-{quarter}").iter() if "data-seal-space" in each.attrib]
            assert len(places) == spaces
        for kind in ("docks", "bag"):
            for color in COLORS:
                assert texts(part(f"{kind}-{color}")) == [str(shown[kind][color])]
        assert {f"ulm-space-{space}" for space in range(1, 23)} <= found.keys()
        assert {"ulm-coats", "ulm-tower", "ulm-scores" if state.scores else "ulm-turn"} <= found.keys()
        assert str(shown["pile_size"]) in texts(part("pile"))
        assert len([1 for each in part("discard").iter() if "data-card" in each.attrib]) == len(shown["discard"])
        for seat, player in enumerate(shown["players"]):
            assert part(f"barge-{seat}").attrib["data-space"] == str(player["barge"])
            counts = {
                each.attrib["data-count"]: texts(each)[0]
                for each in part(f"player-{seat}").iter()
                if "data-count" in each.attrib
            }
            assert counts == {
                **{f"tiles-{color}": str(player["tiles"][color]) for color in COLORS},
                "coins": str(player["coins"]),
                "sparrows": str(player["sparrows"]),
                "seals": str(player["seals"]),
                "crests": str(player["crests"]),
                "hand-size": str(player["hand_size"]),
                "played": str(player["played"]),
            }
            for key, own in (("data-coat", "coats"), ("data-descendant", "descendants"), ("data-card", "table")):
                drawn = [each.attrib[key] for each in part(f"player-{seat}").iter() if key in each.attrib]
                assert drawn == player[own]
        if shown["scores"]:
            for seat, score in enumerate(shown["scores"]):
                assert str(score["total"]).replace("-", "−") in texts(part(f"score-{seat}"))
        for number, name in enumerate(shown["tower"], 1):
            assert part(f"round-{number}").attrib["data-tower"] == name


@pytest.mark.parametrize("layout", LAYOUTS)
def test_names_are_escaped_and_printable(crowded, layout):
    svg = board_svg(view(crowded, 0), seat=0, names=HOSTILE, layout=layout)
    root = parse(svg)
    assert "<script" not in svg
    assert "onload='" not in svg
    assert not set(svg) & {"\x00", "\x1b", "\ud800", "\u202e", "\n"}
    assert not any(element.tag == f"{SVG}script" for element in root.iter())
    assert any(text.startswith("<script>alert") for text in texts(root))
    title = by_id(root)["ulm-player-1"].find(f"{SVG}title")
    assert title.text == HOSTILE[1]


def test_an_empty_name_is_the_seats_colour(crowded):
    svg = board_svg(view(crowded, None), names=("", "  ", "\x00", "\u200e"))
    assert [by_id(parse(svg))[f"ulm-player-{seat}"][0].text for seat in range(4)] == ["Red", "Green", "Blue", "Yellow"]


def test_every_text_fits_the_sheet_in_every_language(positions):
    """However long the names are."""
    endless = ["W" * 200, "漢" * 200, "i" * 200, "a b" * 90]
    for index, state in enumerate(positions):
        for layout in LAYOUTS:
            language, names = list(LANGUAGES)[index % len(LANGUAGES)], endless[: len(state.players)]
            shown, seat = view(state, state.active), state.active
            svg = board_svg(shown, seat, names if index % 2 else None, layout=layout, language=language)
            root = parse(svg)
            right, bottom = (float(side) for side in root.attrib["viewBox"].split()[2:])
            for text, x, y in placed(root):
                size = font_size(text, root)
                long = width(text.text or "", size)
                start = x - {"start": 0, "middle": long / 2, "end": long}[text.attrib.get("text-anchor", "start")]
                assert start >= 0
                assert start + long <= right, (layout, text.text)
                assert size < y < bottom
                assert size >= (8.9 if layout == "narrow" else 11), (layout, text.text)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_more_than_any_game_can_bring_still_fits(crowded, layout):
    """Every slot, seal space and crest taken, nine cards on each table, many discarded: whole, and not too heavy."""
    shown = view(crowded, 1)
    shown["discard"] = list(CARDS[:16])
    for player in shown["players"]:
        player.update(table=list(CARDS[:9]), coats=["N1", "E3", "S2"], descendants=list(DESCENDANTS[:3]), vp=-138)
        player["tiles"] = dict.fromkeys(COLORS, 10)
    shown["players"][1]["hand"] = list(CARDS[-9:])
    shown["outer"] = {slot: COLORS[index % 5] for index, slot in enumerate(SLOTS)}
    shown["coat_seals"] = {slot: index % 4 for index, slot in enumerate(SLOTS)}
    shown["quarters"] = {name: [index % 4] * rulesets.NEWEST.seal_spaces[index] for index, name in enumerate(QUARTERS)}
    shown["crests"] = {name: index % 4 for index, name in enumerate(QUARTERS)}
    for index, player in enumerate(shown["players"]):
        player["barge"] = 22 - index
    svg = board_svg(shown, seat=1, names=["M" * 64] * 4, layout=layout, language="de")
    root = parse(svg)
    assert len(svg.encode()) < 122_000
    assert len([1 for each in root.iter() if "data-card" in each.attrib]) == 16 + 4 * 9 + 9


def test_title_and_description(crowded):
    root = parse(board_svg(view(crowded, 2), seat=2, names=["Anna", "Ben", "Cleo", "Dan"]))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {desc.attrib['id']}"
    assert title.text == "Ulm, round 10 of 10"
    for seat, name in enumerate(("Anna (Red)", "Ben (Green)", "Cleo (Blue)", "Dan (Yellow)")):
        assert f"{name}: {crowded.players[seat].vp} VP" in (desc.text or "")


def test_size_chooses_the_layout(crowded):
    shown = view(crowded, None)
    mail, page, inline = (parse(board_svg(shown, size=size)) for size in (600, 1200, None))
    assert mail.attrib["viewBox"].startswith("0 0 400 ")
    assert mail.attrib["width"] == "600"
    assert float(mail.attrib["height"]) == pytest.approx(float(mail.attrib["viewBox"].split()[3]) * 1.5, abs=1)
    assert page.attrib["viewBox"].startswith("0 0 1200 ")
    assert "width" not in inline.attrib


def test_two_boards_share_a_page(crowded):
    first, second = (by_id(parse(board_svg(view(crowded, 0), layout="desk", prefix=name))) for name in ("b", "old"))
    assert not first.keys() & second.keys()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"theme": "pink"}, "the themes are light, dark, colour-blind, colour-blind-dark; there is no 'pink'"),
        ({"language": "la"}, "the board speaks en, de, it, not 'la'"),
        ({"layout": "round"}, "the layouts are wide, narrow, desk, square, town; there is no 'round'"),
        ({"size": 0}, "the size is a width of 1 to 20000 pixels, not 0"),
        ({"names": ["one"]}, "4 seats need 4 names, not 1"),
        ({"prefix": 'x" onload="'}, "the prefix of ids is made of letters, digits and underscores"),
    ],
)
def test_bad_options_are_named(crowded, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        board_svg(view(crowded, None), **options)


def test_what_changed_is_marked():
    names = set()
    before = None
    for state in play(3, 2, tower=True):
        after = view(state, 0)
        if before is not None:
            marks = changed(before, after)
            names |= marks
            plain, marked = board_svg(after, seat=0), board_svg(after, seat=0, highlight=marks)
            assert (plain == marked) == (not marks)
        before = after
    assert {"cell-1-1", "pile", "discard", "player-0", "docks-gray", "bag-gray"} <= names
    assert any(name.startswith("slot-") for name in names)
    assert any(name.startswith("quarter-") for name in names)
    assert any(name.startswith("space-") for name in names)
