"""Check records: commitment, legality of every move, digests, result, variations."""

from __future__ import annotations

import argparse
import json
import sys
import time

from replays.checking import Finding, check, check_all, in_parallel
from replays.commands import options

NAME = "check"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_paths(parser)
    options.add_jobs(parser)
    options.add_cluster(parser)
    parser.add_argument("--all", action="store_true", help="report every defect of a record, not just the first")
    parser.add_argument("--json", action="store_true", help="one JSON object for each record, good or not, on a line")
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary, no progress bar")


def run(args: argparse.Namespace) -> int:
    """Check all records. 0 when all are good, 1 when some are not."""
    began = time.monotonic()
    checked = bad = plies = 0
    with options.Corpus(NAME, args.paths, args.quiet) as given:
        for finding in in_parallel(given.items, check_all if args.all else check, args.jobs, args.cluster):
            checked += 1
            bad += bool(finding.defects)
            plies += finding.plies
            given.passed()
            if args.json or finding.defects:
                with given.bar.external_write_mode(sys.stdout):
                    _show(finding, args.json)
    if not args.quiet:
        seconds = time.monotonic() - began
        message = f"{checked} records checked, {bad} defective; {plies} plies in {seconds:.1f} s"
        print(message, file=sys.stderr if args.json else sys.stdout)
    return 1 if bad else 0


def _show(finding: Finding, as_json: bool) -> None:
    if as_json:
        print(json.dumps(finding.to_dict(), ensure_ascii=False))
        return
    for defect in finding.defects:
        rule = f" ({defect.rule})" if defect.rule and f"({defect.rule})" not in defect.message else ""
        print(options.printable(f"{finding.source}: ply {defect.ply}: {defect.message}{rule}"))
