"""Other players: friends, who is muted or blocked, with whom one has played, invitations by name, and ratings."""

from typing import Any

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.players import ChangedContactSchema, PlayersQuerySchema, RatingsQuerySchema
from server.routes.http.answers import answer, nothing
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.context import now, store
from server.service.accounts import contacts
from server.service.archive import player_pages
from server.service.lists import opponents, ratings
from server.service.seating import invitations

blp = Blueprint("people", __name__, url_prefix="/api/v1/players", description="Other players, and what they are to one")
ratings_blp = Blueprint("ratings", __name__, url_prefix="/api/v1/ratings", description="How well people and bots play")


@blp.get("", many("FoundPlayer"), query=PlayersQuerySchema, **OPEN)
def get_players(query: dict[str, Any]) -> Response:
    """Find players by the beginning of their names, at most 20.

    Found are bots, who has played in a public game, and those with whom the caller has sat; who is `private` is not.
    """
    return answer(player_pages.find(store(), query["name"], current_player()))


@blp.get("/<player:player_id>", "PlayerPage", fails=(404,), **OPEN)
def get_one_player(player_id: str) -> Response:
    """Read the page of a player, or of a bot of the house by its name: results, games together, usual hours.

    It counts the finished games that the caller may see. Who is `private` is 404 but for those who have sat with them.
    """
    return answer(player_pages.page(store(), player_id, current_player()))


@blp.get("/<player:player_id>/ratings", many("RatingCourse"), fails=(404,), **OPEN)
def get_player_ratings(player_id: str) -> Response:
    """Read the ratings of a player, or of a bot of the house by its name, by kind of game, and how they came.

    There are none of who has switched them off or is `private`, but for themselves.
    """
    return answer(ratings.of_player(store(), player_id, current_player()))


@blp.get("/me/contacts", many("Contact"), scope="read", etag=True)
def get_contacts() -> Response:
    """List the caller's friends, and whom the caller has muted or blocked; nobody else can."""
    return answer(contacts.listing(store(), current_player()))


@blp.put("/me/contacts/<id:player_id>", "Contact", scope="play", body=ChangedContactSchema, fails=(404, 409))
def put_one_contact(data: dict[str, Any], player_id: str) -> Response:
    """Make another player a friend, or mute or block them; they are not told.

    Of who is muted no message reaches the caller. Who is blocked is muted, takes no seat at an open table of the
    caller, and their invitations and rematches never arrive.
    """
    return answer(contacts.put(store(), current_player(), player_id, data["kind"], now()))


@blp.delete("/me/contacts/<id:player_id>", None, 204, scope="play", fails=(404,))
def delete_one_contact(player_id: str) -> Response:
    """Let another player be neither friend, nor muted, nor blocked."""
    contacts.forget(store(), current_player(), player_id)
    return nothing()


@blp.get("/me/opponents", many("Opponent"), scope="read", etag=True)
def get_opponents() -> Response:
    """List whom the caller may wish to play with: friends, then the people of the caller's newest games."""
    return answer(opponents.people(store(), current_player()))


@blp.get("/me/invitations", many("OwnInvitation"), scope="read", etag=True)
def get_own_invitations() -> Response:
    """List the open games to which the caller was invited by name.

    POST /api/v1/games/ID/players with the `invitation` takes the seat.
    """
    return answer(invitations.to_player(store(), current_player()))


@blp.delete("/me/invitations/<id:game_id>", None, 204, scope="play", fails=(404,))
def delete_own_invitation(game_id: str) -> Response:
    """Decline an invitation by name."""
    invitations.decline(store(), current_player(), game_id, now())
    return nothing()


@ratings_blp.get("", many("RankedPlayer"), query=RatingsQuerySchema, **OPEN)
def get_ratings(query: dict[str, Any]) -> Response:
    """List who plays a kind of game best, people who wish a rating and bots of the house; at most 200.

    Behind them come those of whom too little is known yet. Who is `private` is left out.
    """
    return answer(ratings.ranking(store(), query["variant"], query["seats"]))
