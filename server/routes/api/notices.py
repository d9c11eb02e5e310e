"""Notices of single games: when the caller wants to hear of them; and offering a rematch."""

from typing import Any

from flask import Response, request
from flask.views import MethodView

from server.routes.api.schemas.games import ChangedNoticesSchema
from server.routes.http.answers import answer, created
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, store
from server.routes.http.request_parsing import asked
from server.service.chat import notice_wishes
from server.service.seating import rematch

blp = Blueprint("notices", __name__, url_prefix="/api/v1/games", description="Mail about games")


@blp.route("/<id:game_id>/notices")
class Notices(MethodView):
    """The caller's notices of one game."""

    @blp.login_required("read")
    @blp.etag
    @blp.no_query
    @blp.response(200, "Notices")
    @blp.fails(403, 404)
    def get(self, game_id: str) -> Response:
        """Read when the caller hears of this game."""
        return answer(notice_wishes.read(store(), game_id, current_player()))

    @blp.login_required("play")
    @blp.arguments(ChangedNoticesSchema)
    @blp.response(200, "Notices")
    @blp.fails(403, 404)
    def put(self, data: dict[str, Any], game_id: str) -> Response:
        """Choose when to hear of this game; null is as the preferences say."""
        return answer(notice_wishes.change(store(), game_id, current_player(), data["mail"]))


@blp.route("/<id:game_id>/rematch")
class Rematch(MethodView):
    """A rematch of a game."""

    @blp.login_required("play")
    @blp.parameters("IDEMPOTENCY_KEY")
    @blp.no_query
    @blp.response(201, "Game", headers={"Location": "LOCATION"})
    @blp.fails(403, 404, 409)
    def post(self, game_id: str) -> Response:
        """Open a private game like this one, which is over, and offer its seats to the others by mail."""
        key = asked(request, current_player(), game_id=game_id)
        page = rematch.offer(store(), current_player(), game_id, now(), key)
        return created(page, "games.Game", game_id=page["id"])
