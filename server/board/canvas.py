"""The sheet that every part of the board draws on. Only presentation attributes: pages forbid style elements."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from server.board.drawings import define
from server.board.layouts import Layout
from server.board.listing import Lister
from server.board.measure import fit, width
from server.board.themes import Theme
from server.board.words import Words
from server.engine.rulesets import Rules

Box = tuple[float, float, float, float]  # x, y, width, height
FONT = "DejaVu Sans, sans-serif"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_ANY_TO_ESCAPE = re.compile(r"[&<>\"']").search


def escape(text: str) -> str:
    """Return `text` safe as XML content and as an attribute's value."""
    return text.translate(_ESCAPES) if _ANY_TO_ESCAPE(text) else text  # to look is quick, and nearly always enough


def ascii_only(markup: str) -> str:
    """Return `markup` with all characters beyond ASCII as references (`&#8722;`): so a picture says the same wherever
    it is put, and a page of a hundred kilobytes is joined and turned into bytes in no time."""
    return markup if markup.isascii() else markup.encode("ascii", "xmlcharrefreplace").decode()


@lru_cache(1 << 14)  # two thousand a board, and nearly always the same: 0.14 ms a page of a game
def num(value: float) -> str:
    """Return a coordinate with at most one decimal and no idle zeros."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text.removeprefix("0") if text.startswith("0.") else text


_HIT = ' pointer-events="all"'
"""What is not painted is hit all the same."""


def _outline(name: str, box: Box, round_by: float, more: str = "") -> str:
    x, y, w, h = map(num, box)
    return f'<rect class="{name}" x="{x}" y="{y}" width="{w}" height="{h}" rx="{num(round_by)}" fill="none"{more}/>'


class Link(NamedTuple):
    """What a part of the board leads to: where a click goes, the move that it begins or is, and its name."""

    href: str
    move: str
    label: str


@dataclass
class Canvas:
    """One picture in the making. `layout` says how large things are."""

    theme: Theme
    words: Words
    names: Sequence[str]
    seat: int | None
    layout: Layout
    highlight: Collection[str] = ()
    prefix: str = "ulm"
    size: int | None = None  # width in pixels
    links: Mapping[str, Link] = field(default_factory=dict)
    inline: bool = False  # symbols are drawn where they are used: for pictures without ids
    parts: list[str] = field(default_factory=list)
    used: dict[str, None] = field(default_factory=dict)
    text_pairs: set[tuple[str, str]] = field(default_factory=set)
    linked: set[str] = field(default_factory=set)
    in_link: bool = False

    @property
    def rules(self) -> Rules:
        """The ruleset of the game that is drawn."""
        return self.words.rules

    @property
    def lister(self) -> Lister:
        """What makes phrases in this canvas's language, for its reader."""
        return Lister(self.words, self.names, self.seat)

    @property
    def small(self) -> float:
        """The smallest font size of this layout."""
        return self.layout.small

    @property
    def body(self) -> float:
        """The usual font size of this layout."""
        return self.layout.body

    def add(self, element: str) -> None:
        """Append a finished element."""
        self.parts.append(element)

    def drawn(self) -> str:
        """Return all that was drawn, in ASCII."""
        return ascii_only("".join(self.parts))

    @contextmanager
    def group(self, name: str, title: str = "", **data: Any) -> Iterator[None]:
        """Draw what follows into a group with an id, a title for screen readers and `data-` attributes."""
        attributes = "".join(f' data-{key.replace("_", "-")}="{escape(str(value))}"' for key, value in data.items())
        self.add(f'<g id="{self.prefix}-{name}"{attributes}>')
        if title:
            self.add(f"<title>{escape(title)}</title>")
        yield
        self.add("</g>")

    @contextmanager
    def at(self, x: float, y: float) -> Iterator[None]:
        """Draw what follows from an origin of its own. On a board with links, screen readers pass by what has none."""
        start, place = len(self.parts), f'transform="translate({num(x)} {num(y)})"'
        self.add(f"<g {place}>")
        yield
        if self.links and not any("<a " in part for part in self.parts[start:]):
            self.parts[start] = f'<g {place} aria-hidden="true">'
        self.add("</g>")

    @contextmanager
    def link(self, key: str, box: Box, edge: Box | None = None, round_by: float = 6) -> Iterator[None]:
        """Draw what follows as a link, when there is one of that key; `box` is what a finger may hit, `edge` what shows
        the link. A part that is shown twice is a link for the keyboard once."""
        link = self.links.get(key)
        if link is None or self.in_link:  # a link has no links in it
            yield
            return
        self.in_link = True
        label = escape(link.label)
        again = ' tabindex="-1"' if key in self.linked else ""
        self.linked.add(key)
        self.add(
            f'<a class="hit" href="{escape(link.href)}" data-link="{key}" data-move="{escape(link.move)}" '
            f'aria-label="{label}"{again}><title>{label}</title>'
        )
        yield
        self.in_link = False
        # Above what is drawn; unpainted but for the style sheet, and hit all the same.
        self.add(_outline("area edge" if edge is None else "area", box, round_by, _HIT))
        if edge is not None:
            self.add(_outline("edge", edge, round_by))
        self.add("</a>")

    def area(self, box: Box) -> None:
        """Let a finger hit what follows anywhere within a box, in which nothing is painted by that."""
        self.add(_outline("area", box, 0, _HIT))

    def marked(self, name: str) -> bool:
        """Whether `name` is to be highlighted (the names of `changes.changed`)."""
        return name in self.highlight

    def rect(self, x: float, y: float, w: float, h: float, fill: str, stroke: str = "", line: float = 1,
             round_by: float = 0, dash: str = "") -> None:  # fmt: skip
        """Draw a rectangle; `fill` and `stroke` are roles of the theme, `none` for no fill."""
        place = (f' x="{num(x)}"' if x else "") + (f' y="{num(y)}"' if y else "")
        shape = f'<rect{place} width="{num(w)}" height="{num(h)}"'
        self.add(shape + (f' rx="{num(round_by)}"' if round_by else "") + self._paint(fill, stroke, line, dash) + "/>")

    def circle(self, x: float, y: float, r: float, fill: str, stroke: str = "", line: float = 1) -> None:
        """Draw a circle."""
        self.add(f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}"{self._paint(fill, stroke, line)}/>')

    def path(self, d: str, fill: str = "none", stroke: str = "", line: float = 1, dash: str = "") -> None:
        """Draw a path."""
        self.add(f'<path d="{d}"{self._paint(fill, stroke, line, dash)}/>')

    def _paint(self, fill: str, stroke: str, line: float, dash: str = "") -> str:
        paint = f' fill="{"none" if fill == "none" else self.theme.color(fill)}"'
        if stroke:
            paint += f' stroke="{self.theme.color(stroke)}"' + (f' stroke-width="{num(line)}"' if line != 1 else "")
            paint += f' stroke-dasharray="{dash}"' if dash else ""
        return paint

    def use(self, symbol: str, x: float, y: float, scale: float = 1, ink: str = "", pale: bool = False) -> None:
        """Place a symbol of `drawings` with its top left corner at x, y; `ink` colours what has no colour of its own,
        what is `pale` is seen through."""
        move = f"translate({num(x)} {num(y)})" + (
            f" scale({round(scale, 3):g})".replace("(0.", "(.") if scale != 1 else ""
        )
        paint = f' fill="{self.theme.color(ink)}"' if ink and ink != "ink" else ""
        paint += ' opacity=".4"' if pale else ""
        if self.inline:
            self.add(f'<g transform="{move}"{paint}>{define(symbol, self.theme)}</g>')
            return
        self.used[symbol] = None
        self.add(f'<use href="#{self.prefix}_{symbol}" transform="{move}"{paint}/>')

    def text(self, x: float, y: float, text: str, size: float, ink: str = "ink", on: str = "paper",
             anchor: str = "start", bold: bool = False) -> None:  # fmt: skip
        """Write `text` with its baseline at y; `on` is the role of the background it stands on."""
        self.text_pairs.add((ink, on))
        color = self.theme.color(ink)
        paint = "" if ink == "ink" else f' fill="{color}"'
        # The one font that goes with the project has no bold cut: a thin outline does for it everywhere alike.
        weight = f' stroke="{color}" stroke-width="{num(size / 55)}"' if bold else ""
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        font = "" if size == self.small else f' font-size="{num(size)}"'  # the document's own is the small one
        self.add(f'<text x="{num(x)}" y="{num(y)}"{font}{paint}{weight}{place}>{escape(text)}</text>')

    def fitted(self, x: float, y: float, text: str, size: float, room: float, **more: object) -> float:
        """Write as much of `text` as fits into `room`; returns the width that it took."""
        shown = fit(text, size, room)
        self.text(x, y, shown, size, **more)  # type: ignore[arg-type]
        return width(shown, size)

    def frame(self, x: float, y: float, w: float, h: float) -> None:
        """Draw a sheet with a double border, as a panel of an old map has."""
        self.rect(x, y, w, h, "panel", "line", 1.4, 4)
        self.rect(x + 3, y + 3, w - 6, h - 6, "none", "line", 0.5, 2)

    def frame_behind(self, start: int, x: float, y: float, w: float, h: float) -> None:
        """Put a frame behind everything drawn since `parts` had `start` elements: its height is known only now."""
        drawn = len(self.parts)
        self.frame(x, y, w, h)
        self.parts[start:] = self.parts[drawn:] + self.parts[start:drawn]

    def glow(self, x: float, y: float, w: float, h: float, round_by: float = 6) -> None:
        """Mark what changed."""
        self.rect(x, y, w, h, "none", "accent", 3, round_by)
