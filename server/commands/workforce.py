"""`--jobs` and `--cluster`: who does the work of commands that play many games."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from bots import pools
from replays.checking import available_cores
from replays.commands import options
from server.commands import CommandError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add both arguments."""
    options.add_jobs(parser)
    options.add_cluster(parser)


@contextmanager
def workers(args: argparse.Namespace) -> Iterator[tuple[Executor | None, int]]:
    """Yield what does the work, and how many pieces at once, as `pools.workers`. Raises `CommandError`."""
    try:
        with pools.workers(args.jobs or available_cores(), args.cluster) as found:
            yield found
    except pools.NoClusterError as error:
        raise CommandError(str(error)) from error
