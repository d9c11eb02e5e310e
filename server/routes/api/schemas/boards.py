"""How a picture of a position is to look."""

from marshmallow import fields, validate

from server.board.layouts import LAYOUTS
from server.board.text import MIN_WIDTH
from server.board.themes import THEMES
from server.board.words import WORDS
from server.routes.api.schemas.common import SEATS, EditionQuerySchema, described
from server.routes.api.schemas.replays import QueryFlag
from server.routes.http.strict_fields import MAX_PLY, QueryInteger

MIN_SIZE, MAX_SIZE = 100, 4000  # pixels
MAX_WIDTH = 200  # columns


def ply() -> fields.Field:
    """Return the field of the ply to show."""
    text = "The ply to show; without it the newest that the caller may see."
    return QueryInteger(minimum=0, maximum=MAX_PLY - 1, load_default=None, metadata=described(text))


def seat() -> fields.Field:
    """Return the field of the seat through whose eyes a replay is seen."""
    text = "As this seat saw it; with every hand open without it."
    return QueryInteger(minimum=0, maximum=max(SEATS) - 1, load_default=None, metadata=described(text))


def language() -> fields.Field:
    """Return the field of the words' language."""
    return fields.String(load_default="en", validate=validate.OneOf(list(WORDS)))


class SvgQuerySchema(EditionQuerySchema):
    """What to draw, and how."""

    ply = ply()
    theme = fields.String(load_default="light", validate=validate.OneOf(list(THEMES)))
    size = QueryInteger(
        minimum=MIN_SIZE,
        maximum=MAX_SIZE,
        load_default=None,
        metadata=described("Width in pixels; without it the picture fills the room that it is given."),
    )
    layout = fields.String(
        load_default=None,
        validate=validate.OneOf(list(LAYOUTS)),
        metadata=described("Without it: narrow below 800 pixels, else wide."),
    )
    language = language()


class TextQuerySchema(EditionQuerySchema):
    """What to write, and how."""

    ply = ply()
    width = QueryInteger(minimum=MIN_WIDTH, maximum=MAX_WIDTH, load_default=80, metadata=described("Columns at most."))
    full = QueryFlag(load_default=False, metadata=described("All that 24 lines cannot hold, too."))
    ascii = QueryFlag(load_default=False, metadata=described("Nothing but ASCII."))
    language = language()


class ReplaySvgQuerySchema(SvgQuerySchema):
    """What to draw of a replay, and how."""

    seat = seat()


class ReplayTextQuerySchema(TextQuerySchema):
    """What to write of a replay, and how."""

    seat = seat()
