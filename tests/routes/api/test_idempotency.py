"""`Idempotency-Key` on whatever makes something: a repeat makes nothing more."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from server.storage.database import Store
from tests.routes.caller import BASE, Caller, contract, new_game, players
from tests.routes.conftest import SQLITE

KEY = {"Idempotency-Key": "first-try"}
# What comes to the same however often it is sent, or makes nothing.
NO_KEY = {
    "/players/me/confirmation", "/games/{game_id}/preview", "/games/{game_id}/undo", "/games/{game_id}/pause",
    "/games/{game_id}/return", "/games/{game_id}/invitations", "/replays", "/replays/verify",
    "/players/me/bots/{handle}/token", "/replays/{game_id}/analysis", "/games/{game_id}/hint",
    "/puzzles/{which}/answer", "/players/me/channels/{channel_id}/trials",
    "/games/{game_id}/proposal", "/tournaments/{tournament_id}/entries", "/tournaments/{tournament_id}/start",
    "/tournaments/{tournament_id}/season", "/replays/{game_id}/comments",  # the same text is there once
}  # fmt: skip


@SQLITE
def test_every_post_that_makes_something_takes_a_key(client: FlaskClient) -> None:
    """It was ignored, silently, on all but moves and messages."""
    document = contract(client).document
    without = {
        path.removeprefix(BASE)
        for path, methods in document["paths"].items()
        if "post" in methods
        and {"$ref": "#/components/parameters/IDEMPOTENCY_KEY"} not in methods["post"].get("parameters", ())
    }
    assert without == NO_KEY


def counts(store: Store) -> dict[str, int]:
    with store.read():
        return {
            table: store.database.execute_sql(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
            for table in ("game", "seat", "token", "player", "vacation", "message", "invitation", "mail")
        }


def _games(caller: Caller) -> tuple[str, Any]:
    return "/games", {"seats": 2, "bots": ["random"], "private": True}


def _bots(caller: Caller) -> tuple[str, Any]:
    return f"/games/{caller.post('/games', {'seats': 3}, 201).json['id']}/bots", {}


def _join(caller: Caller) -> tuple[str, Any]:
    return f"/games/{Caller(caller.client, 'Ben').post('/games', {'seats': 2}, 201).json['id']}/players", {}


def _over(caller: Caller) -> str:
    game = new_game([caller, Caller(caller.client, "Ben")])
    caller.play(game, "resign", status=201)
    return game


def _rematch(caller: Caller) -> tuple[str, Any]:
    return f"/games/{_over(caller)}/rematch", None


def _branch(caller: Caller) -> tuple[str, Any]:
    return f"/replays/{_over(caller)}/branches", {"ply": 0}


def _vacation(caller: Caller) -> tuple[str, Any]:
    return "/players/me/vacations", {"ends_at": "2027-02-01T00:00:00Z"}


MAKERS: list[Callable[[Caller], tuple[str, Any]]] = [_games, _bots, _join, _rematch, _branch, _vacation]


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__.strip("_"))
def test_a_repeat_makes_nothing_more(ann: Caller, store: Store, maker: Callable[[Caller], tuple[str, Any]]) -> None:
    path, body = maker(ann)
    first = ann.post(path, body, 201, headers=KEY)
    made = counts(store)
    quoted = {name: f'"{key}"' for name, key in KEY.items()}  # as IETF's draft writes it
    assert ann.post(path, body, 201, headers=quoted).json["id"] == first.json["id"]
    again = ann.post(path, body, 201, headers=KEY)
    assert counts(store) == made
    assert again.json["id"] == first.json["id"]
    assert again.headers["Location"] == first.headers["Location"]
    if body is not None:
        changed = {**body, "client_seed": "other"} if maker in (_games, _join) else None
        if changed is not None:
            refused = ann.post(path, changed, 422, headers=KEY)
            assert refused.json["type"].endswith("/key-used")
            assert counts(store) == made


def test_a_vacation_that_was_removed_is_not_entered_by_a_repeat(ann: Caller) -> None:
    """The answer was 404, of which the API's description knew nothing."""
    path, body = _vacation(ann)
    made = ann.post(path, body, 201, headers=KEY).json["id"]
    ann.call("DELETE", f"{path}/{made}", status=204)
    ann.post(path, body, 404, headers=KEY)


def test_a_key_is_its_owners_alone_and_free_after_a_refusal(client: FlaskClient, store: Store) -> None:
    ann, ben = players(client, 2)
    ids = {caller.post("/games", {"seats": 2}, 201, headers=KEY).json["id"] for caller in (ann, ben)}
    assert len(ids) == 2
    ann.post("/games", {"seats": 9}, 422, headers={"Idempotency-Key": "second"})
    ann.post("/games", {"seats": 2}, 201, headers={"Idempotency-Key": "second"})
    assert ann.post("/games", {"seats": 2}, 422, headers={"Idempotency-Key": "two words"}).json["errors"]["headers"]


def test_a_token_is_shown_once_and_kept_nowhere(ann: Caller, store: Store) -> None:
    for path, body in (("/players/me/tokens", {"name": "phone"}), ("/players", {"name": "Cleo"})):
        first = ann.post(path, body, 201, headers=KEY).json
        made = counts(store)
        again = ann.post(path, body, 409, headers=KEY).json
        assert again["type"].endswith("/made-before")
        assert again["errors"] == {"id": first["id"]}
        assert first["token"] not in str(again)
        assert counts(store) == made
        with store.read():
            kept = store.database.execute_sql("SELECT told FROM reply").fetchall()
        assert first["token"] not in str(kept)


@SQLITE
def test_strangers_of_other_networks_do_not_share_their_keys(client: FlaskClient) -> None:
    made = [
        client.post(f"{BASE}/players", json={"name": "Ann"}, headers=KEY, environ_base={"REMOTE_ADDR": address})
        for address in ("192.0.2.1", "198.51.100.7", "192.0.2.1")
    ]
    assert [answer.status_code for answer in made] == [201, 201, 409]
