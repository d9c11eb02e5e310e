"""Positions that did not come out of a log: checked part by part, and dealt anew from what one seat knows.

A log proves its states by being replayed. A state that stands by itself can only be held to what must be true of every
position; `check` does that, so that the engine can be trusted with it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

from bots.determinise import masked
from server.engine.errors import InvalidStateError
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import NOBODY, Player, State
from server.engine.ulm1.tables import (
    CARDS,
    DESCENDANTS,
    LAST_SPACE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    TOWER,
)

_MOST = 10_000  # coins, sparrows, points: more than any game brings
_PHASES = ("draw", "keep", "push", "actions")


def plausible(seen: View, rng: random.Random) -> State:
    """Return a state in which everything is as `seen` and what it hides is dealt at random by `rng`. `seen` is a view
    (record.md §4) of a running game, of any seat or of a spectator; its view of the result is `seen` again, but that
    the new game begins at ply 0. The seed and with it all later chance are new. What a seat remembers beyond its view
    (coats that went to the bottom, cards it saw before a reshuffle) is dealt like the rest. Raises `InvalidStateError`
    when the game is over."""
    seat = next((seat for seat, player in enumerate(seen["players"]) if "hand" in player), None)
    hidden = masked(seen)
    state = hidden.rules.dealt(hidden, () if seat is None else (seat,), rng.shuffle)
    state.seed, state.ply = rng.randbytes(32), 0
    check(state)
    return state


def check(state: State) -> None:
    """Raise `InvalidStateError`, saying what is wrong, unless `state` of a running game can be played on. Every tile,
    card, coat, seal and crest must be where one can be, and each exactly once."""
    rules, seats = state.rules, len(state.players)
    _need(MIN_PLAYERS <= seats <= MAX_PLAYERS, f"{seats} players")
    _need(all(type(flag) is bool for flag in (state.rotate_start, state.advanced)), "options")
    _whole("ply", state.ply, 0, _MOST * 10)
    _whole("chance", state.chance, 0, _MOST * 10)
    _whole("round", state.round, 1, rules.rounds)
    _whole("start", state.start, 0, seats - 1)
    _need(state.active is not None and state.scores is None, "the game is over")
    _whole("active", state.active, 0, seats - 1)
    _need(state.phase in _PHASES, "phase")
    _need(len(state.grid) == 9, "grid")
    for counts in (state.docks, state.bag, state.turn.activated):
        for count in counts:
            _whole("a number of tiles", count, 0, 50)
    for player in state.players:
        _check_player(rules, player)
    _need(not state.players[state.active or 0].resigned, "the active player has resigned")
    _check_turn(state)
    _check_pieces(state, seats)
    _each_once("Tower tiles", state.tower, TOWER, rules.rounds)
    choices = [name for choice in state.pending if choice[0] == "choose" for name in choice[1]]
    cards = [*state.pile, *state.discard, *choices]
    for player in state.players:
        cards += [*player.hand, *player.table]
    _each_once("cards", cards, CARDS, len(CARDS))
    coats = [*state.coats, *(name for choice in state.pending if choice[0] == "coat" for name in choice[1])]
    _each_once(
        "coats of arms", [*coats, *(coat for p in state.players for coat in p.coats)], rules.coats, len(rules.coats)
    )
    owned = [name for player in state.players for name in player.descendants]
    _each_once("Descendants", [*state.descendants, *owned], DESCENDANTS, rules.oath_house_descendants)


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise InvalidStateError(f"not a position of the game: {what}")


def _whole(what: str, value: object, low: int, high: int) -> None:
    _need(type(value) is int and low <= value <= high, f"{what} must be a whole number from {low} to {high}")


def _each_once(what: str, found: Iterable[str], every: Iterable[str], number: int) -> None:
    names = list(found)
    known = all(isinstance(name, str) for name in names) and set(names) <= set(every)
    _need(known and len(set(names)) == len(names) == number, f"{what} missing, twice or unknown")


def _check_player(rules: Rules, player: Player) -> None:
    _whole("vp", player.vp, -_MOST, _MOST)
    for what in ("coins", "sparrows", "played"):
        _whole(what, getattr(player, what), 0, _MOST)
    for count in player.tiles:
        _whole("a number of tiles", count, 0, 50)
    _whole("seals", player.seals, 0, rules.seals)
    _whole("crests", player.crests, 0, rules.crests)
    _whole("barge", player.barge, 1, LAST_SPACE)
    _need(type(player.resigned) is bool, "resigned")


def _check_turn(state: State) -> None:
    rules, turn = state.rules, state.turn
    for name in ("free_play", "swapped", "exchanged", "salvaged", "levy_paid", "patrician"):
        _need(type(getattr(turn, name)) is bool, name)
    for name in ("card_credits", "seal_credits", "seal_at_1_credits", "step_credits"):
        _whole(name, getattr(turn, name), 0, 50)
    held = {"draw": (0,), "keep": (2,), "push": (0, 1), "actions": (0,)}[state.phase]
    _need(len(turn.tiles) in held, "the tiles in hand do not fit the phase")
    _need((turn.slot == NOBODY) or state.phase == "actions", "a slot was pushed before its phase")
    _need(state.phase == "actions" or not any(turn.activated), "tiles are activated before the push")
    for choice in state.pending:
        _need(isinstance(choice[0], str) and choice[0] in rules.choices, f"the pending choice {str(choice[0])[:20]!r}")
        if choice[0] == "barge":
            _whole("the steps of a barge", choice[1], 1, rules.most_steps)
        if choice[0] in ("coat", "choose"):
            _need(1 <= len(choice[1]) <= rules.most_offered, "an offer")


def _check_pieces(state: State, seats: int) -> None:
    rules = state.rules
    tiles = Counter([*state.grid, *(color for color in state.outer if color != NOBODY), *state.turn.tiles])
    for color in range(5):
        rest = state.docks[color] + state.bag[color] + sum(player.tiles[color] for player in state.players)
        _need(tiles[color] + rest == rules.tiles_per_color, f"there are {rules.tiles_per_color} tiles of each colour")
    _need(sum(state.docks) <= 5, "docks")
    owners = [*state.coat_seals, *state.crests]
    for owner in owners:
        _whole("an owner", owner, NOBODY, seats - 1)
    for seals, spaces in zip(state.quarters, rules.seal_spaces, strict=True):
        _need(len(seals) <= spaces, "more seals in a quarter than it has spaces")
        for owner in seals:
            _whole("an owner", owner, 0, seats - 1)
    for seat, player in enumerate(state.players):
        placed = sum(seals.count(seat) for seals in state.quarters) + state.coat_seals.count(seat)
        _need(player.seals + placed == rules.seals, f"the seals of seat {seat}")
        _need(player.crests + state.crests.count(seat) == rules.crests, f"the crests of seat {seat}")
    barges = [player.barge for player in state.players if player.barge > 1]
    _need(len(set(barges)) == len(barges), "two barges on one space")
