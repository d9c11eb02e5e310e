"""The snapshot is a cache: without it nothing is lost, a broken one is named by `ulm verify` and mended by play."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from server.cli import main
from server.commands.client import Client
from server.storage import sql
from server.storage.database import Store
from tests.durability.harness import Harbour, Party, check_log, findings, seat_party
from tests.live import LiveServer

pytestmark = pytest.mark.slow


@pytest.fixture
def party(start_server: Callable[..., LiveServer], database_url: str) -> Party:
    """A game that is a few turns old, on a running server."""
    harbour = Harbour()
    harbour.open(start_server(ULM_DATABASE_URL=database_url).url)
    party = seat_party(harbour, 3, 2, tower=True)
    party.play_on(20)
    return party


def change(store: Store, statement: str, *values: object) -> None:
    with store.write():
        sql.execute(store, statement, *values)


def snapshot(store: Store, game_id: str) -> tuple[int, str]:
    with store.read():
        found = sql.row(store, "SELECT ply, state FROM snapshot WHERE game_id = ?", game_id)
    assert found is not None
    return found[0], found[1]


def look(party: Party) -> list[object]:
    """What each seat and a stranger see."""
    with party.harbour.request() as url:
        client = Client(url)
        return [client.get(f"/api/v1/games/{party.id}", token)["view"] for token in [*party.tokens, None]]


def test_deleting_every_snapshot_loses_nothing(party: Party, store: Store) -> None:
    """At a running server, again and again: everybody sees what they saw, the game goes on to its end."""
    deleted = 0
    while party.active is not None:
        seen = look(party)
        change(store, "DELETE FROM snapshot")
        deleted += 1
        assert look(party) == seen
        assert findings(store) == []
        party.play_on(25)
    assert deleted > 3
    check_log(store, party)
    change(store, "DELETE FROM snapshot")
    assert findings(store) == []
    with party.harbour.request() as url:
        client = Client(url)
        last = client.get(f"/api/v1/replays/{party.id}")["plies"]
        assert client.get(f"/api/v1/replays/{party.id}/states/{last}")["state"]["phase"] == "over"


BROKEN = {
    "nothing": lambda ply, state: (ply, ""),
    "half": lambda ply, state: (ply, state[: len(state) // 2]),
    "no JSON": lambda ply, state: (ply, state.replace(":", ";", 3)),
    "null": lambda ply, state: (ply, "null"),
    "a list": lambda ply, state: (ply, "[]"),
    "an empty object": lambda ply, state: (ply, "{}"),
    "a key less": lambda ply, state: (ply, json.dumps({k: v for k, v in json.loads(state).items() if k != "bag"})),
    "another type": lambda ply, state: (ply, json.dumps(json.loads(state) | {"players": 3})),
    "another ply": lambda ply, state: (ply + 1, state),
}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_broken_snapshot_is_named_and_mended(party: Party, store: Store, database_url: str, capsys) -> None:
    for name, damage in BROKEN.items():
        seen = look(party)
        change(
            store,
            "UPDATE snapshot SET ply = ?, state = ? WHERE game_id = ?",
            *damage(*snapshot(store, party.id)),
            party.id,
        )
        assert main(["verify"], {"ULM_DATABASE_URL": database_url}) == 1, name
        said = capsys.readouterr().out
        assert party.id in said, name
        assert "snapshot" in said
        assert look(party) == seen, name
        party.play_on(1)
        assert main(["verify"], {"ULM_DATABASE_URL": database_url}) == 0, name
        capsys.readouterr()
    check_log(store, party)
