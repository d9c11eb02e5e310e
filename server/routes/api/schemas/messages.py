"""Messages at the table."""

from marshmallow import fields, validate

from server.routes.api.schemas.common import AnswerSchema, described, time
from server.routes.http.request_schemas import RequestSchema
from server.routes.http.strict_fields import QueryInteger
from server.service.chat.messages import TEXT_MAX


class NewMessageSchema(RequestSchema):
    """What to write."""

    text = fields.String(
        required=True,
        validate=validate.Length(min=1, max=TEXT_MAX),
        metadata=described(f"Plain text, at most {TEXT_MAX} characters, lines parted by a line feed.", pattern=r"\S"),
    )


class MessageSchema(AnswerSchema):
    """A message to everybody at the table."""

    id = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata=described("Whose it is."))
    name = fields.String(required=True, allow_none=True)
    text = fields.String(required=True)
    at = time("When it was written.", required=True)


class MessagesQuerySchema(RequestSchema):
    """Which messages."""

    since = QueryInteger(minimum=0, maximum=999_999_999, load_default=0, metadata=described("Those after this id."))
