"""Notices of one game."""

from server.routes.api.schemas.common import AnswerSchema, described
from server.routes.api.schemas.players import mail_mode
from server.routes.http.request_schemas import RequestSchema

_MAIL = "When notices of this game are mailed; null: as the player's preferences say."


class NoticesSchema(AnswerSchema):
    """When the caller hears of a game."""

    mail = mail_mode(required=True, allow_none=True, metadata=described(_MAIL))


class ChangedNoticesSchema(RequestSchema):
    """When to hear of a game."""

    mail = mail_mode(required=True, allow_none=True, metadata=described(_MAIL))
