"""Clocks: vacations, pauses, and coming back to a seat that the server plays."""

from typing import Any

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.players import NewVacationSchema
from server.routes.http.answers import answer, created, nothing
from server.routes.http.bearer_auth import asked, current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, store
from server.routes.http.strict_fields import RequestSchema
from server.service.play import pause, timeouts, vacation

blp = Blueprint("clocks", __name__, url_prefix="/api/v1", description="Deadlines, and what keeps them off")


@blp.get("/players/me/vacations", many("Vacation"), scope="read")
def get_vacations() -> Response:
    """List the own vacations of this year and later."""
    return answer(vacation.listing(store(), current_player(), now()))


@blp.make("/players/me/vacations", "Vacation", body=NewVacationSchema, fails=(404, 409))
def post_vacations(data: dict[str, Any]) -> Response:
    """Enter a vacation: deadlines under way move with it, as far as the games' clocks count it.

    404 is for the same request once more, when that vacation is over or was removed.
    """
    made = vacation.add(store(), current_player(), data["starts_at"], data["ends_at"], now(), asked(data))
    return created(made, "clocks.deleteOneVacation", vacation_id=made["id"])


@blp.delete("/players/me/vacations/<id:vacation_id>", None, 204, scope="play", fails=(404,))
def delete_one_vacation(vacation_id: str) -> Response:
    """Remove a vacation to come, or end the one under way."""
    vacation.end(store(), current_player(), vacation_id, now())
    return nothing()


@blp.post("/games/<id:game_id>/pause", "Game", scope="play", body=RequestSchema, fails=(403, 404, 409))
def post_pause(data: dict[str, Any], game_id: str) -> Response:
    """Wish for a pause; the clock stops when all players do."""
    return answer(pause.vote(store(), current_player(), game_id, now()))


@blp.delete("/games/<id:game_id>/pause", "Game", scope="play", fails=(403, 404, 409))
def delete_pause(game_id: str) -> Response:
    """Wish for no pause; one that holds ends, and the clock runs on with the time that was left."""
    return answer(pause.withdraw(store(), current_player(), game_id, now()))


@blp.post("/games/<id:game_id>/return", "Game", scope="play", body=RequestSchema, fails=(403, 404, 409))
def post_return(data: dict[str, Any], game_id: str) -> Response:
    """Play the own seat again, after the server played it for turns that took too long."""
    return answer(timeouts.come_back(store(), current_player(), game_id))
