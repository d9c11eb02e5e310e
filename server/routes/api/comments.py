"""What is written about the moves of finished games."""

from typing import Any

from flask import Response

from server.routes.api.schemas.replays import CommentingSchema, CommentsQuerySchema, NewCommentSchema
from server.routes.http.answers import answer, nothing
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import KEYED, OPEN, Blueprint
from server.routes.http.context import now, store
from server.routes.http.request_parsing import idempotency_key
from server.service.archive import comments

blp = Blueprint("comments", __name__, url_prefix="/api/v1/replays", description="Comments on finished games")


@blp.get("/<id:game_id>/comments", "Comments", query=CommentsQuerySchema, fails=(404,), **OPEN)
def get_comments(query: dict[str, Any], game_id: str) -> Response:
    """Read what is written about the moves of a finished game; with `ply` nothing that tells of later ones."""
    return answer(comments.listing(store(), game_id, current_player(), query["ply"]))


@blp.post(
    "/<id:game_id>/comments",
    "Comment",
    201,
    scope="play",
    body=NewCommentSchema,
    takes=KEYED,
    fails=(403, 404, 409, 429),
)
def post_comments(data: dict[str, Any], game_id: str) -> Response:
    """Write about a move: who sat there, and others where they allow it. Nobody is told by mail."""
    made = comments.post(store(), game_id, current_player(), data["ply"], data["text"], now(), idempotency_key())
    return answer(made, 201)


@blp.put("/<id:game_id>/comments", "Comments", scope="play", body=CommentingSchema, fails=(403, 404, 409))
def put_comments(data: dict[str, Any], game_id: str) -> Response:
    """Let others than those who sat there write, or not any more; those who sat there decide, the last word counts."""
    return answer(comments.allow(store(), game_id, current_player(), data["others"]))


@blp.delete("/<id:game_id>/comments/<id:comment_id>", None, 204, scope="play", fails=(403, 404))
def delete_one_comment(game_id: str, comment_id: str) -> Response:
    """Take a comment away: its author may, and those who sat there what others wrote."""
    comments.remove(store(), game_id, current_player(), comment_id)
    return nothing()
