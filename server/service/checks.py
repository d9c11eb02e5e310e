"""Checks of what people send. Each returns the value as it is stored, or says what to change."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

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


def number(field: str, value: Any, least: float, most: float) -> float:
    """A number from `least` to `most`, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise _refuse(field, f"give a number from {least} to {most}")
    return float(value)


def moment(field: str, value: Any) -> datetime:
    """A time as an aware `datetime` in UTC, from an aware `datetime` or from text such as `2026-11-21T09:30:00Z`."""
    example = "give a time with its zone, such as 2026-11-21T09:30:00Z"
    if isinstance(value, str) and len(value) <= 40:
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise _refuse(field, example) from None
    if not isinstance(value, datetime) or value.tzinfo is None or not 1990 < value.year < 9000:
        raise _refuse(field, example)
    return value.astimezone(UTC)


def time_zone(field: str, value: Any) -> str:
    """The name of a time zone of the IANA data base."""
    if not isinstance(value, str) or value not in _time_zones():
        raise _refuse(field, "give the name of a time zone, such as Europe/Berlin, America/New_York or UTC")
    return value


@lru_cache(maxsize=1)
def _time_zones() -> frozenset[str]:
    # These three are what a machine is set to, or nothing: they would mean something else after a move.
    return frozenset(available_timezones() - {"localtime", "posixrules", "Factory"})
