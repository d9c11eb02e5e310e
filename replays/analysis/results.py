"""What an analysis comes to, as JSON: the chances ply by ply, sums by seat and round, the costliest errors.

It holds no names and no words: who reads it later says them in the reader's language (`moments`, `words`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import Annotated, Literal, NamedTuple, TypedDict, get_args

from replays.analysis import course
from replays.analysis.course import Effort, Ply
from replays.analysis.plans import Look
from replays.sight import in_words
from server.engine.events import REVEALING, Event
from server.engine.game import Game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.sentences import ENGLISH, Speaker

FORMAT = "ulm-analysis/1"
EFFORT, LOOK = Effort(), Look()
METHOD = 1
"""To be counted up when the same weights would come to something else."""
MOMENTS, STROKES = 5, 3
LEAST = 0.02
"""A loss of less is not told."""
DIGITS = 4
_Part = Literal["luck", "offered", "error", "others"]
_PARTS: tuple[_Part, ...] = get_args(_Part)


class PlyForm(TypedDict):
    """What a ply did to the chance of each seat."""

    ply: int
    round: int
    seat: Annotated[int, "Whose move it was."]
    chances: Annotated[list[float], "The chance of each seat to win, after it."]
    luck: Annotated[list[float], "What of the change is due to what the move revealed."]
    offered: Annotated[list[float], "What the turn had to offer, more or less than the estimate had thought."]
    error: Annotated[list[float], "What an error of the seat did, to itself and to the others, judged by what it knew."]


class RoundForm(TypedDict):
    """What changed the chance of a seat in a round."""

    round: int
    luck: float
    offered: float
    error: Annotated[float, "Its own errors: never more than 0."]
    others: Annotated[float, "Errors of the others."]


class SeatForm(TypedDict):
    """The same in all; `first` and the four add up to `last`."""

    seat: int
    first: Annotated[float, "The chance before the first move."]
    last: Annotated[float, "1, 0 or a share of the victory."]
    luck: float
    offered: float
    error: float
    others: float
    rounds: list[RoundForm]


class MomentForm(TypedDict):
    """A costly error."""

    ply: Annotated[int, "The last ply before it: one can play on from there."]
    round: int
    seat: int
    move: str
    loss: Annotated[float, "How much of the chance to win it cost."]
    before: Annotated[float, "The chance before it."]
    instead: Annotated[list[str], "What the seat should have gone on with, by what it knew."]


class StrokeForm(TypedDict):
    """A stroke of luck: what `ply` revealed was very good or bad for somebody."""

    ply: int
    round: int
    seat: int
    move: str
    luck: Annotated[list[float], "What it did to the chance of each seat."]


class Findings(TypedDict):
    """What luck and what skill made of a game."""

    plies: list[PlyForm]
    seats: list[SeatForm]
    moments: Annotated[list[MomentForm], "Up to five, in the order of the game."]
    strokes: Annotated[list[StrokeForm], "Up to three, in the order of the game."]


class Analysis(Findings):
    """The same as it is kept: `version` tells by which method and weights it was made."""

    format: str
    version: str


def analyse(
    replay: Game, effort: Effort = EFFORT, look: Look = LOOK, passed: Callable[[], object] = lambda: None
) -> Analysis:
    """Return the analysis of a finished game; the same record gives the same. Raises `ValueError` for one that is not
    finished. `passed` is told of each ply."""
    if replay.record.result is None:
        raise ValueError("only a finished game can be analysed")
    first: list[float] = []
    rows: list[Ply] = []
    for number, row in enumerate(course.plies(replay, effort, look, passed)):
        if not number:
            first = [
                chance - luck - offered - error
                for chance, luck, offered, error in zip(row.chances, row.luck, row.offered, row.error, strict=True)
            ]
        rows.append(row)
    moves = [entry.text for entry in replay.record.moves]
    return {
        "format": FORMAT,
        "version": version(len(replay.names)),
        "plies": [_ply(row) for row in rows],
        "seats": [_seat(seat, chance, rows) for seat, chance in enumerate(first)],
        "moments": _moments(rows, moves),
        "strokes": _strokes(rows, moves),
    }


@lru_cache(8)
def version(players: int) -> str:
    """Return what an analysis of so many players is made with: another version may come to something else."""
    names = (f"weights/{players}-players.json", f"chances/{players}-players.json")
    data = [resources.files("bots").joinpath(name).read_bytes() for name in names]
    size = repr((METHOD, EFFORT, LOOK)).encode()
    return f"{METHOD}-{sha256(b''.join([size, *data])).hexdigest()[:12]}"


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, DIGITS) + 0.0 for number in numbers]


def _ply(row: Ply) -> PlyForm:
    return {
        "ply": row.ply,
        "round": row.round,
        "seat": row.seat,
        "chances": _rounded(row.chances),
        "luck": _rounded(row.luck),
        "offered": _rounded(row.offered),
        "error": _rounded(row.error),
    }


def _seat(seat: int, first: float, rows: Sequence[Ply]) -> SeatForm:
    rounds: dict[int, RoundForm] = {}
    for row in rows:
        found = rounds.setdefault(row.round, {"round": row.round, "luck": 0, "offered": 0, "error": 0, "others": 0})
        found["luck"] += row.luck[seat]
        found["offered"] += row.offered[seat]
        found["error" if row.seat == seat else "others"] += row.error[seat]
    every = list(rounds.values())
    luck, offered, error, others = _rounded([sum(one[part] for one in every) for part in _PARTS])
    for one in every:
        one["luck"], one["offered"], one["error"], one["others"] = _rounded([one[part] for part in _PARTS])
    return {
        "seat": seat,
        "first": round(first, DIGITS),
        "last": round(rows[-1].chances[seat], DIGITS) if rows else round(first, DIGITS),
        "luck": luck,
        "offered": offered,
        "error": error,
        "others": others,
        "rounds": every,
    }


def _moments(rows: Sequence[Ply], moves: Sequence[str]) -> list[MomentForm]:
    """Return the greatest losses by a move, in their order in the game."""
    found = [row for row in rows if row.instead and -row.error[row.seat] >= LEAST]
    found.sort(key=lambda row: (row.error[row.seat], row.ply))
    return [
        {
            "ply": row.ply - 1,
            "round": row.round,
            "seat": row.seat,
            "move": moves[row.ply - 1],
            "loss": round(-row.error[row.seat], DIGITS),
            "before": round(row.chances[row.seat] - row.error[row.seat], DIGITS),
            "instead": [format_move(move) for move in row.instead],
        }
        for row in sorted(found[:MOMENTS], key=lambda row: row.ply)
    ]


def _strokes(rows: Sequence[Ply], moves: Sequence[str]) -> list[StrokeForm]:
    """Return the greatest strokes of luck, in their order in the game."""
    found = [row for row in rows if max(map(abs, row.luck)) >= LEAST]
    found.sort(key=lambda row: (-max(map(abs, row.luck)), row.ply))
    return [
        {"ply": row.ply, "round": row.round, "seat": row.seat, "move": moves[row.ply - 1], "luck": _rounded(row.luck)}
        for row in sorted(found[:STROKES], key=lambda row: row.ply)
    ]


def decisive(found: Findings) -> tuple[int, int] | None:
    """Return ply and round of the move that changed most, by an error or by luck; None where none changed much."""
    told = [(one["loss"], -one["ply"] - 1, one["round"]) for one in found["moments"]]
    told += [(max(map(abs, one["luck"])), -one["ply"], one["round"]) for one in found["strokes"]]
    if not told:
        return None
    _change, ply, number = max(told)  # the first of those that changed as much
    return -ply, number


class MomentInWords(NamedTuple):
    """A moment in words: what the seat did, and what it should have gone on with."""

    moment: MomentForm
    played: list[str]
    better: list[str]


def moments(replay: Game, found: Sequence[MomentForm], speaker: Speaker = ENGLISH) -> Iterator[MomentInWords]:
    """Yield the costliest errors, in words. What nobody could know then is not told of what was not played."""
    for moment in found:
        yield MomentInWords(
            moment,
            words(replay, moment["ply"], moment["seat"], [moment["move"]], speaker),
            words(replay, moment["ply"], moment["seat"], moment["instead"], speaker),
        )


def words(replay: Game, ply: int, seat: int, moves: list[str], speaker: Speaker = ENGLISH) -> list[str]:
    """Return what moves of a seat from a ply on bring about, without what they would reveal."""
    state, found = replay.state(ply), list[str]()
    for text in moves:
        applied = state.rules.apply(state, seat, state.rules.parse_move(text))
        events = [event for event in applied.events if _foreseen(event)]
        found += in_words(state.rules, events, replay.names, seat, text, speaker=speaker)
        state = applied.state
        if applied.reveals or state.active != seat:
            break
    return found


def _foreseen(event: Event) -> bool:
    """Whether an event could be known before the move. Private ones are told without what is secret in them."""
    return event.private or event.kind not in REVEALING
