"""`ulm serve --workers`: the process that keeps several behind one port.

It opens the socket, starts the others, each a new interpreter, and answers nothing itself. One that dies is replaced.
SIGHUP replaces all, one after the other: the new one takes connections before the old one is told to let go of its own.

Hand-written, for an operator on PostgreSQL (a move takes 839/s of two processes, 742/s of one): uvicorn's and
gunicorn's own have no process for jobs beside those that serve, and uvicorn's renews all at once (no request fails
here, `tests/commands/test_workers.py`).
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from prometheus_client.multiprocess import mark_process_dead

from server import metering
from server.commands import CommandError
from server.settings import Settings

log = logging.getLogger("ulm.workers")

LISTENER = "_ULM_LISTENER"
"""For a process that we start: the numbers of the files with the socket and its link to us, and its own."""
MOST = 64
"""Processes that serve."""
_LOOK_SECONDS = 0.1
_START_SECONDS = 60.0
_BREATH = 1.0  # seconds before another is started for one that did not come up
_LAST_SECONDS = 5.0  # beyond those that a process has for running requests


def workers_wanted(text: str) -> int:
    """The number of processes behind `--workers`. Raises `argparse.ArgumentTypeError`."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= MOST):
        raise argparse.ArgumentTypeError(f"it takes a whole number from 1 to {MOST}")
    return int(text)


class _Process:
    """One that was started for a job, `serve` or `worker`. Raises `OSError`."""

    def __init__(self, job: str, listener: socket.socket, number: int) -> None:
        self.job, self.began, self.ready = job, time.monotonic(), False
        self._link, theirs = socket.socketpair()
        self._link.setblocking(False)
        with theirs:
            own = [listener.fileno(), theirs.fileno()]
            port = str(listener.getsockname()[1])
            environment = os.environ | {
                LISTENER: f"{own[0]},{own[1]},{number}", "ULM_PORT": port, "ULM_JOBS": "off",
                "ULM_METRICS_LISTEN": "",  # all are counted in one directory, and shown by the one that starts them
            }  # fmt: skip
            self.popen = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", "server.cli", job],
                env=environment, pass_fds=own, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            )  # fmt: skip

    def look(self) -> bool:
        """Whether it lives; `ready` is up to date then. One that does not become ready in time is killed."""
        with suppress(BlockingIOError):
            self.ready = self.ready or bool(self._link.recv(1))
        if not self.ready and time.monotonic() > self.began + _START_SECONDS:
            self.popen.kill()
        return self.popen.poll() is None

    def end(self, deadline: float) -> None:
        """Wait for its end, until then."""
        try:
            self.popen.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        self._link.close()
        mark_process_dead(self.popen.pid)


class Workers:
    """`number` processes that serve on `listener`, and one that does the jobs where `settings` want them done."""

    def __init__(self, settings: Settings, listener: socket.socket, number: int) -> None:
        self._settings, self._listener = settings, listener
        self._jobs = ["serve"] * number + ["worker"] * settings.jobs
        self._running: list[_Process] = []
        self._stop, self._renew = threading.Event(), threading.Event()

    def run(self, serving: Callable[[], object]) -> None:
        """Keep them until SIGTERM or SIGINT; call `serving` when all are ready. Raises `CommandError` when one cannot
        be started."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        signal.signal(signal.SIGHUP, lambda *_: self._renew.set())
        with tempfile.TemporaryDirectory(prefix="ulm-metrics-") as folder:
            os.environ.setdefault(metering.DIRECTORY, folder)
            try:
                self._running += [_Process(job, self._listener, number) for number, job in enumerate(self._jobs)]
                if not all(map(self._comes_up, self._running)):
                    raise CommandError("a process of the server did not start: the log says why")
                if not self._stop.is_set():
                    log.info("serving", extra={"fields": {"processes": len(self._running)}})
                    serving()
                while not self._stop.wait(_LOOK_SECONDS):
                    self._replace_dead()
                    if self._renew.is_set():
                        self._renew.clear()
                        self._replace_all()
            finally:
                self._listener.close()
                self._end(self._running)
                if os.environ[metering.DIRECTORY] == folder:
                    del os.environ[metering.DIRECTORY]

    def _comes_up(self, process: _Process) -> bool:
        """Wait until it is ready, or all are told to stop; False when it has ended instead."""
        while not process.ready and not self._stop.is_set():
            if not process.look():
                return False
            time.sleep(_LOOK_SECONDS / 10)
        return True

    def _replace_dead(self) -> None:
        """Start others for those that have died, and wait for none: while one does not come up the next may die."""
        for number, process in enumerate(self._running):
            if process.look():
                continue
            died = {"pid": process.popen.pid, "code": process.popen.returncode}
            log.warning("a process has died", extra={"fields": died})
            process.end(0)
            try:
                if not process.ready:  # it could not even start: so may the next
                    self._stop.wait(_BREATH)
                self._running[number] = _Process(process.job, self._listener, number)
            except OSError as error:
                log.error("a process that died cannot be replaced", extra={"fields": {"why": error}})
                self._stop.wait(_BREATH)

    def _replace_all(self) -> None:
        log.info("renewing all processes")
        for number, old in enumerate(self._running):
            try:
                new = _Process(old.job, self._listener, number)
            except OSError as error:
                log.error("the processes stay as they are: no new one can be started", extra={"fields": {"why": error}})
                return
            if not self._comes_up(new):
                log.error("the processes stay as they are: the new one did not start")
                new.end(0)
                return
            self._running[number] = new
            self._end([old])
        log.info("renewed all processes")

    def _end(self, processes: list[_Process]) -> None:
        for process in processes:
            process.popen.terminate()
        deadline = time.monotonic() + self._settings.shutdown_seconds + _LAST_SECONDS
        for process in processes:
            process.end(deadline)


@dataclass(frozen=True)
class Inherited:
    """What a process has from the one that started it."""

    listener: socket.socket
    link: socket.socket
    number: int
    """Of the processes that it has started, from 0."""

    @classmethod
    def take(cls) -> Inherited | None:
        """None for one that people have started."""
        told = os.environ.pop(LISTENER, None)
        if told is None:
            return None
        listener, link, number = map(int, told.split(","))
        return cls(socket.socket(fileno=listener), socket.socket(fileno=link), number)

    def ready(self, stop: Callable[[], None]) -> None:
        """Tell that requests are taken; and call `stop` when the one that has started this has ended, however."""
        self.link.send(b"1")

        def wait() -> None:
            with suppress(OSError):
                self.link.recv(1)
            stop()

        threading.Thread(target=wait, name="parent", daemon=True).start()
