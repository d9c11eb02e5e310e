"""Bots that can be seated, and the bots that the caller owns: accounts of programs, with a token of their own."""

from typing import Any

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.common import PageQuerySchema
from server.routes.api.schemas.players import ChangedBotSchema, NewBotSchema
from server.routes.http.answers import MADE, PAGED, answer, created, nothing, paged
from server.routes.http.bearer_auth import asked, current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import forget, now, store
from server.service.accounts import bot_accounts
from server.service.erasure import deletion
from server.service.games import bots
from server.service.lists.list_pages import Total

blp = Blueprint("bots", __name__, url_prefix="/api/v1/bots", description="Bots that can be seated")


@blp.get("", many("Bot"), etag=True)
def get_known_bots() -> Response:
    """List the bots that can be seated by their names, from the weakest on."""
    return answer(bots.listing())


@blp.get("/accounts", many("BotAccount"), query=PageQuerySchema, etag=True, headers=PAGED)
def get_bot_accounts(query: dict[str, Any]) -> Response:
    """List the bots with accounts that take games: whose they are, and what they play."""
    items, total = bot_accounts.listing(store(), query["page"], query["page_size"])
    return paged(items, Total(total, True), query)


own_blp = Blueprint(
    "own-bots", __name__, url_prefix="/api/v1/players/me/bots", description="Bots with accounts, and their owners"
)


@own_blp.get("", many("BotAccount"), scope="account", etag=True)
def get_own_bots() -> Response:
    """List the own bots."""
    return answer(bot_accounts.of_owner(store(), current_player()))


@own_blp.make("", "BotWithToken", scope="account", body=NewBotSchema, fails=(403, 409, 429))
def post_own_bots(data: dict[str, Any]) -> Response:
    """Make a bot: an account that the caller owns and is named with. Its token is shown this once."""
    made = bot_accounts.create(
        store(), current_player(), data["handle"], data["name"], data["rules"], now(), asked=asked(data)
    )
    return created(made, "own-bots.getOneBot", handle=data["handle"])


@own_blp.get("/<id:handle>", "BotAccount", scope="account", etag=True, fails=(404,))
def get_one_bot(handle: str) -> Response:
    """Read one of the own bots."""
    return answer(bot_accounts.one(store(), current_player(), handle))


@own_blp.patch("/<id:handle>", "BotAccount", scope="account", body=ChangedBotSchema, reads=get_one_bot, fails=(404,))
def patch_one_bot(data: dict[str, Any], handle: str) -> Response:
    """Give a bot another name, or change what it plays; games that it sits in go on."""
    return answer(bot_accounts.change(store(), current_player(), handle, data["name"], data["rules"]))


@own_blp.delete("/<id:handle>", None, 204, scope="account", fails=(404, 409))
def delete_one_bot(handle: str) -> Response:
    """Delete a bot, for ever and at once: open games are left, running ones resigned."""
    forget(deletion.delete_bot(store(), current_player(), handle, now()))
    return nothing()


@own_blp.post("/<id:handle>/token", "BotWithToken", 201, scope="account", fails=(404,), headers=MADE)
def post_bot_token(handle: str) -> Response:
    """Give a bot another token; the one before ends. It is shown this once."""
    made = bot_accounts.renew_token(store(), current_player(), handle, now())
    return created(made, "own-bots.getOneBot", handle=handle)
