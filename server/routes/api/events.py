"""Server-sent events: what changed in a game, told as soon as the caller may see it."""

from functools import partial

from flask import Response
from flask.views import MethodView

from server.routes.http.bearer_auth import current_player, still_known
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import client_gone, settings, store
from server.routes.http.problem_details import raise_error
from server.routes.http.streams import EVENTS, RETRY_SECONDS, follow, text_of
from server.service.views import live_events

blp = Blueprint("events", __name__, url_prefix="/api/v1/games", description="Changes as they come")
_EXAMPLE = """\
retry: 2000

event: game
id: 0123456789abcdef0123456789abcdef
data: {"tag":"0123456789abcdef0123456789abcdef","ply":12,"round":3,"status":"running","seat":0,"to_move":1,"messages":7}

:

"""


@blp.route("/<id:game_id>/events")
class Events(MethodView):
    """The changes of a game."""

    @blp.login_optional("read")
    @blp.parameters("LAST_EVENT_ID")
    @blp.no_query
    @blp.response(200, text_of(EVENTS, "GameEvent"), content_type=EVENTS, example=_EXAMPLE)
    @blp.fails(404)
    def get(self, game_id: str) -> Response:
        """Follow a game: an event `game` whenever something changes that the caller may see.

        Each is a `GameEvent`: its data, a line of JSON, are `{tag, ply, round, status, seat, to_move, messages}`, its
        id is the tag, to go on from (`Last-Event-ID`). Between them come comments, so that the connection is not
        taken for dead. The stream ends by itself: clients open another.
        """
        player, database, gone, still = current_player(), store(), client_gone(), still_known()
        look = partial(live_events.glance, database, game_id, player)
        look()  # 404 before anything is sent
        seconds = settings().stream_seconds
        answer = follow(
            "game",
            lambda seen: live_events.follow(database, game_id, look, seen, seconds, gone, still),
            player.id if player else None,
        )
        if answer is None:
            message = f"Ask for the game itself now and then, and try again in {RETRY_SECONDS} seconds."
            headers = {"Retry-After": str(RETRY_SECONDS)}
            raise_error(503, f"Too many wait for changes already. {message}", headers=headers, kind="busy")
        return answer
