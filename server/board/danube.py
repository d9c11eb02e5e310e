"""The Danube: 22 spaces with what each is worth, the bridge, the barges, and what the last four spaces give."""

from typing import NamedTuple

from server.board.canvas import Canvas, num
from server.board.listing import signed
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import BRIDGE_AFTER


class Reach(NamedTuple):
    """A stretch of the river from left to right: its spaces and where they lie."""

    first: int
    last: int
    x: float
    w: float
    bridge: float  # the width that the bridge takes

    @property
    def step(self) -> float:
        """The width of one space."""
        return (self.w - self.bridge) / (self.last - self.first + 1)

    def left(self, space: int) -> float:
        """Return the left edge of a space; of the one after the last, the right end."""
        before_bridge = self.first <= BRIDGE_AFTER < self.last and space <= BRIDGE_AFTER
        ends_at_bridge = self.last <= BRIDGE_AFTER
        shift = 0.0 if before_bridge or ends_at_bridge else self.bridge
        return self.x + (space - self.first) * self.step + shift

    def bounds(self, first: int, last: int) -> tuple[float, float]:
        """Return the edges of the plot beside these spaces; plots meet in the middle of the bridge."""
        half = self.bridge / 2
        left, right = self.left(first), self.left(last) + self.step
        if first == self.first:
            left = self.x
        elif first == BRIDGE_AFTER + 1:
            left -= half
        if last == self.last:
            right = self.x + self.w
        elif last == BRIDGE_AFTER:
            right += half
        return left, right


def draw_river(canvas: Canvas, view: View, reach: Reach, y: float) -> None:
    """Draw one stretch of the river, its top at y."""
    barges = [player["barge"] for player in view["players"]]
    with canvas.group(f"danube-{reach.first}", canvas.words["danube"]):
        canvas.rect(reach.x, y, reach.w, canvas.layout.river, "river", "ink", 1)
        _waves(canvas, reach, y, canvas.layout.river)
        _city_wall(canvas, reach, y)
    for space in range(reach.first, reach.last + 1):
        seats = " ".join(str(seat) for seat, barge in enumerate(barges) if barge == space)
        _space(canvas, reach, space, y + canvas.layout.wall, seats)
    _bridge(canvas, reach, y)
    for seat, space in enumerate(barges):
        if reach.first <= space <= reach.last:
            fleet = [other for other, barge in enumerate(barges) if barge == space]
            _barge(canvas, reach, seat, space, fleet, y + canvas.layout.wall)


def _waves(canvas: Canvas, reach: Reach, y: float, high: float) -> None:
    # Even and odd rows apart: style sheets of pages move them against each other, by less than is free at the banks.
    rows: tuple[list[str], list[str]] = ([], [])
    count = int(reach.w / 46)
    for row in range(4):
        top = y + canvas.layout.wall + 6 + (high - canvas.layout.wall - 10) * (row + 0.5) / 4
        for index in range(count):
            left = reach.x + 12 + (index + (row % 2) / 2) * 46
            if (index * 7 + row * 5) % 3 and left + 24 < reach.x + reach.w:
                rows[row % 2].append(f"M{left:.0f} {top:.0f}q5-5 10 0t10 0")
    ink = canvas.theme.color("wave")
    for name, lines in zip(("waves", "waves back"), rows, strict=True):
        canvas.add(f'<path class="{name}" d="{"".join(lines)}" fill="none" stroke="{ink}"/>')


def _city_wall(canvas: Canvas, reach: Reach, y: float) -> None:
    """The wall: its merlons are dashes, of ink and within it of stone."""
    wall, theme = canvas.layout.wall, canvas.theme
    step = reach.w / int(reach.w / 12)
    for ink, high, more in ((theme.color("ink"), 6, 0.9), (theme.color("stone"), 4, -0.9)):
        dash = f"{step / 2 + more:.2f} {step / 2 - more:.2f}"
        canvas.add(
            f'<path d="M{num(reach.x + step / 4 - more / 2)} {num(y + 1.5)}H{num(reach.x + reach.w)}" fill="none" '
            f'stroke="{ink}" stroke-width="{high}" stroke-dasharray="{dash}"/>'
        )
    canvas.rect(reach.x, y + 3, reach.w, wall - 4, "stone", "ink")


def _space(canvas: Canvas, reach: Reach, space: int, y: float, seats: str) -> None:
    """One space: its number and bonus on the water, its worth on a plaque; room for a barge below."""
    words, marked = canvas.words, canvas.marked(f"space-{space}")
    x, w = reach.left(space), reach.step
    bonus, value = canvas.rules.space_bonus.get(space), signed(canvas.rules.space_value[space])
    title = words["space"].format(space=space, value=value)
    if bonus:
        title += ", " + words["gives"].format(words[f"bonus_{bonus}"])
    with canvas.group(f"space-{space}", title, space=space, barges=seats):
        number, lead = canvas.small, canvas.layout.lead
        line = y + number + lead
        middle = x + w / 2
        if bonus:
            side = number + (1 if canvas.layout.close else 3)
            room = side + 2 + number * 1.27
            canvas.text(middle - room / 2, line, str(space), number, "ink", "river")
            below = min(2.5, lead + 0.5)  # it ends where the plaque begins, which would cut it off
            _bonus(canvas, bonus, middle + room / 2 - side, line - side + below, side)
        else:
            canvas.text(middle, line, str(space), number, "ink", "river", "middle")
        top, high = line + lead + 1, canvas.layout.plaque
        canvas.rect(x + 2, top, w - 4, high, "space", "accent" if marked else "ink", 2.4 if marked else 0.8, 4)
        canvas.text(middle, top + high / 2 + canvas.body * 0.36, value, canvas.body, "ink", "space", "middle", True)


def _bonus(canvas: Canvas, bonus: str, x: float, y: float, side: float) -> None:
    if bonus == "dock":
        canvas.use("any_tile", x, y, side / 24)
        return
    canvas.circle(x + side / 2, y + side / 2, side / 2, "gold", "ink", 0.7)
    canvas.use(bonus, x + side * 0.12, y + side * 0.12, side * 0.76 / 24, "on_metal")


def _barge(canvas: Canvas, reach: Reach, seat: int, space: int, fleet: list[int], y: float) -> None:
    """One barge below its plaque; those that share space 1 sail two abreast."""
    x, w = reach.left(space), reach.step
    layout = canvas.layout
    above = layout.small + layout.plaque + 3 * layout.lead + 1
    top, room = y + above, layout.river - above - layout.wall
    title = f"{canvas.words['barge'].format(canvas.names[seat])}: {space}"
    link = "barge" if seat == canvas.seat else ""
    with (
        canvas.group(f"barge-{seat}", title, seat=seat, space=space),
        # The ring keeps off the plaque above it and off the bank.
        canvas.link(link, (x, top - 2, w, room + 2), (x + 2, top + 1, w - 4, room - 2), 4),
    ):
        if len(fleet) == 1:
            scale = min(w / 44, room / 41)
            canvas.use(f"barge-{seat}", x + (w - 44 * scale) / 2, top + (room - 40 * scale) / 2, scale)
        else:
            # Two abreast when there are more than two, else one behind the other, a little before its stern.
            place, wide = fleet.index(seat), 2 if len(fleet) > 2 else 1
            scale = min(w / 2 / 46, room / 2 / 41) if wide > 1 else min(w / 46, room / 41) * 0.66
            row, column = divmod(place, wide) if wide > 1 else (place, place)
            left = x + 2 + column * (w - 4 - 44 * scale)
            canvas.use(f"barge-{seat}", left, top + row * (room - 40 * scale), scale)


def _bridge(canvas: Canvas, reach: Reach, y: float) -> None:
    """The stone bridge seen from above, with its cutwaters; at the cut of the narrow layout each half shows one."""
    high = canvas.layout.river
    if reach.first <= BRIDGE_AFTER < reach.last:
        x, w = reach.left(BRIDGE_AFTER + 1) - reach.bridge + 5, reach.bridge - 10
    elif reach.last == BRIDGE_AFTER:
        x, w = reach.x + reach.w - reach.bridge + 3, reach.bridge - 3
    else:
        x, w = reach.x, reach.bridge - 3
    deep = 4 if canvas.layout.name == "town" else 5
    piers = "".join(
        f"M{num(x)} {num(top)}l-{deep} 6 {deep} 6ZM{num(x + w)} {num(top)}l{deep} 6 -{deep} 6Z"
        for top in (y + high * f - 6 for f in (0.25, 0.5, 0.75))
    )
    stones = "".join(f"M{num(x + 3)} {num(y + step * 9.5)}h{num(w - 6)}" for step in range(1, int(high / 9.5)))
    with canvas.group(f"bridge-{reach.first}", canvas.words["bridge"]):
        canvas.path(piers, "stone", "ink", 1)
        canvas.rect(x, y - 3, w, high + 6, "stone", "ink", 1.4)
        canvas.path(f"M{num(x + 3)} {num(y - 3)}v{num(high + 6)}M{num(x + w - 3)} {num(y - 3)}v{num(high + 6)}{stones}",
                    "none", "line", 0.8)  # fmt: skip
