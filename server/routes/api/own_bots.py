"""The caller's own bots: accounts of programs, which play by this API with a token of their own."""

from typing import Any

from flask import Response, request
from flask.views import MethodView

from server.routes.api.response_schemas import many
from server.routes.api.schemas.players import ChangedBotSchema, NewBotSchema
from server.routes.http.answers import answer, created, nothing
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import forget, now, store
from server.routes.http.request_parsing import asked
from server.service.accounts import bot_accounts
from server.service.erasure import deletion

blp = Blueprint(
    "own-bots", __name__, url_prefix="/api/v1/players/me/bots", description="Bots with accounts, and their owners"
)


@blp.route("")
class OwnBots(MethodView):
    """The caller's bots."""

    @blp.login_required("account")
    @blp.etag
    @blp.no_query
    @blp.response(200, many("BotAccount"))
    def get(self) -> Response:
        """List the own bots."""
        return answer(bot_accounts.of_owner(store(), current_player()))

    @blp.login_required("account")
    @blp.parameters("IDEMPOTENCY_KEY")
    @blp.arguments(NewBotSchema)
    @blp.response(201, "BotWithToken", headers={"Location": "LOCATION"})
    @blp.fails(403, 409, 429)
    def post(self, data: dict[str, Any]) -> Response:
        """Make a bot: an account that the caller owns and is named with. Its token is shown this once."""
        key = asked(request, current_player(), data)
        made = bot_accounts.create(
            store(), current_player(), data["handle"], data["name"], data["rules"], now(), asked=key
        )
        return created(made, "own-bots.OneBot", handle=data["handle"])


@blp.route("/<id:handle>")
class OneBot(MethodView):
    """One of the caller's bots."""

    @blp.login_required("account")
    @blp.etag
    @blp.no_query
    @blp.response(200, "BotAccount")
    @blp.fails(404)
    def get(self, handle: str) -> Response:
        """Read one of the own bots."""
        return answer(bot_accounts.one(store(), current_player(), handle))

    @blp.login_required("account")
    @blp.arguments(ChangedBotSchema)
    @blp.response(200, "BotAccount")
    @blp.fails(404)
    def patch(self, data: dict[str, Any], handle: str) -> Response:
        """Give a bot another name, or change what it plays; games that it sits in go on."""
        return answer(bot_accounts.change(store(), current_player(), handle, data["name"], data["rules"]))

    @blp.login_required("account")
    @blp.no_query
    @blp.response(204)
    @blp.fails(404, 409)
    def delete(self, handle: str) -> Response:
        """Delete a bot, for ever and at once: open games are left, running ones resigned."""
        forget(deletion.delete_bot(store(), current_player(), handle, now()))
        return nothing()


@blp.route("/<id:handle>/token")
class BotToken(MethodView):
    """The token of one of the caller's bots."""

    @blp.login_required("account")
    @blp.no_query
    @blp.response(201, "BotWithToken", headers={"Location": "LOCATION"})
    @blp.fails(404)
    def post(self, handle: str) -> Response:
        """Give a bot another token; the one before ends. It is shown this once."""
        made = bot_accounts.renew_token(store(), current_player(), handle, now())
        return created(made, "own-bots.OneBot", handle=handle)
