"""The pictures of the rules: parts of the board, from positions that were really played; a turn to step through."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from server.board.canvas import FONT, Canvas, escape, num
from server.board.cathedral import draw_square, draw_tower
from server.board.changes import changed
from server.board.events import sentences
from server.board.players import draw_player, frame_player
from server.board.scores import draw_scores
from server.board.supply import draw_supply
from server.board.svg import canvas_for, definitions
from server.board.town import draw_town
from server.engine import rulesets
from server.engine.errors import UlmError
from server.engine.events import Event
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Pushed
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.service.explain import game_words
from server.service.games.bots import CHOSEN_FIRST
from server.service.games.finish_move import choose
from server.service.views.showcase import NAMES

SLOT = "N2"
"""Where the tile of the example goes in."""
_SEED = sha256(b"how to play Ulm 62").digest()
_CHANCE = 1377
_TELLING_ROUND = 8
_EDGE = 4.0
_WIDE = 380.0
_ON_THE_RIVER = ("river", "seal", "dock", "barge")  # moves of the worked turn that change the town


class Positions(NamedTuple):
    """Moments of one game: its start, before and after the first push, late in it, and its end."""

    start: State
    before: State
    after: State
    late: State
    end: State
    push: Pushed


@lru_cache(maxsize=8)  # 6 ms a page
def positions(rules: Rules) -> Positions:
    """The moments that are drawn, always the same."""
    start = rules.new_game(_SEED, len(NAMES), {"tower": True})
    before = rules.apply(start, start.active or 0, ("draw",)).state
    move = ("push", SLOT)
    after = rules.apply(before, before.active or 0, move).state
    late = state = after
    chance = random.Random(_CHANCE)  # noqa: S311 - the same game every time is what is wanted
    while state.active is not None:
        state = rules.apply(state, state.active, choose(CHOSEN_FIRST, state, chance)).state
        if state.round <= _TELLING_ROUND:
            late = state
    return Positions(start, before, after, late, state, rules.pushed(before, move))


@lru_cache(maxsize=24)  # 0.5 ms a page, 10 times that where the board's own parts are not kept
def pictures(language: str, rules: Rules) -> dict[str, str]:
    """Every picture of the chapters by its name, in a language of the board."""
    moments = positions(rules)
    scored = rules.view(moments.end, None)
    scores = scored["scores"] or []
    first = scores.index(min(scores, key=lambda score: score["rank"]))
    return {
        "start": part("start", moments.start, language, _square),
        "before": part("before", moments.before, language, _square, (f"slot-{SLOT}",)),
        "after": part("after", moments.after, language, _square, (f"slot-{moments.push.falls_at}",)),
        "river": part("river", moments.start, language, _town),
        "town": part("town", moments.late, language, _town),
        "player": part("player", moments.end, language, lambda canvas, shown: _player(canvas, shown, first)),
        "scores": part("scores", moments.end, language, _scores),
    }


def of_step(language: str, rules: Rules, step: int) -> tuple[str, str]:
    """Two pictures of a step of the worked turn: the square or the river, whichever it is about, and the mat."""
    moment = moments(rules)[step]
    shown = [state.rules.view(state, None) for state in (moment.before, moment.state)]
    marked = changed(*shown) if step else frozenset()
    seat = moment.before.active or 0
    about = _town if moment.move and moment.move[0] in _ON_THE_RIVER else _square
    return (
        part("stepped", moment.state, language, about, marked),
        part("mat", moment.state, language, lambda canvas, view: _player(canvas, view, seat), marked),
    )


@lru_cache(maxsize=24)
def board(language: str, rules: Rules) -> tuple[str, dict[str, float]]:
    """Tower and square, supply, town, and a player: what there is, one below the other, and where each begins."""
    tops = {}

    def draw(canvas: Canvas, shown: View) -> tuple[float, float]:
        gap, side = 10.0, 5 * canvas.layout.pitch
        tops["square"] = top = _EDGE + 8
        draw_tower(canvas, shown, _EDGE, top, 70, side)
        draw_square(canvas, shown, _EDGE + _WIDE - side, top)
        tops["supply"] = top = top + side + gap
        tops["town"] = top = top + draw_supply(canvas, shown, _EDGE, top, _WIDE) + gap
        tops["player"] = top = top + draw_town(canvas, shown, _EDGE, top, _WIDE) + gap
        drawn, high = draw_player(canvas, shown, 0, _WIDE)
        frame_player(canvas, shown, 0, drawn, (_EDGE, top, _WIDE, high))
        return _WIDE, top + high - _EDGE

    return part("whole", positions(rules).start, language, draw), tops


def _square(canvas: Canvas, shown: View) -> tuple[float, float]:
    draw_square(canvas, shown, _EDGE, _EDGE)
    return 5 * canvas.layout.pitch, 5 * canvas.layout.pitch


def _town(canvas: Canvas, shown: View) -> tuple[float, float]:
    return _WIDE, draw_town(canvas, shown, _EDGE, _EDGE, _WIDE)


def _player(canvas: Canvas, shown: View, seat: int) -> tuple[float, float]:
    drawn, high = draw_player(canvas, shown, seat, _WIDE)
    frame_player(canvas, shown, seat, drawn, (_EDGE, _EDGE, _WIDE, high))
    return _WIDE, high


def _scores(canvas: Canvas, shown: View) -> tuple[float, float]:
    return _WIDE, draw_scores(canvas, shown, _EDGE, _EDGE, _WIDE)


def part(
    name: str,
    state: State,
    language: str,
    draw: Callable[[Canvas, View], tuple[float, float]],
    highlight: Collection[str] = (),
) -> str:
    """A part of the board by itself; what it shows is said beside it on the page. Its ids begin with `name`."""
    shown = state.rules.view(state, None)
    canvas = canvas_for(
        shown, None, NAMES, layout="narrow", theme="page", language=language, prefix=name, highlight=highlight
    )
    width, height = draw(canvas, shown)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(width + 2 * _EDGE)} {num(height + 2 * _EDGE)}" '
        f'aria-hidden="true" font-family="{escape(FONT)}" font-size="{num(canvas.small)}" '
        f'fill="{canvas.theme.color("ink")}">'
        f"<defs>{definitions(canvas)}</defs>{canvas.drawn()}</svg>"
    )


_TURN_SEED = sha256(b"a turn of Ulm 154").digest()
_MOVES: tuple[Move, ...] = (
    ("draw",),
    ("push", "N2"),
    ("money",),
    ("river",),
    ("seal", "tillage"),
    ("dock", "brown"),
    ("barge", "2"),
    ("end",),
)
STEPS = len(_MOVES)
"""The last step; step 0 is the position before the turn."""


class Moment(NamedTuple):
    """A step: the position after its move, the one before, the move (None at step 0) and what happened."""

    before: State
    state: State
    move: Move | None
    events: tuple[Event, ...]


@lru_cache(maxsize=8)
def moments(rules: Rules) -> tuple[Moment, ...]:
    """The positions of the turn under `rules`; under the newest rules of ours where these forbid one of its moves."""
    try:
        return _played(rules)
    except UlmError:
        return _played(rulesets.NEWEST)


def _played(rules: Rules) -> tuple[Moment, ...]:
    state = rules.new_game(_TURN_SEED, len(NAMES), {"tower": False})
    found = [Moment(state, state, None, ())]
    for move in _MOVES:
        applied = rules.apply(state, state.active or 0, move)
        found.append(Moment(state, applied.state, move, tuple(applied.events)))
        state = applied.state
    return tuple(found)


def steps(rules: Rules) -> list[str]:
    """What happened in each step, in the words of the language in force; nothing yet in the first."""
    found = [""]
    for moment in moments(rules)[1:]:
        speaker = game_words.speaker(moment.state.rules)
        said = sentences(moment.state.rules, moment.events, list(NAMES), moment.before.active, speaker=speaker)
        found.append(" ".join(said))
    return found
