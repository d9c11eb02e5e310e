"""Setting up a game (rules.md §2, record.md §1)."""

from collections.abc import Mapping
from typing import Final

from server.engine import chance
from server.engine.ulm1 import supply
from server.engine.ulm1.ruleset import Ruleset
from server.engine.ulm1.shapes import Options
from server.engine.ulm1.state import NOBODY, Player, State, Turn
from server.engine.ulm1.tables import CARDS, DESCENDANTS, FIRST_GRID, MAX_PLAYERS, MIN_PLAYERS, TOWER
from server.engine.ulm1.turn import begin_turn

OPTIONS: Final[tuple[str, ...]] = ("rotate_start", "tower")  # O1, O2


def check_options(options: Mapping[str, object]) -> Options:
    """Return all options with their defaults (§14); raises `ValueError` for an unknown one or one that is no bool."""
    for name, value in options.items():
        if name not in OPTIONS:
            raise ValueError(f"unknown option {name!r}: there are {' and '.join(OPTIONS)}")
        if not isinstance(value, bool):
            raise ValueError(f"option {name!r} is true or false")
    return {"rotate_start": bool(options.get("rotate_start")), "tower": bool(options.get("tower"))}


def new_game(rules: Ruleset[State], seed: bytes, players: int, options: Mapping[str, object]) -> State:
    """The state at ply 0 (P1 to P7). Raises `ValueError` for a wrong number of players, seed or options (§14)."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"Ulm is for {MIN_PLAYERS} to {MAX_PLAYERS} players")
    if len(seed) != 32:
        raise ValueError("a seed has 32 bytes")
    chosen = check_options(options)

    start, counter = chance.below(seed, 0, players)
    pile, counter = chance.shuffle(seed, counter, CARDS)
    descendants, counter = chance.shuffle(seed, counter, DESCENDANTS)
    coats, counter = chance.shuffle(seed, counter, tuple(rules.coats))
    grid, counter = chance.shuffle(seed, counter, FIRST_GRID)

    state = State()
    state.rules, state.seed = rules, seed
    state.rotate_start, state.advanced = chosen["rotate_start"], chosen["tower"]
    state.ply, state.round, state.start = 0, 1, start
    state.chance = counter
    state.grid, state.outer = tuple(grid), (NOBODY,) * 12
    state.docks = [1] * 5
    state.bag = [rules.tiles_per_color - 1 - grid.count(color) for color in range(5)]
    state.pile, state.discard, state.coats = tuple(pile), (), tuple(coats)
    state.coat_seals, state.crests, state.quarters = (NOBODY,) * 12, (NOBODY,) * 8, ((),) * 8
    state.descendants = tuple(descendants[: rules.oath_house_descendants])
    state.pending, state.scores = (), None
    state.players = [_new_player(rules) for _ in range(players)]
    for player in state.players:
        player.tiles[supply.draw_tile(state)] += 1
    tower, state.chance = chance.shuffle(seed, state.chance, TOWER)
    state.tower = tuple(tower[: rules.rounds])
    state.turn = Turn.fresh()
    begin_turn(state, start, [])
    return state


def _new_player(rules: Ruleset[State]) -> Player:
    """P5, C5."""
    player = Player()
    player.vp, player.coins, player.sparrows = rules.first_vp, rules.first_coins, rules.first_sparrows
    player.tiles = [0] * 5
    player.seals, player.crests, player.barge = rules.seals, rules.crests, 1
    player.descendants = player.coats = player.hand = player.table = ()
    player.played, player.resigned = 0, False
    return player
