"""What a mail server says of the address, in answers and in bounces: by an enhanced status code (RFC 3463: `5.1.1`),
and by words, which count more: many give 5.1.1 to blocked senders and 5.7.1 to readers whom they do not know."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Literal

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")

OF_THE_SENDER = frozenset(("1.7", "1.8", "1.90"))
"""Bad *sender's* address, and Microsoft's for one who writes too much: the exceptions among those that begin with 1."""
OF_THE_MAIL = frozenset(("2.3", "3.4"))
"""Too long: nothing that another mail to the same address has to share."""


def find(words: str) -> str:
    """The first enhanced status code in what a mail server said; empty when it said none."""
    found = _STATUS.search(words)
    return found.group() if found else ""


def kind(status: str) -> tuple[str, str]:
    """Class and the rest of a status code: `("5", "1.1")`. Raises `ValueError` for what is none."""
    if not _STATUS.fullmatch(status):
        raise ValueError(f"{status!r} is no status code such as 5.1.1")
    head, _, rest = status.partition(".")
    return head, rest


def is_bad_address(status: str) -> bool:
    """Whether a mail with this status never arrives because of the address (not policy, contents, size)."""
    head, rest = kind(status)
    return head == "5" and rest[0:2] in ("1.", "2.", "4.") and rest not in OF_THE_SENDER | OF_THE_MAIL


Meaning = Literal["us", "now", "full", "nobody", "refused", ""]
"""What words say: this sender or server is not liked; it is so for now, or of this mail; the mailbox is full; nobody is
there; it is refused, and not said why; nothing that is known."""
_LISTS = tomllib.loads(Path(__file__).with_name("mail_words.toml").read_text("utf-8"))
_MEANINGS: tuple[Meaning, ...] = ("us", "now", "full", "nobody", "refused")
_SAID = {
    name: re.compile("|".join(re.sub(r"\n\s*", "", f"(?:{piece})") for piece in _LISTS[name]), re.IGNORECASE)
    for name in _MEANINGS
}
_NAMES = re.compile(r"\bhttps?://\S*|<[^<>\s]*>|\S*@\S*|\bwww\.\S*|(?<![\w.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?![\w-])")
"""Addresses and names of servers, which may be called like anything."""


def meaning(words: str) -> Meaning:
    """What a mail server's words say; of several the first of `Meaning`."""
    plain = " ".join(re.sub(r"(?<!\S)[45]\d\d-", " ", _NAMES.sub("…", words[:2000])).split())
    return next((name for name in _MEANINGS if _SAID[name].search(plain)), "")
