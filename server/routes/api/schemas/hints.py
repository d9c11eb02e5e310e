"""Hints."""

from marshmallow import fields

from server.routes.api.schemas.common import AnswerSchema, described


class AdvisedMoveSchema(AnswerSchema):
    """A move of a hint."""

    move = fields.String(required=True)
    effects = fields.List(
        fields.String(), required=True, metadata=described("What it costs, gains and brings about, in words.")
    )


class HintSchema(AnswerSchema):
    """What a bot would play."""

    ply = fields.Integer(required=True, metadata=described("On which it builds."))
    ready = fields.Boolean(required=True, metadata=described("false: it is thought about, ask again."))
    bot = fields.String(required=True, metadata=described("Which bot was asked."))
    moves = fields.List(
        fields.Nested(AdvisedMoveSchema),
        required=True,
        metadata=described("Up to the first that reveals something; empty while it is thought about."),
    )
