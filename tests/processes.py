"""Processes of the project's own programs, forked from one that has imported them: starting one takes half a second of
the processor less than `python -m …` does, and a run of the tests starts two hundred."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["server.cli", "tests.notify.sink", "tests.notify.worker"])


class Forked:
    """`main(arguments)` in a process of its own, with an environment of its own: what tests need of `Popen`.

    What it prints is read from `stdout`; errors go to the end of `log` (None: to those of the
    tests). It leads a process group.
    """

    def __init__(
        self,
        main: Callable[[Sequence[str]], int],
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log: Path | None = None,
    ) -> None:
        out, into = os.pipe()
        self.stdout = open(out, encoding="utf-8")  # noqa: SIM115 - for the life of the process
        with Connection(into, readable=False) as written:
            self._process = _FORKS.Process(target=_run, args=(main, arguments, dict(environment), log, written))
            self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Its exit code, None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self._process.name, timeout)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


def _run(
    main: Callable[[Sequence[str]], int],
    arguments: Sequence[str],
    environment: dict[str, str],
    log: Path | None,
    written: Connection,
) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    with open(os.devnull, "rb") as nothing, written:
        os.dup2(nothing.fileno(), 0)
        os.dup2(written.fileno(), 1)
    if log is not None:
        with log.open("ab") as errors:
            os.dup2(errors.fileno(), 2)
    sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), encoding="utf-8")  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which the process that forks ignores
    sys.exit(main(arguments))
