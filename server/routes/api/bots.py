"""The bots that can be seated."""

from typing import Any

from flask import Response
from flask.views import MethodView

from server.routes.api.response_schemas import many
from server.routes.api.schemas.common import PageQuerySchema
from server.routes.http.answers import PAGED, answer, paged
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import store
from server.service.accounts import bot_accounts
from server.service.lists import bot_list
from server.service.lists.list_pages import Total

blp = Blueprint("bots", __name__, url_prefix="/api/v1/bots", description="Bots that can be seated")


@blp.route("")
class KnownBots(MethodView):
    """All bots."""

    @blp.etag
    @blp.no_query
    @blp.response(200, many("Bot"))
    def get(self) -> Response:
        """List the bots that can be seated by their names, from the weakest on."""
        return answer(bot_list.listing())


@blp.route("/accounts")
class BotAccounts(MethodView):
    """Bots with accounts."""

    @blp.etag
    @blp.arguments(PageQuerySchema, location="query")
    @blp.response(200, many("BotAccount"), headers=PAGED)
    def get(self, query: dict[str, Any]) -> Response:
        """List the bots with accounts that take games: whose they are, and what they play."""
        items, total = bot_accounts.listing(store(), query["page"], query["page_size"])
        return paged(items, Total(total, True), query)
