"""A whole site: web processes, worker, mail server, database; what dies is started again, as by a service manager."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

from tests.chaos import process
from tests.chaos.database import Database
from tests.chaos.proxy import Proxy
from tests.live import GENEROUS
from tests.notify.sink import Sink
from tests.processes import Forked

LATE = 90.0
"""Seconds after which a process that was started counts as stuck."""


class Site:
    """`webs` times `ulm serve`, one of them with workers, and one `ulm worker`, on one database, behind one address:
    `url`."""

    def __init__(self, folder: Path, kind: str, rng: random.Random, webs: int = 2) -> None:
        self.folder = folder
        self.database = Database(kind, folder)
        self.sink = Sink(folder / "sink")
        self.proxy = Proxy(rng)
        self.proxy.start()
        self.url = self.proxy.url
        self.clock = folder / "clock"
        self.clock.write_text("0", "ascii")
        # The second web process is one that has others do its work.
        several = ("--workers", "2")
        self.members = [Member(self, f"web{number}", "serve", *several[: 2 * (number == 1)]) for number in range(webs)]
        self.members.append(Member(self, "worker", "worker"))

    def start(self) -> None:
        """Start everything, and wait until it answers."""
        for member in self.members:
            member.watch()
        for member in self.members:
            member.ready.wait(LATE)

    def stop(self) -> None:
        """End everything, the processes as a service manager does."""
        for member in self.members:
            member.stop()
        self.proxy.stop()
        self.sink.stop()

    def log(self) -> str:
        """What all processes have written."""
        return "".join(path.read_text("utf-8", "replace") for path in sorted(self.folder.glob("*.log")))

    def environment(self) -> dict[str, str]:
        """The settings of all processes."""
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("ULM_")},
            **{f"ULM_{name.upper()}": str(most) for name, most in GENEROUS.items()},
            process.CLOCK: str(self.clock),
            "ULM_DATA_DIR": str(self.folder),
            "ULM_DATABASE_URL": self.database.url,
            "ULM_BASE_URL": "http://ulm.example.org",
            "ULM_PORT": "0",
            "ULM_EXAMPLE": "off",
            "ULM_ANALYSES": "off",
            "ULM_BOT_WORKERS": "0",
            "ULM_MAIL_WORKERS": "0",
            "ULM_MAIL_PICTURES": "off",
            "ULM_MAIL_TRIES": "40",
            "ULM_JOBS": "off",
            "ULM_LOG_LEVEL": "WARNING",
            "ULM_SMTP_URL": self.sink.url,
            "ULM_SMTP_TIMEOUT": "1",
            "ULM_STREAM_SECONDS": "5",
            "ULM_SHUTDOWN_SECONDS": "5",
            "ULM_ACCOUNTS_PER_HOUR": "1000000",
            "ULM_CONNECTIONS_PER_ADDRESS": "0",
            "ULM_THREADS": "8",
        }


class Member:
    """One process of the site, and a thread that starts it again when it has died."""

    def __init__(self, site: Site, name: str, command: str, *options: str) -> None:
        self.name, self._site, self._command, self._options = name, site, command, options
        self.process: Forked | None = None
        self._killed: Forked | None = None
        self.ready = threading.Event()
        self.starts = 0
        self.waits: list[float] = []
        """Seconds from each start to the first answer."""
        self.memory: list[int] = []
        """Kilobytes it had resident when somebody looked, while it has lived."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._mind, name=name, daemon=True)

    def watch(self) -> None:
        """Start it, now and whenever it is dead."""
        self._thread.start()

    def kill(self) -> bool:
        """SIGKILL to it and its children, once in its life; whether there was anything to kill."""
        running = self.process
        if running is None or running is self._killed or running.poll() is not None:
            return False
        self._killed = running
        self.ready.clear()
        for send in (os.killpg, os.kill):  # it may not lead its group yet
            with contextlib.suppress(ProcessLookupError, PermissionError):
                send(running.pid, signal.SIGKILL)
        return True

    def stop(self) -> None:
        """End it in order, for good."""
        self._over.set()
        self._thread.join(LATE)
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.process = None

    def resident(self) -> int | None:
        """Kilobytes that it has resident now."""
        if self.process is None or not self.ready.is_set():
            return None
        try:
            for line in Path(f"/proc/{self.process.pid}/status").read_text("ascii").splitlines():
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
        except OSError:
            pass
        return None

    def _mind(self) -> None:
        while not self._over.is_set():
            if self.process is not None and self.process.poll() is None:
                time.sleep(0.02)
                continue
            if self.process is not None:
                self._site.proxy.upstream.pop(self.name, None)
                self.process.stdout.close()
            self.ready.clear()
            self.memory = []
            self._start()

    def _start(self) -> None:
        began = time.monotonic()
        self.starts += 1
        log = self._site.folder / f"{self.name}.log"
        running = self.process = Forked(process.main, [self._command, *self._options], self._site.environment(), log)
        port = 0
        for line in running.stdout:  # ends with the process
            if self._command == "worker" and "works on mail" in line:
                break
            if "listens on http" in line:
                port = int(line.rsplit(":", 1)[1])
                break
        else:
            running.wait(LATE)
            return
        if port:
            while running.poll() is None and not self._over.is_set():
                with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5):
                    break
                time.sleep(0.05)
            self._site.proxy.upstream[self.name] = port
        if running.poll() is None:
            self.waits.append(time.monotonic() - began)
            self.ready.set()
