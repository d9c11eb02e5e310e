"""Bots against each other: every deal is played once from each seat, in parallel, and can be gone on with later.

A game is told by its line-up, its options, the word that the deals follow from, its deal and its rotation; its result
is a line of JSON. What stands in the file of results is not played again.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

from bots.determinise import seed_of
from bots.offers import bot
from bots.sight import Bot, Sight
from server.engine import game as engine
from server.engine import record as records
from server.engine.record import Record, RecordPlayer
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import State

MOVES_MOST = 5000
NAME_MOST = 60


class Match(NamedTuple):
    """How a game went: the final scores, and what each seat took to think."""

    scores: list[Score]
    moves: list[int]
    seconds: list[float]
    slowest: list[float]
    record: Record


def play(
    bots: Sequence[Bot],
    seed: bytes,
    options: Mapping[str, bool],
    chances: Sequence[random.Random],
    watch: Callable[[State, int, Move], None] | None = None,
    names: Sequence[str] | None = None,
) -> Match:
    """Play a game of the seed to its end; bot and chance of each seat are given. `watch` sees each move before it. With
    `names` for its players it is dealt as its record says: by the seed mixed with those of the seats. Raises
    `ValueError` when a bot answers with a move that is not legal."""
    game = engine.new_game(names or ["bot"] * len(bots), seed, options=options)
    if names is None:  # dealt by the seed itself
        game = engine.Game(game.record, first=game.rules.new_game(seed, len(bots), options))
    moves, seconds, slowest = [0] * len(bots), [0.0] * len(bots), [0.0] * len(bots)
    logs: list[list[tuple[int, str]]] = [[] for _ in bots]
    while (seat := game.active) is not None and game.plies < MOVES_MOST:
        sight = Sight(game.view(seat=seat), game.legal_moves(), logs[seat])
        began = time.thread_time()
        move = bots[seat].choose(sight, chances[seat])
        took = time.thread_time() - began
        moves[seat] += 1
        seconds[seat] += took
        slowest[seat] = max(slowest[seat], took)
        if watch is not None:
            watch(game.state(), seat, move)
        for viewer, log in enumerate(logs):
            log.append((seat, game.rules.log_entry(move, seat, viewer)))
        game.push(move)
    scores = game.state().scores
    if scores is None:
        raise ValueError(f"no end after {MOVES_MOST} moves")
    return Match(scores, moves, seconds, slowest, game.record)


def chances_of(seats: int, *words: object) -> list[random.Random]:
    """Return a chance for each seat that follows from `words`."""
    return [random.Random(seed_of(*words, "seat", seat)) for seat in range(seats)]  # noqa: S311 - repeated


class Game(NamedTuple):
    """A game to play. `bots` by seat, before it is rotated."""

    bots: tuple[str, ...]
    advanced: bool
    word: str
    deal: int
    rotation: int

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits where."""
        return (*self.bots[self.rotation :], *self.bots[: self.rotation])


class Result(TypedDict):
    """How a game went: lists by place in the line-up, not by seat."""

    bots: list[str]
    advanced: bool
    word: str
    deal: int
    rotation: int
    totals: list[int]
    ranks: list[int]
    moves: list[int]
    seconds: list[float]
    slowest: list[float]


def games(
    lineups: Iterable[Sequence[str]], variants: Iterable[bool], deals: int, word: str, first: int = 0
) -> Iterator[Game]:
    """Yield every game: the deals of all line-ups first, so that a part of them can be compared, too."""
    lineups, variants = list(lineups), list(variants)
    for deal in range(first, first + deals):
        for lineup in lineups:
            for advanced in variants:
                for rotation in range(len(lineup)):
                    yield Game(tuple(lineup), advanced, word, deal, rotation)


def lineups(names: Sequence[str], players: int) -> Iterator[tuple[str, ...]]:
    """Yield who plays whom: each pair, with more than two players each one alone against several of the other."""
    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            yield (one, *[other] * (players - 1))
            if players > 2:
                yield (other, *[one] * (players - 1))


def run(game: Game, folder: Path | None = None) -> Result:
    """Play a game, and keep its record in a folder. The deal does not follow from who plays: all line-ups get the
    same."""
    seats = game.seats
    deal = seed_of("deal", game.word, game.deal)
    chances = chances_of(len(seats), "arena", *game)
    names = None if folder is None else [name[:NAME_MOST] for name in seats]
    played = play([bot(name) for name in seats], deal, {"tower": game.advanced}, chances, names=names)
    if folder is not None:
        identity = f"{game.deal}-{game.rotation}-{seed_of(*game).hex()[:8]}"
        whose = [{**player, "bot": name} for player, name in zip(played.record.players, seats, strict=True)]
        record = replace(played.record, id=identity, players=cast("list[RecordPlayer]", whose))
        (folder / f"{identity}.ulm.json").write_text(records.dumps(records.completed(record)), "utf-8")
    back = [(place - game.rotation) % len(seats) for place in range(len(seats))]
    return {
        "bots": list(game.bots),
        "advanced": game.advanced,
        "word": game.word,
        "deal": game.deal,
        "rotation": game.rotation,
        "totals": [played.scores[seat]["total"] for seat in back],
        "ranks": [played.scores[seat]["rank"] for seat in back],
        "moves": [played.moves[seat] for seat in back],
        "seconds": [round(played.seconds[seat], 4) for seat in back],
        "slowest": [round(played.slowest[seat], 4) for seat in back],
    }


def game_of(result: Result) -> Game:
    """Return the game that a result is of."""
    return Game(tuple(result["bots"]), result["advanced"], result["word"], result["deal"], result["rotation"])


def read(path: Path) -> list[Result]:
    """Return the results of a file, none if there is no file. A line that was cut off is left out."""
    if not path.exists():
        return []
    found: list[Result] = []
    for line in path.read_text("utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def run_all(
    wanted: Iterable[Game], path: Path | None, pool: Executor | None, folder: Path | None = None
) -> Iterator[Result]:
    """Yield a result for each game: those that the file has, then the others as they are played and written to it, and
    their records to the folder. Without a pool they are played here, one after the other."""
    done = {game_of(result): result for result in (read(path) if path else [])}
    rest: list[Game] = []
    for game in wanted:
        if game in done:
            yield done[game]
        else:
            rest.append(game)
    if path is not None and path.exists() and (text := path.read_bytes()) and not text.endswith(b"\n"):
        path.write_bytes(text + b"\n")
    played = (
        (run(game, folder) for game in rest)
        if pool is None
        else (one.result() for one in as_completed([pool.submit(run, game, folder) for game in rest]))
    )
    for result in played:
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
        yield result
