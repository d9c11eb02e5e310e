"""Colours by theme, read from `themes.json`.

`PAGE` names no colours: its roles are variables of style sheets, so that one picture serves every theme of a page.

Text is only ever written with a role on a role (`Canvas.text`), so that a test can hold all pairs that occur to a ratio
of 4.5; symbols are held to 3. Roles that do not say what they are for: `ground` streets and squares, `meadow` the
south bank, `muted` less important text, `accent` whose turn it is and what changed, `line` thin lines, `wall` plaster,
`stone` the Minster and the city wall, `space` the plaque of a river space, `on_metal` text on gold and silver, `pen`
the lines of what has colours of its own, `sky` behind people, `linen` paper and white cloth by day and by night.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

_SHADED = ("panel", "stone", "roof", "wood", "leaf", "river", "gold", "silver", "skin", "scarlet")
_EDGES = {"lit": ("#ffffff", 0.38), "shade": ("#1a1008", 0.3)}


@dataclass(frozen=True, eq=False)  # one object for each theme: it is looked up by what it is
class Theme:
    """The colours of a theme by role, as `#rrggbb`; those of `PAGE` as `var(--b-ROLE)`.

    `tile0`… and `seat0`… are the faces of tiles and the wax of the seats, `on_tile0`… and `on_seat0`… their marks;
    `lit_` and `shade_` before these, and before what `_SHADED` names, are their edges in the light and out of it.
    """

    name: str
    roles: Mapping[str, str]  # in the order in which style sheets list them

    def color(self, role: str) -> str:
        """Return the colour of a role."""
        return self.roles[role]

    def pairs(self, kind: str) -> list[tuple[str, str]]:
        """Return ground and mark of every `tile`, by colour, or of every `seat`."""
        return [(color, self.roles[f"on_{role}"]) for role, color in self.roles.items() if role.startswith(kind)]


def mixed(color: str, towards: str, part: float) -> str:
    """Return a `#rrggbb` colour with so large a part (0 to 1) of another in it."""
    pairs = zip(bytes.fromhex(color[1:]), bytes.fromhex(towards[1:]), strict=True)
    return "#" + bytes(round(one + (other - one) * part) for one, other in pairs).hex()


def variable(role: str) -> str:
    """Return the name of the variable that a style sheet keeps the colour of a role in."""
    return f"--b-{role.replace('_', '-')}"


def _theme(name: str, palette: Mapping[str, str | list[list[str]]]) -> Theme:
    roles: dict[str, str] = {}
    for role, color in palette.items():
        if isinstance(color, str):
            roles[role] = color
        else:  # the pairs of "tiles" and "seats"
            for index, (face, mark) in enumerate(color):
                roles |= {f"{role[:-1]}{index}": face, f"on_{role[:-1]}{index}": mark}
    for role in [role for role in roles if role in _SHADED or role.startswith(("tile", "seat"))]:
        roles |= {f"{edge}_{role}": mixed(roles[role], *towards) for edge, towards in _EDGES.items()}
    return Theme(name, roles)


THEMES = {
    name: _theme(name, palette)
    for name, palette in json.loads((files("server.board") / "themes.json").read_text("utf-8")).items()
}
"""The themes of pictures. Pages follow the device too: with `auto` and `colour-blind-auto` of `preferences.THEMES`."""

PAGE = Theme("page", {role: f"var({variable(role)})" for role in THEMES["light"].roles})
"""For pages that link the style sheet which says what the variables are (`stylesheet`): of no use elsewhere."""


def theme_of(name: str) -> Theme:
    """Return the theme of that name, `page` among them; raises `ValueError` for another."""
    found = PAGE if name == PAGE.name else THEMES.get(name)
    if found is None:
        raise ValueError(f"the themes are {', '.join(THEMES)}; there is no {name!r}")
    return found
