"""`/puzzles`: the puzzle of today and those of the days before; `/puzzles/WHICH`: one, by its day or id.

The moves that are tried stand in the address, as those of a draft do, and so does a whole turn that is held against the
solution: nothing is stored, and nothing has to be sent.
"""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from server.language import sentence
from server.routes.http.context import now, store
from server.routes.pages.puzzles import puzzle_values
from server.routes.pages.shared import rendering
from server.service.archive import puzzles
from server.service.common.errors import NotFound, Unprocessable
from server.service.play.turns import MOVES_MAX
from server.service.views import drafts, puzzle_page
from server.service.views.puzzle_page import Put, PuzzleVerdict

blp = Blueprint("puzzle-pages", __name__)

PAGE = 30
"""Days on a page."""


@blp.get("/puzzles")
def listing() -> Response:
    """The puzzle of today, and the days before it."""
    before = request.args.get("before", "")[:10] or None
    there = puzzles.days(store(), before, PAGE + 1, now())
    try:
        today = puzzle_page.look(store(), puzzles.TODAY, [], now()) if before is None else None
    except NotFound:
        today = None
    day = puzzles.day_of(now())
    return rendering.page(
        "puzzles/days",
        before=before,
        today=None if today is None else puzzle_values.put_in_short(today),
        days=[puzzle_values.listed(one) for one in there[:PAGE] if one["day"] != day],
        further=url_for("puzzle-pages.listing", before=there[PAGE - 1]["day"]) if len(there) > PAGE else None,
    )


@blp.get("/puzzles/<puzzle:which>")
def puzzle(which: str) -> Response:
    """A puzzle, with the moves of the address tried."""
    return _page(which, _drafted(), request.args.get("ask"))


@blp.get("/puzzles/<puzzle:which>/answer")
def answer(which: str) -> Response:
    """Whether a whole turn is the solution."""
    moves = _drafted()
    put = puzzle_page.look(store(), which, [], now())
    try:
        verdict = puzzle_page.verdict_of(put, moves)
    except Unprocessable as refusal:
        return _page(which, [], None, sentence(refusal.message), refusal.status)
    return _shown(which, put, verdict)


def _page(which: str, moves: list[str], ask: str | None, problem: str | None = None, status: int = 200) -> Response:
    put = puzzle_page.look(store(), which, moves, now())
    return rendering.page("puzzles/puzzle", status, **puzzle_values.of_draft(which, put, ask, problem))


def _shown(which: str, put: Put, verdict: PuzzleVerdict) -> Response:
    return rendering.page("puzzles/puzzle", **puzzle_values.of_verdict(which, put, verdict))


def _drafted() -> list[str]:
    """The moves of the address, and the one that was pressed."""
    moves = drafts.read(request.args.get("draft", ""))
    return [*moves, *drafts.read(request.args.get("move", ""))][:MOVES_MAX]
