"""Makes tests/replays/corpus.jsonl.gz: games of random players over all numbers of players and options, some with
resignations. Made once; what it holds must replay to the same digests for ever.

    python -m tests.replays.make_corpus
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from pathlib import Path

from server.engine import record, seeds
from server.engine.record import MoveEntry, Record
from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.rules import RULES

CORPUS = Path(__file__).with_name("corpus.jsonl.gz")
EACH = 10  # games of each kind
KINDS = [(players, {"rotate_start": rotate, "tower": tower})
         for players in (2, 3, 4) for tower in (False, True) for rotate in (False, True)]  # fmt: skip
TEXTS = ("", "Danube", "Münster", "🐦 sparrow")


def play(number: int) -> Record:
    """Game `number`: always the same."""
    rng = random.Random(f"corpus {number}")
    players, options = KINDS[number % len(KINDS)]
    server_seed = rng.randbytes(32)
    clients = [rng.choice(TEXTS) for _ in range(players)]
    state = RULES.new_game(seeds.game_seed(server_seed, clients), players, options)
    # In a quarter of the games seats resign, at any time and out of turn too.
    quitters = {rng.randrange(400): rng.randrange(players) for _ in range(players)} if number % 4 == 3 else {}
    log = []
    while state.active is not None:
        seat = quitters.get(state.ply, state.active)
        if state.ply in quitters and game.may_resign(state, seat):
            move: tuple[str, ...] = ("resign",)
        else:
            seat = state.active
            # A turn of many actions shows more than one that ends at once.
            moves = [move for move in game.legal_moves(state) if move != ("end",) or rng.random() < 0.3]
            move = rng.choice(moves or [("end",)])
        log.append(MoveEntry(format_move(move), seat))
        state = game.apply(state, seat, move).state
    names = [f"Player {seat}" for seat in range(players)]
    return record.make(f"corpus-{number:03}", f"Random game {number}", options, names, server_seed, clients, log)


def games() -> Iterator[Record]:
    """All games of the corpus."""
    for number in range(EACH * len(KINDS)):
        yield play(number)


def main() -> None:
    """Write the file, unless it is there: stored games are never made anew."""
    if CORPUS.exists():
        raise SystemExit(f"{CORPUS.name} is there; games are only ever added, in a file of their own")
    with gzip.open(CORPUS, "wt", encoding="utf-8") as file:
        file.writelines(record.dumps(one) + "\n" for one in games())


if __name__ == "__main__":
    main()
