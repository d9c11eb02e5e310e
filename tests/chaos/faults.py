"""What goes wrong again and again while people play: each kind is a class."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import time
from typing import ClassVar

from tests.chaos.site import Site

HOUR = 3600
SHORT = 128 << 10
"""Bytes beyond which no file of a process grows: less than the database has."""


class Fault:
    """Something that goes wrong. `struck` counts how often it did, `wrong` says what should not have happened then."""

    weight: ClassVar[int] = 1
    """How often, beside the others."""

    def __init__(self) -> None:
        self.struck = 0
        self.wrong: list[str] = []

    def fits(self, site: Site) -> bool:
        """Whether it can befall this site."""
        return True

    def strike(self, site: Site, rng: random.Random) -> None:
        """Let it happen once."""
        raise NotImplementedError

    def heal(self, site: Site) -> None:
        """Let it be over."""

    def figures(self) -> dict[str, object]:
        """What more there is to tell of it."""
        return {}


class KillProcess(Fault):
    """Kills a process of the site, whichever: web, worker, or one that is just starting. The first web process lives
    on, so that its memory can be looked at."""

    weight = 12

    def strike(self, site: Site, rng: random.Random) -> None:
        self.struck += rng.choice(site.members[1:]).kill()


class KillChild(Fault):
    """Kills one of the processes that composes mails or thinks for a bot, for which another is to be started."""

    weight = 4

    def strike(self, site: Site, rng: random.Random) -> None:
        children = [child for member in site.members if member.ready.is_set() for child in member.children()]
        if children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(rng.choice(children), signal.SIGKILL)
                self.struck += 1


class RestartPostgres(Fault):
    """Ends PostgreSQL at once, as a kill would, or by cutting off whoever is connected, and starts it again."""

    def fits(self, site: Site) -> bool:
        return site.database.cluster is not None

    def strike(self, site: Site, rng: random.Random) -> None:
        cluster = site.database.cluster
        assert cluster is not None
        cluster.stop(rng.choice(["immediate", "fast"]))
        cluster.start()
        self.struck += 1


class CutConnections(Fault):
    """Lets the proxy pass on some bytes of the next answers, streams among them, and then reset the connection."""

    weight = 5

    def strike(self, site: Site, rng: random.Random) -> None:
        rng.choice(site.proxies).cut = rng.randint(1, 6)
        self.struck += 1

    def heal(self, site: Site) -> None:
        for proxy in site.proxies:
            proxy.cut = 0


class JumpClock(Fault):
    """Sets the clock of all processes of the site, those that run as well: seconds, an hour or two days, forward, back,
    or to where it should be. PostgreSQL's own clock stays, and so do monotonic ones."""

    weight = 2

    def strike(self, site: Site, rng: random.Random) -> None:
        by = rng.choice([0, 0, 30, -30, HOUR, -HOUR, 48 * HOUR, -48 * HOUR])
        site.set_clock(by)
        self.struck += by != 0

    def heal(self, site: Site) -> None:
        site.set_clock(0)


class FullDisk(Fault):
    """Lets no file of one process of the site grow for a while. Of an SQLite file: a server of PostgreSQL writes by
    itself, and would need a disk of its own."""

    weight = 2

    def fits(self, site: Site) -> bool:
        return site.database.cluster is None

    def strike(self, site: Site, rng: random.Random) -> None:
        running = rng.choice(site.members).process
        if running is None:
            return
        with contextlib.suppress(OSError, ValueError):
            old = resource.prlimit(running.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (SHORT, old[1]))
            self.struck += 1
            time.sleep(rng.uniform(0.1, 0.5))
            resource.prlimit(running.pid, resource.RLIMIT_FSIZE, old)


class MailFaults(Fault):
    """The mail server hangs, refuses, breaks off, or takes a mail and dies before it says so; at times it does what it
    should."""

    weight = 4
    ways = (
        "at CONNECT close",
        "at DOT*3 silence",
        "at RCPT*5 451 4.3.0 not now",
        "at MAIL 421 4.3.2 going down",
        "at DOT*3 keep and close",
        "at DATA*3 close",
        "at DOT*3 554 5.3.0 it failed",
        *["keep"] * 3,
    )

    def strike(self, site: Site, rng: random.Random) -> None:
        way = rng.choice(self.ways)
        site.sink.behave(way)
        self.struck += way != "keep"

    def heal(self, site: Site) -> None:
        site.sink.behave("keep")
