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
from server.routes.pages.game import move_pictures, own_turn
from server.routes.pages.game.access import GameAccess
from server.routes.pages.game.board_links import END, links_of
from server.routes.pages.game.own_turn import lead_of_draft
from server.routes.pages.shared import boards, rendering
from server.routes.pages.shared.game_wording import level_name
from server.service.archive import puzzles
from server.service.archive.puzzles import PuzzleDay
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
    day = puzzles.day_of(now())
    return rendering.page(
        "puzzles/days",
        before=before,
        today=None if today is None else put_in_short(today),
        days=[listed(one) for one in there[:PAGE] if one["day"] != day],
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
    put = puzzle_page.pose(store(), which, [], now())
    try:
        verdict = puzzle_page.verdict_of(put, moves)
    except Unprocessable as refusal:
        return _page(which, [], None, sentence(refusal.message), status_of(refusal))
    return rendering.page("puzzles/puzzle", **of_verdict(which, put, verdict))


def _page(which: str, moves: list[str], ask: str | None, problem: str | None = None, status: int = 200) -> Response:
    put = puzzle_page.pose(store(), which, moves, now())
    return rendering.page("puzzles/puzzle", status, **of_draft(which, put, ask, problem))


def _drafted() -> list[str]:
    """The moves of the address, and the one that was pressed."""
    moves = drafts.read(request.args.get("draft", ""))
    return [*moves, *drafts.read(request.args.get("move", ""))][:MOVES_MAX]


PERCENT = "\N{NO-BREAK SPACE}%"


def listed(one: PuzzleDay) -> dict[str, Any]:
    """A day of the list."""
    return {
        "address": url_for("puzzle-pages.puzzle", which=one["day"]),
        "day": day(date.fromisoformat(one["day"])),
        "iso": one["day"],
        "level": level_name(one["level"]),
        "round": one["round"],
    }


def put_in_short(put: PosedPuzzle) -> dict[str, Any]:
    """The puzzle of today on the page of all: what is asked, and where it is solved."""
    which = put.puzzle.day or put.puzzle.id
    return {
        "address": _access(which).here,
        "question": _question(put),
        "facts": _facts(put),
        "boards": _boards(_access(which), put.draft, put.names, False),
    }


def of_draft(which: str, put: PosedPuzzle, ask: str | None, problem: str | None) -> dict[str, Any]:
    """The values for `pages/puzzles/puzzle.html` while it is being solved."""
    access, draft = _access(which), put.draft
    if draft.problem is not None:
        problem = _("Those moves cannot be tried here. This is the position of the puzzle.")
    return {
        **_about(which, put),
        "verdict": None,
        "problem": problem,
        "draft": draft,
        "boards": _boards(access, draft, put.names, True),
        "moves_html": own_turn.buttons(access, draft, ask, puzzle=True),
        "asking": ask is not None or bool(draft.view["pending"]),
        "steps": own_turn.steps_of(access, draft),
        "answer": _answer(draft),
        "access": access,
    }


def of_verdict(which: str, put: PosedPuzzle, verdict: PuzzleVerdict) -> dict[str, Any]:
    """The values for the same when it has been answered."""
    access = _access(which)
    moves = verdict["answer"]["moves"]
    return {
        **_about(which, put),
        "verdict": verdict,
        "answer": None,
        "asking": False,
        "problem": None,
        "draft": None,
        "boards": _boards(access, put.draft, put.names, False),
        "again": access.draft(put.puzzle.form["ply"], moves[:-1]),
        "better": _better(verdict),
        "turns": [(title, _turn(turn)) for title, turn in _turns(verdict)],
        "access": access,
    }


def _access(which: str) -> GameAccess:
    """A puzzle is anybody's, and its forms change nothing."""
    return GameAccess(url_for("puzzle-pages.puzzle", which=which))


def _about(which: str, put: PosedPuzzle) -> dict[str, Any]:
    """What is said of a puzzle, solved or not, and what its proof in the browser needs."""
    form, game_id = put.puzzle.form, put.puzzle.game_id
    return {
        "which": which,
        "title": day(date.fromisoformat(put.puzzle.day)) if put.puzzle.day else None,
        "question": _question(put),
        "facts": _facts(put),
        "game": put.title,
        "game_id": game_id,
        "ply": form["ply"],
        "seat": form["seat"],
        "commitment": put.commitment,
        "proven": orjson.dumps(put.first).decode(),
        "replay": url_for("replay-pages.watch", game_id=game_id, ply=form["ply"], seat=form["seat"]),
        "sprites": move_pictures.SPRITES,
    }


def _question(put: PosedPuzzle) -> str:
    seat = put.puzzle.form["seat"]
    color = game_words.words(put.replay.record.rules).seats[seat]
    name = put.names[seat]
    if name == color:
        return _("%(name)s to move. Which turn is best?", name=name)
    return _("%(color)s, %(name)s, to move. Which turn is best?", color=color, name=name)


def _facts(put: PosedPuzzle) -> list[str]:
    form = put.puzzle.form
    return [level_name(form["level"]), _("round %(number)s of 10", number=form["round"])]


def _better(verdict: PuzzleVerdict) -> str:
    """What the solution has over the next best turn."""
    best, other = verdict["solution"]["chance"] or 0.0, verdict["next_best"]["chance"] or 0.0
    return _(
        "With the best turn the chance to win is %(best)s, with the next best %(other)s.",
        best=_percent(best),
        other=_percent(other),
    )


def _answer(draft: Draft) -> dict[str, Any]:
    """The button that hands in the turn: what comes next, whether it can be pressed, whether nothing else is left."""
    possible = END in draft.options
    if not possible:
        following = lead_of_draft(draft)
    elif draft.lost:
        following = _("Use your tiles in any order, then hand in your solution.")
    else:
        following = _("Your turn is complete. Hand it in!")
    return {"next": following, "possible": possible, "primary": possible and not draft.lost}


def _turns(verdict: PuzzleVerdict) -> list[tuple[str, PuzzleTurn]]:
    """The turns that are told, each once."""
    told = [(_("The solution"), verdict["solution"])]
    if not verdict["solved"]:
        told.insert(0, (_("Your turn"), verdict["answer"]))
    for title, turn in ((_("The next best"), verdict["next_best"]), (_("Played in the game"), verdict["played"])):
        if all(turn["moves"] != other["moves"] for _title, other in told):
            told.append((title, turn))
    return told


def _turn(turn: PuzzleTurn) -> dict[str, Any]:
    chance = turn["chance"]
    return {"words": turn["words"], "chance": None if chance is None else _percent(chance)}


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}{PERCENT}"


def _boards(access: GameAccess, draft: Draft, names: list[str], linked: bool) -> dict[str, str]:
    """The board in the layouts of the replay viewer, with what is hidden from the seat covered; in it the legal moves
    are links where it is `linked`."""
    made_of = (access.here, draft.text) if linked else None

    def links() -> dict[str, Link]:
        return _links(access, draft) if linked else {}

    return boards.boards(draft.view, draft.seat, names, PREFIXES, made_of, links)


def _links(access: GameAccess, draft: Draft) -> dict[str, Link]:
    """What leads where on the board: to the place that the page that comes is to be seen at. The end of the turn is not
    asked about: whoever hands in too early tries again."""
    found = {key: link._replace(href=f"{link.href}#onward") for key, link in links_of(access, draft).items()}
    if END in found:
        query = urlencode({"draft": draft.text, "move": END}, safe=",")
        found[END] = Link(f"{access.to('answer')}?{query}", END, _("Hand in my solution"))
    return found
