"""A process in which bots think. It gets questions and gives moves; a bot that takes too long is ended with it.

Thinking holds Python's lock: in the server's own process every request would wait for it. A pool of the standard
library cannot end one worker that has gone astray, imports the whole server into each, and reads pickles, by which the
code of a bot's package could run here; so each thinker is a process of its own, and both sides speak lines of JSON.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable

from bots.turn import MOVES_MAX, Question

START_SECONDS = 60.0
"""A process that has not come up within this time will not."""
SLICE = 0.2
"""How often is looked whether the answer is still wanted."""
LINE_MAX = 65_536
"""Bytes of an answer. The longest turn takes some hundreds."""
_OURS = "ULM_"  # how settings are called; the address of the database and secrets are among them


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
        self._ready = False
        self._read = b""

    @property
    def pid(self) -> int | None:
        """The process that runs, if one does."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Begin the process, and do not wait for it."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        command = [sys.executable, "-m", "server.bot_workers.serving"]
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter and a module of ours
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), bufsize=0
        )
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
            self._send(question.to_dict())
            return read_answer(self._receive(most, wanted))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process, if one runs."""
        process, self._process, self._ready, self._read = self._process, None, False, b""
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    def _send(self, what: object) -> None:
        try:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.write(json.dumps(what).encode() + b"\n")
        except OSError:
            raise ThinkingError("its process has ended") from None

    def _receive(self, most: float, wanted: Callable[[], bool]) -> bytes:
        """The next line that the process says."""
        end = time.monotonic() + most
        pipe = None if self._process is None else self._process.stdout
        if pipe is None:
            raise ThinkingError("its process has ended")
        ready = select.poll()  # select.select refuses descriptors beyond 1024, which a server with many streams has
        ready.register(pipe, select.POLLIN | select.POLLHUP)
        while b"\n" not in self._read:
            left = end - time.monotonic()
            if left <= 0:
                raise OvertimeError(f"it thought longer than {most:.1f} s")
            if ready.poll(1000 * min(left, SLICE)):
                more = os.read(pipe.fileno(), LINE_MAX)
                self._read += more
                if not more:
                    raise ThinkingError("its process has ended")
                if len(self._read) > LINE_MAX:
                    raise ThinkingError("its answer is too long")
            if not wanted():
                raise Cancelled
        line, _, self._read = self._read.partition(b"\n")
        return line


def read_answer(line: bytes) -> list[str]:
    """Return the moves that a line says. Raises `ThinkingError` for one that says why there are none, or anything
    else: it comes from somebody's code."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if isinstance(told, str):
        raise ThinkingError("".join(filter(str.isprintable, told))[:300])
    if not isinstance(told, list) or len(told) > MOVES_MAX or not all(isinstance(move, str) for move in told):
        raise ThinkingError("its answer is no list of moves")
    return told


def environment() -> dict[str, str]:
    """Return the variables for a process that imports what this one can, and knows none of the server's settings: what
    runs there may be somebody else's bot, and it is told over its pipe all that it needs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
