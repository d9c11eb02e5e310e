"""A game under way as both environments play it: its seeds, what each seat sees, what it is worth in the end."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final, Literal

from gymnasium import spaces

from server.board.text import board_text
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW
from ulm.env.actions import MOVES, Mask, mask_of
from ulm.env.observations import RULESETS, SIZE, Observation, observe

Reward = Literal["rank", "margin"]
ILLEGAL: Final = -1.0
"""What it costs to choose an action that is not legal, beside the game: that ends there."""


class Table:
    """Games one after the other, each of a seed of its own."""

    state: State
    legal: list[Move]
    """The legal moves of the seat to move, none when the game is over."""

    def __init__(self, players: int, tower: bool, rotate_start: bool, ruleset: str, reward: Reward) -> None:
        """Raises `ValueError` for a ruleset or reward that is not known, or another number of players than 2 to 4."""
        if ruleset not in RULESETS:
            raise ValueError(f"no ruleset {ruleset!r}: choose {' or '.join(RULESETS)}")
        if reward not in ("rank", "margin"):
            raise ValueError(f"no reward {reward!r}: choose rank or margin")
        self.rules: Rules = rulesets.rules_for(ruleset)
        self.players, self.options, self.reward = players, {"tower": tower, "rotate_start": rotate_start}, reward
        self.seed, self.number = secrets.randbits(63), -1
        self._hidden: State | None = None
        self.deal(None)

    def deal(self, seed: int | None) -> None:
        """Begin a game: the first one of `seed`, or the next one of the seed before. Without any seed yet the system
        gives one."""
        if seed is not None:
            self.seed, self.number = seed, -1
        self.number += 1
        self.state = self.rules.new_game(game_seed(self.seed, self.number), self.players, self.options)
        self._hidden = None
        self.legal = self.rules.legal_moves(self.state)

    def play(self, move: Move) -> None:
        """Play a move of `legal`."""
        state, seat = self.state, self.state.active
        assert seat is not None  # noqa: S101 - or nothing would be legal
        before = state.copy() if move == DRAW else state
        self.rules.advance(state, move, [])
        self._hidden = self.rules.hidden_behind(self._hidden, before, seat, move, state)
        self.legal = self.rules.legal_moves(state)

    def visible(self, seat: int | None) -> State:
        """The state whose view a seat (None: a spectator) may have: a draw is hidden until the move after it."""
        return self.rules.visible_state(self.state, self._hidden, seat)

    def observation(self, seat: int) -> Observation:
        """What a seat sees, as numbers."""
        return observe(self.visible(seat), seat)

    def mask(self, seat: int) -> Mask:
        """The legal actions of a seat, none when it is not to move."""
        return mask_of(self.legal if seat == self.state.active else ())

    def text(self, seat: int | None) -> str:
        """The board as a seat (None: a spectator) sees it, as text."""
        return board_text(self.rules.view(self.visible(seat), seat), seat=seat)

    def rewards(self) -> list[float] | None:
        """What the game was worth by seat, None while it runs."""
        scores = self.state.scores
        if scores is None:
            return None
        return margins(scores) if self.reward == "margin" else places(scores)


def game_seed(seed: int, number: int) -> bytes:
    """Return the seed (docs/record.md, section 1) of the game of this number, from 0 on, after `reset(seed=seed)`."""
    return sha256(f"ulm.env {seed} {number}".encode()).digest()


def places(scores: list[Score]) -> list[float]:
    """Return 1 for the first, -1 for the last, others evenly between; who ties shares. The sum is 0."""
    ranks = [score["rank"] for score in scores]
    return [1.0 - (2 * (rank - 1) + ranks.count(rank) - 1) / (len(ranks) - 1) for rank in ranks]


def margins(scores: list[Score]) -> list[float]:
    """Return the points of each seat less those of the best other one."""
    totals = [score["total"] for score in scores]
    return [float(total - max(totals[:seat] + totals[seat + 1 :])) for seat, total in enumerate(totals)]


def observation_space() -> spaces.Box:
    """The space of observations, with room for any score."""
    return spaces.Box(-200, 1000, (SIZE,), "float32")


def action_space() -> spaces.Discrete:
    """The space of actions."""
    return spaces.Discrete(len(MOVES))
