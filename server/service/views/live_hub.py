"""Everybody who follows games on streams, in one process and one thread: when a game may have changed, each distinct
pair of eyes is shown it once, and all behind those eyes are told if that is new."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from server.service.common import change_signal
from server.service.common.errors import ServiceError
from server.service.views.live_events import BEAT_SECONDS, GameGlance, LiveEvent, Subscription, unfinished_games
from server.storage import sql
from server.storage.database import Store
from server.storage.unusable import StoreError

log = logging.getLogger("ulm.streams")

TICK_SECONDS = 0.25  # How exactly heartbeats and ends are kept, and how soon a server that stops is noticed
_CHUNK = 500  # games that are asked about by one statement

_MEMBERS = "SELECT player_id FROM seat WHERE game_id = ? AND player_id IS NOT NULL"


class Follower:
    """One open stream. Made by `Hub.follow`; what is said of it here is said by the hub's thread."""

    def __init__(
        self, hub: Hub, sight: Subscription, until: float, next_beat: float, still: Callable[[], bool]
    ) -> None:
        self.sight, self.until, self.next_beat, self.still = sight, until, next_beat, still
        self._hub = hub
        self.first: list[LiveEvent] = []
        """What is to be told before anything else."""
        self.missed: set[str] = set()
        """Games that changed between the first look and `begin`."""
        self.ready = self.over = False
        self._tell: Callable[[list[LiveEvent]], None] = lambda told: None
        self._ended: Callable[[], None] = lambda: None

    def begin(self, tell: Callable[[list[LiveEvent]], None], ended: Callable[[], None]) -> None:
        """From now on `tell` is given what is told, and `ended` called at the end; both from another thread."""
        self._tell, self._ended, self.ready = tell, ended, True
        self._hub.begin(self)

    def tell(self, told: list[LiveEvent]) -> None:
        """Tell it something; nothing is a heartbeat."""
        if not self.over:
            self._tell(told)

    def end(self) -> None:
        """Nothing more will be told."""
        if not self.over:
            self.close()
            self._ended()

    def close(self) -> None:
        """Nobody listens any more."""
        self.over = True
        self._hub.leave(self)


class Hub:
    """Who follows what, safe between threads; `clock` and `beat` in seconds; `by_hand`: who has it calls `turn`."""

    def __init__(
        self,
        store: Store,
        beat: float = BEAT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        by_hand: bool = False,
    ) -> None:
        self._store, self._beat, self.clock, self._by_hand = store, beat, clock, by_hand
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._open: set[Follower] = set()
        self._games: dict[str, set[Follower]] = {}
        self._accounts: dict[str, set[Follower]] = {}
        self._marks: dict[str, sql.Row | None] = {}
        self._touched: set[str] = set()
        self._next_poll = self._next_look = clock()

    def follow(self, sight: Subscription, seen: str | None, seconds: float, still: Callable[[], bool]) -> Follower:
        """Follow what `sight` shows, for so many seconds, as long as `still` says so. `seen` is the tag that the
        follower has already. Nothing is told before its `begin`; else call `close`. Raises what `sight` raises."""
        now = self.clock()
        follower = Follower(self, sight, now + seconds, now + self._beat, still)
        if sight.account is not None:
            with self._lock:
                self._accounts.setdefault(sight.account, set()).add(follower)
        try:
            sight.begin()
            for game in sight.games():
                self._attend(follower, game)
            follower.first = sight.first(seen)
        except BaseException:
            follower.close()
            raise
        return follower

    def _attend(self, follower: Follower, game: str) -> None:
        with self._lock:
            known = game in self._marks
            self._games.setdefault(game, set()).add(follower)
        if not known:
            # Before anybody looks: what another process stores from here on is found to differ.
            marks = change_signal.marks(self._store, [game]).get(game)
            with self._lock:
                if game in self._games:
                    self._marks.setdefault(game, marks)

    def begin(self, follower: Follower) -> None:
        """Tell the follower of changes; of those that have come since it looked, too."""
        with self._lock:
            if follower.over:
                return
            self._open.add(follower)
            self._touched |= follower.missed
            if self._thread is None and not self._by_hand:
                self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
                self._thread.start()
        if follower.missed:
            self._wake.set()

    def leave(self, follower: Follower) -> None:
        """Forget the follower."""
        with self._lock:
            self._open.discard(follower)
            for game in follower.sight.games():
                self._drop(follower, game)
            if follower.sight.account is not None:
                others = self._accounts.get(follower.sight.account, set())
                others.discard(follower)
                if not others:
                    self._accounts.pop(follower.sight.account, None)

    def _drop(self, follower: Follower, game: str) -> None:
        followers = self._games.get(game)
        if followers is not None:
            followers.discard(follower)
            if not followers:
                del self._games[game]
                self._marks.pop(game, None)

    def touch(self, game: str) -> None:
        """Something has changed in the game."""
        with self._lock:
            if game not in self._games and not self._accounts:
                return
            self._touched.add(game)
        self._wake.set()

    @property
    def following(self) -> int:
        """How many are told of changes now."""
        with self._lock:
            return len(self._open)

    def turn(self) -> None:
        """Do all that is due: changes that were signalled, those that other processes made, heartbeats, ends."""
        if self._store.closing.is_set():
            self._end_all()
            return
        now = self.clock()
        with self._lock:
            touched, self._touched = self._touched, set()
        if now >= self._next_poll:
            self._next_poll = now + change_signal.changes(self._store).poll_seconds
            with suppress(StoreError):
                touched |= self._changed_elsewhere()
        try:
            while touched:
                self._show(game := touched.pop())
        except StoreError:
            # /readyz tells of it. Nobody's stream ends for that: all would come back at once.
            with self._lock:
                self._touched |= {game, *touched}
        self._keep_time(now)

    def _run(self) -> None:
        hub = change_signal.changes(self._store)
        hub.listen(self.touch)
        try:
            while True:
                self._wake.wait(TICK_SECONDS)
                self._wake.clear()  # before looking: what changes meanwhile wakes the next wait
                try:
                    self.turn()
                except Exception:
                    log.exception("the streams broke off")
                    self._end_all()
                with self._lock:
                    if not self._open:
                        self._thread = None
                        break
        finally:
            hub.unlisten(self.touch)

    def _changed_elsewhere(self) -> set[str]:
        """The games that are otherwise than when they were shown last, and those that an account has come to sit in."""
        found: set[str] = set()
        with self._lock:
            games, accounts = list(self._games), list(self._accounts)
        for chunk in _chunks(games):
            marks = change_signal.marks(self._store, chunk)
            with self._lock:
                found.update(game for game in chunk if game in self._games and self._marks.get(game) != marks.get(game))
        for chunk in _chunks(accounts):
            for player, game in unfinished_games(self._store, chunk):
                with self._lock:
                    known = self._games.get(game, set())
                    if not self._accounts.get(player, set()) <= known:
                        found.add(game)
        return found

    def _show(self, game: str) -> None:
        """Look at a game with all the eyes that follow it. Raises `StoreError`."""
        shown: dict[object, GameGlance | ServiceError] = {}
        with self._store.read():  # marks, members and glances of one moment
            marks = change_signal.marks(self._store, [game]).get(game)
            members = {row[0] for row in sql.rows(self._store, _MEMBERS, game)}
            with self._lock:
                attending = set(self._games.get(game, ()))
                sitting = [self._accounts[member] for member in members if member in self._accounts]
            ready: list[tuple[Follower, object]] = []
            for follower in attending.union(*sitting):
                if not follower.ready:
                    follower.missed.add(game)
                    continue
                eyes = follower.sight.eyes(members)
                ready.append((follower, eyes))
                if eyes not in shown:
                    shown[eyes] = follower.sight.shown(game)
        with self._lock:
            if game in self._games:
                self._marks[game] = marks
        for follower, eyes in ready:
            told = follower.sight.news(game, shown[eyes])
            if told is None:
                follower.end()  # the client learns why when it comes back
            elif told and self._may(follower):
                follower.tell(told)
            self._follow_on(follower, game, follower in attending)

    def _follow_on(self, follower: Follower, game: str, attending: bool) -> None:
        """A follower of all games of an account has begun to follow this one, or does so no more."""
        wants = not follower.over and game in follower.sight.games()
        if wants and not attending:
            self._attend(follower, game)
            if follower.over:  # meanwhile
                self.leave(follower)
        elif attending and not wants:
            with self._lock:
                self._drop(follower, game)

    def _may(self, follower: Follower) -> bool:
        """Whether the follower may go on; if not, it has come to its end."""
        try:
            fine = follower.still()
        except StoreError:
            fine = False  # nobody is told anything by a server that cannot say who they are
        if not fine:
            follower.end()
        return fine

    def _keep_time(self, now: float) -> None:
        """Heartbeats and ends up to `now`. (A look at 10,000 followers takes a millisecond.)"""
        if now < self._next_look:
            return
        self._next_look = now + TICK_SECONDS
        with self._lock:
            due = [follower for follower in self._open if now >= min(follower.next_beat, follower.until)]
        for follower in due:
            if now >= follower.until:
                follower.end()
            elif not follower.over and self._may(follower):
                follower.tell([])
                follower.next_beat += self._beat

    def _end_all(self) -> None:
        with self._lock:
            everybody = list(self._open)
        for follower in everybody:
            follower.end()


def _chunks(ids: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(ids), _CHUNK):
        yield ids[start : start + _CHUNK]
