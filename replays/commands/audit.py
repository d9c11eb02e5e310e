"""Audit the shuffle of one record: the promised secret, the seed, the whole set-up (standard library alone).

This runs replays/audit.py, which can be copied to another machine and run there by itself.
"""

from __future__ import annotations

import argparse
import json

from replays import audit, reading
from replays.commands import options
from replays.errors import ReadError

NAME = "audit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)


def run(args: argparse.Namespace) -> int:
    """0 when all is as it was promised, 1 when it is not, 2 when the file is no record."""
    source, text = reading.text_of(args.file)
    try:
        lines, good = audit.audit(json.loads(text))
    except audit.NO_RECORD as error:
        raise ReadError(source, f"not a record that can be audited: {audit.reason(error)}") from error
    print("\n".join(lines))
    return 0 if good else 1
