"""A process in which bots think. It gets questions and gives moves; a bot that takes too long is ended with it.

Thinking holds Python's lock: in the server's own process every request would wait for it. A pool of the standard
library cannot end one worker that has gone astray, and imports the whole server into each; so each thinker is a process
of its own with two pipes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from bots.turn import Question
from server.bot_workers.environment import environment

START_SECONDS = 60.0
"""A process that has not come up within this time will not."""
SLICE = 0.2
"""How often is looked whether the answer is still wanted."""


class ThinkingError(Exception):
    """A bot came to no answer. The message says why, and nothing of the game."""


class OvertimeError(ThinkingError):
    """It took too long."""


class Cancelled(Exception):  # noqa: N818 - nothing went wrong
    """The answer is not wanted any more."""


class Thinker:
    """One process, begun when it is needed (`start` begins it before that) and ended by `close`."""

    def __init__(self, rulesets: str) -> None:
        self._rulesets = rulesets
        self._process: subprocess.Popen[bytes] | None = None
        self._pipes: tuple[Connection, Connection] | None = None
        self._ready = False

    @property
    def pid(self) -> int | None:
        """The process that runs, if one does."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Begin the process, and do not wait for it."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        theirs, ours = os.pipe()
        answers, answering = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "server.bot_workers.serving"],
                stdin=theirs,
                stdout=answering,
                env=environment(),
            )
        finally:
            os.close(theirs)
            os.close(answering)
            self._pipes = Connection(answers, writable=False), Connection(ours, readable=False)
        self._send(self._rulesets)

    def ask(self, question: Question, most: float, wanted: Callable[[], bool] = lambda: True) -> list[str]:
        """Return the moves of a bot, which has at most so many seconds.

        `wanted` is asked now and then; when it says no, the process is ended. Raises `ThinkingError`, after which
        another process answers the next question, and `Cancelled`.
        """
        try:
            self.start()
            if not self._ready:
                self._receive(START_SECONDS, wanted)
                self._ready = True
            self._send(question)
            told = self._receive(most, wanted)
        except BaseException:
            self.close()
            raise
        if isinstance(told, str):
            raise ThinkingError(told)
        return told

    def close(self) -> None:
        """End the process, if one runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        for pipe in self._pipes or ():
            pipe.close()
        self._process = self._pipes = None
        self._ready = False

    def _send(self, what: object) -> None:
        try:
            if self._pipes is not None:
                self._pipes[1].send(what)
        except OSError:
            raise ThinkingError("its process has ended") from None

    def _receive(self, most: float, wanted: Callable[[], bool]) -> list[str] | str:
        end = time.monotonic() + most
        while self._pipes is not None:
            left = end - time.monotonic()
            if left <= 0:
                raise OvertimeError(f"it thought longer than {most:.1f} s")
            try:
                if self._pipes[0].poll(min(left, SLICE)):
                    told: list[str] | str = self._pipes[0].recv()
                    return told
            except (OSError, EOFError):
                raise ThinkingError("its process has ended") from None
            if not wanted():
                raise Cancelled
        raise ThinkingError("its process has ended")
