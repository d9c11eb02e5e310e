"""Webhooks of a player, and what became of what was sent there. Browsers are added on the pages."""

from typing import Any

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.players import NewChannelSchema
from server.routes.http.answers import answer, created, nothing
from server.routes.http.bearer_auth import asked, current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, settings, store
from server.routes.http.strict_fields import RequestSchema
from server.service.accounts import channels

blp = Blueprint("channels", __name__, url_prefix="/api/v1/players/me/channels", description="News beside mail")


@blp.get("", many("Channel"), scope="account")
def get_channels() -> Response:
    """List the own channels, with what went there."""
    return answer(channels.listing(store(), current_player()))


@blp.make("", "CreatedChannel", scope="account", body=NewChannelSchema, fails=(404, 409))
def post_channels(data: dict[str, Any]) -> Response:
    """Send news of the own games to an address, and a trial at once.

    404 is for the same request once more, when that channel was removed.
    """
    given = (data["shape"], data["address"], data["token"])
    plain = bool(settings().own_networks)
    made = channels.add_webhook(store(), current_player(), *given, now(), plain=plain, asked=asked(data))
    return created(made, "channels.deleteOneChannel", channel_id=made["id"])


@blp.post("/<id:channel_id>/trials", None, 204, scope="account", body=RequestSchema, fails=(404,))
def post_trials(data: dict[str, Any], channel_id: str) -> Response:
    """Send a trial, one a minute at most; the list of channels tells what became of it."""
    channels.try_out(store(), current_player(), channel_id, now())
    return nothing()


@blp.delete("/<id:channel_id>", None, 204, scope="account", fails=(404,))
def delete_one_channel(channel_id: str) -> Response:
    """Send nothing there any more."""
    channels.remove(store(), current_player(), channel_id, now())
    return nothing()
