"""A player's own note on a game."""

from typing import Any

from flask import Response
from flask.views import MethodView

from server.routes.api.schemas.games import ChangedNoteSchema
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import store
from server.service.chat import notes

blp = Blueprint("notes", __name__, url_prefix="/api/v1/games", description="Notes that nobody else reads")


@blp.route("/<id:game_id>/note")
class Note(MethodView):
    """The caller's note on a game."""

    @blp.login_required("read")
    @blp.etag
    @blp.no_query
    @blp.response(200, "Note")
    @blp.fails(403, 404)
    def get(self, game_id: str) -> Response:
        """Read what the caller noted of this game; nobody else can."""
        return answer(notes.get(store(), game_id, current_player()))

    @blp.login_required("play")
    @blp.arguments(ChangedNoteSchema)
    @blp.response(200, "Note")
    @blp.fails(403, 404)
    def put(self, data: dict[str, Any], game_id: str) -> Response:
        """Write the note anew."""
        return answer(notes.put(store(), game_id, current_player(), data["note"]))
