"""Players, their preferences."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from server.language import LANGUAGES
from server.routes.api.schemas.bots import BotAccountSchema
from server.routes.api.schemas.common import AnswerSchema, OptionsSchema, ResultSchema, described, time
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import Address, SafeText, StrictBoolean, StrictInteger
from server.service.accounts.links import TOKEN_MAX
from server.service.accounts.scopes import SCOPES
from server.service.common.checks import NAME_MAX
from server.service.common.preferences import MAIL_MODES, THEMES

_TIME_ZONE = "A name of the IANA data base. A game's clock stands still at night there."

_MAIL = "When notices are mailed: each at once, a daily digest of all that waits, reminders alone, or none."
_DIGEST_HOUR = "Hour of the player's day at which the digest is sent."
_QUIET = "From when to when no mail is sent, by the player's own clock; what comes up then waits. null: never quiet."
_LANGUAGE = "Language of mails."
_THEME = (
    "The colours of pages and boards: light or dark as the device is (auto), light, dark; and such as the colour-blind "
    "can tell apart, light (colour-blind), dark (colour-blind-dark) or as the device is (colour-blind-auto)."
)
_CONFIRMATION = (
    "What became of the mail that asks to confirm an address that was just given: `sent`, or `held_back` because "
    "enough of them went there today, of which any confirms it (PUT /players/me/confirmation)."
)
_WALL_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"


class QuietHoursSchema(RequestSchema):
    """A time of every day or night, over midnight when `from` is the later one."""

    from_ = SafeText(
        data_key="from",
        attribute="from",
        required=True,
        max_length=5,
        validate=[validate.Regexp(f"^{_WALL_TIME}$", error="Write a time such as 22:00.")],
        metadata=described("When it begins.", example="22:00"),
    )
    to = SafeText(
        required=True,
        max_length=5,
        validate=[validate.Regexp(f"^{_WALL_TIME}$", error="Write a time such as 07:00.")],
        metadata=described("When it ends.", example="07:00"),
    )


def mail_mode(**kwargs: Any) -> fields.String:
    """Return the field that says when notices are mailed."""
    return fields.String(validate=validate.OneOf(MAIL_MODES, error="Give one of {choices}."), **kwargs)


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
    confirmation = fields.String(metadata=described(_CONFIRMATION))


class ConfirmationSchema(RequestSchema):
    """That a mail has come."""

    token = SafeText(
        min_length=1,
        max_length=TOKEN_MAX,
        required=True,
        metadata=described("The last part of the link in the mail, behind `/confirm/`."),
    )


class NewTokenSchema(RequestSchema):
    """A further token."""

    name = SafeText(max_length=NAME_MAX, load_default="", metadata=described("To tell it from the others."))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES, error="Give one of {choices}.")),
        load_default=None,
        validate=validate.Length(1, len(SCOPES), error="Give one or more of: " + ", ".join(SCOPES) + "."),
        metadata=described(
            "What it may be used for; left out: all that the token of this request may.",
            minItems=1,
            maxItems=len(SCOPES),
        ),
    )
    expires_at = SafeText(
        min_length=1,
        max_length=40,
        load_default=None,
        allow_none=True,
        metadata=described(
            "When it ends, with its zone; left out: when the token of this request does, if ever.",
            format="date-time",
            example="2027-01-01T00:00:00Z",
        ),
    )


class RenamedTokenSchema(RequestSchema):
    """Another name for a token."""

    name = SafeText(max_length=NAME_MAX, required=True, metadata=described("To tell it from the others."))


class TokenSchema(AnswerSchema):
    """A token that was not revoked, without itself."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)), required=True, metadata=described("What it may be used for.")
    )
    created_at = time("When it was made.", required=True)
    last_used_at = time("When it was last seen, to the hour.", required=True, allow_none=True)
    expires_at = time("When it ends or has ended; null: never.", required=True, allow_none=True)


class CreatedTokenSchema(TokenSchema):
    """A new token, which is shown this once."""

    token = fields.String(required=True)


class SessionSchema(AnswerSchema):
    """A browser in which the caller is signed in."""

    id = fields.String(required=True)
    device = fields.String(
        required=True, metadata=described('Browser and system, "" when they are not known.', example="Firefox, Linux")
    )
    began_at = time("When it was signed in.", required=True)
    last_used_at = time("When it was last seen, to the hour.", required=True)
    current = fields.Boolean(required=True, metadata=described("It is the one that asks: never so of a token."))


class PreferencesSchema(AnswerSchema):
    """What a player likes."""

    auto_draw = fields.Boolean(
        required=True, metadata=described("Let the server draw when nothing but the blind draw can be meant.")
    )
    digest_hour = fields.Integer(required=True, metadata=described(_DIGEST_HOUR))
    language = fields.String(required=True, metadata=described(_LANGUAGE))
    mail = mail_mode(required=True, metadata=described(_MAIL))
    quiet_hours = fields.Nested(QuietHoursSchema, required=True, allow_none=True, metadata=described(_QUIET))
    theme = fields.String(required=True, metadata=described(_THEME))
    time_zone = fields.String(required=True, metadata=described(_TIME_ZONE, example="Europe/Berlin"))


class ChangedPreferencesSchema(RequestSchema):
    """Preferences to change; the others stay."""

    auto_draw = StrictBoolean(metadata=described("Draw for me when nothing but the blind draw can be meant."))
    digest_hour = StrictInteger(minimum=0, maximum=23, metadata=described(_DIGEST_HOUR))
    language = fields.String(
        validate=validate.OneOf(LANGUAGES, error="Give one of {choices}."), metadata=described(_LANGUAGE)
    )
    mail = mail_mode(metadata=described(_MAIL))
    quiet_hours = fields.Nested(QuietHoursSchema, allow_none=True, metadata=described(_QUIET))
    theme = fields.String(validate=validate.OneOf(THEMES, error="Give one of {choices}."), metadata=described(_THEME))
    time_zone = SafeText(max_length=64, min_length=1, metadata=described(_TIME_ZONE, example="Europe/Berlin"))


class MailStoppedSchema(AnswerSchema):
    """That mails to the address came back."""

    at = time("When the first one did.", required=True)
    why = fields.String(required=True, metadata=described("What the other side said."))


class ProfileSchema(AnswerSchema):
    """What a player sees of their own account."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, allow_none=True)
    email_confirmed = fields.Boolean(required=True, metadata=described("Without it no mail but the one that asks."))
    confirmation = fields.String(metadata=described(_CONFIRMATION))
    mail_stopped = fields.Nested(
        MailStoppedSchema,
        required=True,
        allow_none=True,
        metadata=described("Mails came back: none is sent until the address is confirmed again."),
    )
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


class OwnMoveSchema(AnswerSchema):
    """A move of the caller."""

    ply = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata=described("The caller's; of a sandbox any that no bot has."))
    move = fields.String(required=True)
    at = time("When it was played.", required=True, allow_none=True)
    automatic = fields.Boolean(required=True, metadata=described("The server made it for the caller."))
    undone_at = time("When it was taken back.", required=True, allow_none=True)


class OwnGameSchema(AnswerSchema):
    """A game in which the caller has a seat, with what is the caller's own of it."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    status = fields.String(required=True)
    origin = fields.String(required=True)
    options = fields.Nested(OptionsSchema, required=True)
    seats = fields.Integer(required=True)
    private = fields.Boolean(required=True)
    created_by_me = fields.Boolean(required=True)
    created_at = time("When it was made.", required=True)
    started_at = time("When it began.", required=True, allow_none=True)
    finished_at = time("When it was over.", required=True, allow_none=True)
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
    seat = fields.Integer(required=True)
    called = fields.String(required=True, metadata=described("The caller's name at this table."))
    client_seed = fields.String(required=True, metadata=described("The caller's share in the shuffle."))
    note = fields.String(required=True)
    mail = mail_mode(required=True, allow_none=True)
    moves = fields.List(fields.Nested(OwnMoveSchema), required=True)


class OwnMessageSchema(AnswerSchema):
    """What the caller wrote to the others of a game."""

    game = fields.String(required=True)
    seat = fields.Integer(required=True)
    text = fields.String(required=True)
    at = time("When.", required=True)


class OwnVacationSchema(AnswerSchema):
    """A vacation, past ones too."""

    starts_at = time("When it began or begins.", required=True)
    ends_at = time("When it ends.", required=True)
    created_at = time("When it was entered.", required=True)


class SentInvitationSchema(AnswerSchema):
    """Somebody whom the caller invited."""

    game = fields.String(required=True)
    address = fields.String(
        required=True,
        allow_none=True,
        metadata=described("null when the caller never saw it: a rematch goes to addresses that stay their players'."),
    )
    created_at = time("When.", required=True)


class AcceptedInvitationSchema(AnswerSchema):
    """An invitation by which the caller took a seat."""

    game = fields.String(required=True)
    address = fields.String(required=True, metadata=described("The caller's, at that time."))
    created_at = time("When it was sent.", required=True)
    accepted_at = time("When the seat was taken.", required=True, allow_none=True)


class KeptRecordSchema(AnswerSchema):
    """An outside record that the caller gave."""

    game = fields.String(required=True)
    name = fields.String(required=True)
    at = time("When.", required=True)


class OwnMailSchema(AnswerSchema):
    """A mail to the caller; texts are made when they are sent, and not kept."""

    kind = fields.String(required=True)
    game = fields.String(required=True, allow_none=True)
    ply = fields.Integer(required=True, allow_none=True)
    state = fields.String(required=True, metadata=described("pending, sending, sent, skipped or dead."))
    created_at = time("When its cause was.", required=True)
    due_at = time("When it was to be sent.", required=True)
    done_at = time("When it was sent or dropped.", required=True, allow_none=True)


class AuditLineSchema(AnswerSchema):
    """What happened to the caller's account, as an operator reads it."""

    at = time("When.", required=True)
    what = fields.String(required=True, metadata=described("sign_in, token_made, address_changed, …"))
    network = fields.String(
        required=True, allow_none=True, metadata=described("Whence, cut to /24 or /48; null: the server did it.")
    )
    details = fields.Dict(required=True)


class StoredSchema(AnswerSchema):
    """How much of the server's room the caller uses."""

    bytes = fields.Integer(required=True)
    most = fields.Integer(required=True, metadata=described("What there is for the caller."))


class ExportSchema(AnswerSchema):
    """All that the server keeps about the caller."""

    format = fields.String(required=True)
    exported_at = time("When.", required=True)
    profile = fields.Nested(ProfileSchema, required=True)
    tokens = fields.List(fields.Nested(TokenSchema), required=True)
    sessions = fields.List(fields.Nested(SessionSchema), required=True)
    games = fields.List(fields.Nested(OwnGameSchema), required=True)
    messages = fields.List(fields.Nested(OwnMessageSchema), required=True)
    vacations = fields.List(fields.Nested(OwnVacationSchema), required=True)
    invitations = fields.List(fields.Nested(SentInvitationSchema), required=True)
    accepted = fields.List(fields.Nested(AcceptedInvitationSchema), required=True)
    records = fields.List(fields.Nested(KeptRecordSchema), required=True)
    bots = fields.List(fields.Nested(BotAccountSchema), required=True)
    mails = fields.List(fields.Nested(OwnMailSchema), required=True)
    audit = fields.List(fields.Nested(AuditLineSchema), required=True)
    stored = fields.Nested(
        StoredSchema,
        required=True,
        metadata=described("What the caller's records, sandboxes, messages, notes and moves taken back take, about."),
    )
