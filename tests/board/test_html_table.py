"""The board as HTML tables: small, made of what mail programs keep, and the same for those who see no colours."""

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from markupsafe import escape

from server.board.describe import description
from server.board.html_table import BLOCKED, CREST, FREE, MARKS, board_table
from server.board.svg import canvas_for
from server.board.text import LETTERS
from server.board.themes import THEMES
from server.engine.ulm1.tables import COLORS, SLOTS
from server.engine.ulm1.view import view
from server.language import LANGUAGES
from tests.board.positions import contrast

KEPT = {"table", "tr", "td", "div", "span", "b", "br"}
LEAST = 262  # pixels in a mail on a phone of 320


class Read(HTMLParser):
    """Reads the cells that have no tables in them, each with ground, ink and text; and checks that tags are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.tags: Counter[str] = Counter()
        self.names: set[str] = set()
        self.pairs: set[tuple[str, str]] = set()
        self.cells: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.names |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append((tag, dict(attrs)))
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        self.cells[-1] += data
        ground = next(found for found in map(self.ground, reversed(self.open)) if found)
        ink = next(found for found in map(self.ink, reversed(self.open)) if found)
        self.pairs.add((ink, ground))

    @staticmethod
    def ground(element):
        return element[1].get("bgcolor") or style(element, r"background:(#\w+)")

    @staticmethod
    def ink(element):
        return style(element, r"(?<![\w-])color:(#\w+)")


def style(element, pattern):
    found = re.search(pattern, element[1].get("style") or "")
    return found and found[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_small_and_made_of_what_mail_programs_keep(positions, language):
    for state in positions[::3]:
        seat = state.active or 0
        html = board_table(view(state, seat), seat=seat, language=language)
        read = Read(html)
        assert len(html) < 18_500  # Gmail cuts a mail at 102 KB
        assert html.isascii()
        assert set(read.tags) <= KEPT
        assert read.names <= {"role", "aria-label", "width", "height", "cellpadding", "cellspacing", "bgcolor",
                              "style", "align", "valign", "colspan"}  # fmt: skip
        assert not re.search(r"position|flex|grid-|float|url\(|var\(", html)
        assert all(int(width) <= LEAST for width in re.findall(r"(?:width=\"|width:)(\d+)(?=px|\")", html))


@pytest.mark.parametrize("theme", THEMES)
def test_whatever_is_written_can_be_read(positions, theme):
    for state in positions[::4]:
        for ink, ground in Read(board_table(view(state, state.active), seat=state.active, theme=theme)).pairs:
            assert contrast(ink, ground) >= 4.5, (ink, ground)


def test_no_colour_stands_alone(crowded):
    """Letters tell the tiles, marks the seats, whatever becomes of colours."""
    shown = view(crowded, 0)
    read = Read(board_table(shown, seat=0, names=["Anna", "Ben", "Cleo", "Dora"]))
    cells = [cell for cell in read.cells if cell in LETTERS.values()]
    assert cells == [LETTERS[color] for row in shown["grid"] for color in row]
    for slot in SLOTS:
        cell = next(cell for cell in read.cells if cell.startswith(slot))
        owner = shown["coat_seals"].get(slot)
        sign = cell.removeprefix(slot).strip()
        assert (owner is not None) == any(mark in sign for mark in MARKS)
        assert (slot in shown["outer"]) == (sign[-1] in LETTERS.values())
    for name in ("docks", "bag"):
        assert all(f"{LETTERS[color]} {shown[name][color]}" in read.cells for color in COLORS)
    text = " ".join(read.cells)
    assert text.count(CREST) == len(shown["crests"]) + 1  # and in the legend
    free = sum(crowded.rules.seal_spaces) - sum(map(len, shown["quarters"].values()))
    assert text.count(FREE) == free + 1
    assert BLOCKED in text
    for name, mark in zip(("Anna", "Ben", "Cleo", "Dora"), MARKS, strict=True):
        assert any(cell.startswith(f"{mark} {name}") for cell in read.cells)


def test_names_are_text_and_hands_are_their_owners(crowded):
    names = ["<b onclick=x>", '"><img src=x>', "a&b", "\x00\x1b"]
    for seat in (None, 0, 1):
        shown = view(crowded, seat)
        html = board_table(shown, seat=seat, names=names)
        assert "<b onclick" not in html
        assert "<img" not in html
        told = description(canvas_for(shown, seat, names), shown)
        assert f"{escape(told)}" in html.replace("&#8722;", "\u2212").replace("&#215;", "×").replace("&#8217;", "’")
        assert html.count("Hand: ") == (1 if seat is not None and shown["players"][seat].get("hand") else 0)


def test_what_does_not_fit_is_refused(crowded):
    with pytest.raises(ValueError, match="4 seats need 4 names"):
        board_table(view(crowded, 0), names=["Anna"])
    with pytest.raises(ValueError, match="the board speaks"):
        board_table(view(crowded, 0), language="la")
