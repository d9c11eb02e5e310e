"""What a seat sees as numbers. What a model has learned hangs on the layout: it never changes.

All is read from what the seat's view (docs/record.md, section 4) shows, and from nothing else of a state: a test
compares the numbers of a state with those of the view that is given out of it.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import accumulate
from struct import Struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.determinise import masked
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import NOBODY, State
from server.engine.ulm1.tables import (
    CARDS,
    COLORS,
    DESCENDANTS,
    LAST_SPACE,
    MAX_PLAYERS,
    QUARTERS,
    SLOTS,
    TOWER,
)

Observation = NDArray[np.float32]
Names = tuple[str, ...]

PHASES: Final = ("draw", "keep", "push", "actions", "over")
CHOICES: Final = (
    "coat", "choose", "barge", "descendant", "town_hall", "goose_tower", "tillage", "shipyard", "dock", "abbot",
    "credit",
)  # fmt: skip
RULESETS: Final = ("ulm/1", "ulm/2")
WHO: Final = ("me", "second", "third", "fourth")
"""Whose something is: the seat that looks, and the others clockwise from it."""

_SEAT: Final = (
    ("vp", 1), ("coins", 1), ("sparrows", 1), ("seals", 1), ("crests", 1), ("played", 1), ("resigned", 1),
    ("hand_size", 1), ("tiles", len(COLORS)), ("barge", LAST_SPACE), ("descendants", len(DESCENDANTS)),
    ("coats", len(SLOTS)), ("table", len(CARDS)),
)  # fmt: skip
_PARTS: Final = (
    ("advanced", 1), ("rotate_start", 1), ("players", 1), ("round", 1), ("pile_size", 1), ("coats_size", 1),
    ("docks", len(COLORS)), ("bag", len(COLORS)), ("activated", len(COLORS)), ("card_credits", 1), ("seal_credits", 1),
    ("seal_at_1_credits", 1), ("step_credits", 1), ("free_play", 1), ("swapped", 1), ("exchanged", 1), ("salvaged", 1),
    ("levy_paid", 1), ("patrician", 1),
    ("ruleset", len(RULESETS)), ("phase", len(PHASES)), ("start", MAX_PLAYERS), ("active", MAX_PLAYERS),
    ("tower_now", len(TOWER)), ("tower_next", len(TOWER)), ("tiles_in_hand", len(COLORS)), ("pushed_at", len(SLOTS)),
    ("grid", 9 * len(COLORS)), ("outer", len(SLOTS) * len(COLORS)), ("coat_seals", len(SLOTS) * MAX_PLAYERS),
    ("crest_owners", len(QUARTERS) * MAX_PLAYERS), ("seals", len(QUARTERS) * MAX_PLAYERS),
    ("oath_house", len(DESCENDANTS)), ("discard", len(CARDS)), ("hand", len(CARDS)),
    ("choice", len(CHOICES)), ("choices_later", len(CHOICES)), ("barge_max", 1), ("cards_offered", len(CARDS)),
    ("coats_offered", len(SLOTS)),
    *((f"{who}.{name}", size) for who in WHO for name, size in _SEAT),
)  # fmt: skip
_ENDS: Final = list(accumulate(size for _, size in _PARTS))

LAYOUT: Final[dict[str, slice]] = {
    name: slice(end - size, end) for (name, size), end in zip(_PARTS, _ENDS, strict=True)
}
"""Name → where its numbers stand. What is as long as a list of names has a number for each, in the order of
docs/rules.md, or of the lists above: a count, or 1 and 0. `grid` has five colours for each cell, `outer` for each slot,
`coat_seals` four seats (`WHO`) for each slot, `crest_owners` and `seals` for each quarter."""
SIZE: Final = _ENDS[-1]
"""How many numbers there are."""

_BOARD: Final = Struct("31f")
_OPEN: Final = Struct("13f")
_COUNTS: Final = Struct("5f")
_NO_SEAT: Final = bytes(4 * sum(size for _, size in _SEAT))
_YES: Final = Struct("f").pack(1.0)
_NO: Final = bytes(4)
_ONE: Final = {
    size: (*(_NO * at + _YES + _NO * (size - 1 - at) for at in range(size)), _NO * size)
    for size in (len(RULESETS), len(PHASES), MAX_PLAYERS, len(TOWER), len(SLOTS), len(COLORS), LAST_SPACE)
}
"""Size → index → so many numbers, the one at the index 1, the others 0. At -1 all are 0."""


def observe(state: State, seat: int) -> Observation:
    """Return what `seat` sees of a state, `float32` of shape `(SIZE,)` as `LAYOUT` says. Ask for that of a state which
    it may see: while a draw is hidden, that before it (`Ruleset.visible_state`)."""
    turn, players, count = state.turn, state.players, len(state.players)
    shown = state.tower[state.round - 1 : state.round + 1] if state.advanced else ()
    blocks = [
        _BOARD.pack(
            state.advanced, state.rotate_start, count, state.round, len(state.pile), len(state.coats), *state.docks,
            *state.bag, *turn.activated, turn.card_credits, turn.seal_credits, turn.seal_at_1_credits,
            turn.step_credits, turn.free_play, turn.swapped, turn.exchanged, turn.salvaged, turn.levy_paid,
            turn.patrician,
        ),
        _ONE[2][RULESETS.index(state.rules.name) if state.rules.name in RULESETS else -1],
        _ONE[5][PHASES.index(state.phase)],
        _ONE[4][(state.start - seat) % count],
        _ONE[4][-1 if state.active is None else (state.active - seat) % count],
        _ONE[12][TOWER.index(shown[0]) if shown else -1],
        _ONE[12][TOWER.index(shown[1]) if len(shown) > 1 else -1],
        _in_hand(turn.tiles),
        _ONE[12][turn.slot],
        _cells(state.grid),
        _cells(state.outer),
        _owners(state.coat_seals, seat, count),
        _owners(state.crests, seat, count),
        _seals(state.quarters, seat, count),
        _descendants(state.descendants),
        _cards(state.discard),
        _cards(players[seat].hand),
        _choices(state.pending, seat == state.active),
    ]  # fmt: skip
    for player in players[seat:] + players[:seat]:
        numbers = (
            player.vp, player.coins, player.sparrows, player.seals, player.crests, player.played, player.resigned,
            len(player.hand), *player.tiles,
        )  # fmt: skip
        blocks.append(_open(numbers, player.barge, player.descendants, player.coats, player.table))
    blocks += [_NO_SEAT] * (MAX_PLAYERS - count)
    return np.frombuffer(bytearray().join(blocks), np.float32)


def observe_view(view: View, seat: int) -> Observation:
    """Return the same of the view of `seat` (docs/record.md, section 4): what a bot is shown, or the API answers."""
    return observe(masked(view), seat)


# The rest changes seldom, and is kept: a step costs four fifths of what it would.


def _marks(names: Names, chosen: Names) -> bytes:
    """A number for each name, 1 of those that are chosen."""
    return b"".join([_YES if name in chosen else _NO for name in names])


_cards: Final = lru_cache(4000)(partial(_marks, CARDS))
_coats: Final = lru_cache(1000)(partial(_marks, SLOTS))
_descendants: Final = lru_cache(1000)(partial(_marks, DESCENDANTS))


@lru_cache(4000)
def _open(numbers: tuple[int, ...], barge: int, descendants: Names, coats: Names, table: Names) -> bytes:
    """What lies open in front of a seat."""
    first = _OPEN.pack(*numbers) + _ONE[LAST_SPACE][barge - 1]
    return first + _descendants(descendants) + _coats(coats) + _cards(table)


@lru_cache(100)
def _in_hand(tiles: tuple[int, ...]) -> bytes:
    return _COUNTS.pack(*map(tiles.count, range(5)))


@lru_cache(4000)
def _cells(colors: tuple[int, ...]) -> bytes:
    return b"".join([_ONE[5][color] for color in colors])


@lru_cache(4000)
def _owners(owners: tuple[int, ...], seat: int, count: int) -> bytes:
    return b"".join([_ONE[4][-1 if owner == NOBODY else (owner - seat) % count] for owner in owners])


@lru_cache(4000)
def _seals(quarters: tuple[tuple[int, ...], ...], seat: int, count: int) -> bytes:
    """How many each seat has in each quarter, as `seat` counts the seats."""
    numbers = np.zeros((len(quarters), MAX_PLAYERS), np.float32)
    for number, owners in enumerate(quarters):
        for owner in owners:
            numbers[number, (owner - seat) % count] += 1
    return numbers.tobytes()


@lru_cache(4000)
def _choices(pending: tuple[Choice, ...], own: bool) -> bytes:
    """What is to be chosen, first of all the last; what is on offer if it is one's own."""
    kinds = np.zeros((2, len(CHOICES)), np.float32)
    most, cards, coats = 0, (), ()
    for later, choice in enumerate(reversed(pending)):
        kinds[min(later, 1), CHOICES.index(choice[0])] += 1
        if choice[0] == "barge":
            most = choice[1]
        elif choice[0] == "choose" and own:
            cards = choice[1]
        elif choice[0] == "coat" and own:
            coats = choice[1]
    return kinds.tobytes() + Struct("f").pack(most) + _cards(cards) + _coats(coats)
