"""Players at many tables at once, who repeat what was not answered, and somebody who watches each table."""

from __future__ import annotations

import contextlib
import http.client
import random
import threading
import time
from urllib.parse import urlsplit

from server.commands.client import NoAnswerError, RefusedError
from server.storage import sql
from server.storage.database import Store
from tests.durability.harness import Harbour, Party, seat_party


class Table(threading.Thread):
    """One game after the other at one table, until `over` is set; then the move that is under way is played to its end.
    What its players were refused, other than by "try again", stands in `wrong`."""

    def __init__(self, url: str, number: int, seed: int, store: Store, over: threading.Event) -> None:
        super().__init__(name=f"table{number}", daemon=True)
        self._harbour = Harbour()
        self._harbour.open(url)
        self._rng = random.Random(seed * 1000 + number)
        self._store, self._over, self._number = store, over, number
        self.parties: list[Party] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        while not self._over.is_set():
            try:
                party = self._seated()
                if party is None:
                    return
                self.parties.append(party)
                while party.active is not None and not self._over.wait(0.02):
                    party.decide()
                    if self._rng.randrange(40) == 0:  # long enough for the mail that tells of the turn to be true
                        self._over.wait(3)
            except Exception as error:
                self.wrong.append(f"table {self._number}: {type(error).__name__}: {error}")
                return

    def _seated(self) -> Party | None:
        while not self._over.is_set():
            # A request without a key is not repeated: what came of it is a game at which nobody sits.
            with contextlib.suppress(NoAnswerError):
                try:
                    party = seat_party(self._harbour, self._rng.randint(2, 4), self._rng.getrandbits(32))
                except RefusedError as error:
                    if error.status != 503:
                        raise
                else:
                    self._give_addresses(party)
                    return party
            time.sleep(0.05)
        return None

    def _give_addresses(self, party: Party) -> None:
        """Mail goes to confirmed addresses alone."""
        statement = (
            "UPDATE player SET email = id || '@example.org', email_confirmed_at = '2026-01-01T00:00:00Z' WHERE id IN "
            "(SELECT player_id FROM seat WHERE game_id = ?)"
        )
        while True:
            try:
                with self._store.write():
                    sql.execute(self._store, statement, party.id)
            except Exception:  # the database is away
                time.sleep(0.2)
            else:
                return


class Watcher(threading.Thread):
    """Somebody with a page open at the newest game of each table: a stream of events, opened again whenever it ends."""

    def __init__(self, url: str, tables: list[Table], over: threading.Event) -> None:
        super().__init__(name="watcher", daemon=True)
        self._address, self._tables, self._over = urlsplit(url).netloc, tables, over
        self.events = self.opened = 0

    def run(self) -> None:
        for number in range(1_000_000):
            if self._over.is_set():
                return
            table = self._tables[number % len(self._tables)]
            if table.parties:
                with contextlib.suppress(OSError, http.client.HTTPException):
                    self._watch(table.parties[-1].id)
            time.sleep(0.05)

    def _watch(self, game: str) -> None:
        connection = http.client.HTTPConnection(self._address, timeout=10)
        try:
            connection.request("GET", f"/api/v1/games/{game}/events")
            answer = connection.getresponse()
            self.opened += 1
            while not self._over.is_set() and (line := answer.readline()):
                self.events += line.startswith(b"event: game")
        finally:
            connection.close()
