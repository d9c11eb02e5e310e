"""A whole site: web processes, worker, mail server, database; what dies is started again, as by a service manager."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

from tests.chaos import process
from tests.chaos.database import Database
from tests.chaos.proxy import Proxy
from tests.live import GENEROUS
from tests.notify.sink import Sink
from tests.processes import Forked

LATE = 90.0
"""Seconds after which a process that was started counts as stuck."""
PATIENCE = 1.0
"""Seconds after which a question whether somebody is ready counts as unanswered."""
_LOOK_SECONDS = 0.1  # between two questions whether a process is ready


class Site:
    """`webs` times `ulm serve`, and one `ulm worker`, on one database, behind one address:
    `url`. On PostgreSQL there is one more for streams, at `streams_url`."""

    def __init__(self, folder: Path, database: Database, rng: random.Random, webs: int = 2) -> None:
        self.folder = folder
        self.database = database
        self.sink = Sink(folder / "sink")
        self.proxy = Proxy(rng)
        self.proxy.start()
        self.url = self.streams_url = self.proxy.url
        self.clock = folder / "clock"
        self.clock.write_text("0", "ascii")
        self.members = [Member(self, f"web{number}", "serve") for number in range(webs)]
        self.members.append(Member(self, "worker", "worker"))
        self.proxies = [self.proxy]
        if self.database.cluster is not None:
            before_streams = Proxy(rng)
            before_streams.start()
            self.streams_url = before_streams.url
            self.proxies.append(before_streams)
            self.members.append(Member(self, "streams", "serve", "--only", "streams", proxy=before_streams))

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
        for proxy in self.proxies:
            proxy.stop()
        self.sink.stop()

    def set_clock(self, by: int) -> None:
        """Let the clock of all processes be wrong by so many seconds."""
        part = self.clock.with_suffix(".part")
        part.write_text(str(by), "ascii")
        part.rename(self.clock)

    def log(self) -> str:
        """What all processes have written."""
        return "".join(path.read_text("utf-8", "replace") for path in sorted(self.folder.glob("*.log")))

    def environment(self) -> dict[str, str]:
        """The settings of all processes."""
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("ULM_")},
            "PYTHONDONTWRITEBYTECODE": "",  # each process of a server would compile 700 files when it starts
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
            "ULM_JOBS": "off",
            "ULM_LOG_LEVEL": "WARNING",
            "ULM_SMTP_URL": self.sink.url,
            "ULM_STREAM_SECONDS": "5",
            "ULM_SHUTDOWN_SECONDS": "5",
            "ULM_ACCOUNTS_PER_HOUR": "1000000",
            "ULM_THREADS": "8",
        }


class Member:
    """One process of the site, and a thread that starts it again when it has died, and asks it whether it is ready."""

    def __init__(self, site: Site, name: str, command: str, *options: str, proxy: Proxy | None = None) -> None:
        self.name, self._site, self._command, self._options = name, site, command, options
        self._upstream = (proxy or site.proxy).upstream
        self.port: int | None = None
        """Where it answers, once it has said so; 0: nowhere, None: not yet."""
        self.process: Forked | None = None
        self._killed: Forked | None = None
        self.ready = threading.Event()
        self.starts = 0
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

    def children(self) -> list[int]:
        """The processes that it has started."""
        if self.process is None:
            return []
        pid = self.process.pid
        try:
            return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
        except OSError:
            return []

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
        asked = 0.0
        while not self._over.is_set():
            running = self.process
            if running is None or running.poll() is not None:
                if running is not None:
                    self._upstream.pop(self.name, None)
                    running.stdout.close()
                self.port = None
                self.port = self._start()
                asked = 0.0
            elif time.monotonic() - asked < _LOOK_SECONDS and self.ready.is_set():
                time.sleep(0.02)
            elif self.port is not None:
                asked = time.monotonic()
                self._look(running, self.port)

    def _start(self) -> int | None:
        """Start it, and wait until it says that it listens: its port, 0 of one that has none, None where it ended."""
        self.ready.clear()
        self.starts += 1
        log = self._site.folder / f"{self.name}.log"
        running = self.process = Forked(process.main, [self._command, *self._options], self._site.environment(), log)
        for line in running.stdout:  # ends with the process
            if found := re.search(r"listens on http://[^:]+:(\d+)", line):
                return int(found[1])
            if self._command == "worker" and "works on mail" in line:
                return 0
        running.wait(LATE)
        return None

    def _look(self, running: Forked, port: int) -> None:
        """Ask whether it is ready, where it has a port, and note whether it has changed."""
        status = asked(port)[0] if port else 200
        if running.poll() is not None or running is self._killed:
            return
        if status != 200:
            self.ready.clear()
            time.sleep(0.05)
        elif not self.ready.is_set():
            if port:
                self._upstream[self.name] = port
            self.ready.set()


def asked(port: int) -> tuple[int, str]:
    """The status of `/readyz` on that port of this machine, and what came with it; 0 where nothing was answered."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, repr(error)
    finally:
        connection.close()
