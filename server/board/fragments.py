"""Parts of the picture that depend on little are drawn once and kept as text.

A game's board changes in few places from ply to ply, and all boards of a layout share most of what they show. What
`put` draws must depend on its values and on the style of the canvas alone: it gets a canvas without names, seat,
highlights and links.
"""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, TypeVarTuple

from server.board.canvas import Canvas
from server.board.themes import Theme
from server.board.words import Words

Values = TypeVarTuple("Values")
Fragment = tuple[str, dict[str, None], frozenset[tuple[str, str]]]  # elements, symbols, pairs of colours

KEPT = 8192  # fragments, of half a kilobyte each


def put(canvas: Canvas, draw: Callable[[Canvas, *Values], None], *values: *Values, links: Collection[str] = ()) -> None:
    """Draw by `draw(canvas, *values)`, from what is kept where it can be; the values are hashable.

    `links` are the keys that it may make links of: with one of them it is drawn anew.
    """
    if links and canvas.links and not canvas.links.keys().isdisjoint(links):
        draw(canvas, *values)
        return
    elements, used, pairs = _made(draw, canvas.theme, canvas.words, canvas.narrow, canvas.prefix, canvas.inline, values)
    canvas.parts.append(elements)
    canvas.used |= used
    canvas.text_pairs |= pairs


@lru_cache(KEPT)
def _made(draw: Callable[..., None], theme: Theme, words: Words, narrow: bool, prefix: str, inline: bool,
          values: tuple[Any, ...]) -> Fragment:  # fmt: skip
    canvas = Canvas(theme, words, (), None, narrow, prefix=prefix, inline=inline)
    draw(canvas, *values)
    return "".join(canvas.parts), canvas.used, frozenset(canvas.text_pairs)
