"""A player's own note on a game."""

from marshmallow import fields, validate

from server.routes.api.schemas.common import AnswerSchema, described
from server.routes.http.request_schemas import RequestSchema
from server.service.chat.notes import NOTE_MAX


class NoteSchema(AnswerSchema):
    """What the caller noted of a game."""

    note = fields.String(required=True, metadata=described("Empty: nothing."))


class ChangedNoteSchema(RequestSchema):
    """What to note."""

    note = fields.String(
        required=True,
        validate=validate.Length(max=NOTE_MAX),
        metadata=described(f"Plain text of at most {NOTE_MAX} characters; empty forgets the note."),
    )
