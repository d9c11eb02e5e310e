"""How to play: the rules in chapters, for people who never saw the game, with pictures of positions really played."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Response, abort, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from server.board.canvas import num
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.language import N_, current
from server.language import gettext as _
from server.routes.pages.rulebook import chapters, house_values, rules_pictures, search_index
from server.routes.pages.rulebook.chapters import CHAPTER_OF, CHAPTERS
from server.routes.pages.shared import rendering, visitor_preferences
from server.routes.pages.shared.rendering import render

blp = Blueprint("rules-pages", __name__)


@blp.get("/rules")
def rules() -> Response:
    """What the game is about, the board with numbers, and the chapters."""
    chosen = rulesets.for_new_games()
    return rendering.page(
        "rulebook/rules",
        overview=_overview(chosen),
        chapters=chapters.titles(),
        rules=chosen,
    )


@blp.get("/rules/<chapter>")
def chapter(chapter: str) -> Response:
    """One chapter; of that about the turn with `?step=3` of the turn that is played there."""
    if chapter not in CHAPTERS:
        abort(404)
    chosen, before_after = rulesets.for_new_games(), chapters.neighbours(chapter)
    step = request.args.get("step", 0, type=int) if chapter == "turn" else 0
    return rendering.page(
        "rulebook/chapter",
        chapter=chapter,
        told=_chapter(chosen, chapter, min(max(step, 0), rules_pictures.STEPS)),
        chapters=chapters.titles(),
        before=before_after[0],
        after=before_after[1],
    )


@blp.get("/rules/print")
def printed() -> Response:
    """All chapters on one page, for paper."""
    chosen = rulesets.for_new_games()
    told = [_chapter(chosen, name) for name in CHAPTERS]
    colours = "colour-blind" if "colour-blind" in visitor_preferences.theme() else "light"  # paper is white
    return rendering.page("rulebook/print", overview=_overview(chosen), told=told, paper=colours)


@blp.get("/rules/search")
def search() -> Response:
    """Where in the chapters the words of `?q=…` stand: rule ids, names of cards and quarters, any word."""
    chosen, query = rulesets.for_new_games(), request.args.get("q", "")[:80].strip()
    told = {name: _chapter(chosen, name) for name in CHAPTERS}
    found = search_index.found(told, query) if query else []
    return rendering.page("rulebook/search", query=query, found=found, chapters=chapters.titles())


@blp.get("/rules/id/<rule_id>")
def rule(rule_id: str) -> BaseResponse:
    """To where a rule is told, by its id in docs/rules.md."""
    asked = rule_id.upper()
    if asked not in CHAPTER_OF:
        abort(404)
    return redirect(url_for("rules-pages.chapter", chapter=CHAPTER_OF[asked], _anchor=f"rule-{asked}"), 303)


@blp.get("/rules/house-values", endpoint="house_values")
def listed() -> Response:
    """What the sources of the rules do not say, and what is played here instead."""
    return rendering.page("rulebook/house_values", **house_values.values())


def _chapter(chosen: Rules, name: str, step: int | None = None) -> Markup:
    """A chapter of the rules in the language in force, at a step of the worked turn."""
    return _written(current(), request.script_root, chosen, name, step)


@lru_cache(maxsize=400)  # 6 ms a chapter
def _written(language: str, root: str, chosen: Rules, name: str, step: int | None) -> Markup:
    # `root` is where the application lies: addresses begin with it.
    return render(f"rulebook/parts/{name}", **chapters.values(chosen, step))


def _overview(chosen: Rules) -> Markup:
    """Goal and board, with the numbers on it."""
    drawn, tops = rules_pictures.board(current(), chosen)
    opening, _mark, inner = drawn.removesuffix("</svg>").partition(' aria-hidden="true"')
    fonts, _gt, inner = inner.partition(">")
    picture = {"opening": Markup(opening), "fonts": Markup(fonts), "drawn": Markup(inner)}  # noqa: S704 - by us
    callouts = [
        {"x": num(x), "y": num(tops[section] + down), "leads": leads, "label": _(name)}
        for section, x, down, leads, name in _NUMBERED
    ]
    return render("rulebook/parts/overview", **picture, callouts=callouts, rules=chosen)


_NUMBERED = (
    ("square", 78.0, 2.0, "push", N_("The square")),
    ("square", -4.0, 69.0, "tower", N_("The tower")),
    ("supply", 0.0, 21.5, "sparrows", N_("The docks")),
    ("supply", 3.0, 76.0, "cards", N_("The piles")),
    ("town", -4.0, -2.0, "quarters", N_("The town")),
    ("town", 275.0, -1.0, "descendants", N_("The Oath House")),
    ("town", 365.0, 122.0, "danube", N_("The Danube")),
    ("player", 3.0, 1.0, "setup", N_("The players")),
)
"""The numbers on the board: a section of the picture, how far from its beginning the number lies (beside its part, so
that it hides no word), the chapter that it leads to, and what it is called."""
