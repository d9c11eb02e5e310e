"""What is written about the moves of finished games."""

from typing import Any

from flask import Response

from server.routes.api.schemas.replays import NewCommentSchema
from server.routes.http.answers import answer, nothing
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.context import now, store
from server.service.archive import comments

blp = Blueprint("comments", __name__, url_prefix="/api/v1/replays", description="Comments on finished games")


@blp.get("/<id:game_id>/comments", "Comments", fails=(404,), **OPEN)
def get_comments(game_id: str) -> Response:
    """Read what is written about the moves of a finished game."""
    return answer(comments.listing(store(), game_id, current_player()))


@blp.post("/<id:game_id>/comments", "Comment", 201, scope="play", body=NewCommentSchema, fails=(403, 404, 409, 429))
def post_comments(data: dict[str, Any], game_id: str) -> Response:
    """Write about a move: who sat there, and others where they allow it. The same of the same move is there once."""
    return answer(comments.post(store(), game_id, current_player(), **data, now=now()), 201)


@blp.delete("/<id:game_id>/comments/<id:comment_id>", None, 204, scope="play", fails=(403, 404))
def delete_one_comment(game_id: str, comment_id: str) -> Response:
    """Take a comment away: its author may, and those who sat there what others wrote."""
    comments.remove(store(), game_id, current_player(), comment_id)
    return nothing()
