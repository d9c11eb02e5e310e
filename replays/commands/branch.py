"""`branch`: play on from any ply, as a new record under the same seed that verifies like any other."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace

from replays.commands import options
from replays.commands.options import Command
from replays.errors import ReplayError
from replays.sandbox import BRANCH as FIELD
from replays.sandbox import Sandbox
from server.engine import record as records
from server.engine.errors import IllegalMoveError, InvalidMoveError
from server.engine.game import Game
from server.engine.record import Record


def _arguments(parser: argparse.ArgumentParser) -> None:
    options.add_file(parser)
    parser.add_argument("--ply", type=options.whole, help="where to leave the game (default: its last ply)")
    parser.add_argument("--moves", default="", help="moves to go on with, as in 'draw; push N2; end'")
    parser.add_argument("--random", type=options.whole, default=0, metavar="N", help="then up to N moves at random")
    parser.add_argument("--random-seed", type=options.whole, help="makes what is random the same each time")
    options.add_output(parser)


def _run(args: argparse.Namespace) -> int:
    # An unseeded generator is as good as any where nobody plays for something.
    rng = random.Random(args.random_seed)  # noqa: S311
    moves = [move.strip() for move in args.moves.replace("\n", ";").split(";") if move.strip()]
    game = options.load(args.file)
    made_up = isinstance(game.record, Sandbox) or FIELD in game.record.extra
    if game.record.result is None and not made_up:
        raise ReplayError(f"{args.file}: the game is not finished; nobody may know what is still to come")
    found = branch(game.record, options.require_ply(game, args.ply), moves, rng, args.random)
    with options.output(args.output) as file:
        file.write(records.dumps(found).encode() + b"\n")
    return 0


def branch(record: Record, ply: int, moves: Sequence[str], rng: random.Random, plies: int) -> Record:
    """A record that leaves `record` after `ply` and goes on with `moves`, then with up to `plies` drawn by `rng`.

    The moves are those of who is to move; their times are null. Raises `ReplayError` naming the ply that cannot be
    played.
    """
    extra = {**record.extra, FIELD: {"of": record.id, "ply": ply}}
    game = Game(replace(record, moves=record.moves[:ply], id=f"{record.id}-branch-{ply}", extra=extra))
    for text in moves:
        if game.active is None:
            raise ReplayError(f"ply {game.plies + 1}: {text[:60]!r}: the game is over")
        try:
            game.push(text)
        except (InvalidMoveError, IllegalMoveError) as error:
            raise ReplayError(f"ply {game.plies + 1}: {error}") from error
    while plies and game.active is not None:
        game.push(rng.choice(game.legal_moves()))
        plies -= 1
    return game.to_record()


BRANCH = Command(
    "branch", "Play on from any ply of a finished game, by given moves or at random, as a new record.", _arguments, _run
)
