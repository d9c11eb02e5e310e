"""`ulm serve --workers`: the process that keeps several behind one port.

It opens the socket, starts the others, each a new interpreter, and answers nothing itself. One that dies is replaced.
SIGHUP replaces all, one after the other: the new one takes connections before the old one is told to let go of its own.

Hand-written, for an operator on PostgreSQL (a move takes 839/s of two processes, 742/s of one): uvicorn's and
gunicorn's own have no process for jobs beside those that serve, and renew all at once, whether new ones can start or
not (no request fails here, `tests/commands/test_workers.py`); gunicorn's would run the code that was loaded before.
"""

from __future__ import annotations

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
from dataclasses import dataclass

from prometheus_client.multiprocess import mark_process_dead

from server import metering
from server.commands import CommandError
from server.settings import Settings

log = logging.getLogger("ulm.workers")

LISTENER = "_ULM_LISTENER"
"""For a process that we start: the number of the file with the socket, its own number, and the id of ours."""
_LOOK_SECONDS = 0.1
_START_SECONDS = 60.0
_BREATH = 1.0  # seconds before another is started for one that did not come up
_LAST_SECONDS = 5.0  # beyond those that a process has for running requests

Process = subprocess.Popen[bytes]


class Workers:
    """`number` processes that serve on `listener`, and one that does the jobs where `settings` want them done."""

    def __init__(self, settings: Settings, listener: socket.socket, number: int) -> None:
        self._settings, self._listener = settings, listener
        self._jobs = ["serve"] * number + ["worker"] * settings.jobs
        self._running: list[Process] = []
        self._told = set[int]()  # signals; an event could not be set while it is waited for

    def run(self, serving: Callable[[], object]) -> None:
        """Keep them until SIGTERM or SIGINT; call `serving` when one is ready. Raises `CommandError` when one cannot
        be started."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
            signal.signal(number, lambda number, _: self._told.add(number))
        with tempfile.TemporaryDirectory(prefix="ulm-metrics-") as folder:
            os.environ.setdefault(metering.DIRECTORY, folder)
            try:
                self._running += [self._start(number) for number in range(len(self._jobs))]
                if not self._comes_up(*self._running):
                    raise CommandError("a process of the server did not start: the log says why")
                log.info("serving", extra={"fields": {"processes": len(self._running)}})
                serving()
                while not self._stopped():
                    time.sleep(_LOOK_SECONDS)
                    self._replace_dead()
                    if signal.SIGHUP in self._told:
                        self._told.remove(signal.SIGHUP)
                        self._replace_all()
            finally:
                self._listener.close()
                self._end(*self._running)
                if os.environ[metering.DIRECTORY] == folder:
                    del os.environ[metering.DIRECTORY]

    def _stopped(self) -> bool:
        return not self._told.isdisjoint({signal.SIGTERM, signal.SIGINT})

    def _start(self, number: int) -> Process:
        """A process for the job of that number. Raises `OSError`."""
        file, port = self._listener.fileno(), self._listener.getsockname()[1]
        environment = os.environ | {
            LISTENER: f"{file},{number},{os.getpid()}", "ULM_PORT": str(port), "ULM_JOBS": "off",
            "ULM_METRICS_LISTEN": "",  # all are counted in one directory, and shown by the one that starts them
        }  # fmt: skip
        return subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "server.cli", self._jobs[number]],
            env=environment, pass_fds=[file], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def _comes_up(self, *processes: Process) -> bool:
        """Wait until one is ready, or all are told to stop; False when one has ended instead, or takes too long."""
        self._told.discard(signal.SIGUSR1)
        end = time.monotonic() + _START_SECONDS
        while signal.SIGUSR1 not in self._told and not self._stopped():
            if time.monotonic() > end or any(process.poll() is not None for process in processes):
                return False
            time.sleep(_LOOK_SECONDS / 10)
        return True

    def _replace_dead(self) -> None:
        """Start others for those that have died, and wait for none: while one does not come up the next may die."""
        for number, process in enumerate(self._running):
            if process.poll() is None:
                continue
            log.warning("a process has died", extra={"fields": {"pid": process.pid, "code": process.returncode}})
            self._end(process)
            time.sleep(_BREATH)  # it may not even have started: so may the next
            try:
                self._running[number] = self._start(number)
            except OSError as error:
                log.error("a process that died cannot be replaced", extra={"fields": {"why": error}})

    def _replace_all(self) -> None:
        log.info("renewing all processes")
        for number, old in enumerate(self._running):
            try:
                new = self._start(number)
            except OSError as error:
                log.error("the processes stay as they are: no new one can be started", extra={"fields": {"why": error}})
                return
            if not self._comes_up(new):
                log.error("the processes stay as they are: the new one did not start")
                self._end(new)
                return
            self._running[number] = new
            self._end(old)
        log.info("renewed all processes")

    def _end(self, *processes: Process) -> None:
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + self._settings.shutdown_seconds + _LAST_SECONDS
        for process in processes:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            mark_process_dead(process.pid)


@dataclass(frozen=True)
class Inherited:
    """What a process has from the one that started it."""

    listener: socket.socket
    number: int
    """Of the processes that it has started, from 0."""
    parent: int

    @classmethod
    def take(cls) -> Inherited | None:
        """None for one that people have started."""
        told = os.environ.pop(LISTENER, None)
        if told is None:
            return None
        file, number, parent = map(int, told.split(","))
        return cls(socket.socket(fileno=file), number, parent)

    def ready(self, stop: Callable[[], None]) -> None:
        """Tell that requests are taken; and call `stop` when the one that has started this has ended, however."""

        def wait() -> None:
            while os.getppid() == self.parent:
                time.sleep(1)
            stop()

        if os.getppid() == self.parent:
            os.kill(self.parent, signal.SIGUSR1)
        threading.Thread(target=wait, name="parent", daemon=True).start()
