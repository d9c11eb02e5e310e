"""A run: people play, faults strike, all is mended, and what is there then is looked at."""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from server.service.outbox import pauses
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from tests.chaos import checks, process
from tests.chaos.database import Database
from tests.chaos.faults import (
    CutConnections,
    Fault,
    FullDisk,
    JumpClock,
    KillChild,
    KillProcess,
    MailFaults,
    RestartPostgres,
)
from tests.chaos.full_postgres_disk import FullPostgresDisk
from tests.chaos.players import Table, Watcher
from tests.chaos.site import Site

FAULTS: tuple[type[Fault], ...] = (
    *(KillProcess, KillChild, RestartPostgres),
    *(CutConnections, JumpClock, FullDisk, FullPostgresDisk, MailFaults),
)
GROWTH = 1.25
"""By so much may the memory of a process grow between the first and the last quarter after it has warmed up."""
PACE = 0.25
"""About so many seconds lie between two faults."""
MENDED = 120.0
"""Seconds after which nothing more is expected of the site, when nothing is wrong any more and nothing happens."""


@dataclass
class Report:
    """What a run has found, and figures to it."""

    findings: list[str] = field(default_factory=list)
    figures: dict[str, object] = field(default_factory=dict)

    def text(self) -> str:
        """For people."""
        lines = [f"{name + ':':<34}{value}" for name, value in self.figures.items()]
        return "\n".join([*lines, *(self.findings or ["Nothing is lost, doubled or left over."])])


def chaos(
    kind: str,
    seed: int,
    kills: int,
    seconds: float,
    tables: int = 4,
    full_disk: bool = False,
    faults: Sequence[type[Fault]] = FAULTS,
) -> Report:
    """Play on a database of that kind until so many processes were killed or so much time is over; `full_disk`: with
    PostgreSQL on a file system of its own, which is filled. The same seed lets the same things be done in the same
    order; when they meet what, the machine decides. Raises `NoPostgresError`, `NoDiskError`."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory("", "ulm-chaos-", ignore_cleanup_errors=True)))
        rng = random.Random(seed)
        database = Database(kind, folder, full_disk)
        stack.callback(database.stop)
        site = Site(folder, database, rng)
        store = stack.enter_context(closing(open_database(database.url, threads=tables + 2)))
        migrate(store)
        over, report, began = threading.Event(), Report(), time.monotonic()
        struck = [fault for kind in faults if (fault := kind()).fits(site)]
        playing = [Table(site.url, number, seed, store, over) for number in range(tables)]
        watcher = Watcher(site.streams_url, playing, over)
        memory: list[int] = []
        try:
            site.start()
            for thread in (*playing, watcher):
                thread.start()
            killed = struck[0]
            next_look = 0.0
            while (killed.struck < kills or not _played(playing)) and (spent := time.monotonic() - began) < seconds:
                time.sleep(rng.uniform(0, 2 * PACE))
                rng.choices(struck, [fault.weight for fault in struck])[0].strike(site, rng)
                if spent >= next_look:
                    next_look = spent + 1
                    memory += [found for found in [site.members[0].resident()] if found is not None]
            for fault in struck:
                fault.heal(site)
            lasted = time.monotonic() - began
            over.set()
            for table in playing:
                table.join(MENDED)
                if table.is_alive():
                    report.findings.append(f"{table.name} is stuck")
            watcher.join(MENDED)
            _mend(site, store)
        finally:
            over.set()
            ended = datetime.now(UTC) + timedelta(seconds=process.wrong_by(site.clock))
            site.stop()
        parties = [party for table in playing for party in table.parties]
        settings = Settings.from_env({k: v for k, v in site.environment().items() if k.startswith("ULM_")})
        received = Counter(mail.message_id for mail in site.sink.received())
        report.findings += [wrong for one in (*playing, *struck) for wrong in one.wrong]
        report.findings += checks.findings(store, parties, settings, received, ended)
        log = site.log()
        report.findings += [f"a traceback in the log: {_last_line(log, at)}" for at in _tracebacks(log)]
        if report.findings:
            kept = Path(tempfile.mkdtemp(prefix="ulm-chaos-logs-"))
            for path in site.folder.glob("*.log"):
                shutil.copy(path, kept)
            report.findings.append(f"the logs are kept in {kept}")
        quarter = len(memory) // 5  # the first fifth is warming up
        first, last = memory[quarter : 2 * quarter], memory[-quarter:]
        before, after = (statistics.median(part) if part else 0 for part in (first, last))
        if quarter >= 10 and after > GROWTH * before:
            report.findings.append(f"memory grew from {before:.0f} to {after:.0f} KiB")
        with store.read():
            states = dict(sql.rows(store, "SELECT state, COUNT(*) FROM mail GROUP BY state ORDER BY state"))
            rows = sql.row(store, "SELECT COUNT(*) FROM move")
        report.figures = {
            "seconds": round(lasted),
            **{type(fault).__name__: fault.struck for fault in struck},
            **{name: told for fault in struck for name, told in fault.figures().items()},
            "answers cut off": sum(proxy.cuts for proxy in site.proxies),
            "processes started": sum(member.starts for member in site.members),
            "games": len(parties),
            "moves acknowledged": sum(len(party.acknowledged) for party in parties),
            "moves stored": rows[0] if rows else 0,
            "requests sent again": sum(party.repeated for party in parties),
            "streams opened, events": f"{watcher.opened}, {watcher.events}",
            "mails": states,
            "mails taken twice": sum(many - 1 for many in received.values()),
            "KiB after warm-up, at the end": f"{before:.0f}, {after:.0f}",
        }
        return report


def _played(tables: Sequence[Table]) -> bool:
    """Whether a move was made: where processes start slowly they may all be killed before that."""
    return any(party.acknowledged for table in tables for party in table.parties)


def _mend(site: Site, store: Store) -> None:
    """Wait until all mail is done or dead, for as long as it becomes less. Tries that are due in hours are due in
    seconds: where nothing moves the clock goes forward."""
    site.sink.behave("keep")
    hours, fewest = 0, float("inf")
    end = time.monotonic() + MENDED
    while time.monotonic() < end:
        with store.read():
            found = sql.row(store, "SELECT COUNT(*) FROM mail WHERE state IN ('pending', 'sending')")
            waiting = found[0] if found else 0
            if not waiting and hours and pauses.current(store) is None:
                break
        if waiting and waiting < fewest:
            fewest, end = waiting, time.monotonic() + MENDED
            time.sleep(3)
            continue
        hours += 7
        site.set_clock(hours * 3600)
        time.sleep(1.5)


def _tracebacks(log: str) -> list[int]:
    lines = log.splitlines()
    return [
        number
        for number, line in enumerate(lines)
        # Where the disk is full the log does not grow either, and says so when it can.
        if line.startswith("Traceback") and "Logging error" not in lines[max(0, number - 1)]
    ]


def _last_line(log: str, at: int) -> str:
    """What was raised at last, of the traceback that begins in that line."""
    for line in log.splitlines()[at + 1 :]:
        if line and not line.startswith((" ", "Traceback", "The above", "During")):
            return line[:300]
    return "cut off"
