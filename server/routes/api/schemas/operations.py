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


class AccountGlanceSchema(AnswerSchema):
    """What there is to know of one of the caller's games at a glance; of one that is theirs no more its id alone."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    tag = fields.String(metadata={"description": "Names all that the caller sees of it."})
    ply = fields.Integer()
    round = fields.Integer(allow_none=True)
    status = fields.String(validate=validate.OneOf(STATUSES))
    seat = fields.Integer(allow_none=True, metadata={"description": "The caller's own."})
    to_move = fields.Integer(allow_none=True)
    messages = fields.Integer(allow_none=True, metadata={"description": "Number of the newest message."})


class AccountEventSchema(AnswerSchema):
    """An event of the stream of all games of an account, as clients of server-sent events give it."""

    event = fields.String(required=True, metadata={"enum": ["game", "left"]})
    id = fields.String(
        metadata={"description": "Names how all games stand, to go on from (`Last-Event-ID`); at the beginning of a "
                  "stream the last event alone has it."}
    )  # fmt: skip
    data = fields.Nested(
        AccountGlanceSchema, required=True, metadata={"description": "As JSON, on one line of the stream."}
    )


class HealthSchema(AnswerSchema):
    """That all is well."""

    status = fields.String(required=True, metadata={"enum": ["ok"]})
