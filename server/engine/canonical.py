"""The canonical JSON of a state (record.md §4), written straight from its fields.

The same text as `canonical_json(state.to_dict())`, which says what it must be, and a test holds the two against each
other over whole games; but a replay with a digest at every ply spends most of its time here, so pieces that change
rarely (piles, quarters, hands) are written once and looked up after that, and the rest is formatted in one go.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from server.engine.ulm1.tables import COLORS, QUARTERS, SLOTS

Json = Any  # Any: what somebody's JSON text may hold, until it is checked

_KEPT = 4096  # pieces of each kind; a game has a few hundred
_SORTED_SLOTS = sorted((name, slot) for slot, name in enumerate(SLOTS))
_SORTED_QUARTERS = sorted((name, quarter) for quarter, name in enumerate(QUARTERS))
# Made once, and without the search for circles, which plain data cannot have.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, check_circular=False).encode


def canonical_json(data: object) -> str:
    """Return JSON with sorted keys, no white space, ASCII only. `data` must be a tree: a circle is not looked for."""
    return _encode(data)


def state_json(state: Any) -> str:  # Any: see its text  # noqa: ANN401
    """Return the canonical JSON of a `State` (whose module stands above this one); numbers are ints, flags bools."""
    active = state.active
    pending = ",".join(map(_choice, state.pending))
    return (
        f'{{"active":{"null" if active is None else active},"bag":{_counts(state.bag)},"chance":{state.chance},'
        f'"coat_seals":{_owners(state.coat_seals, True)},"coats":{_names(state.coats)},'
        f'"crests":{_owners(state.crests, False)},"descendants":{_names(state.descendants)},'
        f'"discard":{_names(state.discard)},"docks":{_counts(state.docks)},"grid":{_grid(state.grid)},'
        f'"options":{{"rotate_start":{_FLAG[state.rotate_start]},"tower":{_FLAG[state.advanced]}}},'
        f'"outer":{_outer(state.outer)},"pending":[{pending}],"phase":"{state.phase}","pile":{_names(state.pile)},'
        f'"players":[{",".join(map(_player, state.players))}],"ply":{state.ply},"quarters":{_quarters(state.quarters)},'
        f'"round":{state.round},"ruleset":"{state.rules.name}",'
        f'"scores":{"null" if state.scores is None else canonical_json(state.scores)},"start":{state.start},'
        f'"tower":{_names(state.tower)},"turn":{_turn(state.turn)}}}'
    )


_FLAG = {True: "true", False: "false"}


def _player(player: Any) -> str:  # noqa: ANN401
    return (
        f'{{"barge":{player.barge},"coats":{_names(player.coats)},"coins":{player.coins},"crests":{player.crests},'
        f'"descendants":{_names(player.descendants)},"hand":{_names(player.hand)},"played":{player.played},'
        f'"resigned":{_FLAG[player.resigned]},"seals":{player.seals},"sparrows":{player.sparrows},'
        f'"table":{_names(player.table)},"tiles":{_counts(player.tiles)},"vp":{player.vp}}}'
    )


def _turn(turn: Any) -> str:  # noqa: ANN401
    slot = turn.slot
    return (
        f'{{"activated":{_counts(turn.activated)},"credits":{{"card":{turn.card_credits},"seal":{turn.seal_credits},'
        f'"seal_at_1":{turn.seal_at_1_credits},"step":{turn.step_credits}}},"exchanged":{_FLAG[turn.exchanged]},'
        f'"free_play":{_FLAG[turn.free_play]},"levy_paid":{_FLAG[turn.levy_paid]},"patrician":{_FLAG[turn.patrician]},'
        f'"salvaged":{_FLAG[turn.salvaged]},"slot":{"null" if slot < 0 else _SLOT_TEXT[slot]},'
        f'"swapped":{_FLAG[turn.swapped]},"tiles":{_colors(turn.tiles)}}}'
    )


_SLOT_TEXT = tuple(map(json.dumps, SLOTS))


def _counts(counts: list[int]) -> str:
    gray, white, brown, turquoise, orange = counts
    return f'{{"brown":{brown},"gray":{gray},"orange":{orange},"turquoise":{turquoise},"white":{white}}}'


def _choice(choice: tuple[Any, ...]) -> str:
    kind = choice[0]
    if kind in ("coat", "choose"):
        return f'{{"kind":"{kind}","offer":{_names(choice[1])}}}'
    return f'{{"kind":"barge","max":{choice[1]}}}' if kind == "barge" else f'{{"kind":"{kind}"}}'


@lru_cache(_KEPT)
def _names(names: tuple[str, ...]) -> str:
    return canonical_json(names)


@lru_cache(_KEPT)
def _colors(colors: tuple[int, ...]) -> str:
    return canonical_json([COLORS[color] for color in colors])


@lru_cache(_KEPT)
def _grid(grid: tuple[int, ...]) -> str:
    return canonical_json([[COLORS[color] for color in grid[row : row + 3]] for row in (0, 3, 6)])


@lru_cache(_KEPT)
def _outer(outer: tuple[int, ...]) -> str:
    return canonical_json({name: COLORS[outer[slot]] for name, slot in _SORTED_SLOTS if outer[slot] >= 0})


@lru_cache(_KEPT)
def _owners(owners: tuple[int, ...], of_slots: bool) -> str:
    places = _SORTED_SLOTS if of_slots else _SORTED_QUARTERS
    # int(): True equals 1 and would be looked up as it, so no piece may be written with it.
    return canonical_json({name: int(owners[place]) for name, place in places if owners[place] >= 0})


@lru_cache(_KEPT)
def _quarters(quarters: tuple[tuple[int, ...], ...]) -> str:
    return canonical_json({name: [int(seat) for seat in quarters[quarter]] for name, quarter in _SORTED_QUARTERS})


def walk(value: Json) -> Iterator[tuple[Json, int]]:
    """Yield every value in parsed JSON, the whole of it first, and how many lists and objects it lies in.

    Goes by a list of its own, so that no depth hurts it; a list or an object is entered only when the next value is
    asked for.
    """
    left = [(value, 0)]
    while left:
        value, depth = left.pop()
        yield value, depth
        if isinstance(value, dict):
            left += [(item, depth + 1) for item in value.values()]
        elif isinstance(value, list):
            left += [(item, depth + 1) for item in value]
