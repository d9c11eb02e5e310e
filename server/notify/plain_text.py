"""Mails as text: lines of at most `WIDTH` columns and tables that keep to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from server.board.measure import columns, cut, pad
from server.language import gettext, ngettext

WIDTH = 76  # so that an answer may quote them within 80 columns
_FILLER = Markup("&#847;&zwnj;&nbsp;" * 60)  # noqa: S704 - ours
"""What follows the preview: it keeps lists of mails from showing the first words of the mail behind it."""


def wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """`text` in lines of at most `WIDTH` columns that begin with `first` and `rest` (None: with `first` too). Addresses
    stay whole, so that mail programs know them; other words are broken when they must be."""
    if len(first) + len(text) <= WIDTH and columns(text) == len(text) and text.isprintable() and text == text.strip():
        return first + text  # most lines are short
    rest = first if rest is None else rest
    measure = len if text.isascii() or max(text, default="") < "\u0300" else columns  # no letter of Latin is wide
    longest = WIDTH - max(len(first), len(rest))
    lines: list[str] = []
    words: list[str] = []
    begin, room = first, WIDTH - len(first)
    for whole in text.split():
        fits = measure(whole) <= longest or "://" in whole
        for word in (whole,) if fits else _pieces(whole, longest):
            wide = measure(word)
            if words and wide > room:
                lines.append(begin + " ".join(words))
                begin, room, words = rest, WIDTH - len(rest), []
            words.append(word)
            room -= wide + 1
    return "\n".join([*lines, begin + " ".join(words)])


def _pieces(word: str, longest: int) -> Iterator[str]:
    """A word in pieces of at most `longest` columns."""
    piece, wide = "", 0
    for letter in word:
        wide += columns(letter)
        if wide > longest:
            yield piece
            piece, wide = "", columns(letter)
        piece += letter
    yield piece


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns: the first to the left, numbers to the right; what is too long at their heads is cut."""
    last = len(rows[0]) - 1
    first = max(columns(row[0]) for row in rows)
    most = (WIDTH - first) // last - 2
    cells = [[row[0], *(cut(cell, most) for cell in row[1:])] for row in rows]
    widths = [max(columns(row[index]) for row in cells) for index in range(last + 1)]
    lines = []
    for row in cells:
        numbers = [" " * (wide - columns(cell)) + cell for cell, wide in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([pad(row[0], widths[0]), *numbers]).rstrip())
    return "\n".join(lines)


def tidy(text: str) -> str:
    """No blanks at line ends, no two empty lines in a row, one line end at the end."""
    lines: list[str] = []
    for line in text.splitlines():
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    # The line before a signature has a blank at its end: mail programs know it by that.
    return "\n".join("-- " if line == "--" else line for line in lines).strip("\n") + "\n"


@cache
def templates() -> Environment:
    """What mails are written by, with what fits their text into its columns."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates" / "mail"),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(fill=wrapped, table=table)
    environment.globals.update(_=gettext, ngettext=ngettext, width=WIDTH, filler=_FILLER)
    return environment


def letter(kind: str, **values: object) -> dict[str, list[str]]:
    """What the blocks of a letter say with these values, each in paragraphs."""
    template = templates().get_template(f"letters/{kind}.txt")
    said = {name: "".join(block(template.new_context(values))) for name, block in template.blocks.items()}
    return {name: [one.strip() for one in text.split("\n\n") if one.strip()] for name, text in said.items()}
