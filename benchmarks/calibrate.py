"""`python -m benchmarks.calibrate FOLDER`: games of bots against themselves, the spread that explains their results
best (`bots/chances`), and whether chances come true.

Of two games one is for the fit and the other for the table: what was fitted proves nothing by itself.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple, TypedDict

from bots import pools
from bots.arena import chances_of, play
from bots.chances.odds import FORMAT, Spread, outlook, shares
from bots.determinise import seed_of
from bots.journeyman import Effort, Journeyman
from bots.value import shipped
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State

QUICK = Effort(worlds=1, width=2, limit=30, first=4)
"""How hard the games are thought over."""
BINS = 10
START = Spread(20.0, 10.0, 0.5)


class Task(NamedTuple):
    """A game to play."""

    players: int
    number: int
    word: str


class Sample(TypedDict):
    """What a game teaches: between two turns the rounds to come and the points expected by seat; who won it."""

    players: int
    number: int
    seen: list[tuple[float, list[float]]]
    won: list[float]


def sample(task: Task) -> Sample:
    """Play a game; every second one is an advanced game."""
    words = ("chances", task.word, task.players, task.number)
    seen: list[tuple[float, list[float]]] = []
    value, last = shipped(task.players), -1

    def watch(state: State, seat: int, move: Move) -> None:
        nonlocal last
        if state.phase == "draw" and seat != last:
            last = seat
            points, rounds = outlook(state, value)
            seen.append((round(rounds, 3), [round(each, 2) for each in points]))

    bots = [Journeyman(QUICK)] * task.players
    options = {"tower": task.number // 2 % 2 == 1}
    played = play(bots, seed_of(*words), options, chances_of(task.players, *words), watch)
    won = shares([score["rank"] for score in played.scores])
    return {"players": task.players, "number": task.number, "seen": seen, "won": won}


def samples(players: int, games: int, word: str, path: Path, pool: Executor | None) -> Iterator[Sample]:
    """Yield so many games, those first that the file has; the others are played and added to it."""
    done = 0
    if path.exists():
        for line in path.read_text("utf-8").splitlines()[:games]:
            done += 1
            yield json.loads(line)
    tasks = [Task(players, number, word) for number in range(done, games)]
    for found in map(sample, tasks) if pool is None else pool.map(sample, tasks):
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
        yield found


def surprise(games: Iterable[Sample], spread: Spread) -> float:
    """Return how much the results surprise whoever believes in a spread (mean −log of the chance of who won)."""
    total, number = 0.0, 0
    for game in games:
        for rounds, points in game["seen"]:
            chances = spread.chances(points, rounds)
            total -= sum(
                won * math.log(max(chance, 1e-9)) for won, chance in zip(game["won"], chances, strict=True) if won
            )
            number += 1
    return total / max(1, number)


def fitted(games: Sequence[Sample]) -> Spread:
    """Return the spread that is surprised least: one number after the other is made larger or smaller."""
    best, least = START, surprise(games, START)
    steps = [8.0, 4.0, 0.5]
    while max(steps) > 0.02:
        for place, step in enumerate(steps):
            for change in (step, -step):
                tried = best._replace(**{Spread._fields[place]: best[place] + change})
                if tried.a >= 0 and (worth := surprise(games, tried)) < least:
                    best, least = tried, worth
                    steps[place] *= 1.5
                    break
            else:
                steps[place] /= 2
    return best


class Bin(NamedTuple):
    """Positions that were given about the same chance: how often, the mean of what was said, and of what came."""

    number: int
    said: float
    came: float


def reliability(games: Iterable[Sample], spread: Spread, bins: int = BINS) -> list[Bin]:
    """Return for each tenth of the chances how often those seats won of which it was said."""
    numbers, said, came = [0] * bins, [0.0] * bins, [0.0] * bins
    for game in games:
        for rounds, points in game["seen"]:
            for chance, won in zip(spread.chances(points, rounds), game["won"], strict=True):
                place = min(bins - 1, int(chance * bins))
                numbers[place] += 1
                said[place] += chance
                came[place] += won
    return [
        Bin(number, one / max(1, number), other / max(1, number))
        for number, one, other in zip(numbers, said, came, strict=True)
    ]


def off_by(found: Sequence[Bin]) -> float:
    """Return by how much said and come lie apart, a mean over all positions."""
    number = sum(one.number for one in found)
    return sum(one.number * abs(one.said - one.came) for one in found) / max(1, number)


def main() -> None:
    """Play what is not played yet, write FOLDER/N-players.json, print the tables."""
    parser = argparse.ArgumentParser(description="What chance to win a margin is; docs/analysis.md tells more.")
    parser.add_argument("folder", type=Path, help="where games and chances are kept; what is there is gone on with")
    parser.add_argument("--players", type=int, nargs="+", default=[2], choices=range(2, 5))
    parser.add_argument("--games", type=int, default=2000, help="of each number of players (default: 2000)")
    parser.add_argument("--word", default="calibrate", help="what all deals and all chance follow from")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with pools.workers(None) as pool:
        for players in args.players:
            path = args.folder / f"games-{players}.jsonl"
            games = list(samples(players, args.games, args.word, path, pool))
            fit, check = games[::2], games[1::2] or games
            spread = fitted(fit)
            about = {"players": players, "games": len(fit), "word": args.word}
            form = {"format": FORMAT, "spread": [round(number, 3) for number in spread], "about": about}
            (args.folder / f"{players}-players.json").write_text(json.dumps(form) + "\n", "utf-8")
            print(f"{players} players: fitted to {len(fit)} games, looked at in {len(check)} others")
            _print_reliability(reliability(check, spread))
            print(f"The spread is {spread.points(5):.1f} points with five rounds to come.")


def _print_reliability(table: Sequence[Bin]) -> None:
    print("| said | positions | said, mean | came true |")
    print("|---|--:|--:|--:|")
    for place, one in enumerate(table):
        low, high = (100 * (place + more) // len(table) for more in (0, 1))
        print(f"| {low} to {high} % | {one.number:,} | {one.said:.1%} | {one.came:.1%} |")
    print(f"Off by {off_by(table):.1%} in the mean.")


if __name__ == "__main__":
    main()
