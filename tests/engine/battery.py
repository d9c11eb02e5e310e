"""Random games for the batteries: whole positions, and positions in which what somebody cannot see was changed."""

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import product
from random import Random
from typing import Any, NamedTuple

from server.engine.events import Event
from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move
from server.engine.ulm1.rules import RULES as ULM1
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import TOWER
from server.engine.ulm2 import RULES as ULM2

MORE = int(os.environ.get("ULM_TEST_GAMES", "1"))  # times as many random games
COMBINATIONS = list(product((2, 3, 4), (False, True), (False, True)))  # players, tower, rotate_start
# How likely a move is beside others: turns do much before they end, and barges get far.
WEIGHTS = {"end": 0.1, "river": 8.0, "sail": 8.0, "money": 4.0, "seal": 4.0, "clear": 3.0, "buy": 2.0}


class Ply(NamedTuple):
    """One ply of a random game: the state before, who moved what, what came of it."""

    before: State
    seat: int
    move: Move
    after: State
    events: list[Event]
    reveals: bool


def choose(rng: Random, legal: list[Move]) -> Move:
    """Pick a move, less often one that ends what could still be done."""
    return rng.choices(legal, [WEIGHTS.get(move[0], 1.0) * (3.0 if "top" in move else 1.0) for move in legal])[0]


def far_on(state: State, rng: Random, bag: int) -> State:
    """Give everybody what random play rarely comes to: a barge far on, coins, cards, all but `bag` tiles…"""
    data = state.to_dict()
    for player, space in zip(data["players"], rng.sample(range(9, 21), len(data["players"])), strict=True):
        player |= {"barge": space, "coins": 12, "hand": data["pile"][-4:]}
        del data["pile"][-4:]
    data["discard"], data["pile"] = data["pile"][:9], data["pile"][9:]
    for _ in range(2):
        rng.choice(data["players"])["descendants"].append(data["descendants"].pop())
    while sum(data["bag"].values()) > bag:
        color = rng.choice([name for name, count in data["bag"].items() if count])
        data["bag"][color] -= 1
        rng.choice(data["players"])["tiles"][color] += 1
    return state.rules.state_from_dict(data, state.seed)


def play_out(number: int, players: int, tower: bool, rotate: bool, resigning: float = 0.0) -> Iterator[Ply]:
    """Play a random game, the same for the same arguments; with `resigning` seats may give up at any ply.

    Games with an even number begin at the beginning, the others far on, 3, 7, … with a bag that is nearly empty. Those
    of 1, 5, … are of `ulm/1`.
    """
    rng = Random(f"{number} {players} {tower} {rotate}")
    seed = sha256(rng.randbytes(32)).digest()
    state = (ULM1 if number % 4 == 1 else ULM2).new_game(seed, players, {"tower": tower, "rotate_start": rotate})
    if number % 2:
        state = far_on(state, rng, 4 if number % 4 == 3 else 20)
    while state.active is not None:
        seat, move = state.active, choose(rng, game.legal_moves(state))
        if rng.random() < resigning:
            seat, move = rng.choice([s for s in range(players) if not state.players[s].resigned]), ("resign",)
        applied = game.apply(state, seat, move)
        yield Ply(state, seat, move, *applied)
        state = applied.state


GAMES: list[tuple[Any, ...]] = [
    *((number, *combination) for number in range(1, 4 * MORE, 2) for combination in COMBINATIONS),
    *((number, *combination) for number in range(0, 2 * MORE, 2) for combination in COMBINATIONS[2::4]),
    *((number, *combination, 0.01) for number in range(MORE) for combination in COMBINATIONS[1::3]),
]
"""The games of the normal run: all combinations of players and options, and a few with resignations."""


@cache
def some_game(number: int) -> tuple[Ply, ...]:
    """One of them."""
    return tuple(play_out(*GAMES[number]))


def scrambled(state: State, viewer: int | None, rng: Random, coats: bool = True) -> State:
    """Return the position with all that `viewer` (None: a spectator) cannot see changed at random.

    Those are: other hands and offers, the order of the draw pile and of the coats, Tower tiles to come, the counter and
    the seed. The coats stay as they are unless `coats`.
    """
    data = state.to_dict()
    mine = viewer is not None and viewer == state.active
    zones: list[list[str]] = [data["pile"]]
    zones += [player["hand"] for seat, player in enumerate(data["players"]) if seat != viewer]
    zones += [choice["offer"] for choice in data["pending"] if choice["kind"] == "choose" and not mine]
    _shuffle_over(zones, rng)
    if coats:
        offers = [choice["offer"] for choice in data["pending"] if choice["kind"] == "coat" and not mine]
        _shuffle_over([data["coats"], *offers], rng)
    known = min(10, data["round"] + 1) if data["options"]["tower"] else 0
    rest = [name for name in TOWER if name not in data["tower"][:known]]
    rng.shuffle(rest)
    data["tower"][known:] = rest[: 10 - known]
    data["chance"] = rng.randrange(10**6)
    return state.rules.state_from_dict(data, rng.randbytes(32))


def _shuffle_over(zones: list[list[str]], rng: Random) -> None:
    """Shuffle what lies in several places over all of them; each keeps its size."""
    hidden = [name for zone in zones for name in zone]
    rng.shuffle(hidden)
    for zone in zones:
        zone[:] = [hidden.pop() for _ in zone]


def counts_of(data: dict[str, Any]) -> dict[str, int]:
    """How many tiles of each colour lie anywhere in a state's JSON form."""
    names = [name for row in data["grid"] for name in row] + list(data["outer"].values()) + data["turn"]["tiles"]
    total = {}
    for color in data["bag"]:
        total[color] = names.count(color) + data["bag"][color] + data["docks"][color]
        total[color] += sum(player["tiles"][color] for player in data["players"])
    return total
