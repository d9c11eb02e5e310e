"""`python -m docs.draw_rooms`: draw docs/rooms.svg, the parts of this project and which of them import which.

Names and first sentences are the packages' own, arrows are the imports of their files. Where a part imports another
that it also reaches by others, the short way is left out. Every arrow runs down: what is higher may use what is lower.
`tests/test_imports.py` holds the directions, and the picture to what this draws.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).parent.parent
TOPS = ("server", "replays", "bots", "ulm")
PICTURE = ROOT / "docs" / "rooms.svg"

ROWS: tuple[tuple[str, ...], ...] = (
    ("server.commands", "wsgi"),
    ("server.httpd", "server.app"),
    ("server.routes", "server.notify", "server.inbox", "server.bot_workers"),
    ("server.routes.pages",),
    ("server.routes.api",),
    ("server.routes.http",),
    ("server.service.answering", "server.service.learning", "server.service.admin"),
    ("server.service.views",),
    ("server.service.erasure",),
    ("server.service.contests", "server.service.explain"),
    ("server.service.archive",),
    ("server.service.play",),
    ("server.service.chat", "server.service.seating"),
    ("server.service.lists",),
    ("server.service.games",),
    ("server.service.accounts",),
    ("server.service.outbox",),
    ("server.service.common",),
    ("server.move_language",),
    ("server.storage", "replays", "ulm.env"),
    ("server.settings", "server.logs", "server.board", "bots"),
    ("server.addresses", "server.engine", "server.language", "server.metering", "server.request_ids"),
)
"""The parts from the top floor to the bottom one."""
INSIDE = {
    "server.cli": "server.commands",
    "server.wsgi_bridge": "server.httpd",
}
"""What belongs to a part of another name."""

WIDTH, MARGIN, HIGH, GAP, TOP, LANE = 1000, 110, 50, 34, 10, 9
FRAME = "server.service."
COLOURS = {
    "server.service": "#e7eef9",
    "server.routes": "#f6ecd9",
    "server.engine": "#e3f2e1",
    "replays": "#e3f2e1",
    "bots": "#e3f2e1",
    "ulm": "#e3f2e1",
}


def source_files() -> list[Path]:
    """The modules of all packages, numbered migrations among them."""
    return sorted([*(path for top in TOPS for path in (ROOT / top).rglob("*.py")), ROOT / "wsgi.py"])


def module_name(path: Path) -> str:
    """The dotted name of a source file; a package goes by the name of its directory."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every import in a file, wherever it stands, as (line, absolute dotted name)."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            for alias in node.names:
                # `from server import routes` imports server.routes; `from server.settings import Settings` does not
                # import a module of that name, and its part is the same either way.
                yield node.lineno, f"{base}.{alias.name}"


def part_of(module: str) -> str | None:
    """The part of the picture that a module is in; None for what is not ours."""
    parts = [part for row in ROWS for part in row]
    for name in (*sorted(parts, key=len, reverse=True), *sorted(INSIDE, key=len, reverse=True)):
        if module == name or module.startswith(name + "."):
            return INSIDE.get(name, name)
    return None


def used() -> dict[str, set[str]]:
    """Part -> the parts that its files import."""
    found: dict[str, set[str]] = {part: set() for row in ROWS for part in row}
    for path in source_files():
        own = part_of(module_name(path))
        if own is not None:
            found[own] |= {part for _, name in imports(path) if (part := part_of(name)) not in (None, own)}
    return found


def arrows(uses: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """What uses what, without that which follows from others. Raises `ValueError` where an arrow would run up."""
    floor = {part: number for number, row in enumerate(ROWS) for part in row}
    for part, others in uses.items():
        if wrong := [other for other in others if floor[other] <= floor[part]]:
            raise ValueError(f"{part} imports {', '.join(wrong)}, which {'is' if len(wrong) == 1 else 'are'} not below")

    @cache
    def below(part: str) -> frozenset[str]:
        return frozenset(uses[part]).union(*(below(other) for other in uses[part]))

    for part in uses:
        for other in sorted(uses[part], key=lambda name: floor[name]):
            if not any(other in below(between) for between in uses[part]):
                yield part, other


def said(part: str) -> str:
    """The first sentence of a part's docstring."""
    path = ROOT / part.replace(".", "/")
    text = ast.get_docstring(
        ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text())
    )
    return (text or "").split("\n\n")[0].replace("\n", " ").rstrip(".")


def boxes() -> dict[str, tuple[float, float, float]]:
    """Part -> the left edge, the upper edge and the width of its box."""
    places = {}
    for number, row in enumerate(ROWS):
        wide = min((WIDTH - 2 * MARGIN - 20 * (len(row) - 1)) / len(row), 560)
        left = (WIDTH - len(row) * wide - 20 * (len(row) - 1)) / 2
        for place, part in enumerate(row):
            places[part] = left + place * (wide + 20), TOP + number * (HIGH + GAP), wide
    return places


def picture() -> str:
    """The whole drawing."""
    places = boxes()
    high = TOP + len(ROWS) * (HIGH + GAP)
    edges = [places[part][1] for row in ROWS for part in row if part.startswith(FRAME)]
    top, low = min(edges) - 10, max(edges) + HIGH
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{high}" fill="#fff"/>',
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
        '<path d="M0 0 8 4 0 8z" fill="#667"/></marker>',
        f'<rect x="8" y="{top}" width="{WIDTH - 16}" height="{low - top + 10}" rx="8" fill="#f4f7fc" stroke="#aac"/>',
        f'<text x="{WIDTH - 20}" y="{low}" font-size="12" fill="#557" text-anchor="end">{FRAME[:-1]}</text>',
        *_drawn(arrows(used()), places),
    ]
    for part, (x, y, wide) in places.items():
        fill = next((colour for name, colour in COLOURS.items() if part.startswith(name)), "#f2f2f2")
        lines.append(f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{HIGH}" rx="6" fill="{fill}" stroke="#889"/>')
        name = part.removeprefix(FRAME)
        lines.append(f'<text x="{x + 10:g}" y="{y + 17:g}" font-size="12" font-weight="bold">{escape(name)}</text>')
        for number, text in enumerate(wrap(said(part), int(wide / 6.1))[:2]):
            lines.append(f'<text x="{x + 10:g}" y="{y + 31 + 13 * number:g}" font-size="11">{escape(text)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _drawn(wanted: Iterable[tuple[str, str]], places: dict[str, tuple[float, float, float]]) -> Iterator[str]:
    """Arrows from lower edges to upper ones: straight to the next floor, farther down by lanes beside the boxes."""
    pairs = sorted(wanted, key=lambda pair: (places[pair[0]][1], places[pair[1]][1], pair))
    middle = {part: x + wide / 2 for part, (x, _, wide) in places.items()}
    lanes: list[list[tuple[float, float, int]]] = [[], []]  # left and right: from, to, number
    for one, other in pairs:
        spots = []
        for part, partner, around in (
            (one, other, [b for a, b in pairs if a == one]),
            (other, one, [a for a, b in pairs if b == other]),
        ):
            around.sort(key=lambda name: (middle[name], name))
            x, _, wide = places[part]
            spots.append(x + wide * (around.index(partner) + 1) / (len(around) + 1))
        start, end = places[one][1] + HIGH, places[other][1] - 1
        if end - start < GAP:
            path = f"M{spots[0]:.0f} {start:g}C{spots[0]:.0f} {end:g} {spots[1]:.0f} {start:g} {spots[1]:.0f} {end:g}"
        else:
            side = int(spots[0] + spots[1] > WIDTH)
            taken = {number for first, last, number in lanes[side] if first < end and start < last}
            lane = min(set(range(len(taken) + 1)) - taken)
            lanes[side].append((start, end, lane))
            x = (WIDTH - MARGIN + 8 + LANE * lane) if side else (MARGIN - 8 - LANE * lane)
            path = (
                f"M{spots[0]:.0f} {start:g}V{start + 5 + 2 * lane:g}H{x}V{end - 9 - 2 * lane:g}H{spots[1]:.0f}V{end:g}"
            )
        yield f'<path d="{path}" fill="none" stroke="#778" stroke-linejoin="round" marker-end="url(#tip)"/>'


def main() -> int:
    """Write the picture."""
    PICTURE.write_text(picture(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
