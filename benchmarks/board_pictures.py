"""Draw a score of telling positions, each on its own and all on one contact sheet, and say how long that takes.

    python -m benchmarks.board_pictures DIRECTORY

The positions come from random games with fixed seeds, so two runs give the same pictures. Look at them after every
change of `server/board`. Needs the extra `pictures`.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from server.board.changes import changed
from server.board.png import board_png, palette_png
from server.board.svg import board_svg
from server.board.text import board_text
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.state import State

LONG_NAMES = (
    "Maximiliane von und zu Hohenzollern-Sigmaringen",
    "Ed",
    "Ærøskøbing Þórunn <the third>",
    "Wolfeschlegelsteinhausenbergerdorff",
)


def play(seed: int, players: int, tower: bool) -> Iterator[State]:
    """Yield every state of a random game that ends its turns late, so that much happens."""
    random = Random(seed)
    state = RULES.new_game(sha256(str(seed).encode()).digest(), players, {"tower": tower})
    yield state.copy()
    while state.active is not None:
        moves = state.rules.legal_moves(state)
        busy = [move for move in moves if move != ("end",)]
        state.rules.advance(state, random.choice(busy if busy and random.random() < 0.9 else moves), [])
        yield state.copy()


def find(players: int, tower: bool, wanted: Callable[[State, dict[str, Any]], bool]) -> tuple[State, State]:
    """Return the first state of the random games that is `wanted`, and the one before it."""
    for seed in range(400):
        before: State | None = None
        for state in play(seed, players, tower):
            if wanted(state, state.rules.view(state, state.active)):
                return before or state, state
            before = state
    raise LookupError("no random game came to such a position")


class Position(NamedTuple):
    """One picture of the sheet."""

    name: str
    players: int
    tower: bool
    wanted: Callable[[State, dict[str, Any]], bool]
    options: dict[str, Any]


def _choice(kind: str) -> Callable[[State, dict[str, Any]], bool]:
    return lambda state, shown: bool(shown["pending"]) and shown["pending"][-1]["kind"] == kind


POSITIONS = (
    Position("setup-2", 2, False, lambda s, v: s.ply == 0, {}),
    Position("middle-3", 3, False, lambda s, v: s.round == 6 and v["turn"]["slot"] is not None, {"highlight": True}),
    Position("crowded-4", 4, True, lambda s, v: s.round == 10 and all(len(p.table) > 1 for p in s.players)
             and sum(len(p.coats) for p in s.players) > 7, {"names": LONG_NAMES}),
    Position("blocked-2", 2, False, lambda s, v: len(v["outer"]) >= 5, {"theme": "dark"}),
    Position("coat-2", 2, False, _choice("coat"), {"layout": "narrow", "size": 360}),
    Position("choose-3", 3, True, lambda s, v: _choice("choose")(s, v) and len(v["pending"][-1]["offer"]) > 2,
             {"layout": "narrow", "size": 600, "theme": "dark"}),
    Position("stack-4", 4, True, lambda s, v: len(v["pending"]) > 1, {"theme": "colour-blind"}),
    Position("spectator-3", 3, True, lambda s, v: s.round == 8 and bool(s.pending), {"seat": None}),
    Position("end-2", 2, False, lambda s, v: s.phase == "over" and len(s.discard) > 6,
             {"layout": "narrow", "size": 360}),
    Position("end-4", 4, True, lambda s, v: s.phase == "over" and any(p.vp < 5 for p in s.players),
             {"names": LONG_NAMES}),
    Position("german-4", 4, True, lambda s, v: s.round == 9 and v["turn"]["slot"] is not None
             and len(s.players[s.active].hand) > 2, {"language": "de", "theme": "dark"}),
    Position("mail-4", 4, True, lambda s, v: s.round == 7 and s.phase == "push", {"size": 600, "highlight": True}),
    Position("blind-3", 3, True, lambda s, v: s.round == 5 and s.phase == "actions",
             {"theme": "colour-blind", "layout": "narrow", "size": 400}),
    Position("desk-4", 4, True, lambda s, v: s.round == 9 and len(s.discard) > 9 and bool(s.descendants),
             {"layout": "desk", "size": 830}),
    Position("desk-2", 2, False, lambda s, v: s.round == 1 and s.phase == "push",
             {"layout": "desk", "size": 830, "theme": "dark", "language": "it"}),
    Position("desk-3", 3, True, lambda s, v: s.tower_tile == "long_reach" and len(v["outer"]) > 3,
             {"layout": "desk", "size": 1290, "theme": "colour-blind", "language": "de"}),
    Position("square-4", 4, True, lambda s, v: s.round == 9 and len(s.discard) > 9, {"layout": "square", "size": 740}),
    Position("square-2", 2, False, lambda s, v: s.round == 2 and s.phase == "push",
             {"layout": "square", "size": 740, "theme": "dark"}),
    Position("town-4", 4, True, lambda s, v: s.round == 9 and bool(s.descendants), {"layout": "town", "size": 740}),
    Position("town-3", 3, False, lambda s, v: s.round == 4 and len(s.descendants) > 2,
             {"layout": "town", "size": 740, "theme": "dark", "language": "it"}),
)  # fmt: skip


def draw(position: Position) -> tuple[str, dict[str, Any], int | None]:
    """Return the SVG of a position, its view and the seat that looks on."""
    before, state = find(position.players, position.tower, position.wanted)
    options = dict(position.options)
    seat = options.pop("seat", state.active)
    shown = state.rules.view(state, seat)
    if options.pop("highlight", False):
        options["highlight"] = changed(before.rules.view(before, seat), shown)
    options.setdefault("size", 1200)
    return board_svg(shown, seat=seat, prefix=re.sub(r"\W", "_", position.name), **options), shown, seat


def sheet(pictures: list[str], columns: int = 4, width: int = 560) -> str:
    """Return one SVG with all pictures side by side."""
    cells, tops = [], [0.0] * columns
    for picture in pictures:
        w, h = (float(side) for side in re.findall(r'viewBox="0 0 (\S+) (\S+)"', picture)[0])
        column = tops.index(min(tops))
        shown = width if w > 800 else width * 0.6
        high = h * shown / w
        head = re.sub(r' width="\d+" height="\d+"', "", picture[: picture.index(">")], count=1)
        place = f' x="{column * (width + 20) + 10}" y="{tops[column] + 10:.0f}" width="{shown:.0f}" height="{high:.0f}"'
        cells.append(head + place + picture[picture.index(">") :])
        tops[column] += high + 20
    w, h = columns * (width + 20), max(tops) + 20
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h:.0f}"><rect width="{w}" height="{h:.0f}" '
            f'fill="#777"/>{"".join(cells)}</svg>')  # fmt: skip


def _timed(draw: Callable[[str, int], bytes], svg: str, width: int) -> tuple[bytes, float]:
    """A picture, and the milliseconds of processor that it took."""
    start = time.process_time()
    made = draw(svg, width)
    return made, (time.process_time() - start) * 1000


def _milliseconds(shown: dict[str, Any], seat: int | None, size: int, layout: str | None) -> float:
    """The processor's time for one board."""
    start = time.process_time()
    board_svg(shown, seat=seat, size=size, layout=layout)
    return (time.process_time() - start) * 1000


def main(arguments: list[str] | None = None) -> int:
    """Write each position as `NAME.svg`, `NAME.png`, `NAME-palette.png` and `NAME.txt`, all as `sheet.png`; print sizes
    and times."""
    parser = argparse.ArgumentParser(description="draw a score of positions of the board, and a contact sheet of them")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--only", help="the one position to draw")
    chosen = parser.parse_args(arguments)
    chosen.directory.mkdir(parents=True, exist_ok=True)
    pictures = []
    for position in POSITIONS:
        if chosen.only not in (None, position.name):
            continue
        svg, shown, seat = draw(position)
        width = position.options.get("size", 1200)
        layout = position.options.get("layout")
        board = min(_milliseconds(shown, seat, width, layout) for _ in range(20))
        png, took = _timed(board_png, svg, width)
        small, packed = min((_timed(palette_png, svg, width) for _ in range(5)), key=lambda made: made[1])
        (chosen.directory / f"{position.name}-palette.png").write_bytes(small)
        (chosen.directory / f"{position.name}.svg").write_text(svg, "utf-8")
        (chosen.directory / f"{position.name}.png").write_bytes(png)
        text = board_text(shown, seat=seat, full=True, names=position.options.get("names"))
        (chosen.directory / f"{position.name}.txt").write_text(text, "utf-8")
        print(f"{position.name:12} SVG {len(svg.encode()) / 1000:5.1f} KB {board:5.1f} ms   "
              f"PNG {len(png) / 1000:6.1f} KB {took:4.0f} ms   "
              f"palette {len(small) / 1000:6.1f} KB {packed:4.0f} ms")  # fmt: skip
        pictures.append(svg)
    (chosen.directory / "sheet.png").write_bytes(board_png(sheet(pictures), 2320))
    return 0


if __name__ == "__main__":
    sys.exit(main())
