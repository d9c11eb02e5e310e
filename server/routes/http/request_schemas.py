"""What bodies and queries are read by: schemas that refuse unknown names, and say what to do."""

from typing import Any

import marshmallow as ma


class RequestSchema(ma.Schema):
    """A body or query; unknown names are refused, and messages say what to do."""

    class Meta:
        unknown = ma.RAISE

    error_messages: dict[str, str] = {  # noqa: RUF012 - as marshmallow declares it
        "unknown": "Remove it: there is no such field here.",
        "type": "Send a JSON object.",
    }

    def on_bind_field(self, field_name: str, field_obj: ma.fields.Field[Any]) -> None:
        """Replace marshmallow's terse words."""
        field_obj.error_messages |= {
            "required": "Give it: it is needed.",
            "null": "Give a value, or leave it out.",
            "type": "Send a JSON object.",
        }


class NoQuerySchema(RequestSchema):
    """A query string that holds nothing."""
