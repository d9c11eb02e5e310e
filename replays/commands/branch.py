"""Play on from any ply, as a new record or as a variation kept with the old one.

Of a game that is not finished only what one seat knows can be played on from: give --seat, or a view of the server
with --view. What that seat does not know is dealt anew, at random.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace

from replays import branching, reading, sandbox
from replays.commands import options
from replays.errors import ReadError, ReplayError, Source
from replays.files import STDIN, Writer
from replays.nesting import too_deep
from replays.replay import Replay
from server.engine import record as records
from server.engine.canonical import Json
from server.engine.errors import InvalidStateError
from server.engine.record import Record

NAME = "branch"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)
    parser.add_argument("--ply", type=options.whole, help="where to leave the game (default: its last ply)")
    parser.add_argument("--moves", default="", help="moves to go on with, as in 'draw; push N2; end'")
    parser.add_argument("--random", type=options.whole, default=0, metavar="N", help="then up to N moves at random")
    parser.add_argument("--random-seed", type=options.whole, help="makes what is random the same each time")
    parser.add_argument("--seat", type=options.whole, help="go on with what this seat knows, the rest dealt anew")
    parser.add_argument("--view", action="store_true", help="FILE is a view, or the answer of GET …/games/ID")
    parser.add_argument("--keep", metavar="NAME", help="write FILE itself, with the moves as a variation of that name")
    options.add_output(parser, "a file of records, DIRECTORY/, or - for standard output (the default)")


def run(args: argparse.Namespace) -> int:
    """Write one branch."""
    # An unseeded generator is as good as any where nobody plays for something.
    rng = random.Random(args.random_seed)  # noqa: S311
    moves = [move.strip() for move in args.moves.replace("\n", ";").split(";") if move.strip()]
    source = Source(args.file)
    if args.view and (args.keep is not None or args.ply is not None):
        raise ReplayError("--view is the newest position: it has neither plies to choose from nor variations")
    with options.refusing(source):
        made_of = _of_view if args.view else _of_record
        found = made_of(args, moves, rng)
    with Writer(args.output or STDIN) as writer:
        writer.write(found.id, records.dumps(found))
    return 0


def _of_record(args: argparse.Namespace, moves: list[str], rng: random.Random) -> Record:
    replay = options.load(args.file, args.seat)
    ply = options.require_ply(replay, args.ply)
    made_up = isinstance(replay.record, sandbox.Sandbox) or branching.FIELD in replay.record.extra
    if args.seat is None and replay.record.result is None and not made_up:
        raise ReplayError(f"{args.file}: the game is not finished; --seat says whose knowledge to go on with")
    if args.keep is not None:
        if args.seat is not None:
            raise ReplayError("--keep goes on with the game as it is; it does not go with --seat")
        return branching.with_variation(replay.record, ply, args.keep, moves, rng, args.random)
    if args.seat is None:
        return branching.branch(replay.record, ply, moves, rng, args.random)
    return _play_on(_as_seat_knew(replay, ply, args.seat, rng), moves, rng, args.random)


def _as_seat_knew(replay: Replay, ply: int, seat: int, rng: random.Random) -> sandbox.Sandbox:
    identity = replay.record.id
    origin = {"of": identity, "ply": ply, "seat": seat}
    try:
        return branching.of_view(replay.view(ply, seat), replay.names, rng, f"{identity}-sandbox-{ply}", origin)
    except InvalidStateError as error:
        raise ReplayError(f"ply {ply}: {error}") from error


def _of_view(args: argparse.Namespace, moves: list[str], rng: random.Random) -> Record:
    source, text = reading.text_of(args.file)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(source, f"not JSON: {error}") from error
    if too_deep(data) or not isinstance(data, dict):
        raise ReadError(source, "not a view of a game")
    seen: Json = data.get("view", data)
    try:
        names = _names(data, seen)
        identity = str(data.get("id") or "view")[:80]
        origin = {"of": identity, "ply": seen["ply"]}
        bare = branching.of_view(seen, names, rng, f"{identity}-sandbox", origin)
    except (InvalidStateError, KeyError, TypeError, AttributeError) as error:
        raise ReadError(source, f"not a view of a running game: {error}") from error
    return _play_on(bare, moves, rng, args.random)


def _names(data: dict[str, Json], seen: Json) -> list[str]:
    """The names in the answer of GET /games/ID; a bare view has none."""
    seats = len(seen["players"])
    known = data.get("players") if "view" in data else None
    if isinstance(known, list) and len(known) == seats:
        return [str((player or {}).get("name") or f"seat {seat}") for seat, player in enumerate(known)]
    return [f"seat {seat}" for seat in range(seats)]


def _play_on(bare: sandbox.Sandbox, moves: list[str], rng: random.Random, plies: int) -> Record:
    if not moves and not plies:
        return bare
    return replace(branching.branch(bare, 0, moves, rng, plies), id=bare.id, extra=bare.extra)
