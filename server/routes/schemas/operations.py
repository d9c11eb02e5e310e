"""The server itself."""

from marshmallow import fields

from .common import AnswerSchema


class HealthSchema(AnswerSchema):
    """That all is well."""

    status = fields.String(required=True, metadata={"enum": ["ok"]})
