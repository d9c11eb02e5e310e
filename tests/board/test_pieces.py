"""Single pieces: every one drawn, small, free of ids, and named for those who do not see it."""

import re

import pytest

from server.board.drawings import define
from server.board.measure import width
from server.board.pieces import PIECES, Laid, laid_in, piece_svg
from server.board.svg import board_svg
from server.board.themes import PAGE, THEMES, theme_of
from server.board.words import words_of
from server.engine.ulm1.tables import CARDS, DESCENDANTS, QUARTERS
from server.engine.ulm1.view import view
from server.engine.ulm2 import RULES
from server.language import LANGUAGES
from tests.board.positions import contrast
from tests.board.test_svg import ALLOWED, SVG, parse

ALL = [(kind, name) for kind, (names, _) in PIECES.items() for name in names]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "name"), ALL)
def test_a_piece_is_small_and_stands_alone(kind, name, language):
    """No ids, so that a hundred may stand on a page; no text that runs out of it."""
    svg = piece_svg(kind, name, language=language, width=72)
    root = parse(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED - {"use", "defs", "desc"}
    assert not re.search(r"\bid=|href|style=|url\(|\bnan\b", svg)
    assert len(svg.encode()) < (5000 if kind == "victory" else 4000)
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text
    assert "{" not in root[0].text
    wide, high = (float(side) for side in root.attrib["viewBox"].split()[2:])
    assert root.attrib["width"] == "72"
    assert float(root.attrib["height"]) == pytest.approx(72 * high / wide, abs=1)
    for text in root.iter(f"{SVG}text"):
        size = float(text.attrib.get("font-size", root.attrib["font-size"]))
        half = width(text.text or "", size) / 2
        assert text.attrib["text-anchor"] == "middle"
        assert half - 0.5 <= float(text.attrib["x"]) <= wide - half + 0.5, text.text
        assert size <= float(text.attrib["y"]) < high, text.text
        assert size >= 7.5, text.text
        assert not (text.text or "").endswith("…"), text.text


@pytest.mark.parametrize("kind", ["tile", "card", "descendant", "quarter", "seal", "crest", "barge", "gate", "victory"])
def test_no_two_pieces_of_a_kind_look_the_same(kind):
    """Beside what is written on them: eight people, a picture for each kind of card."""
    drawn = {re.sub(r"<(title|text)\b.*?</\1>", "", piece_svg(kind, name, theme="light")) for name in PIECES[kind][0]}
    assert len(drawn) == len(PIECES[kind][0])


def test_the_pictures_of_people_and_cards_are_small_too():
    """In the chips of the board: each Descendant and each kind of card has an icon of its own."""
    icons = [*DESCENDANTS, *{card.partition("-")[0] for card in CARDS}]
    assert len({define(name, PAGE) for name in icons}) == len(icons) == 8 + 15


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("layout", ["wide", "narrow", "desk", "town"])
def test_the_oath_house_has_room_for_every_name(language, layout):
    """Whoever waits there is named in full, in every language."""
    seen = view(RULES.new_game(bytes(32), 4, {}), None)
    for waiting in (DESCENDANTS[:4], DESCENDANTS[4:]):
        svg = board_svg({**seen, "descendants": list(waiting)}, layout=layout, language=language)
        texts = {text.text for text in parse(svg).iter(f"{SVG}text")}
        assert {words_of(language).descendants[name] for name in waiting} <= texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUARTERS)
def test_a_quarter_is_drawn_as_it_stands(name, language):
    """Garden's small picture showed an empty crest that the board showed taken."""
    seen = view(RULES.new_game(bytes(32), 4, {}), None)
    spaces = RULES.seal_spaces[QUARTERS.index(name)]
    seen["quarters"][name] = [3] * (spaces - 1)
    assert laid_in(seen, name) == ((3,) * (spaces - 1), None)
    free = piece_svg("quarter", name, language=language, laid=laid_in(seen, name))
    seen["crests"][name] = 2
    taken = piece_svg("quarter", name, language=language, laid=laid_in(seen, name))
    for svg in (free, taken):
        root = parse(svg)
        assert len(svg.encode()) < 4000
        assert not re.search(r"\bid=|href|style=|url\(|\bnan\b", svg)
        circles = [each.attrib["fill"] for each in root.iter(f"{SVG}circle")]
        assert circles == ["var(--b-seat3)"] * (spaces - 1) + ["var(--b-panel)"]
        wide, high = (float(side) for side in root.attrib["viewBox"].split()[2:])
        for each in root.iter(f"{SVG}circle"):
            assert 8 < float(each.attrib["cx"]) < wide - 8
            lowest = max(float(text.attrib["y"]) for text in root.iter(f"{SVG}text"))
            assert lowest + 2 < float(each.attrib["cy"]) - 8 < high - 16
    crest = PAGE.color("seat2")
    assert (crest in free, crest in taken) == (False, True)
    assert words_of(language)["crest"].format(words_of(language).seats[2]) in (parse(taken)[0].text or "")


@pytest.mark.parametrize("theme", [*THEMES, "page"])
def test_pieces_have_the_colours_of_their_theme(theme):
    """And the words on coats, whose head is of ink, stand out."""
    palette = theme_of(theme)
    for kind, name in ALL:
        colors = set(re.findall(r'(?:fill|stroke|color)="([^"]*)"', piece_svg(kind, name, theme=theme)))
        assert colors <= {"none", "currentColor", *palette.roles.values()}
    pairs = (("panel", "ink"), ("ink", "stone"), ("ink", "ground"), ("muted", "panel"), ("ink", "paper"))
    for ink, on in pairs if theme != "page" else ():
        assert contrast(palette.color(ink), palette.color(on)) >= 4.5


def test_a_hidden_piece_says_nothing():
    svg = piece_svg("card", "nave-1", hidden=True)
    root = parse(svg)
    assert root.attrib["aria-hidden"] == "true"
    assert "role" not in root.attrib
    assert not list(root.iter(f"{SVG}title"))


@pytest.mark.parametrize(("kind", "name"), [("tile", "pink"), ("dragon", "1"), ("card", ""), ("seal", "4")])
def test_an_unknown_piece_is_refused(kind, name):
    with pytest.raises(ValueError, match="there is no piece"):
        piece_svg(kind, name)
    with pytest.raises(ValueError, match="nothing is laid in a card"):
        piece_svg("card", "nave-1", laid=Laid((), None))
