"""What requests about games say: seats, clocks, moves, what players write."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate, validates_schema
from webargs.fields import DelimitedList

from replays.pairing import KINDS as KINDS_OF_TOURNAMENTS
from server.routes.api.schemas.common import (
    ONE_OF,
    OPTIONAL,
    SEATS,
    LongListQuerySchema,
    bot,
    choice,
    described,
    like,
    move_texts,
    player_id,
)
from server.routes.api.schemas.players import channel_mode, mail_mode
from server.routes.http.strict_fields import (
    MAX_PLY,
    Address,
    Ply,
    QueryInteger,
    RequestSchema,
    SafeText,
    StrictBoolean,
    StrictInteger,
)
from server.service.chat import messages, notes
from server.service.chat.notice_wishes import Wish
from server.service.common.checks import CLIENT_SEED_MAX, NAME_MAX
from server.service.contests.tournaments import BOARDS_MAX, DIVISION_LEAST, ENTRANTS_MAX, ROUNDS_MAX, TournamentPage
from server.service.games.bots import CHOSEN_FIRST
from server.service.games.clock import DEFAULTS, HOURS_MAX, ON_TIMEOUT, REMINDERS_MAX, VACATION_DAYS_MAX
from server.service.games.model import ClockForm
from server.service.games.proposals import HOURS_MAX as HOURS_MORE
from server.service.games.proposals import KINDS, ShownProposal
from server.service.lists.game_lists import GameSummary, RatingRange
from server.service.lists.game_page import INCLUDES
from server.service.lists.list_pages import STATUSES
from server.service.lists.ratings import POINTS_MAX

_WALL_TIME = validate.Regexp(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", error="Give a time like 22:00.")


class Fraction(fields.Float):
    """A JSON number between 0 and 1; no text, no truth value."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ma.ValidationError("Write a number.")
        return float(value)


class NewNightSchema(RequestSchema):
    """A time of the day in which clocks stand still; at most 12 hours."""

    begins = fields.String(required=True, data_key="from", attribute="from", validate=_WALL_TIME)
    ends = fields.String(required=True, data_key="to", attribute="to", validate=_WALL_TIME)


def _clock(field: str) -> dict[str, Any]:
    return like(ClockForm, field, **({"default": DEFAULTS[field]} if field in DEFAULTS else {}))


class NewClockSchema(RequestSchema):
    """How long turns may take."""

    turn_hours = StrictInteger(minimum=1, maximum=HOURS_MAX, required=True, metadata=like(ClockForm, "turn_hours"))
    reserve_hours = StrictInteger(minimum=0, maximum=HOURS_MAX, metadata=_clock("reserve_hours"))
    night = fields.Nested(NewNightSchema, allow_none=True, metadata=like(ClockForm, "night"))
    weekends_off = StrictBoolean(metadata=_clock("weekends_off"))
    due_time = fields.String(allow_none=True, validate=_WALL_TIME, metadata=_clock("due_time") | {"example": "20:00"})
    reminders = fields.List(
        Fraction(validate=validate.Range(min=0.01, max=0.99)),
        validate=validate.Length(max=REMINDERS_MAX),
        metadata=_clock("reminders"),
    )
    on_timeout = fields.String(validate=validate.OneOf(ON_TIMEOUT), metadata=_clock("on_timeout"))
    vacation_days = StrictInteger(minimum=0, maximum=VACATION_DAYS_MAX, metadata=_clock("vacation_days"))
    start_by = SafeText(
        max_length=40,
        allow_none=True,
        metadata=like(ClockForm, "start_by", format="date-time", example="2026-12-01T00:00:00Z"),
    )


class GameOptionsSchema(RequestSchema):
    """Options of a new game; those left out are off."""

    rotate_start = StrictBoolean(load_default=False)
    tower = StrictBoolean(load_default=False)


def _client_seed() -> fields.String:
    text = "Your share in the shuffle: any text. docs/playing.md says what it proves, and to whom."
    # Any text, as record.md §1 has it: it is hashed as it is, never shown in a line. JSON with NUL is refused before.
    length = validate.Length(max=CLIENT_SEED_MAX)
    return fields.String(validate=length, load_default="", metadata=described(text))


class NewRatingRangeSchema(RequestSchema):
    """Between which ratings."""

    min = StrictInteger(minimum=0, maximum=POINTS_MAX, **OPTIONAL, metadata=like(RatingRange, "min"))
    max = StrictInteger(minimum=0, maximum=POINTS_MAX, **OPTIONAL, metadata=like(RatingRange, "max"))


class NewGameSchema(RequestSchema):
    """A game to make; the creator takes seat 0."""

    seats = StrictInteger(minimum=min(SEATS), maximum=max(SEATS), required=True)
    name = SafeText(min_length=1, max_length=NAME_MAX, **OPTIONAL)
    options = fields.Nested(GameOptionsSchema, load_default=lambda: {"rotate_start": False, "tower": False})
    client_seed = _client_seed()
    bots = fields.List(
        bot(),
        load_default=list,
        validate=validate.Length(max=max(SEATS)),
        metadata=described("Names of bots, each of which fills a seat; as many as seats: the caller looks on."),
    )
    private = StrictBoolean("Only for those who have the invitation.", load_default=False)
    hints = StrictBoolean("Among people, too; against bots alone there are hints in any case.", load_default=False)
    rating = fields.Nested(NewRatingRangeSchema, **OPTIONAL, metadata=like(GameSummary, "rating"))
    clock = fields.Nested(
        NewClockSchema,
        **OPTIONAL,
        metadata=described("How long turns may take; null or left out: as long as the players like."),
    )


class JoinSchema(RequestSchema):
    """A seat to take."""

    client_seed = _client_seed()
    invitation = SafeText("Needed for a private game, and for a seat to take over.", max_length=100, **OPTIONAL)


class FillSchema(RequestSchema):
    """Who takes the free seats."""

    bot = bot("Takes all free seats; one with an account takes one. ", load_default=CHOSEN_FIRST)


class NewProposalSchema(RequestSchema):
    """What to propose to the others."""

    kind = fields.String(required=True, validate=validate.OneOf(KINDS), metadata=like(ShownProposal, "kind"))
    seat = StrictInteger("Of `replace`: whose player is gone.", minimum=0, maximum=max(SEATS) - 1, **OPTIONAL)
    bot = bot("Of `replace`, one of the house; null: a person, for whom there is an `invitation`. ", **OPTIONAL)
    hours = StrictInteger("Of `time`: how many more.", minimum=1, maximum=HOURS_MORE, **OPTIONAL)


class AnswerToProposalSchema(RequestSchema):
    """What to say to a proposal."""

    id = SafeText("The proposal's, as the game shows it.", min_length=1, max_length=40, required=True)
    agree = StrictBoolean("false ends it for all.", required=True)


SORTS = ("newest", "deadline")


class GamesQuerySchema(LongListQuerySchema):
    """Which games."""

    status = choice(STATUSES)
    player = player_id("Id of a player who sits there, or `me`.")
    to_move = choice(["me"], "Running games in which the caller is to move.")
    sort = choice(SORTS, "`deadline`: of one player's games, what runs out first coming first.", load_default=SORTS[0])


class GameQuerySchema(RequestSchema):
    """How to look at a game."""

    invitation = SafeText("Opens a private game to be joined.", max_length=100, load_default=None)


class SinceSchema(RequestSchema):
    """Where to begin."""

    since = QueryInteger("Only moves after this ply.", minimum=0, maximum=MAX_PLY, load_default=0)


class MovesSchema(RequestSchema):
    """Moves to play one after the other."""

    ply = Ply("The ply on which they build, as GET showed it.", required=True)
    moves = move_texts("Texts of record.md §3. What follows a move that reveals is not applied.")


class IncludeSchema(RequestSchema):
    """What an answer or an event has besides."""

    include = DelimitedList(
        fields.String(validate=validate.OneOf(INCLUDES, error=ONE_OF)),
        load_default=(),
        metadata=described(
            "What is told besides, parted by commas: so that who follows events and plays needs no other request.",
            example=["legal_moves", "view"],
        ),
    )


class UndoSchema(RequestSchema):
    """How far to go back."""

    ply = Ply("The ply to go back to: within the own turn, not beyond a reveal.", required=True)


class NewInvitationSchema(RequestSchema):
    """Whom to invite: an address, or a player by name."""

    address = Address("Where the invitation goes. Shown to nobody else.")
    player = SafeText("Id of a player: it is on their first page, and mailed where mail reaches them.", max_length=32)

    @validates_schema
    def _one(self, data: dict[str, object], **_: object) -> None:
        if len(data) != 1:
            raise ma.ValidationError("Name either an address or a player.")


class NewMessageSchema(RequestSchema):
    """What to write."""

    text = fields.String(
        required=True,
        validate=validate.Length(min=1, max=messages.TEXT_MAX),
        metadata=described(
            f"Plain text, at most {messages.TEXT_MAX} characters, lines parted by a line feed.", pattern=r"\S"
        ),
    )


class MessagesQuerySchema(RequestSchema):
    """Which messages."""

    since = QueryInteger("Those after this id.", minimum=0, maximum=999_999_999, load_default=0)


class ChangedNoteSchema(RequestSchema):
    """What to note."""

    most_bytes = 64 * 1024

    note = fields.String(
        required=True,
        validate=validate.Length(max=notes.NOTE_MAX),
        metadata=described(f"Plain text of at most {notes.NOTE_MAX} characters; empty forgets the note."),
    )


class ChangedNoticesSchema(RequestSchema):
    """When to hear of a game."""

    mail = mail_mode(required=True, allow_none=True, metadata=like(Wish, "mail"))
    push = channel_mode(allow_none=True, metadata=like(Wish, "push"))
    webhook = channel_mode(allow_none=True, metadata=like(Wish, "webhook"))


class NewTournamentSchema(RequestSchema):
    """A tournament to open."""

    name = SafeText(min_length=1, max_length=NAME_MAX, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(KINDS_OF_TOURNAMENTS))
    seats = StrictInteger(minimum=min(SEATS), maximum=max(SEATS), required=True, metadata=like(TournamentPage, "seats"))
    options = fields.Nested(GameOptionsSchema, load_default=lambda: {"rotate_start": False, "tower": False})
    clock = fields.Nested(NewClockSchema, **OPTIONAL)
    boards = StrictInteger(minimum=1, maximum=BOARDS_MAX, load_default=1, metadata=like(TournamentPage, "boards"))
    rounds = StrictInteger(minimum=1, maximum=ROUNDS_MAX, **OPTIONAL, metadata=like(TournamentPage, "rounds"))
    round_hours = StrictInteger(minimum=1, maximum=HOURS_MAX, **OPTIONAL, metadata=like(TournamentPage, "round_hours"))
    guests = StrictBoolean(load_default=True, metadata=like(TournamentPage, "guests"))


class NewEntrySchema(RequestSchema):
    """Who enters a tournament."""

    bot = SafeText("A name of `GET /bots`, by the organiser; without it the caller enters.", max_length=32, **OPTIONAL)


class NewSeasonSchema(RequestSchema):
    """The next season of a league."""

    size = StrictInteger("Entrants of a division.", minimum=DIVISION_LEAST, maximum=ENTRANTS_MAX, load_default=8)
