"""What a mail says, before it is text or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """Somewhere to go, with a label that says what for."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list. `tiles` are colours shown as chips beside it."""

    label: str
    detail: str = ""
    url: str | None = None
    tiles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part: paragraphs, a list, or a table (whose first row is its head)."""

    title: str
    paragraphs: Sequence[str] = ()
    items: Sequence[Item] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """The board: as text, as a PNG or else as HTML, and in words for those who see none of them."""

    text: str
    png: bytes | None
    html: str
    """Tables; empty where there is a PNG."""
    alt: str


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to one person."""

    subject: str
    heading: str
    intro: Sequence[str] = ()
    action: Link | None = None
    after: Sequence[str] = ()
    """Paragraphs below the button."""
    lead: Sequence[Section] = ()
    """What stands above the board."""
    board: Picture | None = None
    sections: Sequence[Section] = ()
    why: str = ""
    """Why the reader gets this."""
