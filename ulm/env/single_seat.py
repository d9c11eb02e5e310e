"""One seat of a table, by gymnasium's interface: bots play the others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium

from bots.arena import chances_of
from bots.offers import bot
from bots.sight import Bot, Sight
from server.engine.ulm1.notation import Move
from ulm.env.actions import MOVES, Mask
from ulm.env.observations import Observation
from ulm.env.table import ILLEGAL, Reward, Table, action_space, observation_space

SEAT = 0
"""The learner's: who begins is drawn anew in each game, and so no seat is better than another."""


class UlmSeat(gymnasium.Env):
    """The seat of a learner among bots.

    An observation is float32 (798,) (`observations.LAYOUT`), an action one of 343 (`actions.MOVES`). The legal ones are
    `info["action_mask"]`, int8 (343,), and `action_masks()`, where sb3-contrib looks for them. A reward comes with the
    end, as of `UlmAEC`; an action that is not legal ends the game with -1.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        opponents: Sequence[str] = ("apprentice",),
        tower: bool = False,
        rotate_start: bool = False,
        ruleset: str = "ulm/2",
        reward: Reward = "rank",
        render_mode: str | None = None,
    ) -> None:
        """`opponents` are one to three bots by name (docs/bots.md), in the order of their seats; the rest is as of
        `UlmAEC`. Raises `ValueError` for what there is not."""
        self.table = Table(1 + len(opponents), tower, rotate_start, ruleset, reward)
        self.bots: list[Bot] = [bot(name) for name in opponents]
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._logs: dict[int, list[tuple[int, str]]] = {}  # seat of a bot → what it may read of the moves
        self._chances: list[random.Random] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game: the first of `seed`, or without one the next of the seed before. `options` are not used."""
        super().reset(seed=seed)
        self.table.deal(seed)
        self._logs = {seat: [] for seat in range(self.table.players) if seat != SEAT}
        self._chances = chances_of(self.table.players, "ulm.env", self.table.seed, self.table.number)
        self._let_bots_play()
        return self._seen()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner, and all moves of the others until it is to move again."""
        move = MOVES[action]
        if move not in self.table.legal:
            observation, info = self._seen()
            return observation, ILLEGAL, True, False, info
        self._play(move)
        self._let_bots_play()
        observation, info = self._seen()
        rewards = self.table.rewards()
        return observation, rewards[SEAT] if rewards else 0.0, rewards is not None, False, info

    def action_masks(self) -> Mask:
        """The legal actions, as sb3-contrib asks for them."""
        return self.table.mask(SEAT)

    def render(self) -> str | None:
        """The board as the learner sees it, as text, if it is to be rendered."""
        return self.table.text(SEAT) if self.render_mode == "ansi" else None

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        return self.table.observation(SEAT), {"action_mask": self.table.mask(SEAT)}

    def _play(self, move: Move) -> None:
        seat = self.table.state.active
        assert seat is not None  # noqa: S101 - or nothing would be legal
        for reader, log in self._logs.items():
            log.append((seat, self.table.rules.log_entry(move, seat, reader)))
        self.table.play(move)

    def _let_bots_play(self) -> None:
        table = self.table
        while (seat := table.state.active) not in (None, SEAT):
            move = table.legal[0]
            if len(table.legal) > 1:
                sight = Sight(table.rules.view(table.state, seat), table.legal, self._logs[seat])
                move = self.bots[seat - 1].choose(sight, self._chances[seat])
                if move not in table.legal:
                    raise ValueError(f"the bot of seat {seat} answered {move!r}, which is not legal")
            self._play(move)
