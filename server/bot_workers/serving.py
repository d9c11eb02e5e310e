"""`python -m server.bot_workers.serving`: answers the questions of `process.Thinker`, by standard input and output."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback

from bots import offers
from bots.turn import Question, answer
from server.service.common import own_rulesets

NICE = 5
"""Requests come first."""
LOOK_SECONDS = 1.0
"""How often is looked whether the server is still there."""


def serve() -> None:
    """Answer until the server is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # Ctrl+C reaches all processes; the server ends its own in order
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    os.nice(NICE)
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # a bot that prints must not answer by it
    own_rulesets.load(json.loads(sys.stdin.readline()))
    offers.load()
    print("[]", file=answers)
    for line in sys.stdin:
        print(json.dumps(answered(Question.from_dict(json.loads(line)))), file=answers)


def answered(question: Question) -> list[str] | str:
    """Return the moves, or why there are none."""
    offer = offers.find(question.bot)
    if offer is None:
        return f"there is no bot {question.bot!r} here"
    try:
        return answer(question, offer.bot())
    except Exception as error:
        frames = [
            f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
        ]
        # Not its words: they may quote the hand.
        return f"{type(error).__name__} at {' < '.join(reversed(frames[-4:]))}"


def _end_with(parent: int) -> None:
    """A killed server cannot end its processes, and a bot that thinks does not look at the pipe."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    serve()
