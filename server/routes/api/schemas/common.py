"""Pieces that several topics share."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from server.routes.api import response_schemas
from server.routes.http.strict_fields import MAX_PLY, Described, QueryInteger, RequestSchema, SafeText
from server.service.games import bots
from server.service.play.turns import MOVES_MAX

SEATS = (2, 3, 4)
MAX_PAGE_SIZE = 100
MAX_MOVE = 80
ONE_OF = "Give one of {choices}."
OPTIONAL: Any = {"load_default": None, "allow_none": True}
"""Options of a field that may be left out or null."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def described(text: str, **more: Any) -> dict[str, Any]:
    """Return field metadata with a description, and whatever else OpenAPI is to show."""
    return {"description": text, **more}


def like(shape: Any, field: str, **more: Any) -> dict[str, Any]:
    """Return the field metadata that describe a field of an answer, for a request that holds the same."""
    return response_schemas.text(shape, field) | more


def moment(about: str, example: str = "2026-12-01T00:00:00Z", **kwargs: Any) -> SafeText:
    """Return the field of a time with its zone."""
    metadata = {"format": "date-time", "example": example}
    return SafeText(about, max_length=40, metadata=metadata, **kwargs)


def query_text(about: str, most: int, least: int = 0) -> SafeText:
    """Return the field of a text in a query string, which may be left out."""
    return SafeText(about, min_length=least, max_length=most, load_default=None)


def choice(values: Iterable[str], about: str = "", load_default: Any = None) -> fields.String:
    """Return the field of one of some words in a query string."""
    metadata = described(about) if about else {}
    return fields.String(load_default=load_default, validate=validate.OneOf(list(values)), metadata=metadata)


class EditionQuerySchema(RequestSchema):
    """Under which edition of the names the answer is to be kept."""

    v = query_text("The `edition` of the game: while it is the present one, the answer may be kept for ever.", 40)


class PageQuerySchema(RequestSchema):
    """Which page of a list."""

    page = QueryInteger("Page, from 1 on.", minimum=1, maximum=1_000_000, load_default=1)
    page_size = QueryInteger("Items on a page.", minimum=1, maximum=MAX_PAGE_SIZE, load_default=20)


class LongListQuerySchema(PageQuerySchema):
    """Which page of a list that is read on from any place in it."""

    after = query_text("What the page follows: `next_after` of the page before. `page` is not looked at then.", 100, 1)


def flag(about: str, load_default: bool | None) -> fields.Boolean:
    """Return the field of `true` or `false` in a query string."""
    known: Any = {"truthy": {"true"}, "falsy": {"false"}, "error_messages": {"invalid": "Write true or false."}}
    return fields.Boolean(load_default=load_default, metadata=described(about), **known)


class Day(Described, fields.Date):
    """A day in a query string, `2026-11-21`, in UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, str) or not _DAY.fullmatch(value):
            raise ma.ValidationError("Write a day like 2026-11-21.")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ma.ValidationError("There is no such day: write one like 2026-11-21.") from None


def _known_bot(value: str) -> None:
    """Whether there is an account with this handle shows when it is seated."""
    if not value.startswith("@") and value not in bots.names():
        raise ma.ValidationError(f"Give one of {', '.join(bots.names())}.")


def bot(about: str = "", **kwargs: Any) -> fields.String:
    """Return the field of a bot's name; which there are, nobody knows beforehand: packages and accounts bring more."""
    text = f"{about}A name of `GET /bots`, or `@` and a handle of `GET /bots/accounts`."
    return fields.String(validate=_known_bot, metadata=described(text, example="journeyman"), **kwargs)


def player_id(text: str) -> SafeText:
    """Return the field of a player's id in a query string."""
    return query_text(text, 40, 1)


def seat(text: str = "As this seat saw it; all without.") -> QueryInteger:
    """Return the field of the seat through whose eyes a replay is seen."""
    return QueryInteger(text, minimum=0, maximum=max(SEATS) - 1)


def ply(text: str, default: int | None = None, **kwargs: Any) -> QueryInteger:
    """Return the field of a ply in a query string."""
    return QueryInteger(text, minimum=0, maximum=MAX_PLY - 1, load_default=default, **kwargs)


def move_texts(text: str) -> fields.List:
    """Return the field of the moves of a turn."""
    return fields.List(
        SafeText(min_length=1, max_length=MAX_MOVE),
        required=True,
        validate=validate.Length(min=1, max=MOVES_MAX),
        metadata=described(text),
    )
