"""The disk of PostgreSQL is full."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from contextlib import suppress

from tests.chaos.faults import Fault
from tests.chaos.site import Member, Site, asked
from tests.postgres import Cluster

TRIED = "/api/v1/players"
_BY_ITSELF = 5.0  # seconds that PostgreSQL has to recover before it is started again


class FullPostgresDisk(Fault):
    """Fills the file system of PostgreSQL's data for some seconds, and every other time lets it begin new files of its
    write-ahead log: without room for one it ends all its processes at once, and cannot start before there is. What each
    web process answers meanwhile is looked at: 503 that say when to come again, and not ready since; and that a log
    says why."""

    weight = 2

    def __init__(self) -> None:
        super().__init__()
        self.refused = self.named = 0
        """Writes that were refused, and of these with a full disk as the reason."""
        self._lock = threading.Lock()

    def fits(self, site: Site) -> bool:
        return site.database.disk is not None

    def strike(self, site: Site, rng: random.Random) -> None:
        disk, cluster = site.database.disk, site.database.cluster
        assert disk is not None
        assert cluster is not None
        over = threading.Event()
        asking = [
            threading.Thread(target=self._ask, args=(member, over), daemon=True)
            for member in site.members
            if member.name.startswith("web")
        ]
        new_log, end = self.struck % 2 == 1, time.monotonic() + rng.uniform(2, 5)
        disk.fill()
        try:
            for thread in asking:
                thread.start()
            while time.monotonic() < end:
                if new_log:
                    _begin_a_log(site)
                disk.fill()  # what it has given back itself
                time.sleep(0.05)
        finally:
            over.set()
            for thread in asking:
                thread.join(30)
            disk.free()
        self.struck += 1
        if self.named and "No space left on device" not in site.log():
            self.wrong.append("no log says that the disk was full")
        self._bring_back(site, cluster)

    def _bring_back(self, site: Site, cluster: Cluster) -> None:
        """Start PostgreSQL where it has ended; where it neither ends nor answers, as 18 does of which a process of its
        recovery found no room, as an operator does: end it first."""
        end = time.monotonic() + _BY_ITSELF
        while not _answers(site):
            if time.monotonic() > end and cluster.runs():
                cluster.stop()
            if not cluster.runs():
                cluster.start()
            time.sleep(0.05)

    def figures(self) -> dict[str, object]:
        return {"while PostgreSQL's disk was full": f"{self.refused} writes refused, {self.named} with that reason"}

    def _ask(self, member: Member, over: threading.Event) -> None:
        """Try to write, and ask whether it is ready, until that is over."""
        served = full = False
        while not over.is_set():
            served = served or member.ready.is_set()
            if served and member.port:
                said = _write(member.port)
                full = full or "is full" in said[2]
                with self._lock:
                    self._judge(member, *said)
                if full and asked(member.port)[0] == 200:
                    self.wrong.append(f"{member.name} was ready, after a write that found the disk full")
                    return
            time.sleep(0.05)

    def _judge(self, member: Member, status: int, again: str | None, said: str) -> None:
        if status in (0, 201):  # it was killed, or it could
            return
        self.refused += 1
        self.named += "is full" in said
        if status != 503 or again is None or "Traceback" in said or "message" not in said:
            self.wrong.append(f"{member.name} answered {status}, Retry-After {again}, while the disk was full: {said}")


def _write(port: int) -> tuple[int, str | None, str]:
    """Status, Retry-After and body of the answer to a write; status 0 without one."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST", TRIED, json.dumps({"name": "Ann"}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.getheader("Retry-After"), answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return 0, None, ""
    finally:
        connection.close()


def _begin_a_log(site: Site) -> None:
    import psycopg

    with suppress(psycopg.Error), psycopg.connect(site.database.url, autocommit=True, connect_timeout=2) as connection:
        connection.execute("SELECT pg_switch_wal()")


def _answers(site: Site) -> bool:
    import psycopg

    try:
        with psycopg.connect(site.database.url, connect_timeout=2) as connection:
            connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True
