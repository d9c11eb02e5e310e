"""Environments for programs that learn: all seats by PettingZoo, one by gymnasium (docs/learning.md).

    table = UlmAEC(players=3, tower=True)
    seat = gymnasium.make("ulm.env:Ulm-v1", opponents=("apprentice",))

`MOVES` and `LAYOUT` say what an action and each number of an observation mean. Needs what the extra `env` brings.
"""

try:
    import gymnasium
    import pettingzoo  # noqa: F401 - to say at once what is missing
except ImportError as error:
    raise ImportError(f"{error}: ulm.env needs the extra `env`, pip install 'ulm-by-mail[env]'") from error

from ulm.env.actions import ACTIONS, MOVES
from ulm.env.aec import UlmAEC
from ulm.env.observations import LAYOUT, SIZE, observe, observe_view
from ulm.env.single_seat import UlmSeat

__all__ = ["ACTIONS", "LAYOUT", "MOVES", "SIZE", "UlmAEC", "UlmSeat", "observe", "observe_view"]

gymnasium.register(id="Ulm-v1", entry_point="ulm.env:UlmSeat")
