"""Games: making, reading, joining and inviting, and the pauses of their clocks."""

from typing import Any

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.games import (
    FillSchema,
    GameQuerySchema,
    GamesQuerySchema,
    JoinSchema,
    NewGameSchema,
    NewInvitationSchema,
)
from server.routes.http.answers import PAGED, answer, created, nothing, paged
from server.routes.http.bearer_auth import asked, current_player, me_or_id
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.context import now, settings, store
from server.routes.http.streams import newest
from server.service.common import quotas
from server.service.lists import game_lists, game_page
from server.service.seating import creating, invitations, joining, rematches
from server.service.views.live_events import PageSubscription

blp = Blueprint("games", __name__, url_prefix="/api/v1/games", description="Games that are open, running or over")


@blp.get("", many("ListedGame"), query=GamesQuerySchema, headers=PAGED, **OPEN)
def get_games(query: dict[str, Any]) -> Response:
    """List games, newest first; private ones for their members only."""
    player, page, size = current_player(), query["page"], query["page_size"]
    to_move, by_deadline = me_or_id(query["to_move"]), query["sort"] == "deadline"
    member = me_or_id(query["player"] or query["to_move"])
    items, total = game_lists.listing(
        store(), player, query["status"], member, page, size, query["after"], to_move, by_deadline
    )
    return paged(items, total, query, None if by_deadline else "created_at")


@blp.make("", "Game", body=NewGameSchema, fails=(404, 409))
def post_games(data: dict[str, Any]) -> Response:
    """Make a game and take its seat 0.

    404 is for the same request once more, when that game is gone.
    """
    most = settings().allowed(quotas.GAMES_PER_PLAYER)
    page = creating.create(store(), current_player(), **data, now=now(), most=most, asked=asked(data))
    return created(page, "games.getGame", game_id=page["id"])


@blp.get(
    "/<id:game_id>",
    "Game",
    query=GameQuerySchema,
    takes=("PREFER_WAIT",),
    fails=(404,),
    headers={"ETag": "ETAG"},
    **OPEN,
)
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Read a game as the caller may see it, or wait until that changes."""
    player = current_player()
    page = game_page.page(store(), game_id, player, query["invitation"])
    tag = game_page.etag(page)
    if query["invitation"] is None:  # who merely holds an invitation looks, and does not wait
        sight = PageSubscription(store(), game_id, player)
        page = newest(sight, page, tag, lambda: game_page.page(store(), game_id, player))
    return answer(page, headers={"ETag": f'"{game_page.etag(page)}"'})


@blp.make("/<id:game_id>/players", "Game", body=JoinSchema, fails=(403, 404, 409))
def post_seats(data: dict[str, Any], game_id: str) -> Response:
    """Take a seat; the game starts when all seats are taken."""
    page = joining.join(store(), current_player(), game_id, **data, now=now(), asked=asked(data, game_id=game_id))
    return created(page, "games.getGame", game_id=game_id)


@blp.make("/<id:game_id>/bots", "Game", body=FillSchema, fails=(403, 404, 409))
def post_bot_seats(data: dict[str, Any], game_id: str) -> Response:
    """Let bots take all free seats of a game that the caller made, so that it starts now."""
    page = joining.fill_with_bots(
        store(), current_player(), game_id, data["bot"], now(), asked=asked(data, game_id=game_id)
    )
    return created(page, "games.getGame", game_id=game_id)


@blp.make("/<id:game_id>/rematch", "Game", fails=(403, 404, 409))
def post_rematch(game_id: str) -> Response:
    """Open a private game like this one, which is over, and offer its seats to the others by mail."""
    page = rematches.offer(store(), current_player(), game_id, now(), asked(game_id=game_id))
    return created(page, "games.getGame", game_id=page["id"])


@blp.delete("/<id:game_id>/players/me", None, 204, scope="play", fails=(403, 404, 409))
def delete_own_seat(game_id: str) -> Response:
    """Leave a game that has not started."""
    joining.leave(store(), current_player(), game_id, now())
    return nothing()


invitations_blp = Blueprint("invitations", __name__, url_prefix="/api/v1/games", description="Inviting people")


@invitations_blp.post(
    "/<id:game_id>/invitations", "Invitation", 201, scope="play", body=NewInvitationSchema, fails=(403, 404, 409, 429)
)
def post_invitations(data: dict[str, Any], game_id: str) -> Response:
    """Invite an address or a player; the answer does not tell whether anybody reads it.

    To an address goes a mail whose link takes a seat, whether or not it belongs to an account.
    """
    if "player" in data:
        return answer(invitations.invite_player(store(), current_player(), game_id, data["player"], now()), 201)
    return answer(invitations.invite(store(), current_player(), game_id, data["address"], now()), 201)
