"""Two `ulm serve` processes on one database: of two racing moves one wins, none is lost, none is doubled."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from server.commands.client import Client
from server.storage.database import Store
from tests.durability.harness import Harbour, Party, check_log, findings, seat_party
from tests.live import LiveServer
from tests.together import at_once

pytestmark = pytest.mark.slow


@pytest.fixture
def two(start_server: Callable[..., LiveServer], database_url: str) -> tuple[str, str]:
    """The addresses of two servers on the same database, started at the same time."""
    with ThreadPoolExecutor(2) as pool:
        servers = list(pool.map(lambda _: start_server(ULM_DATABASE_URL=database_url), range(2)))
    return servers[0].url, servers[1].url


def seated(url: str, players: int = 2) -> Party:
    harbour = Harbour()
    harbour.open(url)
    return seat_party(harbour, players, 1)


def ask(url: str, party: Party, seat: int, what: str, data: Any = None, key: str | None = None) -> Any:
    path, token = f"/api/v1/games/{party.id}/{what}", party.tokens[seat]
    client = Client(url)
    return client.get(path, token) if data is None else client.post(path, data, token, key)


def test_of_two_racing_moves_one_wins(two: tuple[str, str], store: Store) -> None:
    """A whole game in which the player to move sends different moves to both servers at the same moment, every time."""
    party, rng = seated(two[0]), random.Random(4)
    won_at: Counter[str] = Counter()
    while party.active is not None:
        seat = party.active
        answer = ask(rng.choice(two), party, seat, "legal-moves")
        ply, legal = answer["ply"], answer["moves"]
        # The same move twice where there is no other.
        moves = rng.sample(legal, 2) if len(legal) > 1 else legal * 2
        answers = at_once(
            [
                partial(ask, url, party, seat, "moves", {"ply": ply, "moves": [move]})
                for url, move in zip(two, moves, strict=True)
            ]
        )
        won = [number for number, got in enumerate(answers) if isinstance(got, dict)]
        assert len(won) == 1, answers
        assert answers[1 - won[0]] == 409
        won_at[two[won[0]]] += 1
        party.acknowledged[ply + 1] = (seat, moves[won[0]])
        party.active = answers[won[0]]["view"]["active"]
        if len(party.acknowledged) % 25 == 0:
            check_log(store, party)
    check_log(store, party)
    assert findings(store) == []
    assert min(won_at[url] for url in two) > 0, "one server won every race: they were none"
    print(f"{sum(won_at.values())} races, won {sorted(won_at.values())}")


def test_the_same_request_to_both_is_played_once(two: tuple[str, str], store: Store) -> None:
    """A client that repeats at another server, while the first still works on it, gets the one answer twice."""
    party = seated(two[0])
    for number in range(12):
        seat = party.active
        assert seat is not None
        answer = ask(two[number % 2], party, seat, "legal-moves")
        ply, move = answer["ply"], answer["moves"][-1]
        request = {"ply": ply, "moves": [move]}
        answers = at_once([partial(ask, url, party, seat, "moves", request, f"once-{ply}") for url in two * 2])
        assert [got == answers[0] for got in answers] == [True] * 4
        assert answers[0]["applied"] == 1
        party.acknowledged[ply + 1] = (seat, move)
        party.active = answers[0]["view"]["active"]
    check_log(store, party)
    assert findings(store) == []
