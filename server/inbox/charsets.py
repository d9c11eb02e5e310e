"""Bytes of a mail as text, whatever it says that they are."""

from __future__ import annotations

import codecs
import re

_KNOWN = re.compile(
    r"utf-?8|utf-?16(-?[bl]e)?|utf-?32(-?[bl]e)?|ascii|iso8859-?\d+|latin-?1|cp\d+|koi8[-_][rut]|gb2312|gbk|gb18030|big5"
    r"|big5hkscs|euc[-_](jp|kr)|shift[-_]jis|iso2022_jp(_\d|_ext)?|mac-[a-z]+|tis-620|johab|hp-roman8"
)
"""What mail is written in, as the library calls it. The library has others, that turn bytes into other bytes or write
letters as several others (UTF-7): none of those is honoured."""

_WRONG = re.compile("[\\x00\\ud800-\\udfff]")


def decoded(data: bytes, charset: str) -> str:
    """`data` as text: by the named charset if it is one of mail and fits, by UTF-8 if that fits, else by Windows-1252.

    What cannot be read, and NUL, becomes U+FFFD, with which nothing is a move.
    """
    for name in (_codec(charset), "utf-8"):
        if name:
            try:
                return _clean(data.decode(name))
            except (UnicodeError, ValueError):
                continue
    name = _codec(charset)
    if name in ("utf-8", None, "ascii") and data.isascii() is False and _torn(data):
        return _clean(data.decode("utf-8", "replace"))
    return _clean(data.decode("cp1252", "replace"))


def _torn(data: bytes) -> bool:
    """UTF-8 that was cut within a letter, or has a few wrong bytes."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    return wrong * 4 < sum(1 for letter in text if not letter.isascii())


def _codec(charset: str) -> str | None:
    try:
        name = codecs.lookup(charset.strip().strip("\"'")[:60]).name if charset else None
    except (LookupError, ValueError, UnicodeError):
        return None
    return name if name is not None and _KNOWN.fullmatch(name) else None


def _clean(text: str) -> str:
    return _WRONG.sub("\ufffd", text.removeprefix("\ufeff"))
