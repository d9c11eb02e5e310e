"""Checks of what people send. Each returns the value as it is stored, or says what to change."""

from __future__ import annotations

import unicodedata
from typing import Any

from server.service.errors import Unprocessable

NAME_MAX = 60
CLIENT_SEED_MAX = 64
EMAIL_MAX = 254
KEY_MAX = 128


def _refuse(field: str, message: str) -> Unprocessable:
    return Unprocessable(f"{field}: {message}", {field: [message]})


def text(field: str, value: Any, longest: int, shortest: int = 0) -> str:
    """A text that any database and any page can hold: neither NUL nor lone surrogates, `shortest`..`longest` long."""
    if not isinstance(value, str):
        raise _refuse(field, "give a text")
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise _refuse(field, "NUL characters and lone surrogates cannot be stored")
    if not shortest <= len(value) <= longest:
        raise _refuse(field, f"give {shortest} to {longest} characters, not {len(value)}")
    return value


def name(field: str, value: Any, shortest: int = 1) -> str:
    """A name for people: one line, trimmed, no control characters."""
    trimmed = " ".join(text(field, value, 4 * NAME_MAX).split())
    # Cf holds the marks that turn the direction of text; a name could forge the line it stands in.
    if any(unicodedata.category(character) in ("Cc", "Cf", "Co", "Cn") for character in trimmed):
        raise _refuse(field, "control characters have no place in a name")
    return text(field, trimmed, NAME_MAX, shortest)


def email(value: Any) -> str | None:
    """An address that a mail can be sent to, or None. Whether it is the caller's own, only a confirmation tells."""
    if value is None or value == "":
        return None
    address = text("email", value, EMAIL_MAX).strip()
    local, at, domain = address.rpartition("@")
    bad = set(' \t\r\n<>()[],;:"\\')
    if not (at and local and "." in domain.strip(".") and address.isprintable() and not bad & set(address)):
        raise _refuse("email", "give an address such as ann@example.org, or leave it out")
    return address


def client_seed(value: Any) -> str:
    """A player's share of the seed (record.md §1); None counts as empty."""
    return text("client_seed", "" if value is None else value, CLIENT_SEED_MAX)


def flag(field: str, value: Any) -> bool:
    """A yes or no; nothing that merely looks like one."""
    if not isinstance(value, bool):
        raise _refuse(field, "give true or false")
    return value


def whole(field: str, value: Any, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _refuse(field, f"give a whole number from {least} to {most}")
    return value
