"""Bots that can be seated, and accounts of bots."""

from marshmallow import fields, validate

from server.routes.api.schemas.common import AnswerSchema, described, time
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import SafeText, StrictBoolean, StrictInteger
from server.service.accounts.bot_rules import GAMES_MAX, HOURS_MAX, VARIANTS, WHO
from server.service.common.checks import NAME_MAX


class BotSchema(AnswerSchema):
    """A bot."""

    name = fields.String(required=True, metadata=described("By which it is seated."))
    labels = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("What people call it, by language; `en` is always there."),
    )
    descriptions = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("How well it plays, by language, as the pages say it where one is chosen."),
    )
    level = fields.Integer(
        required=True, metadata=described("0 plays at random, 1 apprentice, 2 journeyman, 3 master; others up to 9.")
    )
    seconds = fields.Float(required=True, metadata=described("The longest that it thinks in a turn."))
    at_once = fields.Boolean(required=True, metadata=described("It answers with the move before it."))
    served_by = fields.String(required=True, metadata=described("This server, or the package that brings it."))


class BotRulesSchema(AnswerSchema):
    """What a bot with an account plays: a challenge within these rules is taken, any other refused (409)."""

    who = fields.String(required=True, validate=validate.OneOf(WHO), metadata=described("Who may seat it."))
    variants = fields.List(
        fields.String(validate=validate.OneOf(VARIANTS)), required=True, metadata=described("Without and with Tower.")
    )
    seats = fields.List(fields.Integer(), required=True, metadata=described("Numbers of players."))
    private = fields.Boolean(required=True, metadata=described("Private games, too."))
    without_clock = fields.Boolean(required=True, metadata=described("Games without a clock, too."))
    turn_hours_min = fields.Integer(required=True, metadata=described("With a clock: so long a turn at least."))
    turn_hours_max = fields.Integer(required=True, metadata=described("And so long at most."))
    games = fields.Integer(required=True, metadata=described("How many at once, those included that wait for players."))


class BotAccountSchema(AnswerSchema):
    """A bot with an account."""

    player = fields.String(required=True, metadata=described("The id of its account."))
    handle = fields.String(required=True, metadata=described("By which it is seated, with its @."))
    name = fields.String(required=True)
    owner = fields.String(required=True, metadata=described("What its owner is called."))
    rules = fields.Nested(BotRulesSchema, required=True)
    playing = fields.Integer(required=True, metadata=described("Its games that are not over."))
    created_at = time("When it was made.", required=True)


class BotWithTokenSchema(BotAccountSchema):
    """The same with its token, which is shown this once."""

    token = fields.String(required=True)


class GivenBotRulesSchema(RequestSchema):
    """What a bot plays; what is left out stays, of a new one as usual: everything, four games at once."""

    who = fields.String(validate=validate.OneOf(WHO, error="Give one of {choices}."))
    variants = fields.List(
        fields.String(validate=validate.OneOf(VARIANTS, error="Give one of {choices}.")),
        validate=validate.Length(min=1, max=2),
    )
    seats = fields.List(StrictInteger(minimum=2, maximum=4), validate=validate.Length(min=1, max=3))
    private = StrictBoolean()
    without_clock = StrictBoolean()
    turn_hours_min = StrictInteger(minimum=1, maximum=HOURS_MAX)
    turn_hours_max = StrictInteger(minimum=1, maximum=HOURS_MAX)
    games = StrictInteger(minimum=1, maximum=GAMES_MAX)


class NewBotSchema(RequestSchema):
    """A bot to be."""

    handle = SafeText(
        required=True,
        min_length=2,
        max_length=24,
        validate=[validate.Regexp("^[a-z][a-z0-9]{1,23}$", error="Give small letters and digits, a letter first.")],
        metadata=described("By which it is seated, without an @; nobody else has it."),
    )
    name = SafeText(
        min_length=1,
        max_length=NAME_MAX,
        load_default=None,
        allow_none=True,
        metadata=described("What it is called; `(bot)` is put behind it. Left out: the handle."),
    )
    rules = fields.Nested(GivenBotRulesSchema, load_default=None, allow_none=True)


class ChangedBotSchema(RequestSchema):
    """What is to be otherwise."""

    name = SafeText(min_length=1, max_length=NAME_MAX, load_default=None, metadata=described("In games to come."))
    rules = fields.Nested(GivenBotRulesSchema, load_default=None)
