"""`python -m server.bot_workers.analysing`: analyses the game whose record comes by stdin, and looks for puzzles.

Answers by standard output, a line of JSON each: the plies that are done, and in the end what was found. An analysis
takes seconds; in the server's own process every request would wait for it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import BinaryIO

from replays.analysis import puzzles, results
from server.engine import record
from server.engine.game import Game
from server.service.common import own_rulesets

NICE = 10
"""Requests come first, and bots whom somebody waits for."""


def serve(given: BinaryIO, told: BinaryIO) -> None:
    """Analyse one game: where rulesets are and whether puzzles are looked for, on a line each, then its record."""
    own_rulesets.load(json.loads(given.readline()))
    for_puzzles: bool = json.loads(given.readline())
    replay = Game(record.loads(given.read()))
    done = 0

    def say() -> None:
        told.write(b"%d\n" % done)
        told.flush()

    def passed() -> None:
        nonlocal done
        done += 1
        say()

    analysis = results.analyse(replay, passed=passed)
    # Who waits is told the same number while puzzles are looked for, and the game stays claimed.
    found = list(puzzles.puzzles(replay, passed=say)) if for_puzzles else []
    told.write(json.dumps({"analysis": analysis, "puzzles": found}).encode() + b"\n")
    told.flush()


if __name__ == "__main__":
    os.nice(NICE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what prints must not answer by it
    serve(sys.stdin.buffer, answers)
