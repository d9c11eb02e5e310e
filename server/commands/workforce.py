"""`--jobs`: who does the work of commands that play many games."""

from __future__ import annotations

import argparse
from concurrent.futures import Executor
from contextlib import AbstractContextManager

from bots import pools
from replays.checking import available_cores
from replays.commands import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    options.add_jobs(parser)


def jobs(args: argparse.Namespace) -> int:
    """How many processes are wanted."""
    return args.jobs or available_cores()


def workers(args: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    """What does the work, as `pools.workers`."""
    return pools.workers(jobs(args))
