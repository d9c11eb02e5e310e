"""The bots that can be seated."""

from flask import Response
from flask.views import MethodView

from server.routes.api.schemas.bots import BotSchema
from server.routes.http.answers import answer
from server.routes.http.blueprint import Blueprint
from server.service.lists import bot_list

blp = Blueprint("bots", __name__, url_prefix="/api/v1/bots", description="Bots that can be seated")


@blp.route("")
class KnownBots(MethodView):
    """All bots."""

    @blp.etag
    @blp.no_query
    @blp.response(200, BotSchema(many=True))
    def get(self) -> Response:
        """List the bots that can be seated by their names, from the weakest on."""
        return answer(bot_list.listing())
