"""The engine: random playouts, single operations on positions of a whole game, replay of a stored game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

from benchmarks.timing import Figure, measure, progress
from server.engine import record, seeds
from server.engine.canonical import canonical_json
from server.engine.record import MoveEntry, Record
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm2 import RULES

PLAYERS = 4
OPTIONS = {"tower": True, "rotate_start": False}  # the advanced game has the most to compute
SEED = b"\x17" * 32


def playout(seed: bytes, rng: random.Random, players: int = PLAYERS) -> int:
    """Play a whole game at random, trusted; return the number of decisions. Forced moves count too."""
    state = RULES.new_game(seed, players, OPTIONS)
    while state.active is not None:
        RULES.advance(state, rng.choice(RULES.legal_moves(state)), [])
    return state.ply


def sample() -> tuple[list[State], list[Move], Record]:
    """Return all positions of one random game but the last, the move made in each, and its record."""
    rng = random.Random(7)
    clients = [""] * PLAYERS
    state = RULES.new_game(seeds.game_seed(SEED, clients), PLAYERS, OPTIONS)
    states, moves, log = [], [], []
    while state.active is not None:
        move = rng.choice(RULES.legal_moves(state))
        states.append(state)
        moves.append(move)
        log.append(MoveEntry(" ".join(move), state.active))
        state = RULES.apply(state, state.active, move).state
    names = [f"Seat {seat}" for seat in range(PLAYERS)]
    return states, moves, record.make("bench", "Sample", OPTIONS, names, SEED, clients, log)


def playouts(players: int = PLAYERS) -> Iterator[Figure]:
    """Yield decisions and games of random playouts, with copies of each game's seed at hand."""
    rng = random.Random(1)
    seeds = iter(lambda: rng.randbytes(32), None)
    yield measure(f"random playout, {players} players", "decisions", lambda: playout(next(seeds), rng, players))


def figures() -> Iterator[Figure]:
    """Yield every figure of the engine."""
    states, moves, game_record = sample()
    for players in (2, 3, 4):
        progress(f"playouts with {players} players")
        yield from playouts(players)
    progress("whole games")
    rng = random.Random(2)
    yield measure("random playout, whole", "games", lambda: min(1, playout(rng.randbytes(32), rng)))

    where = f"mean over {len(states)} positions of a game"
    texts = [canonical_json(state.to_dict()) for state in states]
    dicts = [json.loads(text) for text in texts]
    seats = [state.active for state in states]

    def each(name: str, function: Callable[[int], object], note: str = "") -> Figure:
        def work() -> int:
            for index in range(len(states)):
                function(index)
            return len(states)

        progress(name)
        return measure(name, "calls", work, note)

    yield each("legal_moves", lambda i: RULES.legal_moves(states[i]), where)
    yield each("apply (checked, on a copy)", lambda i: RULES.apply(states[i], seats[i] or 0, moves[i]))
    yield each("copy", lambda i: states[i].copy())
    yield each("to_dict", lambda i: states[i].to_dict())
    yield each("from_dict", lambda i: RULES.state_from_dict(dicts[i]))
    size = sum(map(len, texts)) // len(texts)
    yield each("canonical JSON of a dict", lambda i: canonical_json(dicts[i]), f"{size} B")
    yield each("state to text", lambda i: canonical_json(states[i].to_dict()))
    yield each("text to state", lambda i: RULES.state_from_dict(json.loads(texts[i])))
    yield each("digest", lambda i: states[i].digest())
    yield each("view of a seat", lambda i: RULES.view(states[i], 0))

    every = record.make(
        game_record.id,
        game_record.name,
        OPTIONS,
        [player["name"] for player in game_record.players],
        game_record.server_seed,
        game_record.client_seeds,
        game_record.moves,
        every_digest=True,
    )
    text = record.dumps(every)

    def verify(which: Record) -> Callable[[], int]:
        return lambda: record.verify(which).ply

    progress("replays")
    yield measure("replay, digests at rounds", "plies", verify(game_record), "record.verify: each move checked")
    yield measure("replay, digest at every ply", "plies", verify(every))
    yield measure("replay, trusted, no digest", "plies", lambda: _advance_all(game_record))
    yield measure(
        "record from text",
        "records",
        lambda: len([record.loads(text)]),
        f"{len(every.moves)} moves, {len(text) // 1000} kB",
    )


def _advance_all(which: Record) -> int:
    state = which.first_state()
    for entry in which.moves:
        RULES.advance(state, RULES.parse_move(entry.text), [])
    return state.ply
