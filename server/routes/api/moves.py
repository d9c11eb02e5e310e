"""Playing: what may be done, doing it, trying it, taking it back, reading what was done, and hints."""

from typing import Any

from flask import Response

from server.routes.api.schemas.games import IncludeSchema, MovesSchema, SinceSchema, UndoSchema
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import KEYED, OPEN, Blueprint
from server.routes.http.context import now, store
from server.routes.http.request_parsing import idempotency_key
from server.service.explain import effects
from server.service.lists import game_page
from server.service.play import hints, turns

blp = Blueprint("moves", __name__, url_prefix="/api/v1/games/<id:game_id>", description="Playing a game")


@blp.get("/legal-moves", "LegalMoves", scope="read", etag=True, fails=(403, 404))
def get_legal_moves(game_id: str) -> Response:
    """List the caller's legal moves; empty when it is not their turn."""
    return answer(game_page.legal_moves(store(), game_id, current_player()))


@blp.get("/moves", "Log", query=SinceSchema, fails=(404,), **OPEN)
def get_moves(query: dict[str, Any], game_id: str) -> Response:
    """Read the log as the caller may see it."""
    return answer(game_page.log(store(), game_id, current_player(), query["since"]))


@blp.post(
    "/moves", "Played", 201, scope="play", body=MovesSchema, query=IncludeSchema, takes=KEYED, fails=(403, 404, 409)
)
def post_moves(data: dict[str, Any], query: dict[str, Any], game_id: str) -> Response:
    """Play moves: all or nothing, up to the first that reveals something.

    What comes after a reveal is not applied: read what was revealed, then send it again.
    """
    key, ply, moves = idempotency_key(), data["ply"], data["moves"]
    include = query["include"]
    return answer(turns.play(store(), game_id, current_player(), ply, moves, key, now(), include=include), 201)


@blp.post("/preview", "Played", scope="read", body=MovesSchema, fails=(403, 404, 409))
def post_preview(data: dict[str, Any], game_id: str) -> Response:
    """Try moves without storing them; stops before a move that would reveal, or begin a round."""
    return answer(turns.preview(store(), game_id, current_player(), data["ply"], data["moves"]))


@blp.post("/undo", "Undone", scope="play", body=UndoSchema, fails=(403, 404, 409))
def post_undo(data: dict[str, Any], game_id: str) -> Response:
    """Go back to a ply of the own turn, not beyond a move that revealed something."""
    return answer(turns.undo(store(), game_id, current_player(), data["ply"], now()))


hints_blp = Blueprint("hints", __name__, url_prefix="/api/v1/games", description="What a bot would play")


@hints_blp.get("/<id:game_id>/hint", "Hint", scope="play", fails=(403, 404, 409))
def get_hint(game_id: str) -> Response:
    """Read the hint that the caller asked for. When it is ready the game's ETag changes, for all at the table."""
    return answer(effects.hint_in_words(hints.read(store(), current_player(), game_id)))


@hints_blp.post("/<id:game_id>/hint", "Hint", 202, scope="play", fails=(403, 404, 409))
def post_hint(game_id: str) -> Response:
    """Ask what the journeyman would play: it is found within a second or so, and all see that it was asked."""
    return answer(effects.hint_in_words(hints.ask(store(), current_player(), game_id, now())), 202)
