"""`python -m server.bot_workers.serving KIND`: answers questions by standard input and output (`process`).

Each question and each answer is a line of JSON. To `bots` comes what a bot is to decide, to `analyses` a game.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from bots import offers
from bots.turn import Question, answer
from server.engine.game import Game
from server.engine.record import from_dict
from server.logs import places
from server.service.common import own_rulesets

Say = Callable[[object], None]
NICE = {"bots": 5, "analyses": 10}
"""Requests come first, then bots: somebody waits for them."""
LOOK_SECONDS = 1.0
"""How often is looked whether the server is still there."""


def serve(kind: str) -> None:
    """Answer until the server is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # Ctrl+C reaches all processes; the server ends its own in order
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    os.nice(NICE[kind])
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # a bot that prints must not answer by it

    def say(what: object) -> None:
        print(json.dumps(what), file=answers)

    own_rulesets.load(json.loads(sys.stdin.readline()))
    if kind == "bots":
        offers.load()
    say("ready")
    for line in sys.stdin:
        if kind == "bots":
            say(answered(Question.from_dict(json.loads(line))))
        else:
            analyse(json.loads(line), say)


def answered(question: Question) -> list[str] | str:
    """Return the moves, or why there are none."""
    offer = offers.find(question.bot)
    if offer is None:
        return f"there is no bot {question.bot!r} here"
    try:
        return answer(question, offer.bot())
    except Exception as error:
        return f"{type(error).__name__} at {places(error)}"


def analyse(wanted: dict[str, Any], say: Say) -> None:
    """Analyse the game of a `record`, and look for puzzles when it is `for_puzzles`. Says the plies that are done, and
    in the end what was found."""
    from replays.analysis import puzzles, results  # which a bot's process can do without

    replay, done = Game(from_dict(wanted["record"])), 0

    def passed() -> None:
        nonlocal done
        done += 1
        say(done)

    analysis = results.analyse(replay, passed=passed)
    # Who waits is told the same number while puzzles are looked for, and the game stays claimed.
    found = list(puzzles.puzzles(replay, passed=lambda ply: say(done))) if wanted["for_puzzles"] else []
    say({"analysis": analysis, "puzzles": found})


def _end_with(parent: int) -> None:
    """A killed server cannot end its processes, and a bot that thinks does not look at the pipe."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    serve(sys.argv[1])
