"""What people write around their moves: greetings, thanks, signatures, and what mail programs add below."""

from __future__ import annotations

import re

from server.move_language.lexicon import Words, begins, gathered
from server.move_language.writing import plain, words

_GREETINGS, _CLOSINGS = gathered("greetings"), gathered("closings")
_DENIALS = gathered("not") | gathered("never")
_NAME = re.compile(r"[^\W\d]+(?:[ .'\u2019-]{1,2}[^\W\d]+){0,2}")
_NAME_MOST = 3  # words of a name behind a greeting, or of a signature's line less one
_SIGNED_MOST, _SMALL = 6, 3  # words of a signature's line, and letters of one that is written small
_PROGRAMS = re.compile(
    r"(sent (from|with|via|by|using)|get outlook for|(von|mit) .{2,30} gesendet|gesendet (von|mit|mittels|uber|aus)"
    r"|diese (nachricht|e-mail|mail) wurde (von|mit)|outlook fur (ios|android)|holen sie sich outlook|hol dir outlook"
    r"|inviat[oa] (da|con|dal|dalla|tramite)|scarica outlook|ottieni outlook|mit freundlichen grussen von"
    r"|this (e-?mail|message) was sent|virus-?free|virenfrei|envoye|enviado|yahoo mail:|mobil gesendet"
    r"|отправлено (с|из)|verzonden (met|vanaf|vanuit|via)|skickat fran|sendt fra|wyslano z|odeslano z)\b"
)


def is_greeting(text: str) -> bool:
    """`Hi Ann`, `Liebe Anna`, `Ciao`: a greeting, and at most a name behind it."""
    sequence = words(text)
    taken = begins(sequence, _GREETINGS)
    return taken > 0 and len(sequence) - taken <= _NAME_MOST and not _is_more(sequence)


def is_closing(text: str) -> bool:
    """`Thanks!`, `Viele Grüße, Ben`: what ends a mail, and at most a name behind it."""
    sequence = words(text)
    taken = begins(sequence, _CLOSINGS)
    if not taken or _is_more(sequence):
        return False
    again = begins(sequence[taken:], _CLOSINGS)  # `Thanks and best` is two, `Danke, viele Grüße, Ben` also
    return len(sequence) - taken - again <= _NAME_MOST - 1


def is_of_program(text: str) -> bool:
    """`Sent from my iPhone`, in the languages that are spoken here."""
    return _PROGRAMS.match(plain(text).strip(" *_-.")) is not None


def may_be_name(text: str) -> bool:
    """A short line without numbers and without a no, as below a closing."""
    sequence = words(text)
    return len(sequence) <= _NAME_MOST + 1 and not _is_more(sequence)


def may_sign(text: str) -> bool:
    """`Carl Example`, `Beispiel GmbH & Co.`, `Musterweg 4`: a short line in which all but small words begin large."""
    said = [word.strip(".,;:()|/-\u2013\u2014*_\u201e\u201c\"'") for word in text.split()]
    names = [word for word in said if word[:1].isalpha()]
    if not names or len(said) > _SIGNED_MOST or text.endswith(("!", "?", "\u2026")):
        return False
    return not names[0][0].islower() and all(not word[0].islower() or len(word) <= _SMALL for word in names)


def begins_signature(text: str, below: str) -> bool:
    """Whether a closing ends what is said, rather than belonging to it: a name or a program's line stands `below`."""
    if not is_closing(text):
        return False
    return text.endswith(",") or is_of_program(below) or (_NAME.fullmatch(below) is not None and below.istitle())


def without_courtesy(sequence: Words) -> Words:
    """The words of a move without `please` before and `thanks` behind it."""
    start = begins(sequence, _CLOSINGS)
    rest = sequence[start:]
    for size in range(1, len(rest)):
        if rest[size:] in _CLOSINGS:
            return rest[:size]
    return rest


def denies(sequence: Words) -> bool:
    """Whether a word says no: `not`, `never`, `kein`."""
    return any(begins(sequence[place:], _DENIALS) for place in range(len(sequence)))


def _is_more(sequence: Words) -> bool:
    """Numbers and a no are never courtesies alone."""
    return any(word.isdigit() for word in sequence) or denies(sequence)
