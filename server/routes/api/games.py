"""Games: making, reading, joining and inviting, and the pauses of their clocks."""

from typing import Any

from flask import Response, request
from flask.views import MethodView

from server.routes.api.response_schemas import many
from server.routes.api.schemas.games import (
    FillSchema,
    GameQuerySchema,
    GamesQuerySchema,
    JoinSchema,
    NewGameSchema,
    NewInvitationSchema,
)
from server.routes.http.answers import MADE, PAGED, answer, created, nothing, paged
from server.routes.http.bearer_auth import current_player, me_or_id
from server.routes.http.blueprint import KEYED, Blueprint
from server.routes.http.context import client_gone, now, settings, store
from server.routes.http.long_polls import newest
from server.routes.http.request_parsing import asked
from server.service.lists import game_lists, game_page
from server.service.seating import creating, invitations, joining
from server.service.views.live_events import PageSubscription

blp = Blueprint("games", __name__, url_prefix="/api/v1/games", description="Games that are open, running or over")


@blp.route("")
class Games(MethodView):
    """All games."""

    @blp.operation(many("ListedGame"), scope="read", optional=True, query=GamesQuerySchema, etag=True, headers=PAGED)
    def get(self, query: dict[str, Any]) -> Response:
        """List games, newest first; private ones for their members only."""
        player, page, size = current_player(), query["page"], query["page_size"]
        member = me_or_id(query["player"])
        items, total = game_lists.listing(store(), player, query["status"], member, page, size, query["after"])
        return paged(items, total, query, "created_at")

    @blp.operation("Game", 201, scope="play", body=NewGameSchema, takes=KEYED, fails=(409,), headers=MADE)
    def post(self, data: dict[str, Any]) -> Response:
        """Make a game and take its seat 0."""
        most = settings().games_per_player
        key = asked(request, current_player(), data)
        page = creating.create(store(), current_player(), **data, now=now(), most=most, asked=key)
        return created(page, "games.Game", game_id=page["id"])


@blp.route("/<id:game_id>")
class Game(MethodView):
    """One game."""

    @blp.operation(
        "Game",
        scope="read",
        optional=True,
        query=GameQuerySchema,
        takes=("PREFER_WAIT",),
        etag=True,
        fails=(404,),
        headers={"ETag": "ETAG"},
    )
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read a game as the caller may see it, or wait until that changes."""
        player = current_player()
        page = game_page.page(store(), game_id, player, query["invitation"])
        tag = game_page.etag(page)
        if query["invitation"] is None:  # who merely holds an invitation looks, and does not wait
            gone = client_gone()
            page = newest(
                PageSubscription(store(), game_id, player),
                page,
                tag,
                lambda wait: game_page.wait_for_change(store(), game_id, player, tag, wait, gone),
            )
        return answer(page, headers={"ETag": f'"{game_page.etag(page)}"'})


@blp.route("/<id:game_id>/players")
class Seats(MethodView):
    """The seats of a game."""

    @blp.operation("Game", 201, scope="play", body=JoinSchema, takes=KEYED, fails=(403, 404, 409), headers=MADE)
    def post(self, data: dict[str, Any], game_id: str) -> Response:
        """Take a seat; the game starts when all seats are taken."""
        key = asked(request, current_player(), data, game_id=game_id)
        page = joining.join(store(), current_player(), game_id, **data, now=now(), asked=key)
        return created(page, "games.Game", game_id=game_id)


@blp.route("/<id:game_id>/bots")
class Bots(MethodView):
    """Bots at the table."""

    @blp.operation("Game", 201, scope="play", body=FillSchema, takes=KEYED, fails=(403, 404, 409), headers=MADE)
    def post(self, data: dict[str, Any], game_id: str) -> Response:
        """Let bots take all free seats of a game that the caller made, so that it starts now."""
        key = asked(request, current_player(), data, game_id=game_id)
        page = joining.fill_with_bots(store(), current_player(), game_id, data["bot"], now(), asked=key)
        return created(page, "games.Game", game_id=game_id)


@blp.route("/<id:game_id>/players/me")
class OwnSeat(MethodView):
    """The caller's seat."""

    @blp.operation(None, 204, scope="play", fails=(403, 404, 409))
    def delete(self, game_id: str) -> Response:
        """Leave a game that has not started."""
        joining.leave(store(), current_player(), game_id, now())
        return nothing()


invitations_blp = Blueprint("invitations", __name__, url_prefix="/api/v1/games", description="Inviting people by mail")


@invitations_blp.route("/<id:game_id>/invitations")
class Invitations(MethodView):
    """The invitations to a game."""

    @invitations_blp.operation("Invitation", 201, scope="play", body=NewInvitationSchema, fails=(403, 404, 409, 429))
    def post(self, data: dict[str, Any], game_id: str) -> Response:
        """Invite an address, whether or not it belongs to an account; the link in the mail takes a seat."""
        return answer(invitations.invite(store(), current_player(), game_id, data["address"], now()), 201)
