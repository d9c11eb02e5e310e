"""Invitations by mail."""

from marshmallow import fields

from server.routes.api.schemas.common import AnswerSchema, described, time
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import Address


class NewInvitationSchema(RequestSchema):
    """Whom to invite."""

    address = Address(required=True, metadata=described("Where the invitation goes. Shown to nobody else."))


class InvitationSchema(AnswerSchema):
    """An invitation that is on its way, or was sent before."""

    game = fields.String(required=True, metadata=described("Id of the game."))
    address = fields.String(required=True)
    created_at = time("When the address was invited.", required=True)
