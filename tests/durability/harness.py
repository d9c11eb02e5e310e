"""Players who play over HTTP against servers that die under them, and who remember every answer they got."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from server.commands.client import Client, NoAnswerError, RefusedError
from server.service.archive import verification
from server.storage import sql
from server.storage.database import Store

WAIT = 60.0
"""Seconds after which something that should have happened counts as stuck."""


class Harbour:
    """The address of the server that runs at the moment. Players wait here while there is none."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._url: str | None = None
        self._out = 0

    def open(self, url: str) -> None:
        """Let players in."""
        with self._changed:
            self._url = url
            self._changed.notify_all()

    def close(self) -> None:
        """Let no request begin; those that are out come back or fail."""
        with self._changed:
            self._url = None

    def all_back(self) -> None:
        """Wait until no request is out."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._out == 0, WAIT), "a request does not come back"

    @contextmanager
    def request(self) -> Iterator[str]:
        """The address for one request; waits for one."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._url is not None, WAIT), "no server came up again"
            url = self._url
            assert url is not None
            self._out += 1
        try:
            yield url
        finally:
            with self._changed:
                self._out -= 1
                self._changed.notify_all()


@dataclass(slots=True)
class Pending:
    """A request that has not been answered yet; maybe it still waits for the harbour to open."""

    seat: int
    ply: int
    moves: list[str]
    key: str
    sent: bool = False


@dataclass(slots=True)
class Party:
    """All the players of one game, who play one after the other as in a turn-based game they do."""

    harbour: Harbour
    rng: random.Random
    tokens: list[str]
    id: str
    active: int | None
    acknowledged: dict[int, tuple[int, str]] = field(default_factory=dict)
    """ply → seat, move: what was answered with 201."""
    pending: Pending | None = None
    repeated: int = 0
    """How many answers got lost, so that a request was sent again."""

    def play_on(self, decisions: int | None = None) -> None:
        """Play so many decisions, or to the end of the game, whatever happens to the server meanwhile."""
        while self.active is not None and decisions != 0:
            self.decide()
            decisions = None if decisions is None else decisions - 1

    def decide(self) -> None:
        """One request with one or two moves; sent again, under its key, until it is answered."""
        seat = self.active
        assert seat is not None
        answer = self._ask(lambda client: client.get(f"/api/v1/games/{self.id}/legal-moves", self.tokens[seat]))
        ply, legal = answer["ply"], answer["moves"]
        assert legal, f"seat {seat} is to move at ply {ply} and cannot"
        moves = [self._choose(legal)]
        if self.rng.randrange(3) == 0:
            moves.append(self._choose(legal))  # perhaps illegal then: nothing of it may be played
        for attempt in (moves, moves[:1]):
            try:
                self.post(Pending(seat, ply, attempt, f"{self.rng.getrandbits(64):x}"))
            except RefusedError as error:
                if error.status != 422 or len(attempt) == 1:
                    raise
                self.pending = None
            else:
                return

    def post(self, pending: Pending) -> dict[str, Any]:
        """Send until it is answered, and note what was acknowledged."""
        self.pending = pending
        body = {"ply": pending.ply, "moves": pending.moves}
        path, token = f"/api/v1/games/{self.id}/moves", self.tokens[pending.seat]

        def send(client: Client) -> dict[str, Any]:
            pending.sent = True
            answer: dict[str, Any] = client.post(path, body, token, pending.key)
            for ply, move in enumerate(pending.moves[: answer["applied"]], pending.ply + 1):
                assert ply not in self.acknowledged
                self.acknowledged[ply] = (pending.seat, move)
            self.active, self.pending = answer["view"]["active"], None
            return answer

        return self._ask(send)

    def _choose(self, legal: list[str]) -> str:
        if self.rng.randrange(6):
            legal = [move for move in legal if move != "end"] or legal
        verb = self.rng.choice(sorted({move.split()[0] for move in legal}))
        return self.rng.choice([move for move in legal if move.split()[0] == verb])

    def _ask(self, question: Any) -> Any:
        while True:
            with self.harbour.request() as url:
                client = Client(url)
                try:
                    return question(client)
                except NoAnswerError:
                    self.repeated += 1
                except RefusedError as error:
                    if error.status != 503:
                        raise
                    self.repeated += 1
            time.sleep(0.002)


def seat_party(harbour: Harbour, players: int, seed: int, tower: bool = False) -> Party:
    """New players around a new game that has started."""
    with harbour.request() as url:
        client = Client(url)
        tokens = [client.post("/api/v1/players", {"name": f"Seat {seat}"})["token"] for seat in range(players)]
        page = client.post("/api/v1/games", {"seats": players, "options": {"tower": tower}}, tokens[0])
        for token in tokens[1:]:
            page = client.post(f"/api/v1/games/{page['id']}/players", {}, token)
    return Party(harbour, random.Random(seed), tokens, page["id"], page["to_move"])


Row = tuple[int, int, str, bool]


def log_rows(store: Store, game_id: str) -> list[Row]:
    """ply, seat, move, automatic of every row in the log of a game, those that do not stand (none here) as well."""
    with store.read():
        found = sql.rows(store, "SELECT ply, seat, move, automatic FROM move WHERE game_id = ? ORDER BY id", game_id)
    return [(ply, seat, move, bool(automatic)) for ply, seat, move, automatic in found]


def check_log(store: Store, party: Party) -> bool:
    """Everything acknowledged stands in the log exactly once, and nothing that nobody asked for does.

    No request may be out. Returns whether a request without an answer was carried out.
    """
    rows = log_rows(store, party.id)
    assert [ply for ply, *_ in rows] == list(range(1, len(rows) + 1)), "a ply is missing or doubled"
    stored = {ply: (seat, move) for ply, seat, move, _ in rows}
    lost = {ply: move for ply, move in party.acknowledged.items() if stored.get(ply) != move}
    assert lost == {}, "acknowledged moves are not in the log"
    asked = dict(party.acknowledged)
    done = False
    if party.pending is not None:
        unanswered = {
            ply: (party.pending.seat, move) for ply, move in enumerate(party.pending.moves, party.pending.ply + 1)
        }
        done = party.pending.ply + 1 in stored
        asked = unanswered | asked
    for ply, seat, move, automatic in rows:
        if ply not in asked:
            assert (move, automatic) == ("draw", True), f"nobody asked for ply {ply}: {move} of seat {seat}"
        else:
            assert (seat, move) == asked[ply]
            assert not automatic
    return done


def findings(store: Store) -> list[verification.Finding]:
    """What `ulm verify` would say."""
    return list(verification.verify_all(store))
