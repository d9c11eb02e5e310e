"""Composing mails ahead of sending them: while one is on its way, workers write the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.notify.compose_workers import Composing, Failed, Outcome
from server.service.outbox.deliveries import Notice

FRESH = timedelta(seconds=5)
"""What was composed longer ago is composed again before it is sent: the game may have gone on."""


@dataclass(slots=True)
class _Ahead:
    """Notices that are being composed."""

    notices: list[Notice]
    future: Future[list[Outcome]]
    done_at: datetime | None = None


class ComposingAhead:
    """Composes claimed notices in their order, up to `chunk` in one go and some ahead of who takes them."""

    def __init__(self, composing: Composing, clock: Callable[[], datetime], chunk: int) -> None:
        self._composing, self._clock, self._chunk = composing, clock, chunk
        self._fresh: deque[Notice] = deque()
        self._ahead: deque[_Ahead] = deque()

    def outcomes(self, claim: Callable[[], list[Notice]], stop: Callable[[], bool]) -> Iterator[tuple[Notice, Outcome]]:
        """Each notice with what it was composed to, until `claim` has no more or `stop()`."""
        more = True
        while not stop():
            if not self._fresh and more:
                claimed = claim()
                more = bool(claimed)
                self._fresh.extend(claimed)
            while self._fresh and len(self._ahead) < 2 * self._composing.workers:
                share = max(1, len(self._fresh) // (2 * self._composing.workers))
                notices = [self._fresh.popleft() for _ in range(min(self._chunk, share))]
                self._ahead.append(self._submit(notices))
            if not self._ahead:
                return
            first = self._ahead[0]
            for outcome in self._results(first):
                notice = first.notices.pop(0)
                if first.done_at is not None and self._clock() - first.done_at > FRESH:
                    [outcome] = self._results(self._submit([notice]))
                yield notice, outcome
                if stop():
                    return
            self._ahead.popleft()

    def left(self) -> list[Notice]:
        """Take out what was claimed and given to nobody."""
        left = [*self._fresh, *(notice for item in self._ahead for notice in item.notices)]
        self._fresh.clear()
        self._ahead.clear()
        return left

    def close(self) -> None:
        """End the workers, if some run."""
        self._composing.close()

    def _submit(self, notices: list[Notice]) -> _Ahead:
        try:
            item = _Ahead(notices, self._composing.submit(notices, self._clock()))
        except BrokenProcessPool as error:
            item = _Ahead(notices, Future())
            item.future.set_exception(error)
        item.future.add_done_callback(lambda _: setattr(item, "done_at", self._clock()))
        return item

    def _results(self, item: _Ahead) -> list[Outcome]:
        try:
            return item.future.result()
        except (BrokenProcessPool, CancelledError):
            # A worker died, and all that was under way with it. Each of these alone, to find the one that it died of.
            self._composing.close()
            return [self._result_alone(notice) for notice in item.notices]

    def _result_alone(self, notice: Notice) -> Outcome:
        try:
            [outcome] = self._submit([notice]).future.result()
            return outcome
        except (BrokenProcessPool, CancelledError):
            self._composing.close()
            return Failed("the process that composed this mail died of it")
