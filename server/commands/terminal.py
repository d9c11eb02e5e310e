"""Words for the terminal: what others wrote on one line, numbers with their nouns, numbers read from arguments."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime


def printable(text: str) -> str:
    """On one line: what others sent (a mail server's answer) must not write to the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def count(number: int, one: str, many: str) -> str:
    """`1 mail is` or `2 mails are`."""
    return f"{number} {one if number == 1 else many}"


def number(text: str) -> int:
    """A number from 1 on, as an argument. Raises `argparse.ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit()) or not 0 < int(text[:12]) < 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def moment(text: str) -> datetime:
    """A time as an argument, in UTC unless it says otherwise. Raises `argparse.ArgumentTypeError`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time such as 2026-11-01 or 2026-11-01T09:30Z") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
