"""The Cathedral area (rules.md §4): pushing a tile in, clearing tiles away, what lies outside."""

from typing import Final

from server.engine.events import Event
from server.engine.ulm1 import supply, tower
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Pushed
from server.engine.ulm1.state import NOBODY, Player, State
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import (
    COLOR_INDEX,
    COLORS,
    LINES,
    OPPOSITE,
    PUSH_CELLS,
    SIDE_SLOTS,
    SLOT_INDEX,
    SLOTS,
    THREES,
    WHITE,
)

PUSH_MOVES: Final[tuple[Move, ...]] = tuple(("push", slot) for slot in SLOTS)
PUSH_OWN_MOVES: Final[tuple[tuple[Move, ...], ...]] = tuple(
    tuple(("push", slot, color) for color in COLORS) for slot in SLOTS
)
CLEAR_MOVES: Final[dict[str, Move]] = {side: ("clear", side) for side in SIDE_SLOTS}
SALVAGE: Final[Move] = ("salvage",)


def open_slots(outer: tuple[int, ...]) -> list[int]:
    """Return the slots of the lines that are not blocked (K4)."""
    free = [a for a, b in LINES if outer[a] == NOBODY == outer[b]]
    return free + [OPPOSITE[slot] for slot in free]


def all_blocked(outer: tuple[int, ...]) -> bool:
    """Say whether all six lines are blocked (T5)."""
    most = len(outer) - len(LINES)  # with more slots free, one of the lines must be
    return outer.count(NOBODY) <= most and all(outer[a] != NOBODY or outer[b] != NOBODY for a, b in LINES)


def occupied_sides(outer: tuple[int, ...]) -> list[str]:
    """Return the sides on which an outer tile lies (A2)."""
    return [
        side for side, (a, b, c) in SIDE_SLOTS.items() if outer[a] != NOBODY or outer[b] != NOBODY or outer[c] != NOBODY
    ]


def push_moves(state: State, player: Player) -> list[Move]:
    """Return the pushes: the tile in hand; own tiles for the scholar (N2), or with none in hand (L4)."""
    slots = open_slots(state.outer)
    in_hand = state.turn.tiles
    moves: list[Move] = [PUSH_MOVES[slot] for slot in slots] if in_hand else []
    if not in_hand or "scholar" in player.descendants:
        colors = [color for color in range(5) if player.tiles[color]]
        moves += [PUSH_OWN_MOVES[slot][color] for slot in slots for color in colors]
    return moves


def push(state: State, seat: int, move: Move, events: Events) -> None:
    """`push SLOT`, `push SLOT COLOR`: K2, K3, K5, N2, N4."""
    player, turn = state.players[seat], state.turn
    slot = SLOT_INDEX[move[1]]
    if len(move) == 2:
        color = turn.tiles[0]
    else:
        color = COLOR_INDEX[move[2]]
        player.tiles[color] -= 1
        for drawn in turn.tiles:  # N2: the drawn tile comes into the supply
            player.tiles[drawn] += 1
            events.append(Event("keep_drawn", seat, (COLORS[drawn],)))
    turn.tiles = ()
    turn.slot = slot
    tower.begin_actions(state)

    before = state.grid
    first, second, third = PUSH_CELLS[slot]
    grid = list(before)
    fallen = grid[third]
    grid[third], grid[second], grid[first] = grid[second], grid[first], color
    state.grid = tuple(grid)
    for cell in (first, second, third):
        turn.activated[grid[cell]] += 1
    out = OPPOSITE[slot]
    state.outer = (*state.outer[:out], fallen, *state.outer[out + 1 :])
    events.append(Event("push", seat, (COLORS[color], SLOTS[slot], COLORS[fallen], SLOTS[out])))

    owner = state.coat_seals[out]
    if owner != NOBODY:  # K5: whoever pushed
        state.players[owner].sparrows += 1
        events.append(Event("seal_sparrow", owner, (SLOTS[out],), 1))
    if "city_guard" in player.descendants and forms_new_three(before, state.grid):
        player.vp += state.rules.guard_vp
        events.append(Event("guard", seat, (), state.rules.guard_vp))


def pushed(state: State, move: Move) -> Pushed:
    """Return what a legal push does (K1, K2)."""
    slot = SLOT_INDEX[move[1]]
    color = COLOR_INDEX[move[2]] if len(move) == 3 else state.turn.tiles[0]
    first, second, third = (state.grid[cell] for cell in PUSH_CELLS[slot])
    activates = (COLORS[color], COLORS[first], COLORS[second])
    return Pushed(SLOTS[slot], COLORS[color], activates, COLORS[third], SLOTS[OPPOSITE[slot]])


def forms_new_three(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Say whether `after` has a line of three of one colour that `before` had not in those cells (N4)."""
    for a, b, c in THREES:
        color = after[a]
        if color == after[b] == after[c] and not (color == before[a] == before[b] == before[c]):
            return True
    return False


def clear(state: State, seat: int, move: Move, events: Events) -> None:
    """`clear SIDE`: A2, N1."""
    state.turn.activated[WHITE] -= 1
    take_side(state, seat, move[1], events)
    if "abbot" in state.players[seat].descendants:
        state.pending += (("abbot",),)


def take_side(state: State, seat: int, side: str, events: Events) -> None:
    """Take all outer tiles of `side` into the supply of `seat`."""
    tiles = state.players[seat].tiles
    outer = list(state.outer)
    taken = []
    for slot in SIDE_SLOTS[side]:
        if outer[slot] != NOBODY:
            tiles[outer[slot]] += 1
            taken.append(COLORS[outer[slot]])
            outer[slot] = NOBODY
    state.outer = tuple(outer)
    events.append(Event("take_side", seat, (side, *taken), len(taken)))


def can_salvage(state: State) -> bool:
    """Say whether the tile that the own push made fall out may be taken, and still lies there (V10)."""
    slot = state.turn.slot
    return (
        slot != NOBODY
        and not state.turn.salvaged
        and state.tower_tile == "keep_pushed"
        and state.outer[OPPOSITE[slot]] != NOBODY
    )


def salvage(state: State, seat: int, move: Move, events: Events) -> None:
    """`salvage`: V10."""
    out = OPPOSITE[state.turn.slot]
    color = state.outer[out]
    state.outer = (*state.outer[:out], NOBODY, *state.outer[out + 1 :])
    state.players[seat].tiles[color] += 1
    state.turn.salvaged = True
    events.append(Event("salvage", seat, (COLORS[color], SLOTS[out])))


def sweep(state: State, seat: int, events: Events, drawing: bool = False) -> None:
    """Put all outer tiles into the bag: before a turn (T5), or, `drawing`, since there is none to draw (L4)."""
    colors = [color for color in state.outer if color != NOBODY]
    state.outer = (NOBODY,) * 12
    number = len(colors)
    events.append(Event("empty_bag", seat, (), number) if drawing else Event("sweep", seat, (), number))
    supply.put_into_bag(state, seat, colors, events)
