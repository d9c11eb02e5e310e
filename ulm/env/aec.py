"""All seats of a table, by PettingZoo's AEC interface."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ulm.env.actions import MOVES
from ulm.env.table import ILLEGAL, Reward, Table, action_space, observation_space


class UlmAEC(AECEnv):
    """A game of two to four agents, `seat_0` to `seat_3`; who is to move often has several moves in a row.

    An observation is `{"observation": float32 (798,), "action_mask": int8 (343,)}` (`observations.LAYOUT`,
    `actions.MOVES`); the mask of who is not to move is empty. Rewards come with the end (docs/learning.md): by `reward`
    "rank", from 1 for the first to -1 for the last, or "margin", points ahead of the best other one. An action that is
    not legal ends the game, too: -1 for who chose it, 0 for the others.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "ulm_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        players: int = 2,
        tower: bool = False,
        rotate_start: bool = False,
        ruleset: str = "ulm/2",
        reward: Reward = "rank",
        render_mode: str | None = None,
    ) -> None:
        """`tower` and `rotate_start` are the options of docs/rules.md, §14; "ansi" renders the board as text. Raises
        `ValueError` for what there is not."""
        super().__init__()
        self.table = Table(players, tower, rotate_start, ruleset, reward)
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.render_mode = render_mode
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": observation_space(), "action_mask": spaces.Box(0, 1, (len(MOVES),), np.int8)}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of its actions, all of them, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of `seed`, or without one the next of the seed before. `options` are not used."""
        self.table.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[self.table.state.active or 0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees, whether it is to move or not."""
        seat = self._seats[agent]
        return {"observation": self.table.observation(seat), "action_mask": self.table.mask(seat)}

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move; None of one whose game is over."""
        table, agent = self.table, self.agent_selection
        if self.terminations[agent] or action is None:
            self._was_dead_step(action)
            return
        move = MOVES[action]
        if move in table.legal:
            table.play(move)
            if (active := table.state.active) is not None:
                self.agent_selection = self.agents[active]
                return
            self.rewards = dict(zip(self.agents, table.rewards() or (), strict=True))
        else:
            self.rewards[agent] = ILLEGAL
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as a spectator sees it, as text, if it is to be rendered."""
        return self.table.text(None) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""
