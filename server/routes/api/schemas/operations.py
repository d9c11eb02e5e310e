"""The server itself."""

from marshmallow import fields, validate

from server.routes.api.schemas.common import STATUSES, AnswerSchema


class ProblemTypeSchema(AnswerSchema):
    """A kind of error."""

    kind = fields.String(required=True, metadata={"description": "Its name, which never changes."})
    type = fields.String(required=True, metadata={"description": "Its address: the `type` of such errors."})
    title = fields.String(required=True)
    code = fields.Integer(required=True, metadata={"description": "The HTTP status that it mostly comes with."})
    advice = fields.String(required=True, metadata={"description": "What to do."})


class GlanceSchema(AnswerSchema):
    """What there is to know of a game at a glance."""

    tag = fields.String(required=True, metadata={"description": "Names all that the caller sees."})
    ply = fields.Integer(required=True)
    round = fields.Integer(required=True, allow_none=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "The caller's own."})
    to_move = fields.Integer(required=True, allow_none=True)
    messages = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Number of the newest message, for members."}
    )


class GameEventSchema(AnswerSchema):
    """An event of a game's stream, as clients of server-sent events give it."""

    event = fields.String(required=True, metadata={"enum": ["game"]})
    id = fields.String(required=True, metadata={"description": "The `tag`, to go on from (`Last-Event-ID`)."})
    data = fields.Nested(GlanceSchema, required=True, metadata={"description": "As JSON, on one line of the stream."})


class HealthSchema(AnswerSchema):
    """That all is well."""

    status = fields.String(required=True, metadata={"enum": ["ok"]})
