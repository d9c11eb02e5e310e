"""A process in which bots think, or a game is analysed; one that takes too long is ended.

Thinking holds Python's lock: in the server's own process every request would wait for it. A pool of the standard
library cannot end one worker that has gone astray, imports the whole server into each, and reads pickles, by which the
code of a bot's package could run here; so each is a process of its own, and both sides speak lines of JSON.
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
"""Bytes of a bot's answer. The longest turn takes some hundreds."""
_OURS = "ULM_"  # how settings are called; the address of the database and secrets are among them


class ThinkingError(Exception):
    """There was no answer. The message says why, and nothing of the game."""


class OvertimeError(ThinkingError):
    """It took too long."""


class Cancelled(Exception):  # noqa: N818 - nothing went wrong
    """The answer is not wanted any more."""


class Process:
    """One process for a kind of questions (see `serving`), begun when it is needed (`start` begins it before that) and
    ended by `close`. A line that it says has at most so many bytes."""

    def __init__(self, kind: str, rulesets: str, line_max: int = LINE_MAX) -> None:
        self._kind, self._rulesets, self._line_max = kind, rulesets, line_max
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
        command = [sys.executable, "-m", "server.bot_workers.serving", self._kind]
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter and a module of ours
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), bufsize=0
        )
        self._send(self._rulesets)

    def put(self, question: object, wanted: Callable[[], bool] = lambda: True) -> None:
        """Ask it, and begin it before that where none runs. Raises as `receive` does."""
        self.start()
        if not self._ready:
            self.receive(START_SECONDS, wanted)
            self._ready = True
        self._send(question)

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

    def receive(self, most: float, wanted: Callable[[], bool] = lambda: True) -> bytes:
        """Return the next line that the process says. `wanted` is asked now and then. Raises `Cancelled` when it says
        no, and `ThinkingError`; then only `close` is left to do."""
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
                if len(self._read) > self._line_max:
                    raise ThinkingError("its answer is too long")
            if not wanted():
                raise Cancelled
        line, _, self._read = self._read.partition(b"\n")
        return line


class Thinker(Process):
    """A process in which bots think."""

    def __init__(self, rulesets: str) -> None:
        super().__init__("bots", rulesets)

    def ask(self, question: Question, most: float, wanted: Callable[[], bool] = lambda: True) -> list[str]:
        """Return the moves of a bot, which has at most so many seconds. Raises `ThinkingError` and `Cancelled`; after
        these another process answers the next question."""
        try:
            self.put(question.to_dict(), wanted)
            return read_answer(self.receive(most, wanted))
        except BaseException:
            self.close()
            raise


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
