"""Pieces that several topics share."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from server.engine.ulm1 import tables
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import QueryInteger, SafeText

SEATS = (2, 3, 4)
PHASES = ("draw", "keep", "push", "actions", "over")
STATUSES = ("open", "running", "finished", "abandoned")
MAX_PAGE_SIZE = 100


def described(text: str, **more: Any) -> dict[str, Any]:
    """Return field metadata with a description, and whatever else OpenAPI is to show."""
    return {"description": text, **more}


class AnswerSchema(ma.Schema):
    """An answer; clients should ignore names that they do not know."""

    class Meta:
        unknown = ma.EXCLUDE


def edition() -> fields.String:
    """Return the field of what names the present names."""
    text = "Names what game and players are called now. Under `?v=` of it, boards and records may be kept for ever."
    return fields.String(required=True, metadata=described(text))


class EditionQuerySchema(RequestSchema):
    """Under which edition of the names the answer is to be kept."""

    v = SafeText(
        max_length=40,
        load_default=None,
        metadata=described("The `edition` of the game: while it is the present one, the answer may be kept for ever."),
    )


class PageQuerySchema(RequestSchema):
    """Which page of a list."""

    page = QueryInteger(minimum=1, maximum=1_000_000, load_default=1, metadata=described("Page, from 1 on."))
    page_size = QueryInteger(minimum=1, maximum=MAX_PAGE_SIZE, load_default=20, metadata=described("Items on a page."))


class LongListQuerySchema(PageQuerySchema):
    """Which page of a list that is read on from any place in it."""

    after = SafeText(
        min_length=1,
        max_length=100,
        load_default=None,
        metadata=described("What the page follows: `next_after` of the page before. `page` is not looked at then."),
    )


class PaginationSchema(AnswerSchema):
    """Where a page is in its list. An empty list has no pages; what there is not is left out."""

    total = fields.Integer(required=True, metadata=described("Items in the whole list, as far as they are counted."))
    total_pages = fields.Integer(required=True, metadata=described("Pages that these fill."))
    total_exact = fields.Boolean(required=True, metadata=described("Whether there are just so many, or more."))
    first_page = fields.Integer()
    last_page = fields.Integer(metadata=described("Left out while `total` is not exact."))
    page = fields.Integer(metadata=described("This page; left out when it lies beyond the last."))
    previous_page = fields.Integer()
    next_page = fields.Integer(metadata=described("Left out where pages are asked for by `after` alone."))
    next_after = fields.String(metadata=described("For `after` of the next page, where there is one."))


class OptionsSchema(AnswerSchema):
    """The options of a game (rules.md §14)."""

    rotate_start = fields.Boolean(required=True, metadata=described("O2: the start player changes every round."))
    tower = fields.Boolean(required=True, metadata=described("O1: the advanced game with Tower tiles in force."))


class ColorCountsSchema(AnswerSchema):
    """How many of each colour."""

    gray = fields.Integer(required=True)
    white = fields.Integer(required=True)
    brown = fields.Integer(required=True)
    turquoise = fields.Integer(required=True)
    orange = fields.Integer(required=True)


class ScoreSchema(AnswerSchema):
    """The final score of a seat (rules.md §13)."""

    vp = fields.Integer(required=True, metadata=described("Points before the final scoring."))
    sparrows = fields.Integer(required=True)
    barge = fields.Integer(required=True)
    cathedral = fields.Integer(required=True)
    trade = fields.Integer(required=True)
    chronicle = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    total = fields.Integer(required=True)
    quarters = fields.Integer(required=True, metadata=described("Quarters with a seal: the tie-breaker."))
    rank = fields.Integer(required=True)


class ResultSchema(AnswerSchema):
    """How a game ended."""

    scores = fields.List(fields.Nested(ScoreSchema), required=True, metadata=described("By seat."))
    winners = fields.List(fields.Integer(), required=True, metadata=described("Seats of rank 1."))


def color(**kwargs: Any) -> fields.String:
    """Return a field that names a colour of tiles."""
    return fields.String(validate=validate.OneOf(tables.COLORS), **kwargs)


def slot(**kwargs: Any) -> fields.String:
    """Return a field that names an outer slot of the Cathedral area."""
    return fields.String(validate=validate.OneOf(tables.SLOTS), **kwargs)


def quarter(**kwargs: Any) -> fields.String:
    """Return a field that names a city quarter."""
    return fields.String(validate=validate.OneOf(tables.QUARTERS), **kwargs)


def time(text: str, **kwargs: Any) -> fields.String:
    """Return a field that holds a time in UTC, to the second."""
    metadata = described(text, format="date-time", example="2026-11-21T09:30:00Z")
    return fields.String(metadata=metadata, **kwargs)
