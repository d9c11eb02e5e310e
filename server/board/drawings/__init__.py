"""The board's drawings: symbols in the `.svg` files of this folder, read once, in the variables of `themes.PAGE`."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files

from server.board.themes import Theme

TILE_SYMBOLS = ("coin", "broom", "card", "boat", "wax")
"""What lies on a tile of each colour, in the order of COLORS."""
BUILDING, CARD, VICTORY = (110, 64), (60, 44), (140, 150)
"""The boxes of `building-…`, `scene-…` and `victory-…`."""
_SYMBOL = re.compile(r'<symbol id="([\w-]+)"[^>]*>\s*(.*?)\s*</symbol>', re.DOTALL)
_PART = re.compile(r'<use href="#([\w-]+)"([^>]*)/>')
_COLOR = re.compile(r"var\(--b-([\w-]+)\)")


@cache
def _symbols() -> dict[str, str]:
    folder = files(__package__)
    texts = [one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".svg")]
    return {name: re.sub(r">\s+<", "><", drawn) for text in texts for name, drawn in _SYMBOL.findall(text)}


def needed(symbols: Iterable[str]) -> list[str]:
    """Return these symbols and those that stand in them, each once."""
    found = dict.fromkeys(symbols)
    for symbol in list(found):
        found |= dict.fromkeys(name for name, _ in _PART.findall(_symbols()[symbol]))
    return list(found)


@lru_cache(2048)
def define(symbol: str, theme: Theme, prefix: str = "") -> str:
    """The content of a symbol such as `coin`; with a prefix it refers to symbols by id. Raises `KeyError`."""

    def part(found: re.Match[str]) -> str:
        name, more = found.groups()
        if prefix:
            return f'<use href="#{prefix}_{name}"{more}/>'
        drawn = define(name, theme)
        return f"<g{more}>{drawn}</g>" if more else drawn

    drawn = _PART.sub(part, _symbols()[symbol])
    return drawn if theme.name == "page" else _COLOR.sub(lambda one: theme.color(one[1].replace("-", "_")), drawn)
