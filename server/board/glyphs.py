# ruff: noqa: E501 - paths are data
"""The small drawings that repeat: tiles, seals, barges, icons. Each is defined once and placed with `Canvas.use`.

Icons fill a box of 24 × 24 and take their colour from where they are used; tiles fill 48 × 48, barges 44 × 40.
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin

from server.board.icons import ICONS, MARKS
from server.board.themes import Theme
from server.engine.ulm1.tables import COLORS

# What lies on a tile of each colour, in the order of COLORS: coin, broom, card, boat, seal.
TILE_SYMBOLS = ("coin", "broom", "card", "boat", "wax")


# The pennant of each seat: a banner, a pennon, a swallowtail and a shield, each with its mark.
PENNANTS = (
    "M3.5 1.5H22.5V17H3.5Z",
    "M3.5 .5 23.5 9.2 3.5 18Z",
    "M3.5 1.5H23L19 9.2 23 17H3.5Z",
    "M3.5 1.5H17.5L23 9.2 17.5 17H3.5Z",
)
_ON_PENNANTS = ("translate(4 .4) scale(.75)", "translate(1.2 1.6) scale(.6)", "translate(2.4 .4) scale(.72)",
                "translate(2.6 .6) scale(.75)")  # fmt: skip


def _drop(radii: Sequence[float]) -> str:
    """Return the outline of a drop of wax around 12, 12: round lobes that reach so far, with dents between them."""
    points = []
    for index, radius in enumerate(radii):
        for part, reach in ((0.0, radius - 1.3), (0.5, radius + 0.6)):
            angle = 2 * pi * (index + part) / len(radii)
            points.append(f"{12 + reach * cos(angle):.1f} {12 + reach * sin(angle):.1f}")
    curves = "".join(f"Q{points[i]} {points[(i + 1) % len(points)]}" for i in range(1, len(points), 2))
    return f"M{points[0]}{curves}Z"


WAX = _drop((11.9, 12.3, 11.6, 12.2, 11.8, 11.5, 12.3, 11.9, 11.4, 12.2, 11.7))
FIELD = "M4.3 3.4H19.7V11.5C19.7 16.1 16.7 19.2 12 21.1 7.3 19.2 4.3 16.1 4.3 11.5Z"  # within the rim of a shield
SHIELD = "M2.5 1.5H21.5V11.5C21.5 17.4 17 21 12 23.2 7 21 2.5 17.4 2.5 11.5Z"


def _part(name: str, theme: Theme, prefix: str, more: str = "") -> str:
    """A symbol in others: a board defines it once."""
    if prefix:
        return f'<use href="#{prefix}_{name}"{more}/>'
    drawn = define(name, theme)
    return f"<g{more}>{drawn}</g>" if more else drawn


def _tile(theme: Theme, index: int, prefix: str) -> str:
    """A tile that lies there: its thickness below, light on its upper edge, its symbol in a ring."""
    return _slab_of("slab", theme, index, prefix, "translate(9 7.8) scale(1.25)")


def _pip(theme: Theme, index: int, prefix: str) -> str:
    """Return a tile for small places: no ring, a larger symbol."""
    return _slab_of("small_slab", theme, index, prefix, "translate(5.4 4) scale(1.55)")


def _slab_of(slab: str, theme: Theme, index: int, prefix: str, place: str) -> str:
    face, symbol = theme.tiles[index]
    lit, shade = theme.color(f"lit_tile{index}"), theme.color(f"shade_tile{index}")
    return _part(slab, theme, prefix, f' fill="{face}" stroke="{lit}" color="{shade}"') + _part(
        TILE_SYMBOLS[index], theme, prefix, f' transform="{place}" fill="{symbol}"'
    )


def _slab(theme: Theme) -> str:
    """A tile without its symbol, in the colours of who places it: `fill`, and `stroke` in the light, `color` out of it."""
    return (
        f'<rect x="1" y="1" width="46" height="46" rx="8" fill="currentColor" stroke="{theme.ink}" stroke-width="1.6"/>'
        '<rect x="1.8" y="1.8" width="44.4" height="41.6" rx="7.2" stroke="none"/>'
        '<path d="M3.9 38V10.4A6.5 6.5 0 0 1 10.4 3.9H37.6A6.5 6.5 0 0 1 44 9" fill="none" stroke-width="1.8"/>'
        '<circle cx="24" cy="22.8" r="17.6" fill="none" stroke="currentColor" stroke-width="1.1"/>'
    )


def _small_slab(theme: Theme) -> str:
    return (
        '<rect x="1.2" y="1.2" width="45.6" height="45.6" rx="9" fill="currentColor" '
        f'stroke="{theme.ink}" stroke-width="2.4"/>'
        '<rect x="2.4" y="2.4" width="43.2" height="40" rx="8" stroke="none"/>'
    )


def _seal(theme: Theme, seat: int, prefix: str) -> str:
    """Sealing wax: a blob with light on its rim, and the mark on a disc that the signet pressed in."""
    wax, mark = theme.seats[seat]
    lit, shade = theme.color(f"lit_seat{seat}"), theme.color(f"shade_seat{seat}")
    return (
        _part("blob", theme, prefix, f' fill="{wax}" stroke="{theme.ink}"')
        + f'<path d="M3.2 14.6A9.3 9.3 0 0 1 14.6 3.1" fill="none" stroke="{lit}" stroke-width="1.2"/>'
        f'<path d="M20.9 9.6A9.3 9.3 0 0 1 9.4 20.9" fill="none" stroke="{shade}" stroke-width="1.6"/>'
        f'<circle cx="12" cy="12" r="7.9" fill="{wax}" stroke="{shade}" stroke-width=".7"/>'
        f'<path d="{MARKS[seat]}" fill="{mark}"/>'
    )


def _crest(theme: Theme, seat: int, prefix: str) -> str:
    """A family crest: enamel in a rim of gold."""
    wax, mark = theme.seats[seat]
    return (
        _part("rim", theme, prefix) + f'<path d="{FIELD}" fill="{wax}"/>'
        f'<path d="M4.9 12V4H18.6" fill="none" stroke="{theme.color(f"lit_seat{seat}")}" stroke-width="1"/>'
        f'<path d="{MARKS[seat]}" transform="translate(2.4 1.3) scale(.8)" fill="{mark}"/>'
    )


def _rim(theme: Theme) -> str:
    """The golden rim of a family crest."""
    return (
        f'<path d="{SHIELD}" fill="{theme.gold}" stroke="{theme.ink}" stroke-width=".9"/>'
        f'<path d="M21.2 3V11.4C21.2 16.6 17.4 20.4 12 22.4" fill="none" stroke="{theme.color("shade_gold")}" '
        'stroke-width=".9"/>'
    )


def _barge(theme: Theme, seat: int, prefix: str) -> str:
    """Return one of Ulm's flat boats with its striped hull and its hut; the sail has colour and mark of its owner."""
    wax, mark = theme.seats[seat]
    lit, shade = theme.color(f"lit_seat{seat}"), theme.color(f"shade_seat{seat}")
    return (
        f'<path d="M21 .6H23V30H21Z" fill="{theme.wood}" stroke="{theme.ink}" stroke-width=".8"/>'
        f'<path d="M22.6.8 31 2.4 22.6 4Z" fill="{wax}"/>'
        f'<path d="M7 4C15 6 26 6 34 4 32.6 11 32.6 18 34 25.6 26 27.6 15 27.6 7 25.6 8.4 18 8.4 11 7 4Z" '
        f'fill="{wax}" stroke="{theme.ink}" stroke-width="1.2"/>'
        f'<path d="M8.4 5.4C9.6 11 9.6 18 8.4 24.9L10.4 25.4C11.4 18 11.4 11 10.4 5.9Z" fill="{lit}"/>'
        f'<path d="M32.4 5.4C31.2 11 31.2 18 32.4 25L29.4 25.6C28.4 18 28.4 11 29.4 6Z" fill="{shade}"/>'
        f'<path d="{MARKS[seat]}" transform="translate(9.2 4.6) scale(.93)" fill="{mark}"/>'
        + _part("hull", theme, prefix)
    )


def _blob(_theme: Theme) -> str:
    return f'<path d="{WAX}"/>'


def _hull(theme: Theme) -> str:
    """The hull of a barge, with the hut behind its sail."""
    return (
        f'<g fill="{theme.wood}" stroke="{theme.ink}"><path d="M34.6 29V22.4L37 20.4 41 23.4V29Z" fill="{theme.roof}"/>'
        '<path d="M.8 27.6C9 30.8 35 30.8 43.2 26.6L39.4 37C30 39.6 14 39.6 4.6 37Z" stroke-width="1.2"/>'
        '<path d="M2.6 29.6C12 32.2 33 32.2 41.6 28.8L41 30.6C32 33.6 12 33.6 3.2 31.3Z" '
        f'fill="{theme.color("lit_wood")}" stroke="none"/>'
        '<path d="M9 33.4 12 37.6M15 34 18 38.2M21 34.2 24 38.4M27 34 30 38M33 33.2 35.6 37M4 32C14 34.6 30 34.6 40.4 '
        '31.4" fill="none" stroke-width=".9"/></g>'
    )


def _pennant(theme: Theme, seat: int, _prefix: str) -> str:
    """Return the pennant of a seat on its pole, in a box of 24 × 24."""
    wax, mark = theme.seats[seat]
    return (
        f'<path d="M1.6 .6H3.6V23.4H1.6Z" fill="{theme.ink}"/>'
        f'<path d="{PENNANTS[seat]}" fill="{wax}" stroke="{theme.ink}" stroke-width="1.4"/>'
        f'<path d="M4.2 2.4H5.6V16.2H4.2Z" fill="{theme.color(f"lit_seat{seat}")}"/>'
        f'<path d="{MARKS[seat]}" transform="{_ON_PENNANTS[seat]}" fill="{mark}"/>'
    )


def _coat(theme: Theme, metal: str) -> str:
    """A coat of arms of that metal, black and white as the town's own."""
    color = theme.color(metal)
    return (
        f'<path d="{SHIELD}" fill="{color}" stroke="{theme.ink}" stroke-width="1.2"/>'
        f'<path d="M3.7 12V2.7H20.4" fill="none" stroke="{theme.color(f"lit_{metal}")}" stroke-width="1.1"/>'
        f'<path d="M20.4 3.4V11.5C20.4 16.4 17 19.9 12 22" fill="none" stroke="{theme.color(f"shade_{metal}")}" '
        'stroke-width="1.2"/>'
        f'<path d="M5 4H19V11.4C19 15.6 16 18.6 12 20.4 8 18.6 5 15.6 5 11.4Z" fill="{theme.panel}"/>'
        f'<path d="M5 4H19V11.4H5Z" fill="{theme.ink}"/>'
    )


def _gate(theme: Theme) -> str:
    """Return a portcullis: the closed end of a blocked line."""
    return (
        f'<path d="M3 23V10C3 5 7 2 12 2S21 5 21 10V23Z" fill="{theme.stone}" stroke="{theme.ink}" stroke-width="1.4"/>'
        f'<path d="M7.5 23V4.4M12 23V2M16.5 23V4.4M3 9.5H21M3 14.5H21M3 19.5H21" fill="none" stroke="{theme.ink}" '
        'stroke-width="1.6"/>'
    )


def _back(theme: Theme) -> str:
    """Return the back of a card, in a box of 34 × 48: two lie below it."""
    return (
        f'<rect x="1" y="2" width="32" height="45" rx="4" fill="{theme.color("shade_roof")}" stroke="{theme.ink}" '
        'stroke-width="1.4"/>'
        f'<rect x="1.6" y="1.4" width="30.8" height="42.6" rx="3.6" fill="{theme.roof}"/>'
        f'<path d="M2.8 40V5A2.4 2.4 0 0 1 5.2 2.6H29" fill="none" stroke="{theme.color("lit_roof")}" stroke-width="1"/>'
        f'<rect x="4.8" y="4.8" width="24.4" height="36" rx="2" fill="none" stroke="{theme.gold}" stroke-width="1"/>'
        f'<path d="M17 7 19.4 21H21.4V37H12.6V21H14.6Z" fill="{theme.gold}"/>'
        f'<path d="M17 12V35M12.6 26H21.4" fill="none" stroke="{theme.color("shade_gold")}" stroke-width=".9"/>'
    )


def _place(theme: Theme) -> str:
    """Return the place of a seal that nobody has laid yet."""
    return f'<circle cx="12" cy="12" r="10.6" fill="{theme.panel}" stroke="{theme.ink}" stroke-dasharray="2.4 2"/>'


def _shield(theme: Theme) -> str:
    """Return the place of a family crest that nobody has laid yet."""
    return f'<path d="{SHIELD}" fill="none" stroke="{theme.line}" stroke-width="1.2" stroke-dasharray="3 2.4"/>'


def _any_tile(theme: Theme) -> str:
    """Return a tile of whatever colour: it shows all five."""
    stripes = "".join(
        f'<path d="M{middle} 2V22" stroke="{theme.color(f"tile{index}")}"/>'
        for index, middle in ((1, 8), (2, 12), (3, 16), (4, 20))
    )
    slab = f'<rect x="1" y="1" width="22" height="22" rx="2" fill="{theme.color("tile0")}" stroke="{theme.ink}"/>'
    return f'{slab}<g stroke-width="4">{stripes}</g>'


# What the symbols of all colours, or of all seats, have in common.
_PARTS = {"tile": "slab", "pip": "small_slab", "seal": "blob", "barge": "hull", "crest": "rim"}


def needed(symbols: Iterable[str]) -> list[str]:
    """Return these symbols and those that they refer to when they are defined with a prefix."""
    found = dict.fromkeys(symbols)
    for symbol in list(found):
        kind, _, color = symbol.partition("-")
        if color and kind in _PARTS:
            found[_PARTS[kind]] = None
        if kind in _OF_COLORS:
            found[TILE_SYMBOLS[COLORS.index(color)]] = None
    return list(found)


def define(symbol: str, theme: Theme, prefix: str = "") -> str:
    """Return the content of a symbol by its name: an icon, or `tile-gray`, `pip-gray`, `seal-0`, `crest-0`, `barge-0`,
    `pennant-0`, `coat-gold`, `coat-silver`, `gate`, `back`, `seal` and `shield` (their empty places).

    With a prefix what stands in several of them is referred to by its id, `PREFIX_coin`: see `needed`. Raises
    `KeyError` for another name.
    """
    kind, _, which = symbol.partition("-")
    if not which:
        return _PLAIN[kind](theme) if kind in _PLAIN else ICONS[kind]
    if kind in _OF_COLORS:
        return _OF_COLORS[kind](theme, COLORS.index(which), prefix)
    if kind in _OF_SEATS:
        return _OF_SEATS[kind](theme, int(which), prefix)
    return {"coat": _coat}[kind](theme, which)


_PLAIN = {
    "seal": _place, "shield": _shield, "gate": _gate, "back": _back, "hull": _hull, "blob": _blob, "rim": _rim,
    "slab": _slab, "small_slab": _small_slab, "any_tile": _any_tile,
}  # fmt: skip
_OF_COLORS = {"tile": _tile, "pip": _pip}
_OF_SEATS = {"seal": _seal, "crest": _crest, "barge": _barge, "pennant": _pennant}
