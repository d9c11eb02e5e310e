"""Statistics over a corpus: win rates by seat, Descendant and coat, VP by source, length; tables, rows, charts."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from typing import Literal

from replays import stats
from replays.charts import bar_charts
from replays.checking import in_parallel
from replays.commands import options
from replays.stats import Corpus

NAME = "stats"
_Table = Literal["by_seat", "by_turn_order", "by_descendant", "by_coat"]
TABLES: dict[_Table, str] = {"by_seat": "Win rate by seat", "by_turn_order": "Win rate by turn order",
          "by_descendant": "Win rate with a Descendant", "by_coat": "Win rate with a coat of arms"}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_paths(parser)
    options.add_jobs(parser)
    kinds = ("table", "json", "jsonl", "csv", "svg")
    help_text = "jsonl and csv: a flat row for each seat of each game (default: by OUT, else table)"
    parser.add_argument("--format", choices=kinds, help=help_text)
    options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Count all games. 1 when some record could not be read or replayed; those are named and left out."""
    end = (args.output or "").rpartition(".")[2]
    kind = args.format or (end if end in ("json", "jsonl", "csv", "svg") else "table")
    corpus, bad = Corpus(), 0
    with options.output(args.output) as file, options.Corpus(NAME, args.paths) as given:
        for table, problem in in_parallel(given.items, stats.rows_of, args.jobs):
            given.passed()
            if problem is not None:
                bad += 1
                with given.bar.external_write_mode(sys.stderr):
                    print(options.printable(problem), file=sys.stderr)
            if kind == "jsonl":
                file.writelines(json.dumps(row).encode() + b"\n" for row in table)
            elif kind == "csv":
                file.writelines(_csv(table, head=not corpus.games))
            corpus.add(table)
        if kind not in ("jsonl", "csv"):
            file.write(_whole(corpus.to_dict(), kind).encode())
    return 1 if bad else 0


def _csv(table: list[stats.Row], head: bool) -> Iterator[bytes]:
    class Lines:
        """What `csv` writes to, one line at a time."""

        def write(self, line: str) -> str:
            return line

    writer = csv.writer(Lines(), lineterminator="\n")
    if table and head:
        yield str(writer.writerow(table[0])).encode()
    for row in table:
        cells = [" ".join(cell) if isinstance(cell, list) else cell for cell in row.values()]
        yield str(writer.writerow(cells)).encode()


def _whole(found: stats.CorpusForm, kind: str) -> str:
    if kind == "json":
        return json.dumps(found, indent=1) + "\n"
    if kind == "svg":
        panels = [("VP by source, mean of a seat", found["vp_by_source"], ".2f")]
        for name, title in TABLES.items():
            panels.append((title, {key: share["win_rate"] for key, share in found[name].items()}, ".1%"))
        return bar_charts(panels, f"{found['games']} games")
    return "\n".join(_table(found)) + "\n"


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
