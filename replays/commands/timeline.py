"""What everybody had at every ply of a game: table, CSV, JSON lines, or the scores as a chart (SVG)."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Iterable

from replays.charts import line_chart
from replays.commands import options
from replays.replay import Replay
from replays.timeline import Holdings, resources

NAME = "timeline"
MEASURES = ("vp", "coins", "sparrows", "tiles", "cards", "seals", "barge")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)
    parser.add_argument("--format", choices=("table", "csv", "jsonl", "svg"), help="default: by OUT, else table")
    parser.add_argument("--measure", choices=MEASURES, default="vp", help="what the chart shows (default: vp)")
    options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Write the timeline of one game."""
    replay = options.load(args.file)
    end = (args.output or "").rpartition(".")[2]
    kind = args.format or (end if end in ("csv", "jsonl", "svg") else "table")
    with options.output(args.output) as file:
        if kind == "svg":
            file.write(chart(replay, args.measure).encode())
        elif kind == "csv":
            file.write(as_csv(resources(replay)).encode())
        elif kind == "jsonl":
            for row in resources(replay):
                file.write(json.dumps(row).encode() + b"\n")
        else:
            for line in _table(replay):
                file.write(options.printable(line).encode() + b"\n")
    return 0


def as_csv(rows: Iterable[Holdings]) -> str:
    """Rows as CSV with a head line; lists joined by spaces."""
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(out, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow({key: " ".join(value) if isinstance(value, list) else value for key, value in row.items()})
    return out.getvalue()


def chart(replay: Replay, measure: str) -> str:
    """One measure of all seats over the plies, with the rounds marked."""
    names = [f"{name} ({seat})" for seat, name in enumerate(replay.names)]
    series: dict[str, list[float]] = {name: [] for name in names}
    marks: dict[int, str] = {}
    for row in resources(replay):
        if f"R{row['round']}" not in marks.values():
            marks[row["ply"]] = f"R{row['round']}"
        for seat, name in enumerate(names):
            series[name].append(row[f"{measure}_{seat}"])
    return line_chart(f"{measure.upper()}: {replay.record.name or replay.record.id}", series, marks)


def _table(replay: Replay) -> Iterable[str]:
    seats = range(len(replay.names))
    yield "by seat: " + "/".join(replay.names)
    yield " ply rnd seat  " + " ".join(f"{measure:>{4 * len(seats)}}" for measure in MEASURES) + "  move"
    for row in resources(replay):
        cells = [" ".join(f"{row[f'{measure}_{seat}']:3}" for seat in seats) for measure in MEASURES]
        seat = "-" if row["seat"] is None else row["seat"]
        shown = " ".join(f"{cell:>{4 * len(seats)}}" for cell in cells)
        yield f"{row['ply']:4} {row['round']:3} {seat:>4}  {shown}  {row['move'] or 'set-up'}"
