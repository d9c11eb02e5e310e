"""Server-sent events: what changed in a game, told as soon as the caller may see it."""

from flask import Response
from flask.views import MethodView

from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import store
from server.routes.http.streams import EVENTS, for_bearer, text_of
from server.service.views.live_sights import GameSight

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
        return for_bearer(GameSight(store(), game_id, current_player()))
