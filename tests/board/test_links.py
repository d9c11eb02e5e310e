"""The board of a page: parts that lead somewhere, and colours that a style sheet says."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from server.board.canvas import Link
from server.board.stylesheet import stylesheet
from server.board.svg import board_svg
from server.board.themes import PAGE, THEMES, roles
from server.engine.ulm1.tables import DESCENDANTS, QUARTERS, SLOTS
from server.engine.ulm1.view import view
from tests.board.test_svg import SVG, parse

HOSTILE = '"><script>alert(1)</script>&'
CSS = Path(__file__).parents[2] / "server/routes/pages/static/board.css"
PHONE = 360 / 400  # pixels for a unit of the narrow layout on a small phone
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


def test_a_board_with_the_links_of_a_turn_is_not_too_heavy(crowded):
    """Long addresses, as those of mails' links are, and every gate and quarter at once."""
    keys = [f"slot-{slot}" for slot in SLOTS] + [f"quarter-{name}" for name in QUARTERS] + ["pile", "barge"]
    links = {key: Link(f"/t/{'x' * 160}?draft={key}", f"push {key}", f"Go to {key} and see") for key in keys}
    svg = board_svg(view(crowded, 0), seat=0, layout="desk", theme="page", links=links)
    assert 60_000 < len(svg.encode()) < 90_000
    for key, element in links_of(parse(svg)).items():
        assert element.attrib["data-move"] == f"push {key}"
        assert element.attrib["aria-label"] == element[0].text == f"Go to {key} and see"
        assert element.attrib["class"] == "hit"


def test_an_unknown_key_is_no_link(crowded):
    plain = board_svg(view(crowded, 0), seat=0)
    unknown = board_svg(view(crowded, 0), seat=0, links={"slot-X9": link("x"), "dragon": link("y")})
    assert unknown.replace(' aria-hidden="true"', "") == plain
    assert board_svg(view(crowded, 0), seat=0, links={}) == plain


def test_a_board_with_links_is_no_picture(crowded):
    """What is a picture for a screen reader has no parts in it."""
    shown = view(crowded, 0)
    assert parse(board_svg(shown)).attrib["role"] == "img"
    linked = parse(board_svg(shown, links={"slot-N1": link("slot-N1")}))
    assert linked.attrib["role"] == "group"
    assert (linked.attrib["aria-labelledby"], linked.attrib["aria-describedby"]) == ("ulm-title", "ulm-desc")


def test_screen_readers_pass_by_what_has_no_links(crowded):
    """Nothing that leads somewhere is hidden from them, and numbers without a meaning are."""
    shown = view(crowded, 0)
    root = parse(board_svg(shown, seat=0, layout="desk", links={"slot-N1": link("slot-N1")}))
    hidden = [element for element in root.iter() if element.attrib.get("aria-hidden") == "true"]
    inside = {each.attrib.get("id") for element in hidden for each in element.iter()}
    assert {"ulm-docks", "ulm-tower", "ulm-space-3"} <= inside
    assert not inside & {"ulm-square", "ulm-slot-N1"}
    assert not any(each.tag == f"{SVG}a" for element in hidden for each in element.iter())
    assert "aria-hidden" not in board_svg(shown, seat=0, layout="desk")


@pytest.mark.parametrize("field", ["href", "move", "label"])
def test_links_are_escaped(crowded, field):
    bad = Link(**{"href": "/", "move": "end", "label": "End", field: HOSTILE})
    svg = board_svg(view(crowded, 0), seat=0, links={"slot-N1": bad})
    assert "<script" not in svg
    attribute = {"href": "href", "move": "data-move", "label": "aria-label"}[field]
    assert links_of(parse(svg))["slot-N1"].attrib[attribute] == HOSTILE


def test_a_link_has_no_link_in_it(crowded):
    links = {key: link(key) for key in ("quarter-oath_house", *(f"descendant-{name}" for name in DESCENDANTS))}
    root = parse(board_svg(view(crowded, 0), seat=0, layout="desk", links=links))
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
            *roles(PAGE).values(),
        }
        used |= set(re.findall(r"var\((--b-[\w-]+)\)", svg))
    for theme in THEMES.values():
        said = dict(re.findall(r"(--b-[\w-]+): (#[0-9a-f]{6});", block_of(theme.name)))
        assert said == {f"--b-{role.replace('_', '-')}": color for role, color in roles(theme).items()}
        assert used <= said.keys()


def block_of(theme: str) -> str:
    selector = ":root {" if theme == THEMES["light"].name else f':root[data-theme="{theme}"] {{'
    css = stylesheet()
    return css[css.index(selector) : css.index("}", css.index(selector))]


def test_the_page_theme_is_the_light_one_with_its_colours_exchanged(crowded):
    shown = view(crowded, 0)
    page = board_svg(shown, seat=0, theme="page")
    for role, color in roles(THEMES["light"]).items():
        page = page.replace(f"var(--b-{role.replace('_', '-')})", color)
    assert page == board_svg(shown, seat=0, theme="light")


def test_the_style_sheet_is_the_one_that_is_made():
    """`python -m server.board.stylesheet > server/routes/pages/static/board.css` after a change of a colour."""
    assert CSS.read_text("utf-8") == stylesheet()
    assert max(map(len, stylesheet().splitlines())) <= 120
