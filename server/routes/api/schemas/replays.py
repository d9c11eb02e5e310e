"""What requests about replays and puzzles say, and how a board is to be drawn."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, validate

from server.board.layouts import LAYOUTS
from server.board.text import MIN_WIDTH
from server.board.themes import THEMES
from server.language import LANGUAGES, current
from server.routes.api.schemas.common import (
    MAX_MOVE,
    MAX_PAGE_SIZE,
    OPTIONAL,
    SEATS,
    Day,
    EditionQuerySchema,
    LongListQuerySchema,
    bot,
    choice,
    described,
    flag,
    move_texts,
    player_id,
    ply,
    query_text,
    seat,
)
from server.routes.api.schemas.games import NewMessageSchema
from server.routes.http.strict_fields import Ply, QueryInteger, RequestSchema, SafeText, StrictInteger
from server.service.archive.replay_lists import SCORE_MAX
from server.service.common.checks import NAME_MAX
from server.service.games.model import ORIGINS
from server.service.play.turns import MOVES_MAX
from server.service.views.exports import EACH

_SHOWN_PLY = "The ply to show; without it the newest that the caller may see."
_SIZE = "Width in pixels; without it the picture fills the room that it is given."
_SHOWN_SEAT = "As this seat saw it; with every hand open without it."


class Score(QueryInteger):
    """A number of points in a query string; it may be below 0 (rules.md E6)."""

    def __init__(self, text: str) -> None:
        super().__init__(text, minimum=-SCORE_MAX, maximum=SCORE_MAX)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, str) and value.startswith("-"):
            return -super()._deserialize(value[1:], attr, data, **kwargs)
        return super()._deserialize(value, attr, data, **kwargs)


class FilterSchema(RequestSchema):
    """Which finished games."""

    player = player_id("Id of a player who sat there, or `me`.")
    tower = flag("Advanced games, or basic ones, only.", load_default=None)
    rotate_start = flag("With or without option O2 only.", load_default=None)
    seats = QueryInteger(minimum=min(SEATS), maximum=max(SEATS))
    origin = choice(ORIGINS)
    winner = player_id("Id of a player who won, or `me`.")
    since = Day("Ended or imported on this day or later, UTC.", data_key="from", load_default=None)
    until = Day("Ended or imported on this day or before, UTC.", data_key="to", load_default=None)
    score_min = Score("Games whose winner had at least so many points.")
    score_max = Score("Games whose winner had at most so many points.")


class ReplaysQuerySchema(FilterSchema, LongListQuerySchema):
    """Which replays."""


class ExportQuerySchema(FilterSchema):
    """Which records."""

    after = query_text("Go on behind the line that has this `after`.", 100, 1)
    deal = query_text("Games of this deal alone, by its id.", 32, 1)


class StatesQuerySchema(EditionQuerySchema):
    """Which positions, through whose eyes."""

    first = ply("The first ply.", 0, data_key="from")
    last = ply("The last ply; without it as many as one answer holds, 1000.", data_key="to")
    seat = seat()


class StateQuerySchema(EditionQuerySchema):
    """Through whose eyes."""

    seat = seat()


class HtmlQuerySchema(RequestSchema):
    """Through whose eyes, in which colours and words."""

    seat = seat()
    theme = choice(THEMES, load_default="light")
    # In the API, where no language is in force, English.
    language = choice(LANGUAGES, load_default=current)


class GifQuerySchema(HtmlQuerySchema):
    """How large, how fine."""

    width = QueryInteger("In pixels.", minimum=200, maximum=1200, load_default=800)
    each = choice(EACH, "What gets a frame.", load_default="round")


class BranchSchema(RequestSchema):
    """Where to leave a game, and who plays on."""

    ply = Ply("The ply to go on from, one that the caller has seen.", required=True)
    seat = StrictInteger(
        "Go on with what this seat knew. Of a game that is not over: your own, also without.",
        minimum=0,
        maximum=max(SEATS) - 1,
        **OPTIONAL,
    )
    bots = fields.List(
        bot(allow_none=True),
        **OPTIONAL,
        validate=validate.Length(max=max(SEATS)),
        metadata=described("By seat the name of a bot, or null for yourself; without it all seats are yours."),
    )
    name = SafeText(min_length=1, max_length=NAME_MAX, **OPTIONAL)


class SvgQuerySchema(EditionQuerySchema):
    """What to draw, and how."""

    ply = ply(_SHOWN_PLY)
    theme = choice(THEMES, load_default="light")
    size = QueryInteger(_SIZE, minimum=100, maximum=4000)
    layout = choice(LAYOUTS, "Without it: narrow below 800 pixels, else wide.")
    language = choice(LANGUAGES, load_default="en")


class TextQuerySchema(EditionQuerySchema):
    """What to write, and how."""

    ply = ply(_SHOWN_PLY)
    width = QueryInteger("Columns at most.", minimum=MIN_WIDTH, maximum=200, load_default=80)
    full = flag("All that 24 lines cannot hold, too.", load_default=False)
    ascii = flag("Nothing but ASCII.", load_default=False)
    language = choice(LANGUAGES, load_default="en")


class ReplaySvgQuerySchema(SvgQuerySchema):
    """What to draw of a replay, and how."""

    seat = seat(_SHOWN_SEAT)


class ReplayTextQuerySchema(TextQuerySchema):
    """What to write of a replay, and how."""

    seat = seat(_SHOWN_SEAT)


class NewCommentSchema(NewMessageSchema):
    """What to write about which move."""

    ply = Ply("The move; 0 is the set-up.", required=True)


class PuzzleDaysQuerySchema(RequestSchema):
    """Which days."""

    before = Day("Days before this one alone: the last `day` of the page before.", load_default=None)
    page_size = QueryInteger("Days on a page.", minimum=1, maximum=MAX_PAGE_SIZE, load_default=20)


class PuzzleQuerySchema(RequestSchema):
    """Which moves are tried."""

    moves = SafeText(
        "Moves to try, with commas between; none of them reveals something or ends the turn.",
        max_length=MOVES_MAX * MAX_MOVE,
        load_default="",
    )


class PuzzleAnswerSchema(RequestSchema):
    """A whole turn."""

    moves = move_texts("Up to the first that reveals something, or to the end of the turn.")
