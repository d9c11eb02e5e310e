"""Server-sent events of all games of an account on one stream."""

from flask import Response
from flask.views import MethodView

from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import store
from server.routes.http.streams import EVENTS, for_bearer, text_of
from server.service.views.live_sights import AccountSight

blp = Blueprint("account-events", __name__, url_prefix="/api/v1/events", description="Changes of all one's games")
_EXAMPLE = """\
retry: 2000

event: game
data: {"game":"k3v7mhw2qe9t","tag":"0123456789abcdef0123456789abcdef","ply":12,"round":3,"status":"running","seat":0,"to_move":1,"messages":7}

event: game
id: fedcba9876543210fedcba9876543210
data: {"game":"x4ab7mhw2qe9","tag":"89abcdef0123456789abcdef01234567","ply":0,"round":null,"status":"open","seat":1,"to_move":null,"messages":null}

:

event: left
id: 456789abcdef0123456789abcdef0123
data: {"game":"x4ab7mhw2qe9"}

"""  # noqa: E501


@blp.route("")
class AccountEvents(MethodView):
    """The changes of all games of an account."""

    @blp.login_required("read")
    @blp.parameters("LAST_EVENT_ID")
    @blp.no_query
    @blp.response(200, text_of(EVENTS, "AccountEvent"), content_type=EVENTS, example=_EXAMPLE)
    def get(self) -> Response:
        """Follow all games in which the caller sits and that are not over, those that they join later among them.

        Each event is an `AccountEvent`: `game` says how one of them stands, with its id, at the beginning of all and
        then whenever something changes that the caller may see; `left` that a game is not theirs any more. A game that
        ends is told once more. The id names how all of them stand: who comes back with it (`Last-Event-ID`) is told
        nothing if nothing has changed, and otherwise all of them again.
        """
        return for_bearer(AccountSight(store(), current_player()))
