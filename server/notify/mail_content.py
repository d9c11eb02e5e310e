"""What a mail says, before it is text or HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from server.service.explain.effects import Effect


@dataclass(frozen=True, slots=True)
class Link:
    """Somewhere to go, with a label that says what for."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list. `effects` are what a move costs and gains, `tiles` are colours shown as chips beside it (those
    at the places `unused` are of no use; `falls` falls out), `number` is that of a move in answers; `more` are moves of
    the same line, each with its number and a short label, behind the words `others`."""

    label: str
    detail: str = ""
    url: str | None = None
    tiles: Sequence[str] = ()
    number: int | None = None
    more: Sequence[Item] = ()
    others: str = ""
    effects: Sequence[Effect] = ()
    unused: Sequence[int] = ()
    falls: str = ""

    @property
    def said(self) -> str:
        """Detail and effects in one line."""
        effects = " · ".join([effect.text for effect in self.effects])
        return f"{self.detail}; {effects}" if self.detail and effects else self.detail or effects


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part: paragraphs, then a list or a table (whose first row and column are heads), then notes. HTML with a
    picture leaves out what is `drawn` on it."""

    title: str
    paragraphs: Sequence[str] = ()
    items: Sequence[Item] = ()
    rows: Sequence[Sequence[str]] = ()
    notes: Sequence[str] = ()
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The board: as text, and as a PNG or else as HTML."""

    text: str
    png: bytes | None
    html: str  # tables; empty where there is a PNG
    alt: str  # what the PNG shows, in words
    tiles: Mapping[str, bytes] = field(default_factory=dict)  # where there is a PNG, that of each tile by its colour


@dataclass(frozen=True, slots=True)
class MailContent:
    """A mail to one person, in the order in which it is read."""

    subject: str
    heading: str
    preview: str = ""  # what lists of mails show beside the subject; "" for the first words of the mail
    intro: Sequence[str] = ()
    quote: Sequence[str] = ()  # lines of somebody else
    action: Link | None = None
    after: Sequence[str] = ()  # paragraphs below the button
    answers: Sequence[str] = ()  # how to answer the mail; empty where an answer reaches nobody
    reply_to: str = ""
    """The address that answers go to, if they are read; the mail begins with a line that they stand above then."""
    board: Picture | None = None
    happened: Sequence[Section] = ()
    choices: Sequence[Section] = ()
    sections: Sequence[Section] = ()
    why: str = ""  # why the reader gets this


class Skip(Exception):  # noqa: N818 - no error
    """There is no mail: the mail is no longer true or not wanted. It is marked skipped with this reason."""

    @property
    def reason(self) -> str:
        """Why, for the operator."""
        return str(self.args[0])


class Postpone(Exception):  # noqa: N818 - no error
    """Not now: the mail is due again at `until`, which counts as no try."""

    @property
    def until(self) -> datetime:
        """When, aware."""
        until: datetime = self.args[0]
        return until
