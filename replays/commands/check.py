"""`check` and `audit`: whether a record is what it says."""

from __future__ import annotations

import argparse
import json
import sys
import time

from replays import audit, reading
from replays.checking import Finding, check, in_parallel
from replays.commands import options
from replays.commands.options import Command
from replays.errors import ReadError, printable


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_paths(parser)
    options.add_jobs(parser)
    options.add_lines(parser, "record, good or not,")


def _check(args: argparse.Namespace) -> int:
    """0 when all records are good, 1 when some are not."""
    began = time.monotonic()
    checked = bad = plies = 0
    with options.Corpus("check", args.paths, args.quiet) as given:
        for finding in in_parallel(given.items, check, args.jobs):
            checked += 1
            bad += finding.message is not None
            plies += finding.plies
            given.passed()
            if args.json:
                given.say(json.dumps(finding.to_dict(), ensure_ascii=False))
            elif finding.message is not None:
                given.say(printable(_text(finding)))
    if not args.quiet:
        seconds = time.monotonic() - began
        message = f"{checked} records checked, {bad} defective; {plies} plies in {seconds:.1f} s"
        print(message, file=sys.stderr if args.json else sys.stdout)
    return 1 if bad else 0


def _text(finding: Finding) -> str:
    rule = f" ({finding.rule})" if finding.rule and f"({finding.rule})" not in (finding.message or "") else ""
    return f"{finding.source}: ply {finding.ply}: {finding.message}{rule}"


def _audit(args: argparse.Namespace) -> int:
    """0 when all is as it was promised, 1 when it is not."""
    item = reading.text_of(args.file)
    try:
        lines, good = audit.audit(json.loads(item.text or b""))
    except audit.NO_RECORD as error:
        raise ReadError(item.source, f"not a record that can be audited: {audit.reason(error)}") from error
    print("\n".join(lines))
    return 0 if good else 1


CHECK = Command("check", "Check records: commitment, every move, digests, result.", _check_arguments, _check)
AUDIT = Command(
    "audit",
    "Audit the shuffle of one record: the promised secret, the seed, the whole set-up. This runs replays/audit.py, "
    "which can be copied to another machine and run there by itself.",
    options.add_file,
    _audit,
)
