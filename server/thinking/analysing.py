"""`python -m server.thinking.analysing`: analyses the game whose record comes by standard input.

Answers by standard output, a line of JSON each: the plies that are done, and in the end what was found. An analysis
takes seconds; in the server's own process every request would wait for it.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import BinaryIO

from replays import reading
from replays.analysis import results
from replays.replay import Replay
from server.service.common import own_rulesets

NICE = 10
"""Requests come first, and bots whom somebody waits for."""


def serve(given: BinaryIO, told: BinaryIO) -> None:
    """Analyse one game: settings, then its record."""
    settings = pickle.load(given)  # noqa: S301 - of the process that started this one
    own_rulesets.load(settings)
    done = 0

    def passed() -> None:
        nonlocal done
        done += 1
        told.write(b"%d\n" % done)
        told.flush()

    found = results.analyse(Replay(reading.loads(given.read())), passed=passed)
    told.write(json.dumps(found).encode() + b"\n")
    told.flush()


if __name__ == "__main__":
    os.nice(NICE)
    serve(sys.stdin.buffer, os.fdopen(os.dup(1), "wb"))
