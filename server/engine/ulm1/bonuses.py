"""Credits that are used at once, where a ruleset says so (`credits_at_once`): a choice as soon as no other waits.

They are those that an action, a privilege or a card brings (N8, V1, Q8, B9); that of V5 is an action of the turn more.
"""

from server.engine.events import Event
from server.engine.ulm1 import cards, danube, quarters
from server.engine.ulm1.descendants import PASS
from server.engine.ulm1.notation import Move
from server.engine.ulm1.ruleset import Choice
from server.engine.ulm1.state import State, Turn
from server.engine.ulm1.supply import Events


def are_left(turn: Turn) -> bool:
    """Say whether there is such a credit."""
    return turn.step_credits > 0 or turn.card_credits > 0 or turn.seal_at_1_credits > 0


def answers(state: State, seat: int, choice: Choice) -> list[Move]:
    """Return the moves that use a credit, and `pass`; none where no credit can be used."""
    player, turn = state.players[seat], state.turn
    moves: list[Move] = []
    if turn.step_credits and danube.free_spaces_ahead(state, player):
        moves.append(danube.SAIL)
    if turn.seal_at_1_credits:
        moves += quarters.seal_moves(state, player)
    if turn.card_credits:
        moves += cards.buy_moves(state, player, state.tower_tile) + cards.play_moves(state, seat, player)
    return [*moves, PASS] if moves else []


def settle(state: State, seat: int, choice: Choice, move: Move, events: Events) -> None:
    """A move that uses a credit, or `pass`, by which all lapse."""
    if move == PASS:
        _lapse(state.turn)
    else:
        state.rules.verbs[move[0]](state, seat, move, events)


def drop(state: State, seat: int, events: Events) -> None:
    """Let the credits lapse of which none can be used."""
    if not state.pending and are_left(state.turn) and not answers(state, seat, ()):
        _lapse(state.turn)
        events.append(Event("credits_lapse", seat))


def _lapse(turn: Turn) -> None:
    turn.step_credits = turn.card_credits = turn.seal_at_1_credits = 0
