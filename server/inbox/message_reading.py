"""What a person has written in a mail: their own lines, whatever program it was written with.

Nothing of it is believed. Headers are read elsewhere (`header_fields`, `auto_mail`, `authentication`).
"""

from __future__ import annotations

from dataclasses import dataclass

from server.inbox.flowed_text import unflowed
from server.inbox.html_lines import lines as html_lines
from server.inbox.limits import SIZE
from server.inbox.mime_text import Text, TooMuchError, texts
from server.inbox.quotations import own_lines
from server.move_language.courtesies import is_of_program
from server.move_language.reply_mark import is_doubtful


class UnreadableMailError(ValueError):
    """The mail is larger, deeper or in more parts than a person's is."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """The writer's own part of a mail.

    `own` are its lines, for `move_language.grammar.parse`: without what is quoted and without signature, blank ones
    between paragraphs. `text` is the same as a message to people: without what a mail program adds below.
    """

    own: tuple[str, ...]
    text: str


def read(data: bytes) -> Incoming:
    """Read a raw mail. Raises nothing but `UnreadableMailError`."""
    if len(data) > SIZE:
        raise UnreadableMailError("the mail is too large")
    try:
        found = texts(data)
    except TooMuchError as error:
        raise UnreadableMailError(str(error)) from None
    own: list[str] = []
    for forms in found:
        if own and own[-1]:
            own.append("")
        own += own_lines(_chosen(forms))
    while own and not own[-1]:
        own.pop()
    return Incoming(tuple(own), _message(own))


def _chosen(forms: list[Text]) -> list[str]:
    """The lines of a text in the first of its forms that has any: plain before HTML."""
    for form in forms:
        lines = _lines(form)
        if any(line.strip() for line in lines):
            return lines
    return []


def _lines(form: Text) -> list[str]:
    if form.kind == "text/html":
        return html_lines(form.text)
    # Not `splitlines`: that takes form feeds and others for line ends.
    lines = form.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return list(unflowed(lines, form.delsp)) if form.flowed else lines


def _message(own: list[str]) -> str:
    lines = [line for line in own if not is_doubtful(line)]
    while lines and (not lines[-1] or is_of_program(lines[-1])):
        lines.pop()
    return "\n".join(lines).strip()
