"""Games, seats, and the requests that make and change them."""

from typing import Any

from marshmallow import fields, validate

from server.routes.api.schemas.clocks import ClockSchema, NewClockSchema
from server.routes.api.schemas.common import (
    SEATS,
    STATUSES,
    AnswerSchema,
    LongListQuerySchema,
    OptionsSchema,
    ResultSchema,
    ScoreSchema,
    described,
    edition,
    time,
)
from server.routes.api.schemas.view import ViewSchema
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import MAX_PLY, Ply, QueryInteger, SafeText, StrictBoolean, StrictInteger
from server.service.common.checks import CLIENT_SEED_MAX, NAME_MAX
from server.service.games import bots
from server.service.games.bots import CHOSEN_FIRST
from server.service.play.turns import MOVES_MAX

MAX_MOVE = 80


class GameOptionsSchema(RequestSchema):
    """Options of a new game; those left out are off."""

    rotate_start = StrictBoolean(load_default=False)
    tower = StrictBoolean(load_default=False)


class BotName(validate.OneOf):
    """One of the bots that there are: other packages bring theirs when the server starts."""

    def __init__(self) -> None:
        super().__init__((), error="Give one of {choices}.")

    @property
    def choices(self) -> list[str]:
        """The names that there are now."""
        return bots.names()

    @choices.setter
    def choices(self, given: object) -> None:
        """There is nothing to be given."""

    @property
    def choices_text(self) -> str:
        """The same in a line."""
        return ", ".join(self.choices)

    @choices_text.setter
    def choices_text(self, given: object) -> None:
        """There is nothing to be given."""

    def __call__(self, value: Any) -> Any:
        """Let the handle of a bot with an account pass: whether there is one shows when it is seated."""
        return value if isinstance(value, str) and value.startswith("@") else super().__call__(value)


def bot(**kwargs: Any) -> fields.String:
    """Return the field of a bot's name."""
    return fields.String(validate=BotName(), **kwargs)


def client_seed() -> fields.String:
    """Return the field of a player's share in the shuffle."""
    text = "Your share in the shuffle: any text. It is mixed with the server's, whose commitment you know before."
    # Any text, as record.md §1 has it: it is hashed as it is, never shown in a line. JSON with NUL is refused before.
    length = validate.Length(max=CLIENT_SEED_MAX)
    return fields.String(validate=length, load_default="", metadata=described(text))


class NewGameSchema(RequestSchema):
    """A game to make; the creator takes seat 0."""

    seats = StrictInteger(minimum=min(SEATS), maximum=max(SEATS), required=True)
    name = SafeText(min_length=1, max_length=NAME_MAX, load_default=None, allow_none=True)
    options = fields.Nested(GameOptionsSchema, load_default=lambda: {"rotate_start": False, "tower": False})
    client_seed = client_seed()
    bots = fields.List(
        bot(),
        load_default=list,
        validate=validate.Length(max=max(SEATS)),
        metadata=described("Names of bots, each of which fills a seat; as many as seats: the caller looks on."),
    )
    private = StrictBoolean(load_default=False, metadata=described("Only for those who have the invitation."))
    hints = StrictBoolean(
        load_default=False, metadata=described("Among people, too; against bots alone there are hints in any case.")
    )
    clock = fields.Nested(
        NewClockSchema,
        load_default=None,
        allow_none=True,
        metadata=described("How long turns may take; null or left out: as long as the players like."),
    )


class JoinSchema(RequestSchema):
    """A seat to take."""

    client_seed = client_seed()
    invitation = SafeText(
        max_length=100, load_default=None, allow_none=True, metadata=described("Needed for a private game.")
    )


class FillSchema(RequestSchema):
    """Who takes the free seats."""

    bot = bot(load_default=CHOSEN_FIRST, metadata=described("Name of the bot that takes them all."))


class GamesQuerySchema(LongListQuerySchema):
    """Which games."""

    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES))
    player = SafeText(
        min_length=1, max_length=40, load_default=None, metadata=described("Id of a player who sits there, or `me`.")
    )


class GameQuerySchema(RequestSchema):
    """How to look at a game."""

    invitation = SafeText(max_length=100, load_default=None, metadata=described("Opens a private game to be joined."))


class SinceSchema(RequestSchema):
    """Where to begin."""

    since = QueryInteger(minimum=0, maximum=MAX_PLY, load_default=0, metadata=described("Only moves after this ply."))


class GamePlayerSchema(AnswerSchema):
    """Who sits on a seat."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True, allow_none=True, metadata=described("Id; null without an account."))
    name = fields.String(required=True)
    bot = fields.String(
        required=True,
        allow_none=True,
        metadata=described("By which name it is seated; with @ a bot that has an account, null for people."),
    )
    bot_of = fields.String(
        required=True, allow_none=True, metadata=described("What the owner of a bot with an account is called.")
    )
    autopilot = fields.Boolean(
        required=True, metadata=described("The player was late twice in a row: the server plays until they come back.")
    )


class GameSummarySchema(AnswerSchema):
    """A game in a list."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    ruleset = fields.String(required=True)
    options = fields.Nested(OptionsSchema, required=True)
    private = fields.Boolean(required=True)
    seats = fields.Integer(required=True)
    players = fields.List(
        fields.Nested(GamePlayerSchema, allow_none=True), required=True, metadata=described("By seat; null is free.")
    )
    seat = fields.Integer(required=True, allow_none=True, metadata=described("The caller's own."))
    ply = fields.Integer(required=True, allow_none=True)
    to_move = fields.Integer(required=True, allow_none=True, metadata=described("Seat that has to move."))
    clock = fields.Nested(ClockSchema, required=True, allow_none=True, metadata=described("null: no deadlines."))
    deadline = time(
        "When the turn has to be over; null without clock, and while it stands still.", required=True, allow_none=True
    )
    paused = fields.Boolean(required=True, metadata=described("By agreement of all its players, or by the operator."))
    origin = fields.String(required=True, allow_none=True)
    created_at = time("When it was made.", required=True, allow_none=True)
    started_at = time("When the last seat was taken.", required=True, allow_none=True)
    finished_at = time("When it ended.", required=True, allow_none=True)
    result = fields.Nested(ResultSchema, required=True, allow_none=True)


class ListedGameSchema(GameSummarySchema):
    """A game in a list."""

    free_seats = fields.Integer(required=True)


class GameSchema(GameSummarySchema):
    """A game as the caller may see it."""

    creator = fields.String(required=True, allow_none=True, metadata=described("Id of the player who made it."))
    commitment = fields.String(
        required=True, metadata=described("SHA-256 of the server's secret share in the shuffle, in hex.")
    )
    round = fields.Integer(required=True, allow_none=True)
    phase = fields.String(required=True, allow_none=True)
    view = fields.Nested(ViewSchema, required=True, allow_none=True, metadata=described("null before the start."))
    standing = fields.List(
        fields.Nested(ScoreSchema),
        required=True,
        allow_none=True,
        metadata=described("What each seat would have if the game ended as `view` shows it; null before the start."),
    )
    pause_votes = fields.List(
        fields.Integer(), required=True, metadata=described("Seats whose players wish for a pause.")
    )
    waits_for = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(("notice", "mail", "operator")),
        metadata=described(
            "What the clock stands still for: until the notice of the turn can be sent (told to those who sit "
            "there), while this server sends no mail at all, or until the operator lets this game go on. `deadline` is "
            "null then."
        ),
    )
    waits_since = time("Since when it does.", required=True, allow_none=True)
    granted_seconds = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described(
            "So much time of the turn under way was lost because its notice was late, and does not count. Told to "
            "those who sit there."
        ),
    )
    mail_stopped = fields.List(
        fields.Integer(),
        required=True,
        metadata=described("Seats whose players no mail reaches, because one came back. Told to those who sit there."),
    )
    reserve_seconds = fields.List(
        fields.Integer(allow_none=True),
        required=True,
        allow_none=True,
        metadata=described("By seat: what is left of the clock's reserve, null for bots. null without a clock."),
    )
    edition = edition()
    thinking = fields.Boolean(
        required=True,
        metadata=described(
            "The turn is played by a bot that needs time, or for a player who does not come: it comes by itself."
        ),
    )
    hints = fields.Boolean(required=True, metadata=described("Who is to move may ask what a bot would play."))
    hints_taken = fields.List(fields.Integer(), required=True, metadata=described("By seat: how many."))
    invitation = fields.String(
        required=True, allow_none=True, metadata=described("For members of a private game that is still open.")
    )


class LegalMovesSchema(AnswerSchema):
    """What the caller may do now."""

    ply = fields.Integer(required=True)
    moves = fields.List(fields.String(), required=True, metadata=described("`resign` is always possible, not listed."))


class MovesSchema(RequestSchema):
    """Moves to play one after the other."""

    ply = Ply(required=True, metadata=described("The ply on which they build, as GET showed it."))
    moves = fields.List(
        SafeText(min_length=1, max_length=MAX_MOVE),
        required=True,
        validate=validate.Length(min=1, max=MOVES_MAX),
        metadata=described("Texts of record.md §3. What follows a move that reveals is not applied."),
    )


class PlayedSchema(AnswerSchema):
    """What was played."""

    applied = fields.Integer(required=True, metadata=described("How many of the moves were carried out."))
    ply = fields.Integer(required=True)
    view = fields.Nested(ViewSchema, required=True)


class UndoSchema(RequestSchema):
    """How far to go back."""

    ply = Ply(required=True, metadata=described("The ply to go back to: within the own turn, not beyond a reveal."))


class UndoneSchema(AnswerSchema):
    """Where the game stands again."""

    ply = fields.Integer(required=True)
    view = fields.Nested(ViewSchema, required=True)


class LogEntrySchema(AnswerSchema):
    """A move in the log, as the caller may read it."""

    ply = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    move = fields.String(required=True)
    at = time("When it was made.", required=True, allow_none=True)
    automatic = fields.Boolean(
        required=True, metadata=described("The server made it. Of a `draw` told to the seat's owner alone.")
    )


class LogSchema(AnswerSchema):
    """The log from a ply on."""

    ply = fields.Integer(required=True)
    moves = fields.List(fields.Nested(LogEntrySchema), required=True)
