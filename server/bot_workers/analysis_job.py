"""The job that analyses finished games, one after the other, each in a process of its own."""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypedDict

from replays.analysis.puzzles import PuzzleForm
from replays.analysis.results import Analysis
from server import metering, request_ids
from server.bot_workers.process import Cancelled, Process, ThinkingError
from server.service.archive import analyses
from server.service.archive.analyses import Wanted
from server.storage.database import Store

log = logging.getLogger("ulm.analyses")

LEASE = timedelta(seconds=30)
"""How long the game of a process that says nothing waits for another."""
TELL_SECONDS = 1.0
"""How often is written how far it is."""
LINE_MAX = 4 << 20


class Found(TypedDict):
    """What a process says in the end."""

    analysis: Analysis
    puzzles: list[PuzzleForm]


class Analyses:
    """Analyses what is wanted. `rulesets` is where more of them are (`ULM_RULESETS`), `owner` names this among all that
    claim games; `clock` gives the time (aware)."""

    def __init__(self, store: Store, rulesets: str, owner: str, clock: Callable[[], datetime]) -> None:
        self._store, self._rulesets, self._owner, self._clock = store, rulesets, owner, clock
        self._stopping = threading.Event()
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        """The process that analyses, if one does."""
        process = self._process
        return None if process is None else process.pid

    def look(self) -> int:
        """Analyse every game that waits now; how many were."""
        done = 0
        while self._goes_on():
            now = self._clock()
            wanted = analyses.claim(self._store, self._owner, now, now + LEASE)
            if wanted is None:
                break
            with request_ids.caused_by(wanted.request):
                done += self._analyse(wanted)
        return done

    def stop(self) -> None:
        """End what is being analysed; it is given back."""
        self._stopping.set()

    def _goes_on(self) -> bool:
        return not self._stopping.is_set() and not self._store.closing.is_set()

    def _analyse(self, wanted: Wanted) -> bool:
        began = time.monotonic()
        try:
            found = self._asked(wanted)
        except (OSError, ValueError, ThinkingError) as error:
            fields = {"game": wanted.game_id, "why": f"{type(error).__name__}: {error}"[:200]}
            log.warning("a game could not be analysed", extra={"fields": fields})
            analyses.release(self._store, self._owner, wanted.game_id, failed=True)
            return False
        if found is None:
            analyses.release(self._store, self._owner, wanted.game_id, failed=False)
            return False
        analyses.keep(self._store, self._owner, wanted.game_id, found["analysis"], found["puzzles"], self._clock())
        took = round(time.monotonic() - began, 1)
        metering.meters().analyses.observe(took)
        log.info("analysed", extra={"fields": {"game": wanted.game_id, "seconds": took}})
        return True

    def _asked(self, wanted: Wanted) -> Found | None:
        """Return what a process found, None when it is not wanted any more. Raises `ThinkingError`."""
        self._process = process = Process("analyses", self._rulesets, LINE_MAX)
        told = time.monotonic()
        try:
            process.put({"record": wanted.record, "for_puzzles": wanted.for_puzzles}, self._goes_on)
            while True:
                said: int | Found = json.loads(process.receive(math.inf, self._goes_on))
                if not isinstance(said, int):
                    return said
                if time.monotonic() - told > TELL_SECONDS:
                    told = time.monotonic()
                    until = self._clock() + LEASE
                    if not analyses.renew(self._store, self._owner, wanted.game_id, until, said):
                        return None
        except Cancelled:
            return None
        finally:
            self._process = None
            process.close()
