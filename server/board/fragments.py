"""Parts of the picture are drawn once and kept as text.

A game's board changes in few places from ply to ply, and all boards of a layout share most of what they show. So a
board is put together from kept panels, and a panel that has changed from kept parts (`put` within `put_panel`). What is
drawn must depend on its values and on the style of the canvas alone: it gets a canvas without a seat; names and
highlights are there in panels, and links where they are told of.

Where a link leads differs from position to position, what is drawn around it does not: what has links is kept with
holes in the place of their addresses and names, which are filled for each board.
"""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, TypeVarTuple

from server.board.canvas import Canvas, Link, escape
from server.board.layouts import Layout
from server.board.themes import Theme
from server.board.words import Words

Values = TypeVarTuple("Values")
Result = TypeVar("Result")

PARTS_KEPT = 8192  # of half a kilobyte each
PANELS_KEPT = 1024  # of some 8 kilobytes each

# No text on a board holds it: names are printable.
_HOLE = "\x00"


class _Fragment(NamedTuple):
    elements: str  # without holes; else "" and they lie in `pieces`
    pieces: tuple[str, ...]  # elements, and at each odd place the key of a link
    fields: tuple[str, ...]  # of each hole in turn, which part of its link it wants
    used: dict[str, None]  # symbols
    pairs: frozenset[tuple[str, str]]  # of colours
    linked: frozenset[str]
    result: Any


def put(canvas: Canvas, draw: Callable[[Canvas, *Values], Result], *values: *Values,
        links: Iterable[str] = ()) -> Result:  # fmt: skip
    """Draw by `draw(canvas, *values)`, from what is kept where it can be; the values are hashable.

    `links` are the keys that it may make links of. Returns what `draw` returns.
    """
    return _put(canvas, _part, draw, values, links, (), ())


def put_panel(canvas: Canvas, draw: Callable[[Canvas, *Values], Result], *values: *Values,
              links: Iterable[str] = ()) -> Result:  # fmt: skip
    """The same for a large part of the board, which may ask the canvas for names and highlights too."""
    return _put(canvas, _panel, draw, values, links, tuple(canvas.names), canvas.highlight)


def forget() -> None:
    """Draw everything anew from now on: for tests and benchmarks."""
    _part.cache_clear()
    _panel.cache_clear()


def _put(canvas: Canvas, kept: Callable[..., _Fragment], draw: Callable[..., Result], values: tuple[Any, ...],
         links: Iterable[str], names: tuple[str, ...], highlight: Collection[str]) -> Result:  # fmt: skip
    here: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    if canvas.links and not canvas.in_link:
        here = tuple([key for key in links if key in canvas.links])
        again = tuple([key for key in here if key in canvas.linked])
    made = kept(draw, canvas.theme, canvas.words, canvas.layout, canvas.prefix, canvas.inline, values, here, again,
                names, highlight)  # fmt: skip
    if made.fields:
        filled = list(made.pieces)
        filled[1::2] = [
            escape(getattr(canvas.links[key], name)) for key, name in zip(made.pieces[1::2], made.fields, strict=True)
        ]
        canvas.add("".join(filled))
        canvas.linked |= made.linked
    else:
        canvas.parts.append(made.elements)
    canvas.used |= made.used
    canvas.text_pairs |= made.pairs
    result: Result = made.result
    return result


def _draw(draw: Callable[..., Any], theme: Theme, words: Words, layout: Layout, prefix: str, inline: bool,
          values: tuple[Any, ...], here: tuple[str, ...], again: tuple[str, ...], names: tuple[str, ...],
          highlight: Collection[str]) -> _Fragment:  # fmt: skip
    holes = {key: Link(*(f"{_HOLE}{key} {name}{_HOLE}" for name in ("href", "move", "label"))) for key in here}
    canvas = Canvas(theme, words, names, None, layout, highlight, prefix, links=holes, inline=inline, linked={*again})
    result = draw(canvas, *values)
    pieces = "".join(canvas.parts).split(_HOLE)
    found = [hole.rpartition(" ") for hole in pieces[1::2]]
    pieces[1::2] = [key for key, _, _ in found]
    fields = tuple(name for _, _, name in found)
    elements = "" if fields else pieces[0]
    return _Fragment(elements, tuple(pieces) if fields else (), fields, canvas.used, frozenset(canvas.text_pairs),
                     frozenset(canvas.linked), result)  # fmt: skip


# Together 0.83 ms a page of a game, whose board is kept whole in half of the cases.
_part = lru_cache(PARTS_KEPT)(_draw)
_panel = lru_cache(PANELS_KEPT)(_draw)
