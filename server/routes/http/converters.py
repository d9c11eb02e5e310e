"""What stands in addresses: ids and plies. Anything else does not match, and is 404."""

from typing import Any, ClassVar

from flask import Flask
from flask_smorest import Api
from werkzeug.routing import BaseConverter

from server.routes.http.strict_fields import MAX_PLY


class _Text(BaseConverter):
    """A word of a form."""

    schema: ClassVar[dict[str, Any]]
    """What the OpenAPI document says of it."""


class IdConverter(_Text):
    """The id of a game or player: letters and digits, but not the words that stand in its place among the replays."""

    regex = r"(?!(?:verify|statistics)\b)[A-Za-z0-9]{1,32}"
    schema: ClassVar = {"type": "string", "pattern": "^[A-Za-z0-9]{1,32}$"}


class PlayerConverter(_Text):
    """The id of a player, or the name of a bot of the house or of a package."""

    regex = "[A-Za-z0-9][A-Za-z0-9-]{0,31}"
    schema: ClassVar = {"type": "string", "pattern": f"^{regex}$"}


class KindConverter(_Text):
    """The name of a kind of error: small letters, words parted by hyphens."""

    regex = "[a-z-]{1,40}"
    schema: ClassVar = {"type": "string", "pattern": f"^{regex}$"}


class PlyConverter(_Text):
    """A ply: a few plain digits. (Werkzeug's own converter dies of thousands.)"""

    regex = "[0-9]{1,6}"
    schema: ClassVar = {"type": "integer", "minimum": 0, "maximum": MAX_PLY - 1}

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)


class PuzzleConverter(_Text):
    """Which puzzle: its id, a day, or the word `today`. Or which deal: by these two."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}|[A-Za-z0-9]{1,32}"
    schema: ClassVar = {"type": "string", "pattern": f"^({regex})$"}


class MonthConverter(_Text):
    """A month, `2026-11`."""

    regex = "[1-9][0-9]{3}-(?:0[1-9]|1[0-2])"
    schema: ClassVar = {"type": "string", "pattern": f"^{regex}$"}


_CONVERTERS = {
    "id": IdConverter, "player": PlayerConverter, "kind": KindConverter, "ply": PlyConverter, "puzzle": PuzzleConverter,
    "month": MonthConverter,
}  # fmt: skip


def install(app: Flask) -> None:
    """Let the application's rules use `<id:…>`, `<ply:…>` and the like."""
    app.url_map.merge_slashes = False  # //games is no other way to write /games, and gets no redirect
    app.url_map.converters.update(_CONVERTERS)


def document(api: Api) -> None:
    """Tell the OpenAPI document what the converters take."""
    for converter in _CONVERTERS.values():
        api.register_converter(converter, lambda used: dict(used.schema))
