"""What the players of a running game propose to each other, and agree upon."""

from typing import Any

from flask import Response

from server.routes.api.schemas.games import AnswerToProposalSchema, NewProposalSchema
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, store
from server.service.play import proposals
from server.service.play.proposals import Wish

blp = Blueprint("proposals", __name__, url_prefix="/api/v1/games", description="What players agree upon")


@blp.post("/<id:game_id>/proposal", "Game", scope="play", body=NewProposalSchema, fails=(403, 404, 409, 429))
def post_proposal(data: dict[str, Any], game_id: str) -> Response:
    """Propose something to the others; it comes about when all have agreed who still play."""
    return answer(proposals.propose(store(), current_player(), game_id, Wish(**data), now()))


@blp.put("/<id:game_id>/proposal", "Game", scope="play", body=AnswerToProposalSchema, fails=(403, 404, 409))
def put_proposal(data: dict[str, Any], game_id: str) -> Response:
    """Agree with what is proposed, or end it by a no."""
    return answer(proposals.answer(store(), current_player(), game_id, data["id"], data["agree"], now()))
