"""`/puzzles`: the puzzle of today and those of the days before; `/puzzles/WHICH`: one, by its day or id."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Blueprint, Response, request, url_for

from server.board.canvas import Link
from server.language import day, sentence
from server.language import gettext as _
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.game import own_turn
from server.routes.pages.game.access import GameAccess
from server.routes.pages.game.board_links import END, links_of
from server.routes.pages.shared import boards, rendering
from server.routes.pages.shared.game_wording import level_name
from server.service.archive import puzzles
from server.service.common.errors import NotFound, Unprocessable
from server.service.explain import game_words
from server.service.play.turns import MOVES_MAX
from server.service.views import drafts, puzzle_page
from server.service.views.drafts import Draft
from server.service.views.puzzle_page import PosedPuzzle, PuzzleTurn, PuzzleVerdict
from server.service.views.replay_viewer import PREFIXES

blp = Blueprint("puzzle-pages", __name__)

PAGE = 30
"""Days on a page."""


@blp.get("/puzzles")
def listing() -> Response:
    """The puzzle of today, and the days before it."""
    before = request.args.get("before", "")[:10] or None
    there = puzzles.days(store(), before, PAGE + 1, now())
    try:
        today = puzzle_page.pose(store(), puzzles.TODAY, [], now()) if before is None else None
    except NotFound:
        today = None
    shown = {}
    if today is not None:
        which = today.puzzle.day or today.puzzle.id
        shown = {**_about(which, today), "boards": _boards(_access(which), today, False)}
    return rendering.page(
        "puzzles/days",
        before=before,
        today=shown,
        days=[one for one in there[:PAGE] if one["day"] != puzzles.day_of(now())],
        said=lambda one: day(date.fromisoformat(one["day"])),
        further=there[PAGE - 1]["day"] if len(there) > PAGE else None,
    )


@blp.get("/puzzles/<puzzle:which>")
def puzzle(which: str) -> Response:
    """A puzzle, with the moves of the address tried."""
    return _page(which, _drafted(), request.args.get("ask"))


@blp.get("/puzzles/<puzzle:which>/answer")
def answer(which: str) -> Response:
    """Whether a whole turn is the solution. What the solution is comes with it, or where `solution` asks for it: till
    then a wrong turn is just a try."""
    moves = _drafted()
    put = puzzle_page.pose(store(), which, [], now())
    try:
        verdict = puzzle_page.verdict_of(put, moves)
    except Unprocessable as refusal:
        return _page(which, [], None, sentence(refusal.message), status_of(refusal))
    again = _access(which).draft(put.puzzle.form["ply"], verdict["answer"]["moves"][:-1])
    return rendering.page(
        "puzzles/puzzle",
        **_about(which, put),
        verdict=verdict,
        boards=_boards(_access(which), put, False),
        again=again,
        told="solution" in request.args or verdict["solved"],
        tell=url_for("puzzle-pages.answer", which=which, draft=drafts.write(moves), solution=1),
        turns=_turns(verdict),
        percent=lambda chance: f"{100 * (chance or 0.0):.0f}\N{NO-BREAK SPACE}%",
    )


def _page(which: str, moves: list[str], ask: str | None, problem: str | None = None, status: int = 200) -> Response:
    put = puzzle_page.pose(store(), which, moves, now())
    access, draft = _access(which), put.draft
    if draft.problem is not None:
        problem = _("Those moves cannot be tried here. This is the position of the puzzle.")
    return rendering.page(
        "puzzles/puzzle",
        status,
        **_about(which, put),
        access=access,
        verdict=None,
        problem=problem,
        draft=draft,
        lead=own_turn.lead_of_draft(draft),
        boards=_boards(access, put, True),
        moves_html=own_turn.buttons(access, draft, ask, puzzle=True),
        asking=ask is not None or bool(draft.view["pending"]),
        steps=own_turn.steps_of(access, draft),
    )


def _drafted() -> list[str]:
    """The moves of the address, and the one that was pressed."""
    moves = drafts.read(request.args.get("draft", ""))
    return [*moves, *drafts.read(request.args.get("move", ""))][:MOVES_MAX]


def _access(which: str) -> GameAccess:
    """A puzzle is anybody's, and its forms change nothing."""
    return GameAccess(url_for("puzzle-pages.puzzle", which=which))


def _about(which: str, put: PosedPuzzle) -> dict[str, Any]:
    """What is said of a puzzle, solved or not, and what its proof in the browser needs."""
    form = put.puzzle.form
    place: dict[str, Any] = {"game_id": put.puzzle.game_id, "ply": form["ply"], "seat": form["seat"]}
    return {
        **place,
        "which": which,
        "title": day(date.fromisoformat(put.puzzle.day)) if put.puzzle.day else None,
        "color": game_words.words(put.replay.record.rules).seats[form["seat"]],
        "name": put.names[form["seat"]],
        "level": level_name(form["level"]),
        "round": form["round"],
        "game": put.title,
        "commitment": put.commitment,
        "proven": orjson.dumps(put.first).decode(),
        "replay": url_for("replay-pages.watch", **place),
    }


def _turns(verdict: PuzzleVerdict) -> list[tuple[str, PuzzleTurn]]:
    """The turns that are told, each once."""
    told = [] if verdict["solved"] else [(_("Your turn"), verdict["answer"])]
    told.append((_("The solution"), verdict["solution"]))
    for title, turn in ((_("The next best"), verdict["next_best"]), (_("Played in the game"), verdict["played"])):
        if all(turn["moves"] != other["moves"] for _title, other in told):
            told.append((title, turn))
    return told


def _boards(access: GameAccess, put: PosedPuzzle, linked: bool) -> dict[str, str]:
    """The board in the layouts of the replay viewer, as the seat saw it; legal moves are links where it is `linked`."""
    draft = put.draft
    links = _links(access, draft) if linked else {}
    return boards.boards(draft.view, draft.seat, put.names, PREFIXES, links)


def _links(access: GameAccess, draft: Draft) -> dict[str, Link]:
    """What leads where on the board: to the place that the page that comes is to be seen at. The end of the turn is not
    asked about: whoever hands in too early tries again."""
    found = {key: link._replace(href=f"{link.href}#onward") for key, link in links_of(access, draft).items()}
    if END in found:
        query = urlencode({"draft": draft.text, "move": END}, safe=",")
        found[END] = Link(f"{access.to('answer')}?{query}", END, _("Hand in my solution"))
    return found
