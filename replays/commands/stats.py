"""`stats`: win rates by seat, Descendant and coat, VP by source, length; as a table, JSON, or rows for each seat."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Literal

from replays import stats
from replays.checking import in_parallel
from replays.commands import options
from replays.commands.options import Command
from replays.errors import printable

KINDS = ("table", "json", "jsonl")
_Table = Literal["by_seat", "by_turn_order", "by_descendant", "by_coat"]
TABLES: dict[_Table, str] = {
    "by_seat": "Win rate by seat", "by_turn_order": "Win rate by turn order",
    "by_descendant": "Win rate with a Descendant", "by_coat": "Win rate with a coat of arms",
}  # fmt: skip


def _arguments(parser: argparse.ArgumentParser) -> None:
    options.add_paths(parser)
    options.add_jobs(parser)
    help_text = "jsonl: a flat row for each seat of each game (default: by OUT, else table)"
    parser.add_argument("--format", choices=KINDS, help=help_text)
    options.add_output(parser)


def _run(args: argparse.Namespace) -> int:
    """1 when some record could not be read or replayed; those are named and left out."""
    end = (args.output or "").rpartition(".")[2]
    kind = args.format or (end if end in KINDS else "table")
    total, bad = stats.Sums(), 0
    with options.output(args.output) as file, options.Corpus("stats", args.paths) as given:
        for table, problem in in_parallel(given.items, stats.rows_of, args.jobs):
            given.passed()
            if problem is not None:
                bad += 1
                given.say(printable(problem), error=True)
            if kind == "jsonl":
                file.writelines(json.dumps(row).encode() + b"\n" for row in table)
            stats.add(total, stats.sums_of(table))
        found = stats.corpus(total)
        if kind == "json":
            file.write(json.dumps(found, indent=1).encode() + b"\n")
        elif kind == "table":
            file.writelines(line.encode() + b"\n" for line in _table(found))
    return 1 if bad else 0


def _table(found: stats.CorpusForm) -> Iterator[str]:
    plies = found["plies"]
    yield f"{found['games']} finished games: " + ", ".join(f"{n} of {kind}" for kind, n in found["kinds"].items())
    yield f"plies: {plies['mean']} a game ({plies['least']} to {plies['most']}), {found['plies_per_turn']} a turn"
    yield f"seats that resigned: {found['resigned_seats']}"
    yield ""
    yield "VP by source, mean of a seat"
    for source, vp in found["vp_by_source"].items():
        yield f"  {source:<18}{vp:8.2f}"
    for name, title in TABLES.items():
        yield ""
        yield f"{title:<28}{'count':>7}{'won':>8}{'fair':>8}{'mean VP':>9}"
        for key, share in found[name].items():
            yield (f"  {key:<26}{share['count']:7}{share['win_rate']:8.1%}{share['fair']:8.1%}"
                   f"{share['mean_total']:9.2f}")  # fmt: skip


STATS = Command("stats", "Statistics over a corpus: win rates, VP by source, length.", _arguments, _run)
