"""Colours by theme, and the contrast between two of them (WCAG 2.2).

`PAGE` names no colours: its roles are variables of style sheets, so that one picture serves every theme of a page.

A `Theme` names every colour by its role. Text is only ever written with a role on a role (`Canvas.text`), so that a
test can hold all pairs that occur to a ratio of 4.5; symbols are held to 3.
"""

from dataclasses import dataclass, fields
from functools import lru_cache


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


LIGHT = Theme(
    name="light",
    paper="#f4ead2",
    panel="#fbf5e4",
    ground="#ead9b5",
    meadow="#dfdcae",
    ink="#33261a",
    muted="#65533e",
    accent="#7b2a72",
    line="#8d7450",
    wall="#fbf1da",
    stone="#d9cdb4",
    roof="#b9573a",
    wood="#8c6239",
    leaf="#7f9152",
    river="#a9cbd2",
    wave="#6d9faa",
    space="#f4f7f1",
    chip="#f0e3c2",
    gold="#d9a520",
    silver="#c3c7cc",
    on_metal="#33261a",
    pen="#33261a",
    window="#74624f",
    skin="#efc49c",
    sky="#d3e6ea",
    linen="#fffdf6",
    gown="#45404d",
    velvet="#7b2a72",
    scarlet="#b73c2c",
    tiles=(
        ("#8f959b", "#171a1e"),
        ("#fffdf6", "#33261a"),
        ("#6b4022", "#fbe9c8"),
        ("#1fa3a0", "#08201f"),
        ("#ee8a1f", "#2b1703"),
    ),
    seats=(("#b3261e", "#ffffff"), ("#2f7a35", "#ffffff"), ("#2456a6", "#ffffff"), ("#f0c419", "#2b2100")),
)
DARK = Theme(
    name="dark",
    paper="#0f1a2e",
    panel="#17253f",
    ground="#22314d",
    meadow="#1d3a3f",
    ink="#f2e8d0",
    muted="#b9bccb",
    accent="#f7a8d8",
    line="#6f7fa3",
    wall="#46557c",
    stone="#526083",
    roof="#a05a48",
    wood="#8c6a48",
    leaf="#4d7a5c",
    river="#1c4a78",
    wave="#4f86b8",
    space="#0c2340",
    chip="#2a3a5c",
    gold="#e0b13c",
    silver="#b9c1cc",
    on_metal="#1b1508",
    pen="#0b1426",
    window="#ffd675",
    skin="#d9a982",
    sky="#4a6796",
    linen="#f1e8d4",
    gown="#33364a",
    velvet="#a4559b",
    scarlet="#c6503f",
    tiles=(
        ("#9aa1aa", "#14171b"),
        ("#f7f1e1", "#33261a"),
        ("#7d4c28", "#fdebcb"),
        ("#27b0ac", "#06201f"),
        ("#f0912b", "#2b1703"),
    ),
    seats=(("#cf3a32", "#fffdf8"), ("#35964a", "#071407"), ("#5b93f0", "#041026"), ("#f3cb31", "#2b2100")),
)
COLOUR_BLIND = Theme(
    name="colour-blind",
    paper="#fbfaf6",
    panel="#ffffff",
    ground="#e9e6dc",
    meadow="#dfe3dc",
    ink="#1b1b1b",
    muted="#505050",
    accent="#7a1f5c",
    line="#7b7b7b",
    wall="#ffffff",
    stone="#d3d1ca",
    roof="#9a8f86",
    wood="#7d6a55",
    leaf="#93a08f",
    river="#c4dcec",
    wave="#6c9bbd",
    space="#ffffff",
    chip="#efede6",
    gold="#e6b800",
    silver="#c9cdd2",
    on_metal="#1b1b1b",
    pen="#1b1b1b",
    window="#5f6a72",
    skin="#ecc9a6",
    sky="#d6e6f2",
    linen="#ffffff",
    gown="#3f4044",
    velvet="#7a1f5c",
    scarlet="#b8552e",
    tiles=(
        ("#777777", "#000000"),
        ("#ffffff", "#1b1b1b"),
        ("#4a3322", "#ffeecc"),
        ("#4aa8e0", "#00141f"),
        ("#f0b000", "#1f1400"),
    ),
    seats=(("#c04f00", "#ffffff"), ("#00664c", "#ffffff"), ("#0a3d8f", "#ffffff"), ("#f0e442", "#1f1c00")),
)
COLOUR_BLIND_DARK = Theme(
    name="colour-blind-dark",
    paper="#121316",
    panel="#1d1f24",
    ground="#2c2f36",
    meadow="#29322f",
    ink="#f4f4f2",
    muted="#bcbfc6",
    accent="#ffa8d6",
    line="#7f858f",
    wall="#585d68",
    stone="#5a606b",
    roof="#8a7a6d",
    wood="#8a735c",
    leaf="#5d7466",
    river="#1d4460",
    wave="#5590b8",
    space="#16202b",
    chip="#33373f",
    gold="#e6b800",
    silver="#c0c5cc",
    on_metal="#1b1508",
    pen="#0b0c0f",
    window="#ffe08a",
    skin="#d9ac86",
    sky="#4f6f8f",
    linen="#f1eee6",
    gown="#34363d",
    velvet="#a4559b",
    scarlet="#c06a3e",
    tiles=(
        ("#7f7f7f", "#000000"),
        ("#ffffff", "#1b1b1b"),
        ("#5a3d28", "#ffeecc"),
        ("#4aa8e0", "#00141f"),
        ("#f0b000", "#1f1400"),
    ),
    seats=(("#c04f00", "#ffffff"), ("#1fa07a", "#04140e"), ("#8fbcff", "#061230"), ("#f7ef6a", "#1f1c00")),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK, COLOUR_BLIND, COLOUR_BLIND_DARK)}
"""The themes of pictures. Pages follow the device too: with `auto` and `colour-blind-auto` of `preferences.THEMES`."""


def _pairs(kind: str, count: int) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"var({variable(f'{kind}{index}')})", f"var({variable(f'on_{kind}{index}')})") for index in range(count)
    )


PAGE = Theme(
    name="page",
    tiles=_pairs("tile", len(LIGHT.tiles)),
    seats=_pairs("seat", len(LIGHT.seats)),
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
