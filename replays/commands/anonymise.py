"""Write records without names, ids and times; everything else stays verifiable."""

from __future__ import annotations

import argparse
import sys

from replays import reading
from replays.anonymous import anonymise
from replays.commands import options
from replays.files import STDIN, Writer
from server.engine import record

NAME = "anonymise"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_paths(parser)
    options.add_output(parser, "a file of records, DIRECTORY/, or - for lines on standard output (the default)")


def run(args: argparse.Namespace) -> int:
    """Write all records; stops at the first that does not verify."""
    texts_given = 0
    with options.Corpus(NAME, args.paths) as given, Writer(args.output or STDIN) as writer:
        for item in given.items:
            found = reading.parse(item)
            reading.verified(item.source, found)
            with options.refusing(item.source):
                nameless = anonymise(found)
            writer.write(nameless.id, record.dumps(nameless))
            texts_given += any(nameless.client_seeds)
            given.passed()
    if texts_given:
        note = f"note: {texts_given} of {writer.written} records hold texts that players gave for the seed; they stay"
        print(note, file=sys.stderr)
    return 0
