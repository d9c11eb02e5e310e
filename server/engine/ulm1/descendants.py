"""Descendants (rules.md §9) that have a choice or a move of their own; the others are a line where they act."""

from typing import Final

from server.engine.events import Event
from server.engine.ulm1 import supply
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import COLOR_INDEX, COLORS, DESCENDANTS

DESCENDANT_MOVES: Final[dict[str, Move]] = {name: ("descendant", name) for name in DESCENDANTS}
EXCHANGE_MOVES: Final[tuple[tuple[Move, ...], ...]] = tuple(
    tuple(("exchange", own, other) for other in COLORS) for own in COLORS
)
PASS: Final[Move] = ("pass",)


def descendant_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return the Descendants left in the Oath House (Q2)."""
    return [DESCENDANT_MOVES[name] for name in state.descendants]


def settle_descendant(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`descendant NAME`: Q2."""
    name = move[1]
    state.descendants = tuple(other for other in state.descendants if other != name)
    state.players[seat].descendants += (name,)
    events.append(Event("descendant", seat, (name,)))


def exchange_moves(state: State, player: Player) -> list[Move]:
    """Return the merchant's exchanges: once a turn, an own tile for one of another colour in the docks (N6)."""
    if state.turn.exchanged or "merchant" not in player.descendants:
        return []
    docks = [color for color in range(5) if state.docks[color]]
    return [EXCHANGE_MOVES[own][other] for own in range(5) if player.tiles[own] for other in docks if other != own]


def exchange(state: State, seat: int, move: Move, events: Events) -> None:
    """`exchange OWN DOCKS`: N6, L3."""
    own, other = COLOR_INDEX[move[1]], COLOR_INDEX[move[2]]
    tiles, docks = state.players[seat].tiles, state.docks
    tiles[own] -= 1
    tiles[other] += 1
    docks[own] += 1
    docks[other] -= 1
    state.turn.exchanged = True
    events.append(Event("exchange", seat, move[1:]))


def abbot_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return the abbot's answers: a tile of the docks or `pass` (N1); none with empty docks (Q9)."""
    moves = supply.dock_answers(state, seat, choice)
    return [*moves, PASS] if moves else []


def settle_abbot(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`dock COLOR`, `pass`: N1."""
    if move != PASS:
        supply.settle_dock(state, seat, choice, move, events)
