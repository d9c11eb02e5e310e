"""What an outside record has to be like to be kept: bounds, and texts that a database and an answer can hold."""

from __future__ import annotations

import orjson

from server.engine.canonical import Json, walk
from server.language import gettext as _
from server.service.common.checks import NAME_MAX, storable
from server.service.common.errors import TooLarge, Unprocessable

MOVES_MAX = 5000  # a long game of four has about 1000
VALUES_MAX = 100_000
TEXT_MAX = 1_000_000  # characters of all texts together
DEPTH_MAX = 32
FREE_MAX = 16_000
"""Bytes of what the game does not follow from, in a record that is kept: names, and the fields that nobody here knows.
A file may hold any number of these; what strangers put onto this server for good may not."""
_PLAYED = ("moves", "digests", "result")
WHOLE_MAX = 2**53


def check_size(data: Json) -> None:
    """Raise `TooLarge` for more than anybody can have played; it takes time in step with the bounds at most."""
    characters = 0
    for values, (value, depth) in enumerate(walk(data), 1):
        if isinstance(value, str):
            characters += len(value)
        elif isinstance(value, dict):
            characters += sum(map(len, value))
        if depth > DEPTH_MAX or values > VALUES_MAX or characters > TEXT_MAX:
            raise TooLarge(
                f"a record has at most {MOVES_MAX} moves, {VALUES_MAX} values, {TEXT_MAX} characters of text, "
                f"and is nested at most {DEPTH_MAX} deep"
            )
    if isinstance(data, dict) and isinstance(data.get("moves"), list) and len(data["moves"]) > MOVES_MAX:
        raise TooLarge(f"a record has at most {MOVES_MAX} moves, this one {len(data['moves'])}")


def check_to_keep(data: dict[str, Json]) -> None:
    """Raise `TooLarge` for a record (of the right shape, and storable) that says too much beside its game."""
    free = len(compact({key: value for key, value in data.items() if key not in _PLAYED}).encode())
    if free > FREE_MAX:
        raise TooLarge(
            _(
                "names and fields of your own may take %(most)s bytes in a record that is kept, and yours take "
                "%(present)s: leave some out",
                most=FREE_MAX,
                present=free,
            )
        )


def compact(data: dict[str, Json]) -> str:
    """A record as it is stored: each character as itself, where an escape takes six times as much."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()


def check_storable(data: Json) -> None:
    """Raise `Unprocessable` for texts and numbers that cannot be stored and given back as they are."""
    for value, _depth in walk(data):
        texts = (value,) if isinstance(value, str) else value if isinstance(value, dict) else ()
        if not all(map(storable, texts)):
            raise _unstorable("texts with NUL characters or lone surrogates cannot be kept")
        if isinstance(value, int) and abs(value) > WHOLE_MAX:
            raise _unstorable("whole numbers beyond 2^53 cannot be kept")
        if isinstance(value, float) and not abs(value) < float("inf"):
            raise _unstorable("NaN and Infinity are no JSON numbers")


def _unstorable(message: str) -> Unprocessable:
    return Unprocessable(f"ply 0: {message}", {"ply": 0, "message": message}, "invalid-record")


def shown_name(given: str) -> str:
    """A name of an outside record as pages show it: one printable line, empty when nothing of it can be seen. The
    record itself keeps it as given."""
    line = " ".join("".join(character if character.isprintable() else " " for character in given).split())
    return line[:NAME_MAX]


def stored_time(time: str | None) -> str | None:
    """The time of a move, cut to seconds."""
    return None if time is None else time[:19] + "Z"


def readable(message: str) -> str:
    """A message that quotes the record, fit for an answer."""
    return message.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")
