"""What the players of a game write to each other."""

from typing import Any

from flask import Response, request
from flask.views import MethodView

from server.routes.api.response_schemas import many
from server.routes.api.schemas.games import MessagesQuerySchema, NewMessageSchema
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, store
from server.routes.http.request_parsing import idempotency_key
from server.service.chat import messages

blp = Blueprint("messages", __name__, url_prefix="/api/v1/games", description="Messages at the table")


@blp.route("/<id:game_id>/messages")
class Messages(MethodView):
    """The messages of a game."""

    @blp.login_required("read")
    @blp.etag
    @blp.arguments(MessagesQuerySchema, location="query")
    @blp.response(200, many("Message"))
    @blp.fails(403, 404)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the newest messages, oldest first; only the players of the game may."""
        return answer(messages.listing(store(), game_id, current_player(), query["since"]))

    @blp.login_required("play")
    @blp.parameters("IDEMPOTENCY_KEY")
    @blp.arguments(NewMessageSchema)
    @blp.response(201, "Message")
    @blp.fails(403, 404, 429)
    def post(self, data: dict[str, Any], game_id: str) -> Response:
        """Write to the others; they are told by mail."""
        key = idempotency_key(request)
        return answer(messages.post(store(), game_id, current_player(), data["text"], now(), key), 201)
