# ruff: noqa: E501 - paths are data
"""The picture of a victory: the tower of the Minster finished, in a laurel, with the winner's flag and ribbon."""

from functools import lru_cache
from math import cos, pi, radians, sin

from server.board.layers import Layer, painted
from server.board.themes import Theme

WIDTH, HEIGHT = 140, 150

_MIDDLE, _RADIUS = (70.0, 74.0), 55.0
_TOWER: tuple[Layer, ...] = (
    ("stone", "M51 126V116H54V84H57V62H83V84H86V116H89V126Z"),
    ("~lit_stone", "M52.5 125V117H55.5V85H58.5V63.5H63V125Z"),
    ("~shade_stone", "M78 63.5H82V85H85V117H87.5V125H78Z"),
    ("stone", "M59 62 70 15 81 62Z"),
    ("~lit_stone", "M61 61 69.4 24V61Z"),
    ("stone", "M54 66V54L57 46 60 54V66ZM80 66V54L83 46 86 54V66ZM51 90V79L54 71 57 79V90ZM83 90V79L86 71 89 79V90Z"),
    (
        "window",
        "M64 80V71Q65.5 67 67 71V80ZM73 80V71Q74.5 67 76 71V80ZM64 112V94Q65.5 89 67 94V112ZM73 112V94Q74.5 89 76 94V112Z",
    ),
    ("wood", "M65 126V119Q70 111 75 119V126Z"),
    ("gold", "M70 99.2A4.8 4.8 0 1 1 70 108.8 4.8 4.8 0 1 1 70 99.2Z"),
    ("lines", "M57 84H83M54 116H86M62 50 76 40M78 50 64 40M65 36 74 30M75 36 66 30M70 99.2V108.8M65.2 104H74.8"),
    ("gold", "M69 16V9H67V7.4H69V5H71V7.4H73V9H71V16Z"),
)


@lru_cache(16)
def victory(theme: Theme, seat: int, mark: str) -> str:
    """Return the picture for a box of 140 × 150; `mark` is the path of the seat's mark in a box of 24."""
    wax, light, dark = f"seat{seat}", f"lit_seat{seat}", f"shade_seat{seat}"
    flag = (wax, "M71 17.5C79 13.5 84 21.5 96 16.5L91 22.5 97 28C85 32 79 24 71 28.5Z")
    ribbon = (
        (dark, "M22 124 12 124 17 132.5 12 141H36V130ZM118 124 128 124 123 132.5 128 141H104V130Z"),
        (wax, "M22 121Q70 134 118 121V138Q70 151 22 138Z"),
        ("~" + light, "M23 122.2Q70 135 117 122.2V124.6Q70 137.6 23 124.6Z"),
        (dark, "M22 138 36 141V141.5L30 143.5ZM118 138 104 141V141.5L110 143.5Z"),
    )
    return (
        painted(theme, [("~chip", _rays())], 0)
        + painted(theme, [("lit_leaf", _leaves(-1)), ("leaf", _leaves(1)), ("gold", _berries())], 0.8)
        + painted(theme, [*_TOWER, flag, *ribbon])
        + f'<path d="{mark}" transform="translate(58.6 124.6) scale(.95)" fill="{theme.color(f"on_seat{seat}")}"/>'
    )


def _at(angle: float, radius: float) -> tuple[float, float]:
    turn = radians(angle)
    return _MIDDLE[0] + radius * sin(turn), _MIDDLE[1] - radius * cos(turn)


def _rays() -> str:
    """Light behind the tower: twelve wedges."""
    wedges = []
    for angle in range(0, 360, 30):
        (x, y), (u, v) = _at(angle - 6, 72), _at(angle + 6, 72)
        wedges.append(f"M70 74L{x:.0f} {y:.0f} {u:.0f} {v:.0f}Z")
    return "".join(wedges)


def _leaves(side: int) -> str:
    """The leaves of both branches that point outwards (`side` 1) or inwards, from the ribbon up to the top."""
    leaves = []
    for step in range(11):
        for hand in (1, -1):
            angle = hand * (150 - 13.2 * step)
            x, y = _at(angle, _RADIUS)
            # Along the branch, which leads up, and a little aside.
            lean = radians(angle) - hand * (pi / 2 - side * 0.62)
            dx, dy = sin(lean), -cos(lean)
            long, wide = 22 - 0.9 * step, 8.4 - 0.4 * step
            tip_x, tip_y = x + dx * long, y + dy * long
            mid_x, mid_y = x + dx * long * 0.5, y + dy * long * 0.5
            leaves.append(
                f"M{x:.0f} {y:.0f}Q{mid_x - dy * wide:.0f} {mid_y + dx * wide:.0f} {tip_x:.0f} {tip_y:.0f} "
                f"{mid_x + dy * wide:.0f} {mid_y - dx * wide:.0f} {x:.0f} {y:.0f}Z"
            )
    return "".join(leaves)


def _berries() -> str:
    berries = []
    for step in range(1, 11, 3):
        for hand in (1, -1):
            x, y = _at(hand * (143 - 13.2 * step), _RADIUS)
            berries.append(f"M{x - 1.9:.1f} {y:.1f}a1.9 1.9 0 1 1 3.8 0 1.9 1.9 0 1 1 -3.8 0Z")
    return "".join(berries)
