"""Players, their preferences."""

import marshmallow as ma
from marshmallow import fields, validates_schema

from server.service.checks import NAME_MAX

from ..fields import Address, SafeText, StrictBoolean
from .common import AnswerSchema, RequestSchema, described, time

_TIME_ZONE = "A name of the IANA data base. A game's clock stands still at night there."


class NewPlayerSchema(RequestSchema):
    """Who wants to play."""

    name = SafeText(min_length=1, max_length=NAME_MAX, required=True, metadata=described("Shown to everybody."))
    email = Address(
        load_default=None,
        allow_none=True,
        metadata=described("For turn mail, once it is confirmed. Shown to nobody else. Without it: no mail."),
    )


class CreatedPlayerSchema(AnswerSchema):
    """The new player, and the token that is shown this once."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    token = fields.String(required=True, metadata=described("Keep it: it is stored hashed and never shown again."))


class NewTokenSchema(RequestSchema):
    """A further token."""

    name = SafeText(max_length=NAME_MAX, load_default="", metadata=described("To tell it from the others."))


class TokenSchema(AnswerSchema):
    """A valid token, without itself."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    created_at = time("When it was made.", required=True)
    last_used_at = time("When it was last seen, to the hour.", required=True, allow_none=True)


class CreatedTokenSchema(TokenSchema):
    """A new token, which is shown this once."""

    token = fields.String(required=True)


class PreferencesSchema(AnswerSchema):
    """What a player likes."""

    auto_draw = fields.Boolean(
        required=True, metadata=described("Let the server draw when nothing but the blind draw can be meant.")
    )
    time_zone = fields.String(required=True, metadata=described(_TIME_ZONE, example="Europe/Berlin"))


class ChangedPreferencesSchema(RequestSchema):
    """Preferences to change; the others stay."""

    auto_draw = StrictBoolean(metadata=described("Draw for me when nothing but the blind draw can be meant."))
    time_zone = SafeText(max_length=64, min_length=1, metadata=described(_TIME_ZONE, example="Europe/Berlin"))


class ProfileSchema(AnswerSchema):
    """What a player sees of their own account."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, allow_none=True)
    email_confirmed = fields.Boolean(required=True)
    preferences = fields.Nested(PreferencesSchema, required=True)
    created_at = time("When the account was made.", required=True)


class ChangedProfileSchema(RequestSchema):
    """What to change; at least one thing."""

    name = SafeText(min_length=1, max_length=NAME_MAX)
    email = Address(allow_none=True, metadata=described("null removes it."))
    preferences = fields.Nested(ChangedPreferencesSchema)

    class Meta:
        unknown = ma.RAISE

    @validates_schema
    def _not_empty(self, data: dict[str, object], **_: object) -> None:
        if not data:
            raise ma.ValidationError("Name what to change: name, email or preferences.")
