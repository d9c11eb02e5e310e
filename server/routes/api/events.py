"""Server-sent events: what changed in a game or in all of an account, as soon as the caller may see it."""

from typing import Any

from flask import Response

from server.routes.api.schemas.games import IncludeSchema
from server.routes.http.answers import text_of
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import store
from server.routes.http.streams import EVENTS, for_bearer
from server.service.views.live_events import AccountSubscription, GameSubscription

blp = Blueprint("events", __name__, url_prefix="/api/v1/games", description="Changes as they come")


@blp.get(
    "/<id:game_id>/events",
    text_of(EVENTS, "GameEvent"),
    scope="read",
    optional=True,
    query=IncludeSchema,
    takes=("LAST_EVENT_ID",),
    fails=(404,),
    content_type=EVENTS,
)
def get_events(query: dict[str, Any], game_id: str) -> Response:
    """Follow a game: an event `game` whenever something changes that the caller may see.

    Each is a `GameEvent`: its data, a line of JSON, are `{tag, ply, round, status, seat, to_move, messages, moved,
    own, finished_at}` and what `include` asks for, its id is the tag, to go on from (`Last-Event-ID`). Between them
    come comments, so that the connection is not taken for dead. The stream ends by itself: clients open another.
    """
    return for_bearer(GameSubscription(store(), game_id, current_player(), query["include"]))


account_blp = Blueprint(
    "account-events", __name__, url_prefix="/api/v1/events", description="Changes of all one's games"
)


@account_blp.get(
    "",
    text_of(EVENTS, "AccountEvent"),
    scope="read",
    query=IncludeSchema,
    takes=("LAST_EVENT_ID",),
    content_type=EVENTS,
)
def get_account_events(query: dict[str, Any]) -> Response:
    """Follow all games in which the caller sits and that are not over, those that they join later among them.

    Each event is an `AccountEvent`: `game` says how one of them stands, with its id, at the beginning of all and
    then whenever something changes that the caller may see; `left` that a game is not theirs any more. A game that
    ends is told once more. The id names how all of them stand: who comes back with it (`Last-Event-ID`) is told
    nothing if nothing has changed, and otherwise all of them again, behind those that have ended since.
    """
    return for_bearer(AccountSubscription(store(), current_player(), query["include"]))
