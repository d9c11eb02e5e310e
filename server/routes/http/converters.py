"""What stands in addresses: ids and plies. Anything else does not match, and is 404."""

from typing import Any

from flask import Flask
from flask_smorest import Api
from werkzeug.routing import BaseConverter

from server.routes.http.strict_fields import MAX_PLY


class IdConverter(BaseConverter):
    """The id of a game or player: letters and digits.

    No id is `verify` or `statistics`, which stand in its place among the replays: what they take is not what it takes.
    """

    regex = r"(?!(?:verify|statistics)\b)[A-Za-z0-9]{1,32}"


class KindConverter(BaseConverter):
    """The name of a kind of error: small letters, words parted by hyphens."""

    regex = "[a-z-]{1,40}"


class PlyConverter(BaseConverter):
    """A ply: a few plain digits. (Werkzeug's own converter dies of thousands.)"""

    regex = "[0-9]{1,6}"

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)


class PuzzleConverter(BaseConverter):
    """Which puzzle: its id, a day, or the word `today`."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}|[A-Za-z0-9]{1,32}"


def install(app: Flask) -> None:
    """Let the application's rules use ``<id:…>``, ``<ply:…>`` and the like."""
    app.url_map.merge_slashes = False  # //games is no other way to write /games, and gets no redirect
    app.url_map.converters.update(id=IdConverter, kind=KindConverter, ply=PlyConverter, puzzle=PuzzleConverter)


def document(api: Api) -> None:
    """Tell the OpenAPI document what the converters take."""
    api.register_converter(IdConverter, _id_schema)
    api.register_converter(KindConverter, _kind_schema)
    api.register_converter(PlyConverter, _ply_schema)
    api.register_converter(PuzzleConverter, _puzzle_schema)


def _id_schema(converter: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": "^[A-Za-z0-9]{1,32}$"}


def _kind_schema(converter: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": "^[a-z-]{1,40}$"}


def _ply_schema(converter: Any) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": MAX_PLY - 1}


def _puzzle_schema(converter: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^({PuzzleConverter.regex})$"}
