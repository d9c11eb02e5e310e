"""Colours by theme, read from `themes.json`, and the contrast between two of them (WCAG 2.2).

`PAGE` names no colours: its roles are variables of style sheets, so that one picture serves every theme of a page.

A `Theme` names every colour by its role. Text is only ever written with a role on a role (`Canvas.text`), so that a
test can hold all pairs that occur to a ratio of 4.5; symbols are held to 3.
"""

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files

from server.engine.ulm1.tables import COLORS, SEAT_COLORS


@dataclass(frozen=True, eq=False)  # one object for each theme: it is looked up by what it is, a thousand times a board
class Theme:
    """The colours of a theme by role, as `#rrggbb`; those of `PAGE` as `var(--b-ROLE)`."""

    name: str
    paper: str  # the sheet
    panel: str  # what lies on it: supply, players
    ground: str  # streets and squares of the town
    meadow: str  # the south bank
    ink: str  # text, and the lines of the engraving
    muted: str  # less important text
    accent: str  # whose turn it is, what changed
    line: str  # thin lines, hatching
    wall: str  # plastered walls
    stone: str  # the Minster, the city wall
    roof: str
    wood: str
    leaf: str
    river: str
    wave: str
    space: str  # the plaque of a river space
    chip: str
    gold: str
    silver: str
    on_metal: str  # text on gold and silver
    pen: str  # the lines of what has colours of its own: people, pictures on cards, houses
    window: str  # glass; lit at night
    skin: str
    sky: str  # behind people and in the pictures on cards
    linen: str  # paper and white cloth, by day and by night
    gown: str
    velvet: str
    scarlet: str
    tiles: tuple[tuple[str, str], ...]  # by colour: face, symbol
    seats: tuple[tuple[str, str], ...]  # by seat: wax, mark

    def color(self, role: str) -> str:
        """Return the colour of a role.

        `tile0`… and `seat0`… are the faces of tiles and the wax of the seats, `on_tile0`… and `on_seat0`… their marks;
        `lit_` and `shade_` before these, and before what `SHADED` names, are their edges in the light and out of it.
        """
        return roles(self)[role]


@lru_cache  # 0.33 ms a page of a game
def roles(theme: Theme) -> dict[str, str]:
    """Return every colour of a theme by its role, in the order in which style sheets list them."""
    found = {name: getattr(theme, name) for name in _SINGLE}
    for kind, pairs in (("tile", theme.tiles), ("seat", theme.seats)):
        for index, (face, mark) in enumerate(pairs):
            found |= {f"{kind}{index}": face, f"on_{kind}{index}": mark}
    for role in [role for role in found if role in SHADED or role.startswith(("tile", "seat"))]:
        for edge, (towards, part) in _EDGES.items():
            name = f"{edge}_{role}"
            found[name] = f"var({variable(name)})" if theme is PAGE else mixed(found[role], towards, part)
    return found


SHADED = ("panel", "stone", "roof", "wood", "leaf", "river", "gold", "silver", "skin", "scarlet")
_EDGES = {"lit": ("#ffffff", 0.38), "shade": ("#1a1008", 0.3)}


def mixed(color: str, towards: str, part: float) -> str:
    """Return a `#rrggbb` colour with so large a part (0 to 1) of another in it."""
    pairs = zip(bytes.fromhex(color[1:]), bytes.fromhex(towards[1:]), strict=True)
    return "#" + bytes(round(one + (other - one) * part) for one, other in pairs).hex()


_SINGLE = tuple(field.name for field in fields(Theme) if field.name != "name" and field.type is str)


def variable(role: str) -> str:
    """Return the name of the variable that a style sheet keeps the colour of a role in."""
    return f"--b-{role.replace('_', '-')}"


def _read() -> dict[str, Theme]:
    palettes = json.loads((files("server.board") / "themes.json").read_text("utf-8"))
    for roles_of in palettes.values():
        roles_of |= {kind: tuple(map(tuple, roles_of[kind])) for kind in ("tiles", "seats")}
    return {name: Theme(name=name, **colors) for name, colors in palettes.items()}


THEMES = _read()
"""The themes of pictures. Pages follow the device too: with `auto` and `colour-blind-auto` of `preferences.THEMES`."""


def _pairs(kind: str, count: int) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"var({variable(f'{kind}{index}')})", f"var({variable(f'on_{kind}{index}')})") for index in range(count)
    )


PAGE = Theme(
    name="page",
    tiles=_pairs("tile", len(COLORS)),
    seats=_pairs("seat", len(SEAT_COLORS)),
    **{role: f"var({variable(role)})" for role in _SINGLE},
)
"""For pages that link the style sheet which says what the variables are (`stylesheet`): of no use elsewhere."""


def theme_of(name: str) -> Theme:
    """Return the theme of that name, `page` among them; raises `ValueError` for another."""
    if name == PAGE.name:
        return PAGE
    try:
        return THEMES[name]
    except KeyError:
        raise ValueError(f"the themes are {', '.join(THEMES)}; there is no {name!r}") from None


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio (1 to 21) of two `#rrggbb` colours, as WCAG 2.2 defines it."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
