"""Which rulesets there are, what changed, and under which the records of a corpus stand; all of them stay playable."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from replays import reading
from replays.commands import options
from replays.errors import ReadError
from server.engine import rulesets
from server.engine.record import FORMAT

NAME = "migrate"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="records to look at; without any, the table alone")


def run(args: argparse.Namespace) -> int:
    """Print the table, then what the corpus needs. 1 when some record cannot be played by this version."""
    print("ruleset   format         what changed")
    for rules in rulesets.ALL.values():
        print(f"{rules.name:<9} {FORMAT:<14} {rules.changes}")
    found: Counter[str] = Counter()
    bad = 0
    if args.paths:
        with options.Corpus(NAME, args.paths) as given:
            for item in given.items:
                given.passed()
                try:
                    found[reading.parse(item).ruleset] += 1
                except ReadError as error:
                    bad += 1
                    with given.bar.external_write_mode(sys.stdout):
                        print(options.printable(str(error)))
    for name, count in sorted(found.items()):
        if name in rulesets.OWN:
            print(f"{count} records under {name}: the values of somebody's own box, nothing to migrate")
            continue
        newer = [rules.name for rules in rulesets.since(name)]
        need = f"older than {', '.join(newer)}, played under its own rules" if newer else "the newest"
        print(f"{count} records under {name}: {need}, nothing to migrate")
    return 1 if bad else 0
