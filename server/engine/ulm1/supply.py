"""Bag, docks, draw pile and discard pile (rules.md §12, B3)."""

from collections.abc import Iterable
from typing import Final

from server.engine import chance
from server.engine.events import Event
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLOR_INDEX, COLORS, DOCK_SPACES

Events = list[Event]
DOCK_MOVES: Final[tuple[Move, ...]] = tuple(("dock", color) for color in COLORS)


def draw_tile(state: State) -> int:
    """Take a tile out of the bag at random (L1) and return its colour; the bag must not be empty."""
    color, state.chance = chance.draw_color(state.seed, state.chance, state.bag)
    state.bag[color] -= 1
    return color


def put_into_bag(state: State, seat: int, colors: Iterable[int], events: Events) -> None:
    """Put the tiles of one effect into the bag together, then fill the docks (L4)."""
    bag = state.bag
    for color in colors:
        bag[color] += 1
    fill_docks(state, seat, events)


def fill_docks(state: State, seat: int, events: Events) -> None:
    """Fill the empty spaces of the docks from the bag, as far as it goes (L3, L4)."""
    empty = DOCK_SPACES - sum(state.docks)
    while empty and any(state.bag):
        color = draw_tile(state)
        state.docks[color] += 1
        events.append(Event("refill", seat, (COLORS[color],)))
        empty -= 1


def cards_to_be_had(state: State) -> bool:
    """Say whether a card can be drawn (B3)."""
    return bool(state.pile or state.discard)


def draw_cards(state: State, seat: int, count: int, events: Events) -> tuple[str, ...]:
    """Take up to `count` cards from the pile, one by one, shuffling the discard pile into a new one (B3)."""
    drawn: list[str] = []
    while len(drawn) < count:
        if not state.pile:
            if not state.discard:
                break
            pile, state.chance = chance.shuffle(state.seed, state.chance, state.discard)
            state.pile, state.discard = tuple(pile), ()
            events.append(Event("reshuffle", seat, (), len(pile)))
        drawn.append(state.pile[-1])
        state.pile = state.pile[:-1]
    return tuple(drawn)


def draw_to_hand(state: State, seat: int, events: Events) -> None:
    """Draw the top card into the hand of `seat`; nothing happens when there is none (B1, B3)."""
    for card in draw_cards(state, seat, 1, events):
        state.players[seat].hand += (card,)
        events.append(Event("draw_card", seat, (card,), 1, True))


def look_at_cards(state: State, seat: int, count: int, events: Events) -> tuple[str, ...]:
    """Draw up to `count` cards to choose one from; they are on offer, in neither pile (record.md §1)."""
    offer = draw_cards(state, seat, count, events)
    if offer:
        events.append(Event("look_at_cards", seat, offer, len(offer), True))
    return offer


def dock_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return the colours in the docks, for every choice of a tile from there."""
    return [DOCK_MOVES[color] for color in range(5) if state.docks[color]]


def settle_dock(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`dock COLOR`: a tile of the docks comes into the supply of `seat`, and is at once replaced from the bag (L3)."""
    color = COLOR_INDEX[move[1]]
    state.docks[color] -= 1
    state.players[seat].tiles[color] += 1
    events.append(Event("dock", seat, (COLORS[color],)))
    fill_docks(state, seat, events)
