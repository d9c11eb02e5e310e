"""Several processes behind one port: the one that keeps them.

It opens the socket, starts the others, each a new interpreter, and answers nothing itself. One that dies is replaced.
SIGHUP replaces all, one after the other: the new one takes connections before the old one is told to let go of its own.
"""

from __future__ import annotations

import argparse
import logging
import os
import select
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
from server.connections import turn_away
from server.httpd import ARRIVING
from server.service.common import worker_signals
from server.settings import Settings

log = logging.getLogger("ulm.workers")

LISTENER = "_ULM_LISTENER"
"""For a process that we start: the numbers of the files with the socket, where it says that it is ready, and which
ends when we do."""
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


@dataclass
class _Process:
    job: str
    place: int
    popen: subprocess.Popen[bytes]
    ready: int | None
    """The file in which it says that it is ready; None when it has said so."""
    began: float

    def look(self, seconds: float = 0) -> None:
        """Wait so long for it to say that it is ready, where it has not yet."""
        if self.ready is not None and select.select([self.ready], [], [], seconds)[0] and os.read(self.ready, 1):
            self.hear_no_more()

    def is_late(self) -> bool:
        """Whether it should have been ready by now, and is not."""
        return self.ready is not None and time.monotonic() > self.began + _START_SECONDS

    def hear_no_more(self) -> None:
        """Close the file."""
        if self.ready is not None:
            os.close(self.ready)
            self.ready = None


class Workers:
    """`number` processes that serve on `listener`, and one that does the jobs where `settings` want them done."""

    def __init__(self, settings: Settings, listener: socket.socket, number: int) -> None:
        self._settings, self._listener = settings, listener
        self._jobs = ["serve"] * number + ["worker"] * settings.jobs
        self._sockets = worker_signals.Sockets(len(self._jobs) + 1)
        self._life = os.pipe()
        self._running: list[_Process] = []
        self._missing: list[str] = []
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
                for job in self._jobs:
                    self._running.append(self._spawn(job))
                for process in self._running:
                    self._wait_for(process)
                if not self._stop.is_set():
                    log.info("serving", extra={"fields": {"processes": len(self._running)}})
                    serving()
                while not self._stop.wait(_LOOK_SECONDS):
                    self._replace_dead()
                    if self._renew.is_set():
                        self._renew.clear()
                        self._replace_all()
            finally:
                if self._settings.proxy_hops:
                    turn_away(self._listener)  # the proxy has others to ask
                    time.sleep(ARRIVING)
                    self._listener.close()
                self._end(list(self._running))
                self._sockets.close()
                if os.environ[metering.DIRECTORY] == folder:
                    del os.environ[metering.DIRECTORY]

    def _start(self, job: str) -> _Process:
        """Start one, and wait until it is ready. Raises `CommandError`."""
        process = self._spawn(job)
        try:
            self._wait_for(process)
        except CommandError:
            self._end([process])
            raise
        return process

    def _spawn(self, job: str) -> _Process:
        place, told, inherited = self._sockets.take()
        ready, into = os.pipe()
        own = [self._listener.fileno(), into, self._life[0]]
        environment = os.environ | {
            worker_signals.VARIABLE: told,
            LISTENER: ",".join(map(str, own)),
            "ULM_PORT": str(self._listener.getsockname()[1]),
            "ULM_JOBS": "off",
            "ULM_METRICS_PORT": "0",  # all are counted in one directory, and shown by the one that starts them
        }
        try:
            popen = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", "server.cli", job],
                env=environment,
                pass_fds=[*inherited, *own],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        except BaseException:
            os.close(ready)
            raise
        finally:
            os.close(into)
        return _Process(job, place, popen, ready, time.monotonic())

    def _wait_for(self, process: _Process) -> None:
        """Wait until it is ready, or all are told to stop. Raises `CommandError` when it has ended instead."""
        while process.ready is not None and not self._stop.is_set():
            process.look(_LOOK_SECONDS)
            if process.ready is not None and (process.popen.poll() is not None or process.is_late()):
                raise CommandError("a process of the server did not start: the log says why")

    def _replace_dead(self) -> None:
        """Start others for those that have died, and wait for none: while one does not come up the next may die."""
        for process in list(self._running):
            process.look()
            code = process.popen.poll()
            if code is not None:
                log.warning("a process has died", extra={"fields": {"pid": process.popen.pid, "code": code}})
                self._running.remove(process)
                self._missing.append(process.job)
                if process.ready is not None:  # it could not even start: so may the next
                    self._stop.wait(_BREATH)
                self._forget(process)
            elif process.is_late():
                log.error("a process does not become ready", extra={"fields": {"pid": process.popen.pid}})
                process.popen.kill()
        while self._missing and not self._stop.is_set():
            try:
                self._running.append(self._spawn(self._missing[0]))
            except OSError as error:
                log.error("a process that died cannot be replaced", extra={"fields": {"why": error}})
                self._stop.wait(_BREATH)
                return
            del self._missing[0]

    def _replace_all(self) -> None:
        log.info("renewing all processes")
        for number, old in enumerate(self._running):
            if self._stop.is_set():
                return
            try:
                new = self._start(old.job)
            except CommandError as error:
                log.error("the processes stay as they are", extra={"fields": {"why": error}})
                return
            self._running[number] = new
            self._end([old])
        log.info("renewed all processes")

    def _end(self, processes: list[_Process]) -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                process.popen.terminate()
        deadline = time.monotonic() + self._settings.shutdown_seconds + _LAST_SECONDS
        for process in processes:
            try:
                process.popen.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.popen.kill()
                process.popen.wait()
            self._forget(process)

    def _forget(self, process: _Process) -> None:
        process.hear_no_more()
        self._sockets.give_back(process.place)
        mark_process_dead(process.popen.pid)


@dataclass(frozen=True)
class Inherited:
    """What a process has from the one that started it."""

    listener: socket.socket
    ready: int
    life: int

    @classmethod
    def take(cls) -> Inherited | None:
        """None for one that people have started."""
        told = os.environ.pop(LISTENER, None)
        if told is None:
            return None
        listener, ready, life = map(int, told.split(","))
        return cls(socket.socket(fileno=listener), ready, life)

    def say_ready(self) -> None:
        """Tell that requests are taken."""
        os.write(self.ready, b"1")
        os.close(self.ready)

    def stop_with_parent(self, stop: Callable[[], None]) -> None:
        """Call `stop` when the one that has started this has ended, however that was."""

        def wait() -> None:
            with suppress(OSError):
                os.read(self.life, 1)
            stop()

        threading.Thread(target=wait, name="parent", daemon=True).start()
