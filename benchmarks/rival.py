"""catanatron, a fast Python engine of a game of like size, as the yardstick: its random players in the same run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from benchmarks import engine, sources
from benchmarks.timing import Figure, measure, progress
from server.engine.which import ENGINE

MISSING = "catanatron is not installed: pip install 'ulm-by-mail[bench]' for the comparison"


def figures() -> Iterator[Figure]:
    """Yield playouts, of both engines where there are two, and state copies, ours and theirs in turns. Raises
    `ImportError` without catanatron."""
    from catanatron import Color, Game, RandomPlayer  # type: ignore[import-untyped]

    players = [RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]
    seeds = random.Random(3)

    def play() -> int:
        # A seed of its own for each game; it goes to the global generator, from which the players choose.
        match = Game(players, seed=seeds.randrange(1, 2**31))
        match.play()
        return len(match.state.actions)

    progress("catanatron against our engine")
    before = _playouts()
    theirs = measure("catanatron, 4 random players", "decisions", play)
    yield theirs
    for name, again in _playouts().items():
        both = Figure(name, theirs.unit, before[name] + again)
        yield both._replace(note=f"{theirs.median / both.median:.2f} times as many a second")

    positions = _positions(Game, players)
    states = engine.sample()[0]

    def copy_theirs() -> int:
        for position in positions:
            position.copy()
        return len(positions)

    def copy_ours() -> int:
        for state in states:
            state.copy()
        return len(states)

    theirs = measure("catanatron, State.copy", "copies", copy_theirs, f"{len(positions)} positions of a game")
    ours = measure("State.copy", "copies", copy_ours)
    yield theirs
    yield ours._replace(note=f"{ours.median / theirs.median:.3f} of theirs")


def _playouts() -> dict[str, tuple[float, ...]]:
    """The seconds of a decision by each engine: that of this process and, if it is compiled, that of the sources."""
    mine = next(engine.playouts())
    found = {f"{mine.name}, {ENGINE}": mine.seconds}
    if ENGINE == "compiled":
        found[f"{mine.name}, interpreted"] = sources.playouts()
    return found


def _positions(game_class: Any, players: list[Any]) -> list[Any]:
    match = game_class(players, seed=11)
    positions = []
    while match.winning_color() is None and match.state.num_turns < 1000:
        match.play_tick()
        if len(match.state.actions) % 5 == 0:
            positions.append(match.state.copy())
    return positions
