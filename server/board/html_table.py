"""The board as HTML tables, for mails without a picture: `board_table`, by the template `html_table.html`.

What mail programs keep: tables with `bgcolor` and `width`, styles on the element, characters. No classes, no positions,
no flex. Every ground comes with the colour of its text, so that a dark mode can leave both or turn both; and every
colour with a letter or a mark, so that the board can be read without any. It fits 260 pixels, which a mail has on a
phone of 320, and takes two columns where there is room.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template

from server.board import listing
from server.board.canvas import ascii_only
from server.board.describe import description, headline
from server.board.listing import Lister, minus, signed
from server.board.svg import canvas_for
from server.board.text import LETTERS
from server.board.words import Words
from server.engine.ulm1.shapes import PlayerView, View
from server.engine.ulm1.tables import BRIDGE_AFTER, COLORS, LAST_SPACE, LINES, PUSH_CELLS, QUARTERS, SLOTS
from server.language import capital

MARKS = "✚▲═★"  # of the seats, as in the picture; none of them has a form as an emoji
CREST, FREE, BLOCKED = "◆", "○", "#"
_ARROWS = {"N": "↓", "S": "↑", "W": "→", "E": "←"}


@cache
def _template() -> Template:
    source = (files("server.board") / "html_table.html").read_text("utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(re.sub(r"\n\s*", "", source))


def board_table(
    view: View, *, seat: int | None = None, names: Sequence[str] | None = None, theme: str = "light",
    language: str = "en",
) -> str:  # fmt: skip
    """The board of a view as one HTML element, in ASCII; `seat` is the reader's own, `names` those of the seats. Raises
    `ValueError` for another number of names than seats, an unknown theme or language."""
    canvas = canvas_for(view, seat, names, theme=theme, language=language)
    words, lister, colors = canvas.words, canvas.lister, canvas.theme
    seats = list(range(len(view["players"])))
    if seat in seats:  # the reader first, then round the table, as in the picture
        seats = seats[seat:] + seats[:seat]
    pushed, barges = view["turn"]["slot"], [player["barge"] for player in view["players"]]
    return ascii_only(_template().render(
        view=view,
        words=words,
        rules=words.rules,
        theme=colors.roles,
        wax=colors.pairs("seat"),
        lister=lister,
        names=canvas.names,
        seats=seats,
        headline=headline(canvas, view),
        description=description(canvas, view),
        tile=dict(zip(COLORS, colors.pairs("tile"), strict=True)),
        blocked=[slot for slot in SLOTS if any(SLOTS[end] in view["outer"] for end in LINES[SLOTS.index(slot) % 6])],
        pushed=PUSH_CELLS[SLOTS.index(pushed)] if pushed else (),
        fleets={place: [seat for seat, at in enumerate(barges) if at == place] for place in barges},
        ranking=listing.ranking(view),
        columns=listing.COLUMNS,
        column=listing.column,
        belongings=lambda player: _belongings(words, lister, player),
        legend=_legend(words),
        minus=minus,
        signed=signed,
        capital=capital,
        letters=LETTERS,
        marks=MARKS,
        crest=CREST,
        free=FREE,
        block=BLOCKED,
        arrows=_ARROWS,
        colors=COLORS,
        quarter_names=QUARTERS,
        bridge=BRIDGE_AFTER,
        last_space=LAST_SPACE,
    ))  # fmt: skip


def _belongings(words: Words, lister: Lister, player: PlayerView) -> list[str]:
    """Descendants, coats, cards on the table and the open hand of a seat, a line for each kind."""
    said = []
    if player["descendants"]:
        said.append(", ".join(words.descendants[one] for one in player["descendants"]))
    if player["coats"]:
        said.append(f"{words['coats']}: {'; '.join(map(lister.short_coat, player['coats']))}")
    if player["table"]:
        said.append(f"{words['table']}: {lister.cards(player['table'])}")
    if player.get("hand"):
        said.append(f"{words['hand']}: {lister.cards(player['hand'])}")
    return said


def _legend(words: Words) -> str:
    """What letters and marks stand for."""
    tiles = ", ".join(
        f"{letter} {words.action_names[color]} ({words.colors[color]})" for color, letter in LETTERS.items()
    )
    said = words["marks"].format(tiles, BLOCKED, CREST, FREE)
    for space, bonus in words.rules.space_bonus.items():
        said += f" {space} {words['gives'].format(words[f'bonus_{bonus}'])}."
    return said
