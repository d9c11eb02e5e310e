"""`python -m benchmarks [names]`: measure the engine, compare it with catanatron, load the server over HTTP."""

from __future__ import annotations

import argparse

from benchmarks import doors, engine, env_steps, growth, http, rates, replays, rival, streams
from benchmarks.timing import machine, progress_done, show


def _engine() -> None:
    figures = list(engine.figures())
    progress_done()
    show("Engine (advanced game)", figures)


def _rival() -> None:
    try:
        figures = list(rival.figures())
    except ImportError:
        progress_done()
        print(f"\n{rival.MISSING}")
        return
    progress_done()
    show("Against catanatron, in the same run", figures)


PARTS = {
    "engine": _engine, "catanatron": _rival, "replays": replays.run, "http": http.run, "rates": rates.run,
    "streams": streams.run, "growth": growth.run, "doors": doors.run, "env": env_steps.run,
}  # fmt: skip
LONG = {"deals", "doors", "env", "growth", "rates", "streams"}
"""Parts that run only when they are named."""


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure; no part passes or fails.")
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"one of {', '.join(PARTS)}; all but the long ones when none is given"
    )
    names = parser.parse_args().names or [name for name in PARTS if name not in LONG]
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"there is no benchmark {unknown[0]!r}: choose among {', '.join(PARTS)}")
    print(machine())
    for name in names:
        PARTS[name]()


if __name__ == "__main__":
    main()
