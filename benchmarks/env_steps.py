"""`ulm.env` beside catanatron's gymnasium environment and the card games of PettingZoo, in one run.

A measurement is a process of its own, five seconds of processor time with random legal actions: of a table by
PettingZoo's own `performance_benchmark`, of a seat by a loop like it. They are made in turns, so that what else runs
disturbs all alike.
"""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
import time
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

from benchmarks.timing import Figure, progress, progress_done, show

ROUNDS = 5
SECONDS = 5.0
CARD_GAMES = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")
SEATS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "catanatron-gym, one random bot": ("catanatron_gym.envs.catanatron_env", "CatanatronEnv", {}),
    "UlmSeat, one random bot": ("ulm.env", "UlmSeat", {"opponents": ("random",)}),
    "UlmSeat, one apprentice": ("ulm.env", "UlmSeat", {}),
}
TABLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    **{name: (f"pettingzoo.classic.{name}", "env", {}) for name in CARD_GAMES},
    "UlmAEC, 2 players": ("ulm.env", "UlmAEC", {}),
    "UlmAEC, 4 players, advanced": ("ulm.env", "UlmAEC", {"players": 4, "tower": True}),
}
"""Name → module, what makes the environment, and of what."""


def run() -> None:
    """Measure all that is installed, and say what is not."""
    for title, group in (("One seat", SEATS), ("All seats", TABLES)):
        found: dict[str, list[float]] = {name: [] for name in group}
        for number in range(ROUNDS):
            for name, seconds in found.items():
                progress(f"{name}, {number + 1} of {ROUNDS}")
                seconds += _measured(name)
        progress_done()
        figures = [Figure(name, "steps", tuple(seconds)) for name, seconds in found.items() if seconds]
        theirs = [figure.median for figure in figures if not figure.name.startswith("Ulm")]
        for place, ours in enumerate(figures[len(theirs) :], len(theirs)):
            figures[place] = ours._replace(note=", ".join(f"{each / ours.median:.1f}" for each in theirs))
        show(f"{title} (behind ours, how many times as many a second as each above)", figures)
        print("  not installed:", ", ".join(name for name in group if not found[name]) or "nothing")


def _measured(name: str) -> list[float]:
    """Return the seconds of a step, nothing where the environment is not installed."""
    code = f"from benchmarks import env_steps; print(env_steps.seconds_of({name!r}))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603 - ourselves
    return [float(word) for word in done.stdout.split()[-1:] if word != "None"]


def seconds_of(name: str) -> float | None:
    """Measure an environment in this process: the seconds of a step, None where it is not installed."""
    module, makes, options = {**SEATS, **TABLES}[name]
    try:
        env = getattr(import_module(module), makes)(**options)
    except ImportError:
        return None
    random.seed(1)
    return _step_of_a_seat(env) if name in SEATS else _step_of_a_table(env)


def _step_of_a_table(env: Any) -> float:
    from pettingzoo.test import performance_benchmark

    time.time = time.process_time  # which it measures by
    with redirect_stdout(io.StringIO()) as said:
        performance_benchmark(env)
    return 1 / float(re.findall(r"([\d.]+) turns per second", said.getvalue())[0])


def _step_of_a_seat(env: Any) -> float:
    import numpy as np

    _, info = env.reset(seed=1)
    steps, begun = 0, time.process_time()
    while (passed := time.process_time() - begun) < SECONDS:
        legal = info["valid_actions"] if "valid_actions" in info else np.flatnonzero(info["action_mask"]).tolist()
        _, _, over, given_up, info = env.step(random.choice(legal))
        steps += 1
        if over or given_up:
            _, info = env.reset()
    return passed / steps
