"""The Danube (rules.md §6): steps, moves of several steps, and what the last spaces give."""

from typing import Final

from server.engine.events import Event
from server.engine.ulm1 import supply
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.supply import Events
from server.engine.ulm1.tables import LAST_SPACE, TURQUOISE

RIVER: Final[Move] = ("river",)
SAIL: Final[Move] = ("sail",)
BARGE_MOVES: Final[tuple[Move, ...]] = tuple(("barge", str(steps)) for steps in range(LAST_SPACE))


def free_spaces_ahead(state: State, player: Player) -> int:
    """Return how many spaces ahead of the barge of `player` hold no other barge (D2)."""
    own = player.barge
    free = LAST_SPACE - own
    for other in state.players:
        # Only space 1 may hold several barges, so each barge ahead fills a space of its own.
        if other.barge > own:
            free -= 1
    return free


def advance_barge(state: State, seat: int, steps: int, events: Events) -> None:
    """Move the barge of `seat` by `steps` free spaces, and give what the last one brings (D2 to D4)."""
    if not steps:
        return
    player = state.players[seat]
    taken = {other.barge for other in state.players}
    space = player.barge
    for _ in range(steps):
        space += 1
        while space in taken:
            space += 1
    player.barge = space
    events.append(Event("barge", seat, (), space))
    match state.rules.space_bonus.get(space):
        case "coin":
            player.coins += 1
            events.append(Event("space_coin", seat, (), 1))
        case "sparrow":
            player.sparrows += 1
            events.append(Event("space_sparrow", seat, (), 1))
        case "dock":
            state.pending += (("dock",),)
        case "card":
            supply.draw_to_hand(state, seat, events)


def sail_exactly(state: State, seat: int, steps: int, events: Events) -> None:
    """Move the barge of `seat` by the steps that a card gives, cut to the free spaces (D3)."""
    if made := min(steps, free_spaces_ahead(state, state.players[seat])):
        events.append(Event("card_steps", seat, (), made))
        advance_barge(state, seat, made, events)


def raise_barge(state: State, seat: int, steps: int) -> None:
    """Raise the choice of a move of up to `steps`, cut to the free spaces; none when there is none (D3, Q9)."""
    most = min(steps, free_spaces_ahead(state, state.players[seat]))
    if most > 0:
        state.pending += (("barge", most),)


def river(state: State, seat: int, move: Move, events: Events) -> None:
    """`river`: A4, with a further step as a credit for N8 and for V1."""
    turn = state.turn
    turn.activated[TURQUOISE] -= 1
    if "barge_driver" in state.players[seat].descendants:
        turn.step_credits += 1
    if state.tower_tile == "extra_river":
        turn.step_credits += 1
    advance_barge(state, seat, 1, events)


def sail(state: State, seat: int, move: Move, events: Events) -> None:
    """`sail`: use a step credit (A7)."""
    state.turn.step_credits -= 1
    advance_barge(state, seat, 1, events)


def barge_answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return the answers to a move of up to `choice[1]` steps (D3)."""
    return list(BARGE_MOVES[: choice[1] + 1])


def settle_barge(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """`barge K` (D3)."""
    advance_barge(state, seat, int(move[1]), events)
