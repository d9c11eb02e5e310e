"""Bots that can be seated."""

from marshmallow import fields

from server.routes.api.schemas.common import AnswerSchema, described


class BotSchema(AnswerSchema):
    """A bot."""

    name = fields.String(required=True, metadata=described("By which it is seated."))
    labels = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("What people call it, by language; `en` is always there."),
    )
    descriptions = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("How well it plays, by language, as the pages say it where one is chosen."),
    )
    level = fields.Integer(
        required=True, metadata=described("0 plays at random, 1 apprentice, 2 journeyman, 3 master; others up to 9.")
    )
    seconds = fields.Float(required=True, metadata=described("The longest that it thinks in a turn."))
    at_once = fields.Boolean(required=True, metadata=described("It answers with the move before it."))
    served_by = fields.String(required=True, metadata=described("This server, or the package that brings it."))
