"""`python -m server.bot_workers.serving`: answers the questions of `process.Thinker`, by standard input and output."""

from __future__ import annotations

import os
import signal
import threading
import time
import traceback
from multiprocessing.connection import Connection

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
    questions, answers = Connection(os.dup(0), writable=False), Connection(os.dup(1), readable=False)
    os.dup2(2, 1)  # a bot that prints must not answer by it
    own_rulesets.load(questions.recv())
    offers.load()
    answers.send([])
    while True:
        try:
            question = questions.recv()
        except EOFError:
            return
        answers.send(answered(question))


def answered(question: Question) -> list[str] | str:
    """Return the moves, or why there are none."""
    offer = offers.of(question.bot)
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
