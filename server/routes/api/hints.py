"""Hints: what a bot would play, for who is to move, where the game allows it."""

from flask import Response
from flask.views import MethodView

from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, store
from server.service.play import hints
from server.service.views import advised

blp = Blueprint("hints", __name__, url_prefix="/api/v1/games", description="What a bot would play")


@blp.route("/<id:game_id>/hint")
class Hint(MethodView):
    """The hint about the present position."""

    @blp.login_required("play")
    @blp.no_query
    @blp.response(200, "Hint")
    @blp.fails(403, 404, 409)
    def get(self, game_id: str) -> Response:
        """Read the hint that the caller asked for. When it is ready the game's ETag changes, for all at the table."""
        return answer(advised.hint(hints.look(store(), current_player(), game_id)))

    @blp.login_required("play")
    @blp.no_query
    @blp.response(202, "Hint")
    @blp.fails(403, 404, 409)
    def post(self, game_id: str) -> Response:
        """Ask what the journeyman would play: it is found within a second or so, and all see that it was asked."""
        return answer(advised.hint(hints.ask(store(), current_player(), game_id, now())), 202)
