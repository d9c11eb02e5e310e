"""Tournaments: rounds of the same deals at every table."""

from typing import Any

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.games import NewEntrySchema, NewSeasonSchema, NewTournamentSchema
from server.routes.http.answers import LINES, MADE, answer, created, lines, text_of
from server.routes.http.bearer_auth import asked, current_player
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.context import now, store
from server.service.contests import tournaments

blp = Blueprint("tournaments", __name__, url_prefix="/api/v1/tournaments", description="The same deals at every table")


@blp.get("", many("TournamentSummary"), **OPEN)
def get_tournaments() -> Response:
    """List the newest tournaments: those that can be entered first, then those under way."""
    return answer(tournaments.listing(store(), current_player()))


@blp.make("", "Tournament", body=NewTournamentSchema, fails=(403, 404, 409))
def post_tournaments(data: dict[str, Any]) -> Response:
    """Open a tournament, which the caller organises; to play in it, enter it as well."""
    made = tournaments.make(store(), current_player(), **data, now=now(), asked=asked(data))
    page = tournaments.page(store(), made, current_player())
    return created(page, "tournaments.getTournament", tournament_id=made)


@blp.get("/<id:tournament_id>", "Tournament", fails=(404,), **OPEN)
def get_tournament(tournament_id: str) -> Response:
    """Read who is in a tournament, with their places, its tables and its deals."""
    return answer(tournaments.page(store(), tournament_id, current_player()))


@blp.delete("/<id:tournament_id>", "Tournament", scope="play", fails=(403, 404, 409))
def delete_tournament(tournament_id: str) -> Response:
    """Call a tournament off, as its organiser, before it starts."""
    return answer(tournaments.call_off(store(), current_player(), tournament_id, now()))


@blp.post("/<id:tournament_id>/entries", "Tournament", 201, scope="play", body=NewEntrySchema, fails=(403, 404, 409))
def post_entries(data: dict[str, Any], tournament_id: str) -> Response:
    """Enter a tournament; under way, take the place of somebody who has left. Its organiser lets bots enter."""
    player, bot = current_player(), data["bot"]
    if bot is None:
        return answer(tournaments.enter(store(), player, tournament_id, now()), 201)
    return answer(tournaments.add_bot(store(), player, tournament_id, bot, now()), 201)


@blp.delete("/<id:tournament_id>/entries/<ply:number>", "Tournament", scope="play", fails=(403, 404, 409))
def delete_entry(tournament_id: str, number: int) -> Response:
    """Leave a tournament, where under way a bot plays on; or as its organiser take somebody out before the start."""
    return answer(tournaments.leave(store(), current_player(), tournament_id, number, now()))


@blp.post("/<id:tournament_id>/start", "Tournament", scope="play", fails=(403, 404, 409))
def post_start(tournament_id: str) -> Response:
    """Begin the first round of a tournament that the caller organises."""
    return answer(tournaments.start(store(), current_player(), tournament_id, now()))


@blp.post(
    "/<id:tournament_id>/season",
    "Tournament",
    201,
    scope="play",
    body=NewSeasonSchema,
    fails=(403, 404, 409),
    headers=MADE,
)
def post_season(data: dict[str, Any], tournament_id: str) -> Response:
    """Open the next season of a league: each division's first go up, its last go down. Answers its highest division."""
    page = tournaments.next_season(store(), current_player(), tournament_id, data["size"], now())
    return created(page, "tournaments.getTournament", tournament_id=page["id"])


@blp.get("/<id:tournament_id>/records", text_of(LINES, "Record"), content_type=LINES, fails=(404,))
def get_tournament_records(tournament_id: str) -> Response:
    """Read the records of all games that count, one in a line: `ulm-replay standings` makes the table of them."""
    return lines(tournaments.records(store(), tournament_id))
