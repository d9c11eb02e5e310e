"""Fields for all that a client sends: they refuse what a database, a mail header or a page could stumble over."""

import re
from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from server.addresses import mail_address
from server.service.common import checks

MAX_PLY = 1_000_000
MOST_BYTES = 16 * 1024
"""Of a body: twice the longest message, each of its characters written as two escapes."""
_COPIED = str.maketrans({"\t": " ", "\u00ad": None})  # soft hyphens: what comes along with copied text
_DIGITS = re.compile(r"[0-9]{1,9}")


def unsafe_character(text: str) -> str | None:
    """Return the first character of `text` that no text field may hold, as ``U+XXXX``, or None."""
    # Control characters (NUL among them), surrogates, line breaks, odd blanks, and format characters, with which one
    # name can pretend to be another (direction marks).
    found = checks.unseen(text)
    return None if found is None else f"U+{ord(found):04X}"


class Described(fields.Field[Any]):
    """A field with what OpenAPI is to say of it."""

    def __init__(self, about: str = "", **kwargs: Any) -> None:
        metadata = {**({"description": about} if about else {}), **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)


class SafeText(Described, fields.String):
    """One line of text: trimmed, of limited length, without control characters, surrogates or direction marks."""

    def __init__(self, about: str = "", *, max_length: int, min_length: int = 0, **kwargs: Any) -> None:
        checks = [validate.Length(min=min_length, max=max_length), *kwargs.pop("validate", ())]
        # Of blanks alone nothing is left after trimming.
        metadata = {**({"pattern": r"\S"} if min_length else {}), **kwargs.pop("metadata", {})}
        super().__init__(about, validate=checks, metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        text = text.translate(_COPIED)
        found = unsafe_character(text)
        if found is not None:
            raise ma.ValidationError(f"Remove the character {found}: only ordinary characters of one line are allowed.")
        return text.strip()


class Address(SafeText):
    """A mail address as `server/addresses.py` has it."""

    def __init__(self, about: str = "", **kwargs: Any) -> None:
        metadata = {"format": "email", **kwargs.pop("metadata", {})}
        super().__init__(about, max_length=254, min_length=3, metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            return mail_address(text)
        except ValueError:
            raise ma.ValidationError("Give a mail address like name@example.org.") from None


class StrictBoolean(Described, fields.Boolean):
    """`true` or `false`; no number, no text."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ma.ValidationError("Write true or false.")
        return value


class StrictInteger(Described, fields.Integer):
    """A JSON integer; no text, no fraction, no truth value."""

    def __init__(self, about: str = "", *, minimum: int, maximum: int, **kwargs: Any) -> None:
        super().__init__(about, strict=True, validate=validate.Range(min=minimum, max=maximum), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ma.ValidationError("Write a whole number.")
        return value


class QueryInteger(Described, fields.Integer):
    """A whole number in a query string, which may be left out: plain digits, nothing else."""

    def __init__(self, about: str = "", *, minimum: int, maximum: int, **kwargs: Any) -> None:
        super().__init__(about, validate=validate.Range(min=minimum, max=maximum), **{"load_default": None} | kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if not isinstance(value, str) or not _DIGITS.fullmatch(value):
            raise ma.ValidationError("Write a whole number with at most nine digits.")
        return int(value)


class Ply(StrictInteger):
    """A position in a game's log; 0 is the setup."""

    def __init__(self, about: str = "", **kwargs: Any) -> None:
        super().__init__(about, minimum=0, maximum=MAX_PLY, **kwargs)


class RequestSchema(ma.Schema):
    """A body or query; unknown names are refused, and messages say what to do."""

    class Meta:
        unknown = ma.RAISE

    most_bytes = MOST_BYTES
    """Of a body that is read at all."""

    error_messages: dict[str, str] = {  # noqa: RUF012 - as marshmallow declares it
        "unknown": "Remove it: there is no such field here.",
        "type": "Send a JSON object.",
    }

    def on_bind_field(self, field_name: str, field_obj: ma.fields.Field[Any]) -> None:
        """Replace marshmallow's terse words."""
        field_obj.error_messages |= {
            "required": "Give it: it is needed.",
            "null": "Give a value, or leave it out.",
            "type": "Send a JSON object.",
        }


class NoQuerySchema(RequestSchema):
    """A query string that holds nothing."""
