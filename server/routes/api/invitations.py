"""Inviting to a game by mail."""

from typing import Any

from flask import Response
from flask.views import MethodView

from server.routes.api.schemas.games import NewInvitationSchema
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, store
from server.service.seating import invitations

blp = Blueprint("invitations", __name__, url_prefix="/api/v1/games", description="Inviting people by mail")


@blp.route("/<id:game_id>/invitations")
class Invitations(MethodView):
    """The invitations to a game."""

    @blp.login_required("play")
    @blp.arguments(NewInvitationSchema)
    @blp.response(201, "Invitation")
    @blp.fails(403, 404, 409, 429)
    def post(self, data: dict[str, Any], game_id: str) -> Response:
        """Invite an address, whether or not it belongs to an account; the link in the mail takes a seat."""
        return answer(invitations.invite(store(), current_player(), game_id, data["address"], now()), 201)
