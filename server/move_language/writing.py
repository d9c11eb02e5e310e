"""Writing without what does not matter in a move: case, accents, punctuation, emoji, the kind of blanks and quotes."""

from __future__ import annotations

import re
import unicodedata

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"})
_WORD = re.compile(r"[a-z]+|[0-9]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufe00-\ufe0f]")
LONGEST = 400  # no line with more characters is a move


def visible(text: str) -> str:
    """`text` without what nobody sees: marks of direction, joiners, soft hyphens."""
    return _INVISIBLE.sub("", text)


def plain(text: str) -> str:
    """`text` in lower case without accents: `Gänsturm` is `gansturm`, `weiß` is `weiss`."""
    spread = unicodedata.normalize("NFKD", visible(text).casefold())
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


def tidy(text: str) -> str:
    """`text` with plain blanks and nothing invisible, as it may be quoted back."""
    return " ".join(visible(text).split())


def words(text: str) -> tuple[str, ...]:
    """The words and numbers of `text`, plain: `Seal town_hall!` is `seal`, `town`, `hall`; `N1` is `n`, `1`."""
    return tuple(_WORD.findall(plain(text)))


def readable(text: str) -> bool:
    """Whether all letters and digits are ones that words are read of: nothing of a move may be passed over."""
    return all(
        letter in "abcdefghijklmnopqrstuvwxyz0123456789" or unicodedata.category(letter)[0] not in "LN"
        for letter in plain(text)
    )


def forms(text: str) -> set[tuple[str, ...]]:
    """How people write a word of ours: umlauts as they are, or as two letters."""
    return {words(text), words(text.translate(_UMLAUTS))}
