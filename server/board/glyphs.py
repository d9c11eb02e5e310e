# ruff: noqa: E501 - paths are data
"""The small drawings that repeat: tiles, seals, barges, icons. Each is defined once and placed with `Canvas.use`.

Icons fill a box of 24 × 24 and take their colour from where they are used; tiles fill 48 × 48, barges 44 × 40.
"""

from math import cos, pi, sin

from server.board.themes import Theme
from server.engine.ulm1.tables import COLORS

# What lies on a tile of each colour, in the order of COLORS: coin, broom, card, boat, seal.
TILE_SYMBOLS = ("coin", "broom", "card", "boat", "wax")

ICONS = {
    "coin": '<path fill-rule="evenodd" d="M12 1.8A10.2 10.2 0 1 1 12 22.2 10.2 10.2 0 1 1 12 1.8Zm0 2.4A7.8 7.8 0 1 0 12 19.8 '
    '7.8 7.8 0 1 0 12 4.2Z"/><path d="M10.7 6.6h2.6v4.1h4.1v2.6h-4.1v4.1h-2.6v-4.1H6.6v-2.6h4.1Z"/>',
    "broom": '<path d="M18.9 1.6 21.4 3.8 14.6 11.4 12.1 9.2ZM11 9.9 15.4 13.8 13.9 15.6 9.4 11.7ZM8.6 12.6 13.2 16.6C12.4 '
    '19.4 9.6 22.2 7.4 22.6L8.6 19.6 5.6 21.6 6.4 18.4 3.2 19.6 4.8 16.8 2 16.6C3.4 14.8 6 12.6 8.6 12.6Z"/>',
    "card": '<path d="M8.2 3.2 3 5.2 7.2 18V6.5A3 3 0 0 1 8.2 3.2Z"/><path fill-rule="evenodd" d="M10.4 2.6H19A1.8 1.8 0 0 1 '
    "20.8 4.4V20A1.8 1.8 0 0 1 19 21.8H10.4A1.8 1.8 0 0 1 8.6 20V4.4A1.8 1.8 0 0 1 10.4 2.6ZM14.7 7.4 11.6 12.2 14.7 17 "
    '17.8 12.2Z"/>',
    "boat": '<path d="M2 15.4H22L18.6 21.4H5.4ZM11.2 1.6H12.8V14.4H11.2ZM14 3C18.4 5 20.2 9 20.4 13.6H14ZM10 5.2V13.6H4.2C4.6 '
    '10 6.6 7 10 5.2Z"/>',
    "wax": '<path d="M7.2 13.6 4.6 22.4 8.4 20.6 10.6 23 12 17.4 13.4 23 15.6 20.6 19.4 22.4 16.8 13.6Z"/>'
    '<path fill-rule="evenodd" d="M12 1 14.6 2.2 17.4 2.4 18.6 5 20.4 7.2 19.6 10 19.6 12.8 17.2 14.4 15.2 16.4 12 16.2 8.8 '
    '16.4 6.8 14.4 4.4 12.8 4.4 10 3.6 7.2 5.4 5 6.6 2.4 9.4 2.2ZM12 4.6A4.4 4.4 0 1 0 12 13.4 4.4 4.4 0 1 0 12 4.6Z"/>'
    '<circle cx="12" cy="9" r="2.6"/>',
    "sparrow": '<path d="M1 9.4 5.6 6.8C7.4 4.4 11 4 13.4 6.4 16.6 7.8 19 10.4 19.8 13.6L23.4 18.6 18.2 17.6C16 20 12.4 20.6 '
    '9.4 19.2 6.4 17.8 5 14.8 5.4 11.6 5.4 10.6 4.6 10 3.6 9.9Z"/><path d="M10 19H11.4V22.4H9.2ZM13.4 19H14.8V22.4H12.6Z"/>',
    "crest": '<path fill-rule="evenodd" d="M4 2.4H20V11C20 16.6 16.4 20.2 12 22.2 7.6 20.2 4 16.6 4 11ZM6.2 4.6V9.8H11V4.6ZM13 '
    '11.8V18.9C15.6 17.2 17.4 15 17.8 11.8Z"/>',
    "person": '<circle cx="12" cy="7.4" r="5"/><path d="M2.8 22C2.8 16 7 13.4 12 13.4S21.2 16 21.2 22Z"/>',
    "scroll": '<path fill-rule="evenodd" d="M6 2H19C21 2 22 4 22 6H18V19C18 21 17 22 15 22H5C3 22 2 20.6 2 18.6H5V4C5 3 5.4 2 6 '
    '2ZM8 7V8.8H15V7ZM8 11V12.8H15V11ZM8 15V16.8H13V15Z"/>',
    "nave": '<path fill-rule="evenodd" d="M4 22V11.4C4 6.6 8 4.2 12 1 16 4.2 20 6.6 20 11.4V22ZM7 19.4H10.8V8.4C8.6 9.4 7 10 7 '
    '12.4ZM13.2 19.4H17V12.4C17 10 15.4 9.4 13.2 8.4Z"/>',
    "choir": '<path fill-rule="evenodd" d="M2 22V12L7 6.4 12 12 17 6.4 22 12V22ZM5 19.4H9V13.6L7 11.2 5 13.6ZM15 19.4H19V13.6L17 '
    '11.2 15 13.6Z"/><path d="M11.2 2H12.8V4H14.6V5.6H12.8V9H11.2V5.6H9.4V4H11.2Z"/>',
    "steeple": '<path fill-rule="evenodd" d="M12 .6 15.4 11H17V22.6H7V11H8.6ZM10.6 22.6H13.4V18.6C13.4 17.4 12.8 16.8 12 16 11.2 '
    '16.8 10.6 17.4 10.6 18.6Z"/>',
    "fustian": '<path fill-rule="evenodd" d="M3 7A4 4 0 0 1 7 3H21V15H9.8A5 5 0 0 1 9.4 16.8H21V21H6A4 4 0 0 1 3 17ZM7 5.4A1.8 '
    '1.8 0 1 0 7 9 1.8 1.8 0 1 0 7 5.4Z"/>',
    "works_of_art": '<path d="M5 2.4H19C19.4 9 17 12 13.4 12.9V18.4C15.6 18.6 17 19.6 17.2 21.8H6.8C7 19.6 8.4 18.6 10.6 '
    '18.4V12.9C7 12 4.6 9 5 2.4Z"/>',
    "commercial_goods": '<path fill-rule="evenodd" d="M6.6 2H17.4C20.4 8 20.4 16 17.4 22H6.6C3.6 16 3.6 8 6.6 2ZM5.6 7.2V9H18.4V7.2'
    'ZM5.6 15V16.8H18.4V15Z"/>',
    "arrow": '<path d="M12 3 21 14H15.6V21H8.4V14H3Z"/>',
    "step": '<path d="M3 4H9L16 12 9 20H3L10 12ZM12 4H16L23 12 16 20H12L19 12Z"/>',
    "crown": '<path d="M2.4 6 7.6 11 12 3.4 16.4 11 21.6 6 19.6 17H4.4ZM4.4 18.6H19.6V21.4H4.4Z"/>',
    "flag": '<path d="M4 2H6.4V3.4C11 1.6 14 6 20.6 3.8V13.4C14 15.6 11 11.2 6.4 13V22.6H4Z"/>',
    "quill": '<path d="M21.6 2C13 2.4 7.4 7 6.2 14.2L2.8 21.4 4.6 22.2 7.4 17.2C14 17 19.8 12.6 21.6 2Z"/>',
    "bag": '<path fill-rule="evenodd" d="M7.4 1.6H16.6L14.8 6C19.4 8.6 22 13 22 17 22 20.6 19.6 22.4 16 22.4H8C4.4 22.4 2 20.6 2 '
    '17 2 13 4.6 8.6 9.2 6ZM8.8 7.2V8.8H15.2V7.2Z"/>',
}

# The mark of each seat, for a box of 24 × 24 with the wax around it: cross, triangle, two bars, star.
MARKS = (
    "M10.2 6H13.8V10.2H18V13.8H13.8V18H10.2V13.8H6V10.2H10.2Z",
    "M12 5.4 18.6 17H5.4Z",
    "M6.4 7.2H17.6V10.8H6.4ZM6.4 13.2H17.6V16.8H6.4Z",
    "M12 4.6 13.9 9.8 19.4 10 15 13.3 16.6 18.6 12 15.5 7.4 18.6 9 13.3 4.6 10 10.1 9.8Z",
)


# The pennant of each seat: a banner, a pennon, a swallowtail and a shield, each with its mark.
PENNANTS = (
    "M3.5 1.5H22.5V17H3.5Z",
    "M3.5 .5 23.5 9.2 3.5 18Z",
    "M3.5 1.5H23L19 9.2 23 17H3.5Z",
    "M3.5 1.5H17.5L23 9.2 17.5 17H3.5Z",
)
_ON_PENNANTS = ("translate(4 .4) scale(.75)", "translate(1.2 1.6) scale(.6)", "translate(2.4 .4) scale(.72)",
                "translate(2.6 .6) scale(.75)")  # fmt: skip


def _scallops(radius: float, depth: float, lobes: int) -> str:
    """Return the outline of a pressed wax seal around 12, 12."""
    points = []
    for index in range(2 * lobes):
        angle, r = pi * index / lobes, radius if index % 2 else radius - depth
        points.append(f"{12 + r * cos(angle):.1f} {12 + r * sin(angle):.1f}")
    start, *rest = points
    curves = "".join(f"Q{rest[i]} {rest[i + 1] if i + 1 < len(rest) else start}" for i in range(0, len(rest), 2))
    return f"M{start}{curves}Z"


WAX = _scallops(12.4, 1.4, 14)
SHIELD = "M2.5 1.5H21.5V11.5C21.5 17.4 17 21 12 23.2 7 21 2.5 17.4 2.5 11.5Z"


def _tile(theme: Theme, index: int) -> str:
    face, symbol = theme.tiles[index]
    return (
        f'<rect x="1" y="1" width="46" height="46" rx="7" fill="{face}" stroke="{theme.ink}" stroke-width="1.6"/>'
        f'<rect x="4.5" y="4.5" width="39" height="39" rx="4.5" fill="none" stroke="{symbol}" stroke-width="1"/>'
        f'<g transform="translate(9 9) scale(1.25)" fill="{symbol}">{ICONS[TILE_SYMBOLS[index]]}</g>'
    )


def _pip(theme: Theme, index: int) -> str:
    """Return a tile for small places: no inner line, a larger symbol."""
    face, symbol = theme.tiles[index]
    return (
        f'<rect x="1" y="1" width="46" height="46" rx="9" fill="{face}" stroke="{theme.ink}" stroke-width="2.4"/>'
        f'<g transform="translate(4.8 4.8) scale(1.6)" fill="{symbol}">{ICONS[TILE_SYMBOLS[index]]}</g>'
    )


def _seal(theme: Theme, seat: int) -> str:
    wax, mark = theme.seats[seat]
    return (
        f'<path d="{WAX}" fill="{wax}" stroke="{theme.ink}" stroke-width="1"/><path d="{MARKS[seat]}" fill="{mark}"/>'
    )


def _crest(theme: Theme, seat: int) -> str:
    wax, mark = theme.seats[seat]
    return (
        f'<path d="{SHIELD}" fill="{wax}" stroke="{theme.gold}" '
        f'stroke-width="2"/><path d="{MARKS[seat]}" transform="translate(2.4 1.4) scale(.8)" fill="{mark}"/>'
    )


def _barge(theme: Theme, seat: int) -> str:
    """Return one of Ulm's flat boats, its sail in the colour and with the mark of its owner."""
    wax, mark = theme.seats[seat]
    return (
        f'<path d="M21 1H23V29H21Z" fill="{theme.ink}"/>'
        f'<path d="M8 3.5C16 5.5 28 5.5 36 3.5 34.6 11 34.6 18 36 25.5 28 27.5 16 27.5 8 25.5 9.4 18 9.4 11 8 3.5Z" '
        f'fill="{wax}" stroke="{theme.ink}" stroke-width="1.2"/>'
        f'<path d="{MARKS[seat]}" transform="translate(10.6 4) scale(.95)" fill="{mark}"/>'
        f'<path d="M1 28C9 31 35 31 43 27L39.4 37C30 39.6 14 39.6 4.6 37Z" fill="{theme.wood}" stroke="{theme.ink}" '
        f'stroke-width="1.2"/><path d="M4 32.4C14 35 30 35 40.6 32" fill="none" stroke="{theme.ink}" stroke-width=".8"/>'
    )


def _pennant(theme: Theme, seat: int) -> str:
    """Return the pennant of a seat on its pole, in a box of 24 × 24."""
    wax, mark = theme.seats[seat]
    return (
        f'<path d="M1.6 .6H3.6V23.4H1.6Z" fill="{theme.ink}"/>'
        f'<path d="{PENNANTS[seat]}" fill="{wax}" stroke="{theme.ink}" stroke-width="1.4"/>'
        f'<path d="{MARKS[seat]}" transform="{_ON_PENNANTS[seat]}" fill="{mark}"/>'
    )


def _coat(theme: Theme, metal: str) -> str:
    return (
        f'<path d="{SHIELD}" fill="{metal}" stroke="{theme.ink}" '
        f'stroke-width="1.2"/><path d="M5 4H19V11.4C19 15.6 16 18.6 12 20.4 8 18.6 5 15.6 5 11.4Z" fill="{theme.panel}"/>'
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
    """Return the back of a card, in a box of 34 × 48."""
    return (
        f'<rect x="1" y="1" width="32" height="46" rx="4" fill="{theme.roof}" stroke="{theme.ink}" stroke-width="1.4"/>'
        f'<rect x="4.5" y="4.5" width="25" height="39" rx="2" fill="none" stroke="{theme.gold}" stroke-width="1"/>'
        f'<path d="M17 9 19.6 23H21.6V39H12.4V23H14.4Z" fill="{theme.gold}"/>'
    )


def _place(theme: Theme) -> str:
    """Return the place of a seal that nobody has laid yet."""
    return f'<circle cx="12" cy="12" r="10.6" fill="{theme.panel}" stroke="{theme.ink}" stroke-dasharray="2.4 2"/>'


def _shield(theme: Theme) -> str:
    """Return the place of a family crest that nobody has laid yet."""
    return f'<path d="{SHIELD}" fill="none" stroke="{theme.line}" stroke-width="1.2" stroke-dasharray="3 2.4"/>'


def define(symbol: str, theme: Theme) -> str:
    """Return the content of a symbol by its name: an icon, or `tile-gray`, `pip-gray`, `seal-0`, `crest-0`, `barge-0`, `pennant-0`,
    `coat-gold`, `coat-silver`, `gate`, `back`, `seal` and `shield` (their empty places). Raises `KeyError` for another.
    """
    kind, _, which = symbol.partition("-")
    match kind:
        case "tile":
            return _tile(theme, COLORS.index(which))
        case "pip":
            return _pip(theme, COLORS.index(which))
        case "seal" if not which:
            return _place(theme)
        case "shield":
            return _shield(theme)
        case "seal":
            return _seal(theme, int(which))
        case "crest" if which:
            return _crest(theme, int(which))
        case "barge":
            return _barge(theme, int(which))
        case "pennant":
            return _pennant(theme, int(which))
        case "coat":
            return _coat(theme, theme.gold if which == "gold" else theme.silver)
        case "gate":
            return _gate(theme)
        case "back":
            return _back(theme)
    return ICONS[symbol]
