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

from benchmarks import sources
from benchmarks.timing import Figure, progress, progress_done, show
from server.engine.which import ENGINE

ROUNDS = 5
SECONDS = 5.0
SEATS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "catanatron-gym, one random bot": ("catanatron_gym.envs.catanatron_env", "CatanatronEnv", {}),
    "UlmSeat, one random bot": ("ulm.env", "UlmSeat", {"opponents": ("random",)}),
    "UlmSeat, one apprentice": ("ulm.env", "UlmSeat", {}),
}
TABLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    **{name: (f"pettingzoo.classic.{name}", "env", {}) for name in (
        "leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5",
    )},
    "UlmAEC, 2 players": ("ulm.env", "UlmAEC", {}),
    "UlmAEC, 4 players, advanced": ("ulm.env", "UlmAEC", {"players": 4, "tower": True}),
}  # fmt: skip
"""Name → module, what makes the environment, and of what."""
MISSING = """\
Not installed, and so not measured: {}. All are by
    pip install '.[env]' rlcard pygame-ce shimmy open_spiel catanatron && pip install --no-deps catanatron-gym
(the last wants an older gymnasium, and runs with this one)."""


def run() -> None:
    """Measure all that is installed, and say what is not."""
    missing = []
    for title, group in (("One seat", SEATS), ("All seats", TABLES)):
        found: dict[tuple[str, str], list[float]] = {}
        for number in range(ROUNDS):
            for name in group:
                for engine in _engines(name, group):
                    progress(f"{name}, {number + 1} of {ROUNDS}")
                    if seconds := _measured(name, engine):
                        found.setdefault((name, engine), []).append(seconds)
        progress_done()
        figures = [
            Figure(f"{name}{engine and ', '}{engine}", "steps", tuple(all_)) for (name, engine), all_ in found.items()
        ]
        theirs = [figure for figure in figures if not figure.name.startswith("Ulm")]
        show(title, [_compared(figure, theirs) for figure in figures])
        missing += [name for name in group if (name, _engines(name, group)[0]) not in found]
    if missing:
        print(MISSING.format(", ".join(missing)))


def _engines(name: str, group: Any) -> list[str]:
    """What of ours is measured: also the sources, where the engine is compiled."""
    if group[name][0] != "ulm.env":
        return [""]
    return ["interpreted"] if ENGINE == "interpreted" else ["interpreted", "compiled"]


def _compared(figure: Figure, theirs: list[Figure]) -> Figure:
    if figure in theirs:
        return figure
    return figure._replace(note=", ".join(f"{each.median / figure.median:.1f}" for each in theirs) + " times theirs")


def _measured(name: str, engine: str) -> float:
    """Return the seconds of a step, 0 where the environment is not installed."""
    first = "from benchmarks import sources; sources.prefer(); " if engine == "interpreted" else ""
    code = f"{first}from benchmarks import env_steps; print(env_steps.seconds_of({name!r}))"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, cwd=sources.ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - ourselves
    return float(done.stdout)


def _steps_of_a_table(env: Any) -> float:
    from pettingzoo.test import performance_benchmark

    time.time = time.process_time  # which it measures by
    said = io.StringIO()
    with redirect_stdout(said):
        performance_benchmark(env)
    return float(re.search(r"([\d.]+) turns per second", said.getvalue())[1])  # type: ignore[index]


def _steps_of_a_seat(env: Any) -> float:
    import numpy as np

    _, info = env.reset(seed=1)
    steps, begun = 0, time.process_time()
    while (passed := time.process_time() - begun) < SECONDS:
        legal = info["valid_actions"] if "valid_actions" in info else np.flatnonzero(info["action_mask"]).tolist()
        _, _, over, given_up, info = env.step(random.choice(legal))
        steps += 1
        if over or given_up:
            _, info = env.reset()
    return steps / passed


def seconds_of(name: str) -> float:
    """Measure one environment in this process: the seconds of a step, 0 where it is not installed."""
    module, makes, options = {**SEATS, **TABLES}[name]
    try:
        env = getattr(import_module(module), makes)(**options)
    except ImportError:
        return 0.0
    random.seed(1)
    return 1 / (_steps_of_a_seat if name in SEATS else _steps_of_a_table)(env)
