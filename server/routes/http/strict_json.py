"""Reading JSON strictly: what no honest client sends is refused, with a word on what to change.

Hand-written on `json`: orjson and msgspec take a key twice, and bound neither depth nor digits as is told here.
"""

import json
import math
from typing import Any, NoReturn

from server.engine.canonical import walk

MAX_DEPTH = 24  # a record, the deepest body that is read, needs five
MAX_DIGITS = 18  # fits every database's integers


class BadJSONError(ValueError):
    """The text is no JSON that this server reads; the message says what to change."""


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise BadJSONError(f"Write numbers with at most {MAX_DIGITS} digits.")
    return int(digits)


def _fraction(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise BadJSONError("Write smaller numbers: one of them is too large to be read.")
    return number


def _constant(name: str) -> NoReturn:
    raise BadJSONError(f"Remove {name}: JSON has no such value.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:  # one pass: to count each key would take minutes for a body of nothing but keys
        if key in result:
            raise BadJSONError(f"Write each key once: {key[:40]!a} stands twice in one object.")
        result[key] = value
    return result


# Made once: `json.loads` makes one for each text, which takes longer than to read a move.
_DECODER = json.JSONDecoder(
    parse_int=_whole, parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_object
)


def _check_value(value: Any, strict: bool) -> None:
    """Raise `BadJSONError` when `value` is nested too deeply or, if `strict`, a text has NUL or a lone surrogate."""
    for item, depth in walk(value):
        if isinstance(item, str):
            _check_text(item, strict)
        elif isinstance(item, (dict, list)):
            for key in item if isinstance(item, dict) else ():
                _check_text(key, strict)
            if depth >= MAX_DEPTH:
                raise BadJSONError(f"Nest objects and lists at most {MAX_DEPTH} deep.")


def _check_text(text: str, strict: bool) -> None:
    if not strict or (text.isascii() and "\x00" not in text):
        return
    if "\x00" in text:
        raise BadJSONError("Remove the character U+0000 from the texts.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadJSONError("Remove the lone surrogates (\\ud800 to \\udfff) from the texts.") from None


def parse_json(data: bytes, strict: bool = True) -> Any:
    """Return the value of the JSON text `data` (UTF-8).

    Raises `BadJSONError` for what is no JSON, and for JSON that no honest client sends: NaN, numbers beyond
    `MAX_DIGITS`, a key twice in one object, nesting beyond `MAX_DEPTH`; if `strict`, NUL and lone surrogates.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJSONError(f"Send the body in UTF-8: byte {error.start} is not.") from None
    if text.startswith("\ufeff"):
        raise BadJSONError("Send the body without a byte order mark: its first three bytes.")
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise BadJSONError(f"Nest objects and lists at most {MAX_DEPTH} deep.") from None
    except json.JSONDecodeError as error:
        raise BadJSONError(
            f"Send valid JSON: {error.msg.lower()} in line {error.lineno}, column {error.colno}."
        ) from None
    _check_value(value, strict)
    return value
