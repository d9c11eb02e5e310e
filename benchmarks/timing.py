"""A stopwatch for functions, and the table in which figures are shown."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from server.engine.which import ENGINE

ROUNDS = 5
ROUND_SECONDS = 0.4


class Figure(NamedTuple):
    """One line of the table: the seconds of one `unit` of `name` in each round, and a remark."""

    name: str
    unit: str
    seconds: tuple[float, ...]
    note: str = ""

    @property
    def median(self) -> float:
        """Seconds of one unit, the middle of the rounds."""
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        """Seconds of one unit in the round that was disturbed least."""
        return min(self.seconds)


def measure(
    name: str,
    unit: str,
    work: Callable[[], int],
    note: str = "",
    rounds: int = ROUNDS,
    round_seconds: float = ROUND_SECONDS,
) -> Figure:
    """Call `work` again and again, `rounds` times for `round_seconds` each. `work` returns how many units it did; what
    it prepares once belongs outside of it. The first call warms up."""
    work()
    per_unit = []
    for _ in range(rounds):
        gc.collect()
        units, begun = 0, time.perf_counter()
        while (passed := time.perf_counter() - begun) < round_seconds:
            units += work()
        per_unit.append(passed / units)
    return Figure(name, unit, tuple(per_unit), note)


def duration(seconds: float) -> str:
    """Return a duration with a fitting unit and three digits: `4.71 µs`."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1 or unit == "µs":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError("unreachable: the last unit takes all")


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the value below which so many of a hundred lie; `ordered` goes from the least to the greatest."""
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def show(title: str, figures: Iterable[Figure]) -> None:
    """Print figures as a table: one unit (median, best) and units in a second (median)."""
    rows = [("", "median", "best", "rate", "")]
    for each in figures:
        rate = f"{1 / each.median:,.0f} {each.unit}/s".replace(",", " ")
        rows.append((each.name, duration(each.median), duration(each.best), rate, each.note))
    table(title, rows)


def table(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text in columns; the first row is the head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print(f"\n{title}")
    for row in rows:
        first, *rest = (
            text.ljust(width) if column in (0, len(widths) - 1) else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  " + "  ".join([first, *rest]).rstrip())


def machine() -> str:
    """Return what the figures depend on: processor, cores, Python and the packages that take part."""
    lines = [
        f"{_processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}",
        f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}, {ENGINE} engine",
    ]
    packages = ("flask", "peewee", "uvicorn", "orjson", "catanatron")
    lines.append(", ".join(f"{name} {_version(name)}" for name in packages))
    return "\n".join(lines)


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is not installed"


def progress(text: str) -> None:
    """Say on stderr what is being measured, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text} …", end="", file=sys.stderr, flush=True)


def progress_done() -> None:
    """Wipe the line of `progress`."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
