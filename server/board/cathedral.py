"""The Minster: its tower, which grows by a storey each round, and the square with the grid and its twelve gates."""

from server.board.canvas import Canvas, num
from server.board.measure import width
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import LINES, PUSH_CELLS, SIDES, SLOTS

_OUTWARD = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}  # where a coat seal lies: off the way in
_TURN = {"S": 0, "W": 90, "N": 180, "E": 270}  # an arrow points north by itself; at slot S it has to
CAPITAL = 0.73
"""How high a capital letter is, as a part of its type."""


def draw_square(canvas: Canvas, view: View, x: float, y: float) -> None:
    """Draw the grid with its gates in a square at x, y."""
    p, turn = canvas.layout.pitch, view["turn"]
    with canvas.at(x, y):
        with canvas.group("square"):
            canvas.rect(0, 0, 5 * p, 5 * p, "ground", "line", 1.4, 6)
            for index, (left, top) in enumerate(((0, 0), (4, 0), (0, 4), (4, 4))):
                canvas.use(f"corner-{index}", left * p + p * 0.07, top * p + p * 0.05, p / 70)
            wall = 5
            canvas.rect(p - wall, p - wall, 3 * p + 2 * wall, 3 * p + 2 * wall, "stone", "ink", 2.2, 2)
            canvas.rect(p, p, 3 * p, 3 * p, "wall", "ink", 1)
        # The line that was pushed this turn stands on a lighter floor (K3), and what was used of it is pale.
        pushed = dict(used_cells(view["grid"], turn["slot"], turn["activated"]))
        for index in range(9):
            _cell(canvas, *divmod(index, 3), view["grid"][index // 3][index % 3], pushed.get(index))
        for slot in range(len(SLOTS)):
            _slot(canvas, view, slot)


def used_cells(grid: list[list[str]], slot: str | None, left: dict[str, int]) -> list[tuple[int, bool]]:
    """The cells of the line that was pushed at `slot`, and whether the tile there was used: of each colour as many are
    not as are `left` to use, the last ones as one reads: of two, people touch the first."""
    if slot is None:
        return []
    still, cells = dict(left), []
    for cell in sorted(PUSH_CELLS[SLOTS.index(slot)], reverse=True):
        color = grid[cell // 3][cell % 3]
        cells.append((cell, not still.get(color)))
        still[color] = still.get(color, 0) - 1 if still.get(color) else 0
    return cells[::-1]


def _cell(canvas: Canvas, row: int, column: int, color: str, used: bool | None) -> None:
    """One tile; `used` this turn or not yet, None where it was not activated."""
    words, p = canvas.words, canvas.layout.pitch
    place = f"{row + 1}-{column + 1}"
    name = f"cell-{place}"
    title = f"{words['line'].format(row + 1, column + 1)}: {words.action_names[color]}"
    left, top = (column + 1) * p, (row + 1) * p
    data = {"used": "1"} if used else {}
    if used:
        title += f", {words['used']}"
    with (
        canvas.group(name, title, cell=place, color=color, **data),
        canvas.link(name, (left, top, p, p), (left + 3, top + 3, p - 6, p - 6), 9),
    ):
        if used is False:
            canvas.rect(left + 1.5, top + 1.5, p - 3, p - 3, "gold", "ink", 0.8, 9)
        with canvas.group(f"tile-{place}"):
            canvas.use(f"tile-{color}", left + 5, top + 5, (p - 10) / 48, pale=bool(used))
        if canvas.marked(name):
            canvas.glow(left + 3, top + 3, p - 6, p - 6, 9)


def slot_center(slot: int, p: float) -> tuple[float, float]:
    """Return the middle of an outer slot of the square; in the north and south close to the wall, for its name."""
    side, index = SIDES[slot // 3], slot % 3
    along, across = (index + 1.5) * p, 0.5 * p if side in "NW" else 4.5 * p
    inward = {"N": 2, "S": -2}.get(side, 0)
    return (along, across + inward) if side in "NS" else (across, along)


def _slot(canvas: Canvas, view: View, slot: int) -> None:
    """One gate: the tile in it, an arrow (bold while somebody is to push), or a portcullis if blocked (K4)."""
    name, words, p = SLOTS[slot], canvas.words, canvas.layout.pitch
    tile, owner, pushing = view["outer"].get(name), view["coat_seals"].get(name), view["phase"] == "push"
    blocked = any(SLOTS[end] in view["outer"] for end in LINES[slot % 6])
    title = f"{name}: {words.action_names[tile] if tile else words['blocked'] if blocked else words['open']}"
    data = {"slot": name, "state": "tile" if tile else "blocked" if blocked else "open"}
    if owner is not None:
        title += f", {words['coat_seal'].format(canvas.names[owner])}"
        data["coat_seal"] = str(owner)
    cx, cy = slot_center(slot, p)
    half = p * canvas.layout.gate
    box, edge = (cx - p / 2, cy - p / 2, p, p), (cx - half, cy - half, 2 * half, 2 * half)
    ring = (edge[0] + 2, edge[1] + 2, edge[2] - 4, edge[3] - 4)  # within the gate: its name stands close to it
    with canvas.group(f"slot-{name}", title, **data), canvas.link(f"slot-{name}", box, ring, 4):
        ground = "ground" if blocked else "space" if pushing else "panel"
        canvas.rect(*edge, ground, "ink", 1, 5, "" if tile else "3 3")
        if tile:
            with canvas.group(f"outer-{name}", color=tile):
                canvas.use(f"tile-{tile}", cx - half + 1, cy - half + 1, (2 * half - 2) / 48)
        elif blocked:
            canvas.use("gate", cx - p * 0.21, cy - p * 0.17, p * 0.42 / 24)
        else:
            _arrow(canvas, name, cx, cy, "accent" if pushing else "line")
        _slot_name(canvas, name, cx, cy, half)
        if owner is not None:
            r, out = canvas.layout.coat_seal * p, canvas.layout.outward
            dx, dy = _OUTWARD[name[0]]
            with canvas.group(f"coat-seal-{name}", seat=owner):
                canvas.use(f"seal-{owner}", cx + dx * (half + out * r) - r, cy + dy * (half + out * r) - r, r / 12)
        if canvas.marked(f"slot-{name}"):
            canvas.glow(cx - half - 2, cy - half - 2, 2 * half + 4, 2 * half + 4)


def _arrow(canvas: Canvas, name: str, cx: float, cy: float, ink: str) -> None:
    """The way in at a gate."""
    size = canvas.layout.pitch * 0.42
    canvas.used["arrow"] = None
    canvas.add(
        f'<use href="#{canvas.prefix}_arrow" fill="{canvas.theme.color(ink)}" '
        f'transform="translate({num(cx)} {num(cy)}) rotate({_TURN[name[0]]}) '
        f'translate({num(-size / 2)} {num(-size * 0.36)}) scale({size / 24:.2f})"/>'
    )


def _slot_name(canvas: Canvas, name: str, cx: float, cy: float, half: float) -> None:
    """Write a gate's name on its edge, far from the gate before it, where neither tile nor coat seal covers it."""
    size, x, y, anchor = canvas.small * canvas.layout.gate_name, cx + half, cy - half - 1.5, "end"
    if name[0] in "NS":  # at the corner, beside the coat seal that may lie in the middle
        x = cx - canvas.layout.coat_seal * canvas.layout.pitch - 1
        y = y if name[0] == "N" else cy + half + size * CAPITAL + 0.5
    elif name[0] == "W":
        x, anchor = cx - half, "start"
    canvas.text(x, y, name, size, "ink", "ground", anchor)


def draw_tower(canvas: Canvas, view: View, x: float, y: float, w: float, h: float) -> None:
    """Draw the tower of the Minster in a box: one storey for each round played, scaffolding for those to come."""
    with canvas.at(x, y):
        _tower(canvas, view, w, h)


def _tower(canvas: Canvas, view: View, w: float, h: float) -> None:
    words, rounds = canvas.words, canvas.rules.rounds
    now, over, tiles = view["round"], view["phase"] == "over", view["tower"]
    base = h
    spire = h * 0.25
    storey = (h - spire - 8) / rounds
    with canvas.group("tower", f"{words['tower']}: {words['round'].format(now)}", round=now):
        cx = w / 2
        for number in range(1, rounds + 1):
            half = w * (0.46 - 0.014 * number)
            top = base - 8 - number * storey
            built = number <= now
            current = number == now and not over
            name = tiles[number - 1] if number <= len(tiles) else None
            title = f"{number}: {words.tower[name]}" if name else ""
            with canvas.group(f"round-{number}", title, **({"tower": name} if name else {})):
                if built:
                    canvas.rect(cx - half, top, 2 * half, storey, "gold" if current else "stone", "ink", 1.1)
                    canvas.rect(cx - half - 2, top + storey - 3, 2 * half + 4, 3, "stone", "ink", 0.8)
                    if half > 24:
                        arch = _arches(cx, half, top + storey * 0.2, storey * 0.6, canvas.body)
                        canvas.path(arch, "wall", "ink", 0.8)
                else:
                    canvas.rect(cx - half, top, 2 * half, storey, "none", "line", 0.9, 0, "2 3")
                on = "gold" if current else "stone" if built else "paper"
                ink = "on_metal" if current else "ink" if built else "muted"
                canvas.text(
                    cx, top + storey / 2 + canvas.small * 0.4, str(number), canvas.small, ink, on, "middle", current
                )
        canvas.rect(cx - w * 0.49, base - 8, w * 0.98, 8, "stone", "ink", 1.2)
        top = base - 8 - rounds * storey
        half = w * 0.3
        outline = f"M{num(cx - half)} {num(top)}L{num(cx)} 4 {num(cx + half)} {num(top)}Z"
        if over and now == rounds:  # a game given up early leaves the tower as it stands
            canvas.path(outline, "stone", "ink", 1.2)
            cross = "".join(
                f"M{num(cx - half * f)} {num(top - spire * (1 - f) * 0.96)}L{num(cx + half * (f - 0.14))} "
                f"{num(top - spire * (1.1 - f) * 0.96)}"
                for f in (0.9, 0.7, 0.5, 0.34)
            )
            canvas.path(cross, "none", "ink", 0.7)
            canvas.path(f"M{num(cx)} 6V-3M{num(cx - 3)} 0h6", "none", "ink", 1.4)
        else:
            canvas.path(outline, "none", "line", 0.9, "2 3")
            # The builders' crane on the topmost storey, at its edge: the numbers stand in the middle.
            high, half = base - 8 - now * storey, w * (0.46 - 0.014 * now)
            if now < rounds:
                mast = cx - max(half * 0.66, width(str(rounds), canvas.small) / 2 + 1.2)
                foot, jib = half * 0.3, half * 0.3 + w * 0.09
                canvas.path(
                    f"M{num(mast)} {num(high)}v{num(-storey * 1.2)}l{num(-jib)} {num(-storey * 0.5)}"
                    f"m{num(jib)} {num(storey * 0.5)}l{num(-foot)} {num(storey * 1.2)}"
                    f"M{num(mast - jib)} {num(high - storey * 1.7)}v{num(storey * 0.9)}h3v4h-6v-4h3",
                    "none", "wood", 1.8,
                )  # fmt: skip


def _arches(cx: float, half: float, top: float, high: float, gap: float) -> str:
    """Return two pairs of lancet windows that leave the middle of a storey free."""
    wide = max(3.0, (half - gap) * 0.24)
    windows = []
    for sign in (-1, 1):
        for place in (0.42, 0.78):
            x = cx + sign * (gap * 0.5 + (half - gap * 0.5) * place) - wide / 2
            windows.append(
                f"M{num(x)} {num(top + high)}v{num(-high * 0.6)}l{num(wide / 2)} {num(-high * 0.4)} {num(wide / 2)} "
                f"{num(high * 0.4)}v{num(high * 0.6)}Z"
            )
    return "".join(windows)
