"""Where two records differ first; or, with --engines, what two checkouts of the engine make of one corpus.

ulm-replay diff A B, ulm-replay diff --engines DIRECTORY_A DIRECTORY_B CORPUS…
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from replays import difference, reading
from replays.commands import options
from replays.errors import ReplayError

NAME = "diff"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="two records; with --engines the corpus")
    parser.add_argument("--engines", nargs=2, metavar=("DIR_A", "DIR_B"), help="two checkouts of this project")
    parser.add_argument("--json", action="store_true", help="with --engines: a JSON object for each record, on a line")


def run(args: argparse.Namespace) -> int:
    """0 when nothing differs, 1 when something does, 2 when it cannot be told."""
    return _engines(args) if args.engines else _records(args)


def _records(args: argparse.Namespace) -> int:
    if len(args.paths) != 2:
        raise ReplayError("diff compares two records; --engines compares two checkouts over any number")
    left, right = (reading.one(path) for path in args.paths)
    lines = difference.records(left.record, right.record)
    for line in lines:
        print(options.printable(line))
    head = lines[0] if lines else ""
    if head.startswith("ply ") and "digests differ" in head:
        with options.refusing(left.source):
            for line in difference.positions(left.record, right.record, int(head.split()[1].rstrip(":"))):
                print(f"  {line}")
    if not lines:
        print(f"the same game, {len(left.record.moves)} plies")
    return 1 if lines else 0


def _engines(args: argparse.Namespace) -> int:
    one, other = (Path(directory) for directory in args.engines)
    games = plies = differing = 0
    seconds = [0.0, 0.0]
    with options.Corpus(NAME, args.paths) as given:
        for compared in difference.engines(one, other, given.items):
            games += 1
            plies += compared.plies
            differing += bool(compared.differences)
            seconds = [total + own for total, own in zip(seconds, compared.seconds, strict=True)]
            given.passed()
            if compared.differences or args.json:
                with given.bar.external_write_mode(sys.stdout):
                    _show(compared, args.json)
    rates = " | ".join(f"{own:.2f} s, {plies / own if own else 0:.0f} plies/s" for own in seconds)
    summary = f"{games} records, {plies} plies, {differing} differ; {rates}"
    print(summary, file=sys.stderr if args.json else sys.stdout)
    return 1 if differing else 0


def _show(compared: difference.Compared, as_json: bool) -> None:
    if as_json:
        found = {"source": compared.source.path, "line": compared.source.line, "plies": compared.plies,
                 "differences": compared.differences, "seconds": compared.seconds}  # fmt: skip
        print(json.dumps(found, ensure_ascii=False))
        return
    head, *rest = compared.differences
    print(options.printable(f"{compared.source}: {head}"))
    for line in rest:
        print(options.printable(f"  {line}"))
