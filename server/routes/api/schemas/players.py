"""What requests about accounts say: profile, preferences, tokens, bots, vacations."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from server.language import LANGUAGES
from server.routes.api.schemas.common import ONE_OF, OPTIONAL, described, like, moment
from server.routes.http.strict_fields import (
    Address,
    QueryInteger,
    RequestSchema,
    SafeText,
    StrictBoolean,
    StrictInteger,
)
from server.service.accounts.access import SCOPES
from server.service.accounts.bot_rules import GAMES_MAX, HOURS_MAX, VARIANTS, WHO
from server.service.accounts.channels import ADDRESS_MAX, SHAPES
from server.service.accounts.contacts import KINDS, Contact
from server.service.common.checks import NAME_MAX
from server.service.common.preferences import CHANNEL_MODES, MAIL_MODES, THEMES, Preferences

_WALL_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"


def _wall_time(about: str, example: str, **kwargs: Any) -> SafeText:
    good = validate.Regexp(f"^{_WALL_TIME}$", error=f"Write a time such as {example}.")
    metadata = {"example": example}
    return SafeText(about, required=True, max_length=5, validate=[good], metadata=metadata, **kwargs)


class QuietHoursSchema(RequestSchema):
    """A time of every day or night, over midnight when `from` is the later one."""

    from_ = _wall_time("When it begins.", "22:00", data_key="from", attribute="from")
    to = _wall_time("When it ends.", "07:00")


def mail_mode(**kwargs: Any) -> fields.String:
    """Return the field that says when notices are mailed."""
    return fields.String(validate=validate.OneOf(MAIL_MODES, error=ONE_OF), **kwargs)


def channel_mode(**kwargs: Any) -> fields.String:
    """Return the field that says when notices come by another channel."""
    return fields.String(validate=validate.OneOf(CHANNEL_MODES, error=ONE_OF), **kwargs)


class NewPlayerSchema(RequestSchema):
    """Who wants to play."""

    name = SafeText("Shown to everybody.", min_length=1, max_length=NAME_MAX, required=True)
    email = Address("For turn mail, once it is confirmed. Shown to nobody else. Without it: no mail.", **OPTIONAL)


class ConfirmationSchema(RequestSchema):
    """That a mail has come."""

    token = SafeText(
        "The last part of the link in the mail, behind `/confirm/`.", min_length=1, max_length=1000, required=True
    )


class NewTokenSchema(RequestSchema):
    """A further token."""

    name = SafeText("To tell it from the others.", max_length=NAME_MAX, load_default="")
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES, error=ONE_OF)),
        load_default=None,
        validate=validate.Length(1, len(SCOPES), error="Give one or more of: " + ", ".join(SCOPES) + "."),
        metadata=described(
            "What it may be used for; left out: all that the token of this request may.",
            minItems=1,
            maxItems=len(SCOPES),
        ),
    )
    expires_at = moment(
        "When it ends, with its zone; left out: when the token of this request does, if ever.",
        "2027-01-01T00:00:00Z",
        min_length=1,
        **OPTIONAL,
    )


class RenamedTokenSchema(RequestSchema):
    """Another name for a token."""

    name = SafeText("To tell it from the others.", max_length=NAME_MAX, required=True)


class ChangedPreferencesSchema(RequestSchema):
    """Preferences to change; the others stay."""

    auto_draw = StrictBoolean("Draw for me when nothing but the blind draw can be meant.")
    digest_hour = StrictInteger(minimum=0, maximum=23, metadata=like(Preferences, "digest_hour"))
    language = fields.String(validate=validate.OneOf(LANGUAGES, error=ONE_OF), metadata=like(Preferences, "language"))
    mail = mail_mode(metadata=like(Preferences, "mail"))
    private = StrictBoolean(metadata=like(Preferences, "private"))
    push = channel_mode(metadata=like(Preferences, "push"))
    quiet_hours = fields.Nested(QuietHoursSchema, allow_none=True, metadata=like(Preferences, "quiet_hours"))
    rated = StrictBoolean(metadata=like(Preferences, "rated"))
    theme = fields.String(validate=validate.OneOf(THEMES, error=ONE_OF), metadata=like(Preferences, "theme"))
    time_zone = SafeText(max_length=64, min_length=1, metadata=like(Preferences, "time_zone"))
    webhook = channel_mode(metadata=like(Preferences, "webhook"))


class ChangedProfileSchema(RequestSchema):
    """What to change; at least one thing."""

    name = SafeText(min_length=1, max_length=NAME_MAX)
    email = Address("null removes it.", allow_none=True)
    preferences = fields.Nested(ChangedPreferencesSchema)

    class Meta:
        unknown = ma.RAISE

    @validates_schema
    def _not_empty(self, data: dict[str, object], **_: object) -> None:
        if not data:
            raise ma.ValidationError("Name what to change: name, email or preferences.")


class GivenBotRulesSchema(RequestSchema):
    """What a bot plays; what is left out stays, of a new one as usual: everything, four games at once."""

    who = fields.String(validate=validate.OneOf(WHO, error=ONE_OF))
    variants = fields.List(
        fields.String(validate=validate.OneOf(VARIANTS, error=ONE_OF)), validate=validate.Length(min=1, max=2)
    )
    seats = fields.List(StrictInteger(minimum=2, maximum=4), validate=validate.Length(min=1, max=3))
    private = StrictBoolean()
    without_clock = StrictBoolean()
    turn_hours_min = StrictInteger(minimum=1, maximum=HOURS_MAX)
    turn_hours_max = StrictInteger(minimum=1, maximum=HOURS_MAX)
    games = StrictInteger(minimum=1, maximum=GAMES_MAX)


class PlayersQuerySchema(RequestSchema):
    """Whom to find."""

    name = SafeText("How the name begins; case does not matter.", required=True, min_length=2, max_length=NAME_MAX)


class RatingsQuerySchema(RequestSchema):
    """Of which kind of game."""

    variant = fields.String(required=True, validate=validate.OneOf(VARIANTS, error=ONE_OF))
    seats = QueryInteger("How many play.", minimum=2, maximum=4, required=True, load_default=ma.missing)


class ChangedContactSchema(RequestSchema):
    """What another player is to be to the caller."""

    kind = fields.String(required=True, validate=validate.OneOf(KINDS, error=ONE_OF), metadata=like(Contact, "kind"))


class NewBotSchema(RequestSchema):
    """A bot to be."""

    handle = SafeText(
        "By which it is seated, without an @; nobody else has it.",
        required=True,
        min_length=2,
        max_length=24,
        validate=[validate.Regexp("^[a-z][a-z0-9]{1,23}$", error="Give small letters and digits, a letter first.")],
    )
    name = SafeText(
        "What it is called; `(bot)` is put behind it. Left out: the handle.",
        min_length=1,
        max_length=NAME_MAX,
        **OPTIONAL,
    )
    rules = fields.Nested(GivenBotRulesSchema, **OPTIONAL)


class ChangedBotSchema(RequestSchema):
    """What is to be otherwise."""

    name = SafeText("In games to come.", min_length=1, max_length=NAME_MAX, load_default=None)
    rules = fields.Nested(GivenBotRulesSchema, load_default=None)


class NewChannelSchema(RequestSchema):
    """A webhook to be."""

    shape = fields.String(
        required=True,
        validate=validate.OneOf(SHAPES, error=ONE_OF),
        metadata=described("What is sent: our own form, signed (json), or what one of these services takes."),
    )
    address = SafeText(
        "Where it is sent: https:// and the rest. Of Matrix the home server, a slash and the room's ID; of ntfy the "
        "topic.",
        required=True,
        min_length=1,
        max_length=ADDRESS_MAX,
        metadata={"example": "https://example.org/hooks/ulm"},
    )
    token = SafeText("The access token that Matrix needs, and ntfy may.", max_length=500, load_default="")


class NewVacationSchema(RequestSchema):
    """A time in which no clock of the player is to run."""

    starts_at = moment("With its zone; left out: now.", **OPTIONAL)
    ends_at = moment("With its zone.", "2026-12-15T00:00:00Z", min_length=1, required=True)
