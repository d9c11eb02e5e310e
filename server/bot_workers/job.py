"""The job that plays bots' turns: one of these for each process that thinks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from bots import offers
from server import metering, request_ids
from server.bot_workers.process import SLICE, Cancelled, OvertimeError, Thinker, ThinkingError
from server.service.common import change_signal
from server.service.games import due_work
from server.service.play import bot_turns, hints
from server.service.play.bot_turns import DueTurn, Submitted
from server.storage.database import Store

log = logging.getLogger("ulm.bots")

LEASE = timedelta(seconds=15)
"""How long the turns of a process that says nothing wait for another."""
TRIES = 3
"""After so many failures in a row the apprentice plays the turn."""
PATIENCE = 10.0
"""A bot that takes longer than its time and this much more is ended: a busy machine is not its fault."""
IDLE_SECONDS = 600.0
"""After so long without a question the process ends."""
LEAST_SECONDS = 0.05
HINT_SECONDS = 4.0
"""So long may be thought about a hint."""
HINT_LEASE = timedelta(seconds=30)


class BotTurns:
    """Plays one turn after the other in a process of its own, which it starts when it is needed. `rulesets` is where
    more of them are, `owner` names this among all that claim turns; `clock` gives the time (aware)."""

    def __init__(
        self,
        store: Store,
        rulesets: str,
        owner: str,
        clock: Callable[[], datetime],
        patience: float = PATIENCE,
    ) -> None:
        self._store, self._owner, self._clock, self._patience = store, owner, clock, patience
        self.thinker = Thinker(rulesets)
        self._stopping = threading.Event()
        self._woken = threading.Event()
        change_signal.changes(store).listen(self._hear)
        self._asked_at = time.monotonic()

    def _hear(self, changed: str) -> None:
        if changed == due_work.SIGNAL:
            self._woken.set()

    def look(self) -> int:
        """Play what is due, wait a moment for more, and play that; how many answers were submitted."""
        done = self.play_due()
        end = time.monotonic() + change_signal.POLL_SECONDS
        while not done and self._goes_on() and time.monotonic() < end:
            if self._woken.wait(SLICE):
                # Whoever begins a game with such a bot will soon need the process.
                self.thinker.start()
                self._asked_at = time.monotonic()
                break
        if time.monotonic() - self._asked_at > IDLE_SECONDS:
            self.thinker.close()
        return done

    def play_due(self) -> int:
        """Play every turn that is due now; how many answers were submitted."""
        done = 0
        while self._goes_on():
            self._woken.clear()
            now = self._clock()
            due = bot_turns.claim(self._store, self._owner, now, now + LEASE)
            if due is not None:
                with request_ids.caused_by(due.request):
                    done += self._play(due)
            if not self._goes_on():
                break
            now = self._clock()
            hint = hints.claim(self._store, now, now + HINT_LEASE)
            if hint is not None:
                done += self._advise(hint)
            elif due is None:
                break
        return done

    def _advise(self, due: hints.DueHint) -> int:
        """Find the hint that somebody asked for; 1 when it is given."""
        self._asked_at = time.monotonic()
        question = hints.question(self._store, due, HINT_SECONDS)
        if question is None:
            return 0
        try:
            moves = self.thinker.ask(question, HINT_SECONDS + self._patience, self._goes_on)
        except (Cancelled, ThinkingError) as error:
            fields = {"game": due.game_id, "why": str(error) or "the server ends"}
            log.warning("a hint was not found", extra={"fields": fields})
            hints.forget(self._store, due)
            return 0
        hints.answer(self._store, due, moves)
        return 1

    def stop(self) -> None:
        """End what is being thought, and the process; what was claimed is given back."""
        self._stopping.set()
        change_signal.changes(self._store).unlisten(self._hear)

    def close(self) -> None:
        """End the process, when no thread is in `look` any more."""
        self.stop()
        self.thinker.close()

    def _goes_on(self) -> bool:
        return not self._stopping.is_set() and not self._store.closing.is_set()

    def _play(self, due: DueTurn) -> int:
        """Play a turn to its end; how many answers were submitted."""
        self._asked_at = time.monotonic()
        done, used = 0, 0.0
        while True:
            asked = bot_turns.question(self._store, self._owner, due)
            if asked is None:
                return done
            offer = offers.find(asked.question.bot)
            seconds = 1.0 if offer is None else offer.seconds
            question = asked.question._replace(seconds=max(seconds - used, LEAST_SECONDS))
            began = time.monotonic()
            try:
                moves = self.thinker.ask(question, question.seconds + self._patience, self._keeps(due))
                metering.meters().thinking.labels(question.bot).observe(time.monotonic() - began)
            except Cancelled:
                bot_turns.release(self._store, self._owner, due)
                return done
            except ThinkingError as error:
                if not self._fails(due, question.bot, error, isinstance(error, OvertimeError)):
                    return done
                continue
            used += time.monotonic() - began
            became = bot_turns.submit(self._store, self._owner, due, asked.ply, moves, self._clock())
            if became is Submitted.REFUSED:
                if not self._fails(due, question.bot, ThinkingError("its move is illegal"), False):
                    return done
                continue
            done += became in (Submitted.GOES_ON, Submitted.OVER)
            fields = {"game": due.game_id, "bot": question.bot, "seconds": round(used, 1)}
            log.info("a bot has answered", extra={"fields": fields})
            if became in (Submitted.OVER, Submitted.LOST):
                return done

    def _fails(self, due: DueTurn, bot: str, error: ThinkingError, at_once: bool) -> bool:
        """Whether the bot is to be asked again; else the apprentice has played its turn."""
        metering.meters().silent.labels(bot).inc()
        failures = bot_turns.failed(self._store, self._owner, due)
        fields = {"game": due.game_id, "bot": bot, "failures": failures, "why": str(error)}
        log.warning("a bot did not answer", extra={"fields": fields})
        if failures < TRIES and not at_once:
            return failures > 0
        log.warning("the apprentice plays for a bot", extra={"fields": {"game": due.game_id, "bot": bot}})
        bot_turns.play_plainly(self._store, self._owner, due, self._clock())
        return False

    def _keeps(self, due: DueTurn) -> Callable[[], bool]:
        """What holds the lease while a bot thinks: called often, it writes seldom. False: stop thinking."""
        until = self._clock() + LEASE

        def keep() -> bool:
            nonlocal until
            now = self._clock()
            if not self._goes_on():
                return False
            if until - now < LEASE * 2 / 3:
                until = now + LEASE
                return bot_turns.renew(self._store, self._owner, due, until)
            return True

        return keep
