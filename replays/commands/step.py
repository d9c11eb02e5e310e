"""Step through a game in the terminal: arrows, turns, rounds, jump to a ply, search (press ? there)."""

from __future__ import annotations

import argparse

from replays import terminal
from replays.commands import options
from replays.stepper import Stepper

NAME = "step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    options.add_file(parser)
    parser.add_argument("--ply", type=options.whole, default=0, help="where to begin (default: 0, the set-up)")
    options.add_seat(parser)


def run(args: argparse.Namespace) -> int:
    """Show one game until its reader leaves."""
    replay = options.load(args.file, args.seat)
    terminal.run(Stepper(replay, args.seat, options.require_ply(replay, args.ply)))
    return 0
