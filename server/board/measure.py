"""How wide a text is in DejaVu Sans, to fit, wrap and cut it; by hand, as Pillow is an extra."""

import json
import unicodedata
from functools import lru_cache
from importlib.resources import files

# Advance widths in hundredths of the font size: ASCII, Latin-1 and some marks.
_WIDTHS: dict[str, int] = json.loads((files("server.board") / "widths.json").read_text("utf-8"))
_OTHER, _WIDE = 78, 105  # a wide guess for what the tables do not hold; ideographs are square

# What XML 1.0 cannot hold, and the marks that turn the direction of all text after them.
_UNPRINTABLE = {"Cc", "Cs", "Cn", "Co", "Zl", "Zp"}
_DIRECTION = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0xFEFF}
_JOINERS = "\u200c\u200d"
ELLIPSIS = "…"


@lru_cache(1 << 12)  # 0.02 ms a page of a game
def clean(text: str) -> str:
    """Return `text` as one line that XML can hold: no control characters, surrogates or direction marks."""
    kept = (
        " " if c.isspace() else c
        for c in text
        if c.isspace() or (unicodedata.category(c) not in _UNPRINTABLE and ord(c) not in _DIRECTION)
    )
    return " ".join("".join(kept).split())


@lru_cache(1 << 13)  # 0.03 ms a page of a game
def width(text: str, size: float) -> float:
    """Return the width of `text` at a font size, in the units of that size."""
    total = 0
    for c in text:
        known = _WIDTHS.get(c)
        if known is not None:
            total += known
        elif not unicodedata.combining(c) and c not in _JOINERS:
            total += _WIDE if unicodedata.east_asian_width(c) in "WF" else _OTHER
    return total * size / 100


def fit(text: str, size: float, room: float) -> str:
    """Return `text`, cut with an ellipsis where it is wider than `room`."""
    if width(text, size) <= room:
        return text
    while text and width(text + ELLIPSIS, size) > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def wrap(text: str, size: float, room: float, lines: int) -> list[str]:
    """Return `text` as at most `lines` lines no wider than `room`, broken at spaces; the last is cut if it must be."""
    rows: list[str] = []
    rest = text.split(" ")
    while rest and len(rows) < lines - 1:
        row = rest.pop(0)
        while rest and width(f"{row} {rest[0]}", size) <= room:
            row += " " + rest.pop(0)
        rows.append(fit(row, size, room))
    if rest:
        rows.append(fit(" ".join(rest), size, room))
    return rows


def columns(text: str) -> int:
    """Return how many columns of a terminal `text` takes: two for an ideograph, none for a combining mark."""
    if text.isascii() or max(text) < "\u0300":
        return len(text)  # nearly every text: no letter of Latin is wide, no mark is so low
    seen = (c for c in text if not unicodedata.combining(c) and c not in _JOINERS)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in seen)


def cut(text: str, room: int, end: str = ELLIPSIS) -> str:
    """Return `text` cut to `room` columns, with `end` (one column) where something is missing."""
    if columns(text) <= room:
        return text
    while text and columns(text) > room - 1:
        text = text[:-1]
    return text + end if room > 0 else ""


def pad(text: str, room: int) -> str:
    """Return `text` filled with spaces to `room` columns."""
    return text + " " * (room - columns(text))
