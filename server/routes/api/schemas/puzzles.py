"""Puzzles."""

from marshmallow import fields, validate

from server.routes.api.schemas.common import MAX_PAGE_SIZE, AnswerSchema, described
from server.routes.api.schemas.games import MAX_MOVE
from server.routes.api.schemas.replays import Day
from server.routes.api.schemas.view import ViewSchema
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import QueryInteger, SafeText
from server.service.play.turns import MOVES_MAX


def _level() -> fields.String:
    """Return the field of how hard a puzzle is."""
    return fields.String(required=True, metadata=described("How hard it is.", enum=["easy", "medium", "hard"]))


class PuzzleDaysQuerySchema(RequestSchema):
    """Which days."""

    before = Day(
        load_default=None, metadata=described("Days before this one alone: the last `day` of the page before.")
    )
    page_size = QueryInteger(minimum=1, maximum=MAX_PAGE_SIZE, load_default=20, metadata=described("Days on a page."))


class PuzzleDaySchema(AnswerSchema):
    """A day and its puzzle."""

    day = fields.String(required=True, metadata=described("In UTC."))
    id = fields.String(required=True)
    game = fields.String(required=True, metadata=described("The finished game that it comes from."))
    ply = fields.Integer(required=True)
    round = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    level = _level()


class PuzzleQuerySchema(RequestSchema):
    """Which moves are tried."""

    moves = SafeText(
        max_length=MOVES_MAX * MAX_MOVE,
        load_default="",
        metadata=described("Moves to try, with commas between; none of them reveals something or ends the turn."),
    )


class PuzzleSchema(AnswerSchema):
    """A puzzle as it is put."""

    id = fields.String(required=True)
    day = fields.String(
        required=True, allow_none=True, metadata=described("By which it was asked for; null for an id.")
    )
    game = fields.String(required=True, metadata=described("The finished game that it comes from."))
    name = fields.String(required=True, metadata=described("What that game is called."))
    players = fields.List(fields.String(), required=True, metadata=described("Names by seat."))
    ply = fields.Integer(required=True, metadata=described("The position is the one after it."))
    round = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata=described("Who is to move, and through whose eyes all is shown."))
    level = _level()
    turns = fields.Integer(required=True, metadata=described("So many turns come to different positions."))
    moves = fields.List(fields.String(), required=True, metadata=described("That are tried."))
    view = fields.Nested(
        ViewSchema, required=True, metadata=described("The position after these, as the seat sees it.")
    )
    legal_moves = fields.List(fields.String(), required=True, metadata=described("Those in that position."))


class PuzzleAnswerSchema(RequestSchema):
    """A whole turn."""

    moves = fields.List(
        SafeText(min_length=1, max_length=MAX_MOVE),
        required=True,
        validate=validate.Length(min=1, max=MOVES_MAX),
        metadata=described("Up to the first that reveals something, or to the end of the turn."),
    )


class PuzzleTurnSchema(AnswerSchema):
    """A turn and what it is worth."""

    moves = fields.List(fields.String(), required=True)
    chance = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("The chance to win with it; null where it was not measured, for it promised too little."),
    )
    words = fields.List(fields.String(), required=True, metadata=described("What it brings about."))


class PuzzleVerdictSchema(AnswerSchema):
    """What became of an answer."""

    id = fields.String(required=True)
    solved = fields.Boolean(required=True, metadata=described("The turn comes to the same as the solution."))
    answer = fields.Nested(PuzzleTurnSchema, required=True)
    solution = fields.Nested(PuzzleTurnSchema, required=True)
    next_best = fields.Nested(PuzzleTurnSchema, required=True, metadata=described("The best other turn."))
    played = fields.Nested(PuzzleTurnSchema, required=True, metadata=described("What was played in the game."))
