"""What players of a game write: to each other, for themselves, and when they want to hear of it."""

from typing import Any, cast

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.games import (
    ChangedNoteSchema,
    ChangedNoticesSchema,
    MessagesQuerySchema,
    NewMessageSchema,
)
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import KEYED, Blueprint
from server.routes.http.context import now, store
from server.routes.http.request_parsing import idempotency_key
from server.service.chat import messages, notes, notice_wishes
from server.service.common.preferences import Channel

messages_blp = Blueprint("messages", __name__, url_prefix="/api/v1/games", description="Messages at the table")


@messages_blp.get(
    "/<id:game_id>/messages", many("Message"), scope="read", query=MessagesQuerySchema, etag=True, fails=(403, 404)
)
def get_messages(query: dict[str, Any], game_id: str) -> Response:
    """Read the newest messages, oldest first; only the players of the game may."""
    return answer(messages.listing(store(), game_id, current_player(), query["since"]))


@messages_blp.post(
    "/<id:game_id>/messages", "Message", 201, scope="play", body=NewMessageSchema, takes=KEYED, fails=(403, 404, 429)
)
def post_messages(data: dict[str, Any], game_id: str) -> Response:
    """Write to the others; they are told by mail."""
    key = idempotency_key()
    return answer(messages.post(store(), game_id, current_player(), data["text"], now(), key), 201)


notes_blp = Blueprint("notes", __name__, url_prefix="/api/v1/games", description="Notes that nobody else reads")


@notes_blp.get("/<id:game_id>/note", "Note", scope="read", etag=True, fails=(403, 404))
def get_note(game_id: str) -> Response:
    """Read what the caller noted of this game; nobody else can."""
    return answer(notes.get(store(), game_id, current_player()))


@notes_blp.put("/<id:game_id>/note", "Note", scope="play", body=ChangedNoteSchema, reads=get_note, fails=(403, 404))
def put_note(data: dict[str, Any], game_id: str) -> Response:
    """Write the note anew."""
    return answer(notes.put(store(), game_id, current_player(), data["note"]))


notices_blp = Blueprint("notices", __name__, url_prefix="/api/v1/games", description="Mail about games")


@notices_blp.get("/<id:game_id>/notices", "Notices", scope="read", etag=True, fails=(403, 404))
def get_notices(game_id: str) -> Response:
    """Read when the caller hears of this game."""
    return answer(notice_wishes.read(store(), game_id, current_player()))


@notices_blp.put(
    "/<id:game_id>/notices", "Notices", scope="play", body=ChangedNoticesSchema, reads=get_notices, fails=(403, 404)
)
def put_notices(data: dict[str, Any], game_id: str) -> Response:
    """Choose when to hear of this game; null is as the preferences say."""
    return answer(notice_wishes.change(store(), game_id, current_player(), cast("dict[Channel, str | None]", data)))
