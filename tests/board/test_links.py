"""The board of a page: parts that lead somewhere, and colours that a style sheet says."""

import re
from xml.etree import ElementTree

import pytest

from server.board.canvas import Link
from server.board.stylesheet import stylesheet
from server.board.svg import board_svg
from server.board.themes import PAGE, THEMES
from server.engine.ulm1.tables import COLORS, DESCENDANTS, QUARTERS, SLOTS
from server.engine.ulm1.view import view
from tests.board.positions import play
from tests.board.test_svg import LAYOUTS, SVG, parse

HOSTILE = '"><script>alert(1)</script>&'
FINGER = 44


def links_of(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """The links of a board by their key; of a part that is shown twice, the first."""
    found: dict[str, ElementTree.Element] = {}
    for element in root.iter(f"{SVG}a"):
        found.setdefault(element.attrib["data-link"], element)
    return found


def link(key: str) -> Link:
    return Link(f"?draft={key}", f"push {key}", f"Go to {key}")


def area(element: ElementTree.Element) -> tuple[float, float]:
    (found,) = [each for each in element.iter(f"{SVG}rect") if "area" in each.attrib.get("class", "")]
    return float(found.attrib["width"]), float(found.attrib["height"])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_part_that_can_be_named_is_a_link(crowded, layout):
    seat = crowded.active
    shown = view(crowded, seat)
    keys = [f"slot-{slot}" for slot in SLOTS] + [f"quarter-{name}" for name in QUARTERS]
    keys += [f"cell-{row}-{column}" for row in (1, 2, 3) for column in (1, 2, 3)] + ["barge"]
    keys += [f"{kind}-{color}" for kind in ("docks", "bag", "supply", "tile", "use") for color in COLORS]
    keys += [f"card-{card}" for card in shown["players"][seat]["hand"]]
    keys += [f"discard-{card}" for card in shown["discard"]]
    keys += ["pile", "coats", "draw", "coin", "search", "levy", "salvage", "barge-0", "barge-2", "pass", "end"]
    keys += [f"credit-{name}" for name in ("card", "seal", "seal_at_1", "step")]
    svg = board_svg(shown, seat=seat, layout=layout, theme="page", links={key: link(key) for key in keys})
    found = links_of(parse(svg))
    assert found.keys() == set(keys)
    for key, element in found.items():
        assert element.attrib["href"] == f"?draft={key}"
        assert element.attrib["data-move"] == f"push {key}"
        assert element.attrib["aria-label"] == element[0].text == f"Go to {key}"
        assert element.attrib["class"] == "hit"
        assert area(element)[0] > 0


def test_a_board_with_links_is_no_picture(crowded):
    """What is a picture for a screen reader has no parts in it."""
    shown = view(crowded, 0)
    assert parse(board_svg(shown)).attrib["role"] == "img"
    linked = parse(board_svg(shown, links={"slot-N1": link("slot-N1")}))
    assert linked.attrib["role"] == "group"
    assert (linked.attrib["aria-labelledby"], linked.attrib["aria-describedby"]) == ("ulm-title", "ulm-desc")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_screen_readers_pass_by_what_has_no_links(crowded, layout):
    """Nothing that leads somewhere is hidden from them, and numbers without a meaning are."""
    seat = crowded.active
    shown = view(crowded, seat)
    keys = ["slot-N1", *(f"card-{card}" for card in shown["players"][seat]["hand"])]
    root = parse(board_svg(shown, seat=seat, layout=layout, links={key: link(key) for key in keys}))
    hidden = [element for element in root.iter() if element.attrib.get("aria-hidden") == "true"]
    inside = {each.attrib.get("id") for element in hidden for each in element.iter()}
    assert {"ulm-docks", "ulm-tower", "ulm-turn", "ulm-space-3"} <= inside
    assert not inside & {"ulm-square", "ulm-slot-N1", f"ulm-hand-{seat}"}
    assert not any(each.tag == f"{SVG}a" for element in hidden for each in element.iter())
    assert "aria-hidden" not in board_svg(shown, seat=seat, layout=layout)


@pytest.mark.parametrize("field", ["href", "move", "label"])
def test_links_are_escaped(crowded, field):
    bad = Link(**{"href": "/", "move": "end", "label": "End", field: HOSTILE})
    svg = board_svg(view(crowded, 0), seat=0, links={"slot-N1": bad, "end": bad})
    assert "<script" not in svg
    attribute = {"href": "href", "move": "data-move", "label": "aria-label"}[field]
    assert links_of(parse(svg))["slot-N1"].attrib[attribute] == HOSTILE


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["coat", "choose", "descendant"])
def test_what_is_on_offer_is_a_link_in_the_panel(kind, layout):
    state = next(
        state
        for seed in range(40)
        for state in play(seed, 3, tower=False)
        if state.pending and state.pending[-1][0] == kind
    )
    shown = view(state, state.active)
    offer = shown["descendants"] if kind == "descendant" else shown["pending"][-1]["offer"]
    stem = {"coat": "coat", "choose": "card", "descendant": "descendant"}[kind]
    links = {f"{stem}-{name}": link(name) for name in offer}
    root = parse(board_svg(shown, seat=state.active, layout=layout, links=links))
    (panel,) = [each for each in root.iter(f"{SVG}g") if each.attrib.get("id") == "ulm-turn"]
    assert list(links_of(panel)) == list(links)
    twins = [each.attrib["data-link"] for each in root.iter(f"{SVG}a") if each.attrib.get("tabindex") == "-1"]
    assert twins == (list(links) if kind == "descendant" else [])
    assert set(offer) <= set(DESCENDANTS) or kind != "descendant"


def test_a_link_has_no_link_in_it(crowded):
    links = {key: link(key) for key in ("quarter-oath_house", *(f"descendant-{name}" for name in DESCENDANTS))}
    root = parse(board_svg(view(crowded, 0), seat=0, links=links))
    for element in root.iter(f"{SVG}a"):
        assert list(element.iter(f"{SVG}a")) == [element]


def test_the_page_theme_names_no_colour(positions):
    """One picture for every theme: each colour is a variable, and the style sheet says all of them in each theme."""
    used = set()
    for state in positions[::4]:
        svg = board_svg(view(state, state.active), seat=state.active, theme="page")
        assert set(re.findall(r' (?:fill|stroke|color)="([^"]*)"', svg)) <= {
            "none",
            "currentColor",
            *PAGE.roles.values(),
        }
        used |= set(re.findall(r"var\((--b-[\w-]+)\)", svg))
    for theme in THEMES.values():
        said = dict(re.findall(r"(--b-[\w-]+): (#[0-9a-f]{6});", block_of(theme.name)))
        assert said == {f"--b-{role.replace('_', '-')}": color for role, color in theme.roles.items()}
        assert used <= said.keys()


def block_of(theme: str) -> str:
    selector = ":root {" if theme == THEMES["light"].name else f':root[data-theme="{theme}"] {{'
    css = stylesheet()
    return css[css.index(selector) : css.index("}", css.index(selector))]
