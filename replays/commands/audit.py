"""Audit the shuffle of one record: the promised secret, the seed, the whole set-up (standard library alone).

This runs replays/audit.py, which can be copied to another machine and run there by itself.
"""

from __future__ import annotations

import argparse

from replays import audit

NAME = "audit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="GAME.ulm.json", help="one record, not packed")


def run(args: argparse.Namespace) -> int:
    """0 when all is as it was promised, 1 when it is not, 2 when the file is no record."""
    return audit.main([NAME, args.file])
