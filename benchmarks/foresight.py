"""`python -m benchmarks.foresight`: what a master gains by playing on, in positions instead of games.

Each position of games of journeymen that leaves a choice is played on, from every move that the master would weigh, to
the end of the game. One half of the tries chooses by what it came to after so many turns more, the other half says how
many points that choice is worth beside the journeyman's (a move cannot look good by its own luck). Counts and the word
fix all of it. Games tell the same with a hundred times the work, because there the luck of both sides is in it, too.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Iterator
from typing import NamedTuple

from bots.determinise import Worlds, seed_of
from bots.journeyman import Effort, Journeyman, obvious, ranked
from bots.master import WIDE, Foresight, Master, played_on
from bots.sight import Sight
from bots.value import shipped
from server.engine import rulesets
from server.engine.ulm1.state import State

RULES = rulesets.NEWEST
SHARE = 0.12
"""Part of the positions that are taken."""
DEPTHS = (0, 1, 2, 3)
QUICK = Effort(worlds=1, width=2, limit=30, first=4)


class Weighed(NamedTuple):
    """A choice: by move (the journeyman's first), try and depth the margin that came of it, at last the final one."""

    came: list[list[list[float]]]

    def mean(self, move: int, depth: int, tries: range) -> float:
        """Return the mean margin after so many turns more; -1 is the end."""
        paths = [self.came[move][number] for number in tries]
        return statistics.fmean([path[min(depth, len(path) - 1)] for path in paths])


def choices(players: int, positions: int, tries: int, word: str, foresight: Foresight) -> Iterator[Weighed]:
    """Yield so many positions that leave more than one move to weigh."""
    rng, found, game = random.Random(word), 0, 0
    bot, value = Journeyman(QUICK), shipped(players)
    while found < positions:
        state: State = RULES.new_game(seed_of(word, game), players, {"tower": game % 2 == 1})
        game += 1
        log = list[tuple[int, tuple[str, ...]]]()
        while (seat := state.active) is not None and found < positions:
            texts = [(other, RULES.log_entry(move, other, seat)) for other, move in log]
            sight = Sight(RULES.view(state, seat), RULES.legal_moves(state), texts)
            if obvious(sight.legal) is None and state.round < RULES.rounds and rng.random() < SHARE:
                worlds = Worlds(sight)
                promised = ranked(worlds.one, seat, sight.legal, value, WIDE, rng)
                moves = list(Master(foresight).worth_a_try(promised, worlds.one(rng), seat, value))
                if len(moves) > 1:
                    came: list[list[list[float]]] = [[] for _ in moves]
                    for _ in range(tries):
                        world, chance = worlds.one(rng), rng.randbytes(32)
                        for index, move in enumerate(moves):
                            path = played_on(world, seat, move, value, chance, foresight)
                            came[index].append([value.margin(after, seat) for after in path])
                    found += 1
                    yield Weighed(came)
            log.append((seat, bot.choose(sight, rng)))
            RULES.advance(state, log[-1][1], [])


def gains(found: list[Weighed], depth: int, tries: int) -> list[float]:
    """Return how many points a choice after `depth` turns more wins over the journeyman's, by position."""
    won = []
    for choice in found:
        half = len(choice.came[0]) // 2
        parts = (range(half), range(half, 2 * half))
        each = []
        for chosen_by, judged_by in (parts, parts[::-1]):
            looked = chosen_by[:tries]
            means = [choice.mean(move, depth, looked) for move in range(len(choice.came))]
            best = means.index(max(means))
            each.append(choice.mean(best, 99, judged_by) - choice.mean(0, 99, judged_by))
        won.append(statistics.fmean(each))
    return won


def main() -> None:
    """Print a table: points won by a decision, by turns played on and tries."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.foresight", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--tries", type=int, default=60)
    parser.add_argument("--moves", type=int, default=Foresight().moves, help="moves that are weighed")
    parser.add_argument("--word", default="foresight", help="what all deals and all chance follow from")
    args = parser.parse_args()
    foresight = Foresight(moves=args.moves)
    found = list(choices(args.players, args.positions, args.tries, args.word, foresight))
    weighed = statistics.fmean([len(choice.came) for choice in found])
    print(f"{len(found)} positions, {weighed:.1f} moves weighed in each, {args.tries} tries; points won by a decision:")
    half = args.tries // 2
    print("\n| turns played on | tries | points | ± |\n|--:|--:|--:|--:|")
    for depth in (*DEPTHS, RULES.rounds):
        for tries in sorted({min(8, half), half}):
            won = gains(found, depth, tries)
            give = 1.96 * statistics.stdev(won) / math.sqrt(len(won)) if len(won) > 1 else math.inf
            name = "to the end" if depth == RULES.rounds else str(depth)
            print(f"| {name} | {tries} | {statistics.fmean(won):+.2f} | {give:.2f} |")


if __name__ == "__main__":
    main()
