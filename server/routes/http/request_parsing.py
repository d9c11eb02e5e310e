"""Reading requests: strict JSON, strict query strings, and clear words about what is wrong with them.

flask-smorest reads arguments through webargs; `RequestParser` replaces the steps in which webargs is lenient: it takes
a body of another type for an absent one, lets Python's own JSON reader accept NaN, huge numbers and lone surrogates,
and dies of deep nesting.

The reader of JSON is hand-written on `json`: orjson and msgspec take a key twice, and bound neither depth nor digits as
is told here.
"""

import json
import math
import re
from typing import Any, NoReturn

import marshmallow as ma
from flask import Request, current_app, request
from webargs.flaskparser import FlaskParser, abort
from werkzeug.exceptions import RequestEntityTooLarge

from server.engine.canonical import walk
from server.routes.http.strict_fields import MOST_BYTES, unsafe_character

MAX_DEPTH = 24  # a record, the deepest body that is read, needs five
MAX_DIGITS = 18  # fits every database's integers
_LONG = re.compile(f"[0-9]{{{MAX_DIGITS + 1}}}")
_LOCATION_NAMES = {"json": "the body", "query": "the query string", "querystring": "the query string"}
IDEMPOTENCY_KEY = "Idempotency-Key"
_IDEMPOTENCY_KEY = re.compile(r'("?)([A-Za-z0-9._:~+/=-]{1,128})\1')


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
_DECODER = json.JSONDecoder(parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_object)
_SLOW_DECODER = json.JSONDecoder(
    parse_int=_whole, parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_object
)
"""For a text with a long row of digits, which may be a number."""


def _check_depth(value: Any) -> None:
    """Raise `BadJSONError` when `value` is nested too deeply. A level at a time: anybody may send very many values."""
    level, depth = [value], 0
    while level := [each for each in level if isinstance(each, (dict, list))]:
        if depth == MAX_DEPTH:
            raise BadJSONError(f"Nest objects and lists at most {MAX_DEPTH} deep.")
        level, depth = (
            [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)],
            depth + 1,
        )


def _check_texts(value: Any) -> None:
    """Raise `BadJSONError` when a text in `value` has NUL or a lone surrogate."""
    for item, _ in walk(value):
        for text in (item,) if isinstance(item, str) else item if isinstance(item, dict) else ():
            _check_text(text)


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise BadJSONError("Remove the character U+0000 from the texts.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadJSONError("Remove the lone surrogates (\\ud800 to \\udfff) from the texts.") from None


def parse_json(data: bytes, strict: bool = True) -> Any:
    """The value of the JSON text `data`. Raises `BadJSONError` for what no honest client sends: NaN, huge numbers, a
    key twice, deep nesting; if `strict`, NUL and lone surrogates."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJSONError(f"Send the body in UTF-8: byte {error.start} is not.") from None
    if text.startswith("\ufeff"):
        raise BadJSONError("Send the body without a byte order mark: its first three bytes.")
    try:
        value = (_SLOW_DECODER if _LONG.search(text) else _DECODER).decode(text)
    except RecursionError:
        raise BadJSONError(f"Nest objects and lists at most {MAX_DEPTH} deep.") from None
    except json.JSONDecodeError as error:
        raise BadJSONError(
            f"Send valid JSON: {error.msg.lower()} in line {error.lineno}, column {error.colno}."
        ) from None
    _check_depth(value)
    if strict and "\\u" in text:  # only so it can be written
        _check_texts(value)
    return value


class RequestParser(FlaskParser):
    """webargs' parser with this server's rules; see the module."""

    # Unknown fields and parameters are refused everywhere: a misspelt `sinse=` must not look like an answer.
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {  # noqa: RUF012 - as webargs declares it
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
        "querystring": ma.RAISE,
        "json": ma.RAISE,
    }

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """Return the JSON value of the body; an empty body is an empty object."""
        return load_body(req, getattr(schema, "most_bytes", MOST_BYTES))

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        """Return the query's parameters; refuse one that is given twice."""
        twice = [key for key, values in req.args.lists() if len(values) > 1]
        if twice:
            key = _shown(twice[0])
            abort(422, message=f"Give {key} once in the query string.", errors={"query": {key: ["Given twice."]}})
        return super().load_querystring(req, schema)

    def handle_error(
        self,
        error: ma.ValidationError,
        req: Request,
        schema: ma.Schema,
        *,
        error_status_code: int | None,
        error_headers: Any,
    ) -> NoReturn:
        """Answer 422 with one sentence about the first error and the list of all."""
        messages = error.messages if isinstance(error.messages, dict) else {"json": error.messages}
        abort(error_status_code or 422, exc=error, message=_sentence(messages), errors=_printable(messages))


def load_body(req: Request, limit: int, strict: bool = True) -> Any:
    """The JSON value of the request's body, {} without one. Aborts with 415 (another type), 413 (too long) or 400."""
    limit = min(limit, current_app.config["MAX_CONTENT_LENGTH"])  # which stands above every endpoint's own
    req.max_content_length = limit
    try:
        data = req.get_data(cache=True)
    except RequestEntityTooLarge:
        abort(413, message=f"Send a smaller body: at most {limit} bytes are read here.")
    if req.environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        abort(415, message="Send the body without Content-Encoding.")
    if not data:
        return {}
    if req.environ.get("CONTENT_TYPE") != "application/json":  # most say just that
        charset = req.mimetype_params.get("charset", "utf-8").lower().replace("_", "-")
        if not req.is_json or charset not in ("utf-8", "utf8", "us-ascii"):
            abort(415, message="Send JSON in UTF-8 with the header Content-Type: application/json.")
    try:
        return parse_json(data, strict)
    except BadJSONError as error:
        abort(400, exc=error, message=str(error), errors={"json": {"_schema": [str(error)]}}, kind="bad-json")


def idempotency_key() -> str | None:
    """Return the request's Idempotency-Key without the quotes that it may have (as IETF's draft writes it), or None;
    abort with 422 when it is not one plain word."""
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    found = _IDEMPOTENCY_KEY.fullmatch(key)
    if found is None:
        message = "Give one Idempotency-Key of 1 to 128 letters, digits or the signs . _ : ~ + / = -"
        abort(422, message=message, errors={"headers": {IDEMPOTENCY_KEY: [message]}})
    return found[2]


def _sentence(messages: dict[str, Any]) -> str:
    """Return the first of webargs' nested messages as one sentence that names its place."""
    path: list[str] = []
    value: Any = messages
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        path.append(_shown(key))
    text = str(value[0]) if isinstance(value, list) and value else str(value)
    place, names = _LOCATION_NAMES.get(path[0], path[0]), [name for name in path[1:] if name != "_schema"]
    return f"Correct {'.'.join(names)} in {place}: {text}" if names else f"Correct {place}: {text}"


def _shown(key: Any) -> str:
    """Return a client's key as it may stand in an answer: short, printable, without surprises."""
    text = str(key)[:60]
    return text if unsafe_character(text) is None else ascii(text)[1:-1]


def _printable(messages: Any) -> Any:
    if isinstance(messages, dict):
        return {_shown(key): _printable(value) for key, value in messages.items()}
    return [_printable(item) if isinstance(item, dict) else str(item) for item in messages]
