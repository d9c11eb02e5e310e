"""Puzzles: positions of finished games in which one turn beats all others, one for each day."""

from typing import Any

from flask import Response, url_for

from server.routes.api.response_schemas import many
from server.routes.api.schemas.replays import PuzzleAnswerSchema, PuzzleDaysQuerySchema, PuzzleQuerySchema
from server.routes.http.answers import answer
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import now, store
from server.service.archive import puzzles
from server.service.views import drafts, puzzle_page

blp = Blueprint("puzzles", __name__, url_prefix="/api/v1/puzzles", description="A puzzle for each day")


@blp.get("", many("PuzzleDay"), query=PuzzleDaysQuerySchema, etag=True)
def get_puzzles(query: dict[str, Any]) -> Response:
    """List the days up to today (UTC) that had a puzzle, newest first; the header Link leads to those before."""
    before, most = query["before"], query["page_size"]
    found = puzzles.days(store(), None if before is None else before.isoformat(), most, now())
    response = answer(found)
    if len(found) == most:
        further = url_for("puzzles.getPuzzles", before=found[-1]["day"], page_size=most)
        response.headers["Link"] = f'<{further}>; rel="next"'
    return response


@blp.get("/<puzzle:which>", "Puzzle", query=PuzzleQuerySchema, etag=True, fails=(404,))
def get_puzzle(query: dict[str, Any], which: str) -> Response:
    """Read a puzzle by its id or day, or that of `today`, as its seat saw it, with moves that are tried."""
    return answer(puzzle_page.position(store(), which, drafts.read(query["moves"]), now()))


@blp.post("/<puzzle:which>/answer", "PuzzleVerdict", body=PuzzleAnswerSchema, fails=(404,))
def post_puzzle_answer(data: dict[str, Any], which: str) -> Response:
    """Say which turn is best, and hear whether it is, what the next best is worth, and what was played."""
    return answer(puzzle_page.verdict(store(), which, data["moves"], now()))
