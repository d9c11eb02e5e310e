"""The server itself."""

from marshmallow import fields

from .common import AnswerSchema


class ProblemTypeSchema(AnswerSchema):
    """A kind of error."""

    kind = fields.String(required=True, metadata={"description": "Its name, which never changes."})
    type = fields.String(required=True, metadata={"description": "Its address: the `type` of such errors."})
    title = fields.String(required=True)
    code = fields.Integer(required=True, metadata={"description": "The HTTP status that it mostly comes with."})
    advice = fields.String(required=True, metadata={"description": "What to do."})


class HealthSchema(AnswerSchema):
    """That all is well."""

    status = fields.String(required=True, metadata={"enum": ["ok"]})
