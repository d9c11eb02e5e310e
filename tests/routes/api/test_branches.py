"""Sandboxes: playing on alone from any ply, and that nobody learns from one what a game hides."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from replays import sandbox
from server.engine import record as records
from server.service.archive import verification
from server.storage.database import Store
from tests.routes.caller import Caller, game_until, new_game, play_on, players
from tests.routes.conftest import SQLITE
from tests.tables import Mail, Snapshot

HIDDEN = ("pile", "coats", "tower")


def branch(caller: Caller, game: str, ply: int, status: int = 201, **request: Any) -> dict[str, Any]:
    answer = caller.post(f"/replays/{game}/branches", {"ply": ply, **request}, status)
    if status == 201:
        assert answer.headers["Location"] == f"/api/v1/games/{answer.json['id']}"
    return answer.json


def play_alone(caller: Caller, game: str, rng: random.Random) -> dict[str, Any]:
    """Play a sandbox to its end."""
    page = caller.page(game)
    for _ in range(3000):
        if page["status"] != "running":
            return page
        assert page["seat"] == page["to_move"]
        legal = caller.legal(game)
        answer = caller.play(game, rng.choice([move for move in legal if move != "end"][-9:] or legal),
                             status=201, ply=page["ply"]).json  # fmt: skip
        page = caller.page(game)
        if page["status"] == "running":
            assert (answer["ply"], answer["view"]) == (page["ply"], page["view"])
    raise AssertionError("the game does not end")


def finished(client: FlaskClient, seed: int = 7) -> tuple[str, list[Caller], int]:
    callers = players(client, 2)
    game = new_game(callers, options={"tower": True})
    return game, callers, play_on(callers, game, random.Random(seed))["ply"]


def test_a_sandbox_is_played_to_its_end(client: FlaskClient, store: Store, stranger: Caller) -> None:
    game, callers, last = finished(client)
    ann, ben = callers
    ply = last * 3 // 4
    whole = stranger.get(f"/replays/{game}/states/{ply}").json["state"]
    page = branch(ann, game, ply)
    assert (page["origin"], page["private"], page["ply"], page["status"]) == ("sandbox", True, 0, "running")
    assert (page["to_move"], page["seat"]) == (whole["active"], whole["active"])
    assert page["view"]["players"][page["seat"]]["hand"] == whole["players"][page["seat"]]["hand"]
    for part in ("grid", "docks", "bag", "round", "quarters", "discard", "turn"):
        assert page["view"][part] == whole[part], part
    end = play_alone(ann, page["id"], random.Random(1))
    assert end["result"]["scores"]
    record = ann.get(f"/replays/{page['id']}/record").json
    assert record["branch"] == {"of": game, "ply": ply, "seat": None}
    read = sandbox.from_dict(record)
    assert records.result_of(records.verify(read)) == end["result"]
    for path in ("timeline", "states/3?seat=1", "board.svg?ply=2", "states?to=5"):
        ann.get(f"/replays/{page['id']}/{path}")
    ann.post("/replays", record, 422)
    # Whoever has the log alone comes to the same: no cache is needed.
    assert list(verification.verify_all(store)) == []
    with store.write():
        Snapshot.delete().execute()
    assert list(verification.verify_all(store)) == []
    assert ann.page(page["id"])["view"] == end["view"]
    assert ben.get(f"/replays/{page['id']}", status=404)


@SQLITE
def test_a_sandbox_is_its_owners_alone(client: FlaskClient, store: Store, stranger: Caller) -> None:
    game, (ann, ben), last = finished(client)
    page = branch(ann, game, last // 2, name="What if")
    name = page["id"]
    assert page["name"] == "What if"
    assert name in {found["id"] for found in ann.get("/games").json}
    listed = next(found for found in ann.get("/games?player=me").json if found["id"] == name)
    assert (listed["seat"], listed["ply"], listed["free_seats"]) == (page["to_move"], page["ply"], 0)
    play_alone(ann, name, random.Random(2))
    assert [found["id"] for found in ann.get("/replays?origin=sandbox").json] == [name]
    for caller in (ben, stranger):
        assert name not in {found["id"] for path in ("/games", "/replays") for found in caller.get(path).json}
        for path in (f"/games/{name}", f"/games/{name}/board.svg", f"/games/{name}/moves", f"/replays/{name}",
                     f"/replays/{name}/record", f"/replays/{name}/states", f"/replays/{name}/board.svg"):  # fmt: skip
            caller.get(path, status=404)
    ben.post(f"/games/{name}/players", {}, 404)
    branch(ben, name, 0, 404)
    stranger.post(f"/replays/{game}/branches", {"ply": 0}, 401)
    assert store.ask(lambda: Mail.select().where(Mail.game == name).count()) == 0


@SQLITE
def test_bots_and_taking_back(client: FlaskClient) -> None:
    game, (ann, _), last = finished(client)
    page = branch(ann, game, last // 3, bots=["steady", None])
    assert [player["bot"] for player in page["players"]] == ["steady", None]
    assert page["to_move"] in (1, None)
    own = branch(ann, game, last // 3)
    ply = own["ply"]
    legal = [move for move in ann.legal(own["id"]) if move.split()[0] not in ("draw", "pick")]
    if legal:
        moved = ann.post(f"/games/{own['id']}/preview", {"ply": ply, "moves": [legal[0]]}, 200).json
        assert moved["ply"] >= ply
    for bad in (["steady", "steady"], ["steady"], ["nobody", None], [None] * 3, "steady"):
        branch(ann, game, 3, 422, bots=bad)
    for bad in ({"seat": 2}, {"ply": last + 1}):
        branch(ann, game, **{"ply": 3, "status": 404, **bad})
    branch(ann, game, last, 422)
    branch(ann, game, -1, 422)
    ann.post(f"/replays/{game}/branches", {}, 422)
    ann.post(f"/replays/{game}/branches", {"ply": 1, "seed": "x"}, 422)


@SQLITE
def test_what_comes_next_is_not_in_the_record(client: FlaskClient, store: Store) -> None:
    """A finished game shows its piles and its seed: neither may foretell what a sandbox of it deals."""
    game, (ann, _), last = finished(client)
    ply = last // 2
    whole = ann.get(f"/replays/{game}/states/{ply}").json["state"]
    positions = []
    for _ in range(6):
        name = branch(ann, game, ply)["id"]
        ann.play(name, "resign", status=201)
        positions.append(ann.get(f"/replays/{name}/record").json)
    original = ann.get(f"/replays/{game}/record").json["seed"]["server"]
    assert len({original, *(record["seed"] for record in positions)}) == 7
    for part in HIDDEN:
        dealt = [record["position"][part] for record in positions]
        assert any(one != whole[part] for one in dealt), part
        assert any(one != dealt[0] for one in dealt), part
    for record in positions:
        known = whole["round"] + 1
        assert record["position"]["tower"][:known] == whole["tower"][:known]
        for part in ("pile", "coats"):
            assert sorted(record["position"][part]) == sorted(whole[part])
        assert [player["hand"] for player in record["position"]["players"]] == [p["hand"] for p in whole["players"]]


@pytest.fixture
def running(client: FlaskClient) -> tuple[str, Caller, Caller, int]:
    """A running game in which the one who is not to move holds cards: its id, the one to move, the holder, its seat.

    Some Tower tiles are still hidden in it, and whoever is to move draws one tile (no builder).
    """
    callers = players(client, 2, auto_draw=False)

    def held(page: dict[str, Any], legal: list[str]) -> bool:
        mover = page["view"]["players"][page["to_move"]]
        other = page["view"]["players"][1 - page["to_move"]]
        early = page["round"] <= 6 and "builder" not in mover["descendants"]
        return early and other["hand_size"] >= 1 and "draw" in legal

    game, page = game_until(callers, held)
    seat = page["to_move"]
    return game, callers[seat], callers[1 - seat], 1 - seat


def end_and_read(caller: Caller, name: str) -> dict[str, Any]:
    """The position that a sandbox began with, as its owner may see it once it is over."""
    caller.play(name, "resign", status=201)
    return caller.get(f"/replays/{name}/record").json["position"]


@SQLITE
def test_a_running_game_gives_away_nothing(
    running: tuple[str, Caller, Caller, int], stranger: Caller, store: Store
) -> None:
    game, mover, holder, seat = running
    hand = holder.page(game)["view"]["players"][seat]["hand"]
    page = mover.page(game)
    dealt = [end_and_read(mover, branch(mover, game, page["ply"])["id"]) for _ in range(8)]
    hands = [tuple(position["players"][seat]["hand"]) for position in dealt]
    assert {len(one) for one in hands} == {len(hand)}
    assert len({tuple(sorted(one)) for one in hands}) > 1
    assert any(set(one) != set(hand) for one in hands)
    for part in HIDDEN:
        assert any(position[part] != dealt[0][part] for position in dealt), part
    own = 1 - seat
    for position in dealt:
        assert position["players"][own]["hand"] == page["view"]["players"][own]["hand"]
        assert position["tower"][: page["round"] + 1] == page["view"]["tower"]
    # Nobody else's eyes, and nobody without a seat.
    branch(mover, game, page["ply"], 403, seat=seat)
    branch(mover, game, page["ply"], seat=own)
    outsider = Caller(mover.client, "Eve")
    branch(outsider, game, page["ply"], 403)
    for path in ("record", "states/0", f"states/{page['ply']}", "timeline"):
        mover.get(f"/replays/{game}/{path}", status=404)
    # The real game went on untouched, and stayed as it was.
    assert mover.page(game) == page
    assert list(verification.verify_all(store)) == []


@SQLITE
def test_a_hidden_draw_cannot_be_branched_from(running: tuple[str, Caller, Caller, int]) -> None:
    game, mover, holder, _ = running
    ply = holder.page(game)["ply"]
    refused = branch(holder, game, ply + 1, 404)
    mover.play(game, "draw", status=201)
    assert branch(holder, game, ply + 1, 404) == refused
    assert branch(holder, game, ply)["phase"] == "draw"
    assert branch(mover, game, ply + 1)["phase"] != "draw"
    push = next(move for move in mover.legal(game) if move.startswith("push"))
    mover.play(game, push, status=201)
    # What was the newest ply then, as each of them saw it then.
    assert branch(holder, game, ply + 1)["phase"] == "draw"
