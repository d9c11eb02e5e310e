"""Processes of the project's own programs, forked from one that has imported them: starting one takes half a second of
the processor less than `python -m …` does, and a run of the tests starts two hundred."""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["server.cli", "replays.cli", "tests.notify.sink", "tests.notify.worker"])

Main = Callable[[Sequence[str]], int]


class Forked:
    """`main(arguments)` in a process of its own, with an environment of its own: what tests need of `Popen`.

    What it prints is read from `stdout`; errors go to the end of `log` (None: to those of the
    tests). It leads a process group.
    """

    def __init__(
        self,
        main: Main,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        log: Path | None = None,
    ) -> None:
        out, into = os.pipe()
        self.stdout = open(out, encoding="utf-8")  # noqa: SIM115 - for the life of the process
        with Connection(into, readable=False) as written:
            self._process = _FORKS.Process(
                target=_main, args=(main, arguments, dict(environment), Path(os.devnull), written, log, ROOT)
            )
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
        # It may have ended, and the forking process have reaped it, before the news of that is here.
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


def run(
    main: Main, arguments: Sequence[str], stdin: bytes, environment: Mapping[str, str], directory: Path, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """What `main(arguments)` prints, and how it ends, in a process of its own, in that directory.

    Raises `subprocess.TimeoutExpired`.
    """
    with TemporaryDirectory() as name:
        files = [Path(name, file) for file in ("stdin", "stdout", "stderr")]
        files[0].write_bytes(stdin)
        process = _FORKS.Process(target=_main, args=(main, arguments, dict(environment), *files, directory))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(list(arguments), timeout)
        out, errors = (file.read_bytes() for file in files[1:])
        code = process.exitcode
        process.close()
    return subprocess.CompletedProcess(list(arguments), code, out, errors)


def _main(
    main: Main,
    arguments: Sequence[str],
    environment: dict[str, str],
    stdin: Path,
    stdout: Path | Connection,
    stderr: Path | None,
    directory: Path,
) -> None:
    os.setsid()
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    with stdin.open("rb") as file:
        os.dup2(file.fileno(), 0)
    with stdout if isinstance(stdout, Connection) else stdout.open("ab") as file:
        os.dup2(file.fileno(), 1)
    if stderr is not None:
        with stderr.open("ab") as file:
            os.dup2(file.fileno(), 2)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - for the life of the process
        for number, mode in enumerate("rww")
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which the process that forks ignores
    try:
        sys.exit(main(arguments))
    finally:
        # As where a program ends by itself: first its threads, in which executors end their processes, then what
        # `multiprocessing` does. A fork has it the other way round, and now and then waits for itself.
        threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001
        sys.stdout.flush()
