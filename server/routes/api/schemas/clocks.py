"""The clock of a game, vacations."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from server.routes.api.schemas.common import AnswerSchema, described, time
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import SafeText, StrictInteger
from server.service.games.clock import DEFAULTS, HOURS_MAX, ON_TIMEOUT, REMINDERS_MAX, VACATION_DAYS_MAX

_WALL_TIME = validate.Regexp(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", error="Give a time like 22:00.")
_MOMENT = {"format": "date-time", "example": "2026-12-01T00:00:00Z"}
_TURN = "Hours that a turn may take."
_RESERVE = "Hours that each player may use beyond that, in the whole game."
_NIGHT = "When no time counts, by the clock on the wall where the player to move lives (preference `time_zone`)."
_REMINDERS = "Fractions of the turn's time at which its player is reminded by mail."
_ON_TIMEOUT = "When the time is over: a bot plays the rest of the turn (`steady`), or the seat resigns."
_VACATION = "Days of each player's vacations in a calendar year (UTC) in which no time counts."
_START_BY = "The game is abandoned when it has not started by then."


class Fraction(fields.Float):
    """A JSON number between 0 and 1; no text, no truth value."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ma.ValidationError("Write a number.")
        return float(value)


class NewNightSchema(RequestSchema):
    """A time of the day in which clocks stand still; at most 16 hours."""

    begins = fields.String(required=True, data_key="from", attribute="from", validate=_WALL_TIME)
    ends = fields.String(required=True, data_key="to", attribute="to", validate=_WALL_TIME)


class NewClockSchema(RequestSchema):
    """How long turns may take."""

    turn_hours = StrictInteger(minimum=1, maximum=HOURS_MAX, required=True, metadata=described(_TURN))
    reserve_hours = StrictInteger(
        minimum=0, maximum=HOURS_MAX, metadata=described(_RESERVE, default=DEFAULTS["reserve_hours"])
    )
    night = fields.Nested(NewNightSchema, allow_none=True, metadata=described(_NIGHT))
    reminders = fields.List(
        Fraction(validate=validate.Range(min=0.01, max=0.99)),
        validate=validate.Length(max=REMINDERS_MAX),
        metadata=described(_REMINDERS, default=DEFAULTS["reminders"]),
    )
    on_timeout = fields.String(
        validate=validate.OneOf(ON_TIMEOUT), metadata=described(_ON_TIMEOUT, default=DEFAULTS["on_timeout"])
    )
    vacation_days = StrictInteger(
        minimum=0, maximum=VACATION_DAYS_MAX, metadata=described(_VACATION, default=DEFAULTS["vacation_days"])
    )
    start_by = SafeText(max_length=40, allow_none=True, metadata=described(_START_BY, **_MOMENT))


class NightSchema(AnswerSchema):
    """A time of the day in which clocks stand still."""

    begins = fields.String(required=True, data_key="from")
    ends = fields.String(required=True, data_key="to")


class ClockSchema(AnswerSchema):
    """How long turns may take."""

    turn_hours = fields.Integer(required=True, metadata=described(_TURN))
    reserve_hours = fields.Integer(required=True, metadata=described(_RESERVE))
    night = fields.Nested(NightSchema, required=True, allow_none=True, metadata=described(_NIGHT))
    reminders = fields.List(fields.Float(), required=True, metadata=described(_REMINDERS))
    on_timeout = fields.String(required=True, validate=validate.OneOf(ON_TIMEOUT), metadata=described(_ON_TIMEOUT))
    vacation_days = fields.Integer(required=True, metadata=described(_VACATION))
    start_by = time(_START_BY, required=True, allow_none=True)


class NewVacationSchema(RequestSchema):
    """A time in which no clock of the player is to run."""

    starts_at = SafeText(
        max_length=40,
        load_default=None,
        allow_none=True,
        metadata=described("With its zone; left out: now.", **_MOMENT),
    )
    ends_at = SafeText(
        min_length=1,
        max_length=40,
        required=True,
        metadata=described("With its zone.", **{**_MOMENT, "example": "2026-12-15T00:00:00Z"}),
    )


class VacationSchema(AnswerSchema):
    """A time in which no clock of the player runs."""

    id = fields.String(required=True)
    starts_at = time("When it begins.", required=True)
    ends_at = time("When it ends.", required=True)
    under_way = fields.Boolean(required=True)
