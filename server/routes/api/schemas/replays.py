"""Replays: finished and imported games, whole records, checks."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from server.board.themes import THEMES
from server.language import LANGUAGES, current
from server.routes.api.schemas.common import (
    SEATS,
    AnswerSchema,
    EditionQuerySchema,
    LongListQuerySchema,
    OptionsSchema,
    ResultSchema,
    described,
    edition,
    time,
)
from server.routes.api.schemas.games import bot
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import MAX_PLY, Ply, QueryInteger, SafeText, StrictInteger
from server.service.archive.replay_filters import ORIGINS, SCORE_MAX
from server.service.common.checks import NAME_MAX
from server.service.views.exports import EACH

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class QueryFlag(fields.Boolean):
    """`true` or `false` in a query string."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ma.ValidationError("Write true or false.")
        return bool(value == "true")


class Score(QueryInteger):
    """A number of points in a query string; it may be below 0 (rules.md E6)."""

    def __init__(self, text: str) -> None:
        super().__init__(minimum=-SCORE_MAX, maximum=SCORE_MAX, load_default=None, metadata=described(text))

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, str) and value.startswith("-"):
            return -super()._deserialize(value[1:], attr, data, **kwargs)
        return super()._deserialize(value, attr, data, **kwargs)


class Day(fields.Date):
    """A day in a query string, `2026-11-21`, in UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, str) or not _DAY.fullmatch(value):
            raise ma.ValidationError("Write a day like 2026-11-21.")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ma.ValidationError("There is no such day: write one like 2026-11-21.") from None


class FilterSchema(RequestSchema):
    """Which finished games."""

    player = SafeText(
        min_length=1, max_length=40, load_default=None, metadata=described("Id of a player who sat there, or `me`.")
    )
    tower = QueryFlag(load_default=None, metadata=described("Advanced games, or basic ones, only."))
    rotate_start = QueryFlag(load_default=None, metadata=described("With or without option O2 only."))
    seats = QueryInteger(minimum=min(SEATS), maximum=max(SEATS), load_default=None)
    origin = fields.String(load_default=None, validate=validate.OneOf(ORIGINS))
    winner = SafeText(
        min_length=1, max_length=40, load_default=None, metadata=described("Id of a player who won, or `me`.")
    )
    since = Day(data_key="from", load_default=None, metadata=described("Ended or imported on this day or later, UTC."))
    until = Day(data_key="to", load_default=None, metadata=described("Ended or imported on this day or before, UTC."))
    score_min = Score("Games whose winner had at least so many points.")
    score_max = Score("Games whose winner had at most so many points.")


class ReplaysQuerySchema(FilterSchema, LongListQuerySchema):
    """Which replays."""


class StatesQuerySchema(EditionQuerySchema):
    """Which positions, through whose eyes."""

    first = QueryInteger(
        data_key="from", minimum=0, maximum=MAX_PLY - 1, load_default=0, metadata=described("The first ply.")
    )
    last = QueryInteger(
        data_key="to",
        minimum=0,
        maximum=MAX_PLY - 1,
        load_default=None,
        metadata=described("The last ply; without it as many as one answer holds, 1000."),
    )
    seat = QueryInteger(
        minimum=0, maximum=max(SEATS) - 1, load_default=None, metadata=described("As this seat saw it; all without.")
    )


class StateQuerySchema(EditionQuerySchema):
    """Through whose eyes."""

    seat = QueryInteger(
        minimum=0, maximum=max(SEATS) - 1, load_default=None, metadata=described("As this seat saw it; all without.")
    )


class ReplayPlayerSchema(AnswerSchema):
    """Who sat on a seat."""

    seat = fields.Integer(required=True)
    player = fields.String(
        required=True, allow_none=True, metadata=described("Id; null for bots, former players and imported games.")
    )
    name = fields.String(required=True, allow_none=True)
    bot = fields.String(required=True, allow_none=True)


class ImportedSchema(AnswerSchema):
    """Who brought a record here, and when. That it verifies does not tell who played it."""

    by = fields.String(required=True, allow_none=True, metadata=described("Id; null without an account any more."))
    name = fields.String(required=True, allow_none=True)
    at = time("When it was kept.", required=True)


class ReplaySchema(AnswerSchema):
    """A finished or imported game."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    ruleset = fields.String(required=True)
    options = fields.Nested(OptionsSchema, required=True)
    seats = fields.Integer(required=True)
    players = fields.List(fields.Nested(ReplayPlayerSchema), required=True, metadata=described("By seat."))
    plies = fields.Integer(required=True, metadata=described("Moves in it: the last ply."))
    origin = fields.String(required=True, validate=validate.OneOf(ORIGINS))
    created_at = time("When it was made.", required=True, allow_none=True)
    started_at = time("When the last seat was taken.", required=True, allow_none=True)
    finished_at = time("When it ended.", required=True, allow_none=True)
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
    edition = edition()
    imported = fields.Nested(
        ImportedSchema, required=True, allow_none=True, metadata=described("null for games played here.")
    )


class ReplayStateSchema(AnswerSchema):
    """A position of a replay."""

    ply = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    state = fields.Raw(
        required=True,
        metadata={
            "description": "The whole state; with `seat`, that seat's view.",
            "anyOf": [{"$ref": "#/components/schemas/State"}, {"$ref": "#/components/schemas/View"}],
        },
    )


class TimelinePlySchema(AnswerSchema):
    """What one move did."""

    ply = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    move = fields.String(required=True)
    at = time("When it was made.", required=True, allow_none=True)
    round = fields.Integer(required=True)
    vp = fields.List(fields.Integer(), required=True, metadata=described("Of all seats, after it."))
    text = fields.List(fields.String(), required=True, metadata=described("Sentences on what happened."))
    changed = fields.List(
        fields.String(),
        required=True,
        metadata=described("Parts of the state that changed, as record.md §4 names them; `players.SEAT.FIELD`."),
    )


class TimelineSchema(AnswerSchema):
    """A whole game at a glance, from ply 1 on."""

    id = fields.String(required=True)
    plies = fields.List(fields.Nested(TimelinePlySchema), required=True)


def _by_seat(text: str) -> fields.List:
    return fields.List(fields.Float(), required=True, metadata=described(text))


class AnalysedPlySchema(AnswerSchema):
    """What one move did to the chance of each seat."""

    ply = fields.Integer(required=True)
    round = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata=described("Whose move it was."))
    chances = _by_seat("The chance of each seat to win, after it.")
    luck = _by_seat("What of the change is due to what the move revealed.")
    offered = _by_seat("What the turn had to offer, more or less than the estimate had thought.")
    error = _by_seat("What an error of the seat did, to itself and to the others, judged by what it knew.")


class AnalysedRoundSchema(AnswerSchema):
    """What changed the chance of a seat in a round."""

    round = fields.Integer(required=True)
    luck = fields.Float(required=True)
    offered = fields.Float(required=True)
    error = fields.Float(required=True, metadata=described("Its own errors: never more than 0."))
    others = fields.Float(required=True, metadata=described("Errors of the others."))


class AnalysedSeatSchema(AnswerSchema):
    """What changed the chance of a seat in all: `first` and the four parts add up to `last`."""

    seat = fields.Integer(required=True)
    first = fields.Float(required=True, metadata=described("The chance before the first move."))
    last = fields.Float(required=True, metadata=described("1, 0 or a share of the victory."))
    luck = fields.Float(required=True)
    offered = fields.Float(required=True)
    error = fields.Float(required=True)
    others = fields.Float(required=True)
    rounds = fields.List(fields.Nested(AnalysedRoundSchema), required=True)


class DecisiveMoveSchema(AnswerSchema):
    """A move that gave much away."""

    ply = fields.Integer(required=True, metadata=described("The last ply before it: one can play on from there."))
    round = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    move = fields.String(required=True)
    loss = fields.Float(required=True, metadata=described("How much of the chance to win it cost."))
    before = fields.Float(required=True, metadata=described("The chance before it."))
    instead = fields.List(
        fields.String(), required=True, metadata=described("What the seat should have gone on with, by what it knew.")
    )


class LuckyMoveSchema(AnswerSchema):
    """A move that revealed something that was very good or bad for somebody."""

    ply = fields.Integer(required=True)
    round = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    move = fields.String(required=True)
    luck = _by_seat("What it did to the chance of each seat.")


class AnalysisSchema(AnswerSchema):
    """What luck and what skill made of a finished game."""

    id = fields.String(required=True)
    version = fields.String(required=True, metadata=described("By which method and weights it was made."))
    plies = fields.List(fields.Nested(AnalysedPlySchema), required=True)
    seats = fields.List(fields.Nested(AnalysedSeatSchema), required=True)
    moments = fields.List(
        fields.Nested(DecisiveMoveSchema), required=True, metadata=described("Up to five, in the order of the game.")
    )
    strokes = fields.List(
        fields.Nested(LuckyMoveSchema), required=True, metadata=described("Up to three, in the order of the game.")
    )


class AnalysisUnderWaySchema(AnswerSchema):
    """An analysis that is not there yet."""

    id = fields.String(required=True)
    status = fields.String(required=True, metadata=described("How it stands.", enum=["waiting", "running", "failed"]))
    done = fields.Integer(required=True, metadata=described("Plies that are analysed."))
    plies = fields.Integer(required=True, metadata=described("Plies of the game."))


class RecordPlayerSchema(AnswerSchema):
    """A player in a record."""

    name = fields.String(required=True)


class RecordSeedSchema(AnswerSchema):
    """The shuffle, opened."""

    server = fields.String(required=True, metadata=described("32 bytes in hex."))
    clients = fields.List(fields.String(), required=True)
    commitment = fields.String(required=True, metadata=described("SHA-256 of the server's bytes, in hex."))


class RecordSchema(AnswerSchema):
    """The file of record.md §5. Other keys are kept and ignored."""

    format = fields.String(required=True, metadata={"enum": ["ulm-record/1"]})
    ruleset = fields.String(required=True)
    id = fields.String(allow_none=True)
    name = fields.String(allow_none=True)
    options = fields.Nested(OptionsSchema, required=True)
    players = fields.List(fields.Nested(RecordPlayerSchema), required=True)
    seed = fields.Nested(RecordSeedSchema, required=True)
    moves = fields.List(
        fields.List(fields.Raw(metadata={"type": ["string", "integer", "null"]}), validate=validate.Length(equal=3)),
        required=True,
        metadata=described("Each `[move, seat, time in UTC or null]`."),
    )
    digests = fields.Dict(keys=fields.String(), values=fields.String(), required=True, metadata=described("By ply."))
    result = fields.Nested(ResultSchema, required=True, allow_none=True)


class ShareSchema(AnswerSchema):
    """How often something was there, and how its owners did."""

    count = fields.Integer(required=True)
    win_rate = fields.Float(required=True, metadata=described("A shared victory counts its share."))
    fair = fields.Float(required=True, metadata=described("The win rate if it made no difference."))
    mean_total = fields.Float(required=True)


def shares(text: str) -> fields.Dict:
    """Return a field that holds shares by name."""
    return fields.Dict(keys=fields.String(), values=fields.Nested(ShareSchema), required=True, metadata=described(text))


class PliesSchema(AnswerSchema):
    """How long games are, in plies."""

    mean = fields.Float(required=True)
    least = fields.Integer(required=True, allow_none=True)
    most = fields.Integer(required=True, allow_none=True)


class StatisticsSchema(AnswerSchema):
    """What many games add up to. Private games and sandboxes are never among them."""

    games = fields.Integer(required=True)
    uncounted = fields.Integer(
        required=True, metadata=described("Games that are not counted yet: ask again, each request counts some.")
    )
    older_left_out = fields.Boolean(
        required=True,
        metadata=described(
            "There are more than 5000 games of this player, or of these days with these points: the newest are in it."
        ),
    )
    kinds = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    plies = fields.Nested(PliesSchema, required=True)
    plies_per_turn = fields.Float(required=True)
    resigned_seats = fields.Integer(required=True)
    vp_by_source = fields.Dict(
        keys=fields.String(), values=fields.Float(), required=True, metadata=described("The mean of a seat.")
    )
    by_seat = shares("By seat and number of players.")
    by_turn_order = shares("By the place in the first round.")
    by_descendant = shares("By Descendant.")
    by_coat = shares("By city coat of arms.")


class HtmlQuerySchema(RequestSchema):
    """Through whose eyes, in which colours and words."""

    seat = QueryInteger(
        minimum=0, maximum=max(SEATS) - 1, load_default=None, metadata=described("As this seat saw it; all without.")
    )
    theme = fields.String(load_default="light", validate=validate.OneOf(list(THEMES)))
    # In the API, where no language is in force, English.
    language = fields.String(load_default=current, validate=validate.OneOf(list(LANGUAGES)))


class GifQuerySchema(HtmlQuerySchema):
    """How large, how fine."""

    width = QueryInteger(minimum=200, maximum=1200, load_default=800, metadata=described("In pixels."))
    each = fields.String(load_default="round", validate=validate.OneOf(EACH), metadata=described("What gets a frame."))


class SandboxPlaceSchema(AnswerSchema):
    """Which game a sandbox left, and where."""

    of = fields.String(required=True, metadata=described("Id of the game."))
    ply = fields.Integer(required=True)
    seat = fields.Integer(
        required=True, allow_none=True, metadata=described("Whose knowledge it was made of; null: all hands open.")
    )


class SandboxSchema(AnswerSchema):
    """The file of a finished sandbox: like a record, but it begins with a position instead of a set-up."""

    format = fields.String(required=True, metadata={"enum": ["ulm-sandbox/1"]})
    ruleset = fields.String(required=True)
    id = fields.String(required=True)
    name = fields.String(required=True)
    players = fields.List(fields.Nested(RecordPlayerSchema), required=True)
    seed = fields.String(required=True, metadata=described("Chance of what came after the position; 32 bytes in hex."))
    position = fields.Raw(required=True, metadata={"$ref": "#/components/schemas/State"})
    moves = fields.List(
        fields.List(fields.Raw(metadata={"type": ["string", "integer", "null"]}), validate=validate.Length(equal=3)),
        required=True,
    )
    digests = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
    branch = fields.Nested(SandboxPlaceSchema, required=True)


class BranchSchema(RequestSchema):
    """Where to leave a game, and who plays on."""

    ply = Ply(required=True, metadata=described("The ply to go on from, one that the caller has seen."))
    seat = StrictInteger(
        minimum=0,
        maximum=max(SEATS) - 1,
        load_default=None,
        allow_none=True,
        metadata=described("Go on with what this seat knew. Of a game that is not over: your own, also without."),
    )
    bots = fields.List(
        bot(allow_none=True),
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=max(SEATS)),
        metadata=described("By seat the name of a bot, or null for yourself; without it all seats are yours."),
    )
    name = SafeText(min_length=1, max_length=NAME_MAX, load_default=None, allow_none=True)


class VerdictSchema(AnswerSchema):
    """What the check of a record found."""

    valid = fields.Boolean(required=True)
    plies = fields.Integer(required=True, allow_none=True)
    ply = fields.Integer(required=True, allow_none=True, metadata=described("The ply that fails; null when valid."))
    message = fields.String(required=True, allow_none=True, metadata=described("Why it fails; null when valid."))
    digest = fields.String(required=True, allow_none=True, metadata=described("Of the last state."))
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
