"""A puzzle: the position as its seat saw it, moves that are tried on a mask, the verdict on a turn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypedDict

from replays.analysis import results
from replays.analysis.puzzles import comes_to
from server.engine.errors import UlmError
from server.engine.game import Game
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import JsonSchema, View
from server.engine.ulm1.state import State
from server.language import current
from server.language import gettext as _
from server.service.archive import puzzles, replays
from server.service.archive.puzzles import Puzzle
from server.service.common.errors import Unprocessable
from server.service.common.naming import spoken
from server.service.explain import game_words
from server.service.views import drafts
from server.service.views.drafts import Draft
from server.storage.database import Store


class PuzzlePosition(TypedDict):
    """A puzzle as it is put: `view` and `legal_moves` are those after `moves`, which somebody tries."""

    id: str
    day: Annotated[str | None, "By which it was asked for; null for an id."]
    game: Annotated[str, "The finished game that it comes from."]
    name: Annotated[str, "What that game is called."]
    players: Annotated[list[str], "Names by seat."]
    ply: Annotated[int, "The position is the one after it."]
    round: int
    seat: Annotated[int, "Who is to move, and through whose eyes all is shown."]
    level: Annotated[str, "How hard it is.", JsonSchema(enum=["easy", "medium", "hard"])]
    turns: Annotated[int, "So many turns come to different positions."]
    moves: Annotated[list[str], "That are tried."]
    view: Annotated[View, "The position after these, as the seat sees it."]
    legal_moves: Annotated[list[str], "Those in that position."]


class PuzzleTurn(TypedDict):
    """A whole turn: the chance to win with it, where it was measured, and what it brings about, in words."""

    moves: list[str]
    chance: Annotated[
        float | None, "The chance to win with it; null where it was not measured, for it promised too little."
    ]
    words: Annotated[list[str], "What it brings about."]


class PuzzleVerdict(TypedDict):
    """Whether a turn is the solution, and what it is held against. `played` is what was played in the game."""

    id: str
    solved: Annotated[bool, "The turn comes to the same as the solution."]
    answer: PuzzleTurn
    solution: PuzzleTurn
    next_best: Annotated[PuzzleTurn, "The best other turn."]
    played: Annotated[PuzzleTurn, "What was played in the game."]


@dataclass(frozen=True, slots=True)
class PosedPuzzle:
    """A puzzle that is put to somebody, in the language in force."""

    puzzle: Puzzle
    title: str
    replay: Game
    commitment: str  # what the server showed before the game began
    first: View  # the position that the puzzle begins with, as the seat saw it
    draft: Draft  # that position after the moves that are tried

    @property
    def names(self) -> list[str]:
        """Those at the table, by seat."""
        return self.replay.names


def pose(store: Store, which: str, moves: list[str], now: datetime) -> PosedPuzzle:
    """A puzzle (see `puzzles.find`) with moves tried; `draft.problem` says what is wrong. Raises `NotFound`."""
    with store.read():
        puzzle = puzzles.find(store, which, now)
        game = replays.find(store, puzzle.game_id, None)
        ply, seat = puzzle.form["ply"], puzzle.form["seat"]
        replay = replays.replay_of(store, game, ply, seat, current())
    try:
        first, state = replay.view(ply, seat), replay.state(ply)
    except UlmError as error:
        raise replays.broken() from error
    draft = drafts.make(state, seat, replay.names, ply, moves)
    return PosedPuzzle(puzzle, spoken(game.name), replay, game.commitment, first, draft)


def position(store: Store, which: str, moves: list[str], now: datetime) -> PuzzlePosition:
    """A puzzle for programs. Raises `NotFound`, and `Unprocessable` for moves that cannot be tried."""
    put = pose(store, which, moves, now)
    puzzle, form, draft = put.puzzle, put.puzzle.form, put.draft
    if draft.problem is not None:
        raise Unprocessable(
            _(
                "these moves cannot be tried here: give legal moves of the seat, none that reveals anything or "
                "ends the turn"
            )
        )
    return {
        "id": puzzle.id,
        "day": puzzle.day,
        "game": puzzle.game_id,
        "name": put.title,
        "players": put.names,
        "ply": form["ply"],
        "round": form["round"],
        "seat": form["seat"],
        "level": form["level"],
        "turns": form["turns"],
        "moves": draft.moves,
        "view": draft.view,
        "legal_moves": list(draft.options),
    }


def verdict(store: Store, which: str, moves: list[str], now: datetime) -> PuzzleVerdict:
    """What a turn is worth, up to the first reveal or its end. Raises `NotFound`, `Unprocessable`."""
    return verdict_of(pose(store, which, [], now), moves)


def verdict_of(put: PosedPuzzle, moves: list[str]) -> PuzzleVerdict:
    """The same of a puzzle that is at hand. Raises `Unprocessable`."""
    form, start = put.puzzle.form, put.draft.position
    best, *rest = [
        (comes_to(start, form["seat"], _read(start, turn)), turn, chance)
        for turn, chance in [
            (form["moves"], form["chance"]),
            *((one["moves"], one["chance"]) for one in form["others"]),
        ]
    ]
    given, played = (comes_to(start, form["seat"], _read(start, turn)) for turn in (moves, form["played"]))
    if given is None:
        raise Unprocessable(
            _(
                "this is not a whole turn: give legal moves up to the first that reveals something, or to the "
                "end of the turn"
            )
        )
    measured = {came: chance for came, _turn, chance in [*reversed(rest), best]}
    return {
        "id": put.puzzle.id,
        "solved": given == best[0],
        "answer": _turn(put, moves, measured.get(given)),
        "solution": _turn(put, best[1], best[2]),
        "next_best": _turn(put, rest[0][1], rest[0][2]),
        "played": _turn(put, form["played"], measured.get(played)),
    }


def _turn(put: PosedPuzzle, moves: list[str], chance: float | None) -> PuzzleTurn:
    form, speaker = put.puzzle.form, game_words.speaker(put.replay.record.rules)
    words = results.words(put.replay, form["ply"], form["seat"], moves, speaker)
    return {"moves": moves, "chance": chance, "words": words}


def _read(start: State, texts: list[str]) -> tuple[Move, ...]:
    """The moves of some texts; () where one of them is none."""
    try:
        return tuple(start.rules.parse_move(text) for text in texts)
    except UlmError:
        return ()
