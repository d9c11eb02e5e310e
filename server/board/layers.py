"""Pictures of several colours as layers of (fill role, path), for one pen: people, cards, houses, the laurel.

A role may be marked: `lines` is only inked, and what begins with `~` only filled (light and shade within an outline).
"""

import re
from collections.abc import Iterable

from server.board.themes import Theme

Layer = tuple[str, str]


def painted(theme: Theme, layers: Iterable[Layer], line: float = 1, pen: str = "pen") -> str:
    """Return the layers as one group of SVG, inked with a pen of that role and width."""
    paths = "".join(_path(theme, role, path) for role, path in layers)
    return (
        f'<g stroke="{theme.color(pen)}" stroke-width="{line:g}" stroke-linejoin="round" '
        f'stroke-linecap="round">{paths}</g>'
    )


def _path(theme: Theme, role: str, path: str) -> str:
    if role == "lines":
        return f'<path d="{path}" fill="none"/>'
    stroke = ' stroke="none"' if role[0] == "~" else ""
    return f'<path d="{path}" fill="{theme.color(role.lstrip("~"))}"{stroke}/>'


def glazed(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return the layers of a house with its windows, closed outlines among the `lines`, as panes of their own."""
    found: list[Layer] = []
    for fill, path in layers:
        if fill == "lines":
            parts = re.findall("M[^M]+", path)
            panes = "".join(part for part in parts if part.endswith("Z"))
            if panes:
                found.append(("window", panes))
            path = "".join(part for part in parts if not part.endswith("Z"))
        found.append((fill, path))
    return tuple((fill, path) for fill, path in found if path)
