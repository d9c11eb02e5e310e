"""Positions in the middle of games, for bots to think about."""

import random
from collections.abc import Iterator

from bots.determinise import seed_of
from bots.rules_of_thumb import play_random, play_steady
from bots.sight import Sight
from server.engine import rulesets
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State

RULES = rulesets.NEWEST
Log = list[tuple[int, Move]]


def positions(players: int, advanced: bool, word: str, every: int = 7) -> Iterator[tuple[State, Log]]:
    """Every so many plies the position of a game of rules of thumb with some moves at random, and its log so far."""
    rng = random.Random(word)
    state = RULES.new_game(seed_of(word), players, {"tower": advanced})
    log: Log = []
    while state.active is not None:
        legal = RULES.legal_moves(state)
        if len(log) % every == 0:
            yield state.copy(), list(log)
        rule = play_random if rng.random() < 0.2 else play_steady
        move = rule(RULES.view(state, state.active), legal, rng)
        log.append((state.active, move))
        RULES.advance(state, move, [])


def sight(state: State, log: Log) -> Sight:
    """What the seat to move sees."""
    seat = state.active
    assert seat is not None
    texts = [(other, RULES.log_entry(move, other, seat)) for other, move in log]
    return Sight(RULES.view(state, seat), RULES.legal_moves(state), texts)
