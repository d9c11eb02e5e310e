"""Making, joining, listing and playing games over HTTP."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.routes.caller import Caller, new_game, play_on, players
from tests.service.conftest import give_address
from tests.tables import Invitation, Mail


def test_a_game_starts_when_all_seats_are_taken(client: FlaskClient) -> None:
    ann, ben, cleo = players(client, 3)
    made = ann.post("/games", {"seats": 3, "name": "Friday", "options": {"tower": True}}, 201)
    page = made.json
    assert made.headers["Location"].endswith(f"/api/v1/games/{page['id']}")
    assert (page["status"], page["seat"], page["view"]) == ("open", 0, None)
    assert page["options"] == {"tower": True, "rotate_start": False}
    game, commitment = page["id"], page["commitment"]
    assert ben.post(f"/games/{game}/players", {"client_seed": "mine"}, 201).json["status"] == "open"
    ben.post(f"/games/{game}/players", {}, 409)
    page = cleo.post(f"/games/{game}/players", status=201).json
    assert (page["status"], page["seat"], page["commitment"]) == ("running", 2, commitment)
    assert [seat["name"] for seat in page["players"]] == ["Ann", "Ben", "Cleo"]
    Caller(client, "Dan").post(f"/games/{game}/players", {}, 409)


def test_private_games_are_for_the_invited(client: FlaskClient, stranger: Caller) -> None:
    ann, ben, cleo = players(client, 3)
    page = ann.post("/games", {"seats": 2, "private": True, "name": "Hidden"}, 201).json
    game, invitation = page["id"], page["invitation"]
    for caller in (ben, stranger):
        caller.get(f"/games/{game}", status=404)
        caller.get(f"/games/{game}?invitation=wrong", status=404)
        caller.get(f"/games/{game}/moves", status=404)
        assert "Hidden" not in caller.get("/games").text
        assert "Hidden" not in caller.get(f"/games?player={ann.id}").text
    assert ben.get(f"/games/{game}?invitation={invitation}").json["invitation"] is None
    known = {"If-None-Match": ben.get(f"/games/{game}?invitation={invitation}").headers["ETag"], "Prefer": "wait=9"}
    ben.get(f"/games/{game}?invitation={invitation}", status=304, headers=known)
    ben.post(f"/games/{game}/players", {"invitation": "wrong"}, 404)
    ben.post(f"/games/{game}/players", {"invitation": invitation}, 201)
    assert invitation not in ben.get(f"/games/{game}").text
    cleo.get(f"/games/{game}", status=404)
    cleo.post(f"/games/{game}/moves", {"ply": 0, "moves": ["resign"]}, 404)
    ann.play(game, "resign", status=201)
    for path in ("", "/record", "/states/0", "/timeline", "/board.svg", "/board.txt"):
        cleo.get(f"/replays/{game}{path}", status=404)
        answer = ben.get(f"/replays/{game}{path}")
        assert "public" not in answer.headers["Cache-Control"]


def test_lists_by_player_and_status(client: FlaskClient, stranger: Caller) -> None:
    ann, ben = players(client, 2)
    running = new_game([ann, ben])
    waiting = ann.post("/games", {"seats": 2}, 201).json["id"]
    assert [game["id"] for game in ben.get("/games?player=me").json] == [running]
    assert {game["id"] for game in stranger.get(f"/games?player={ann.id}").json} == {running, waiting}
    assert [game["id"] for game in stranger.get("/games?status=open").json] == [waiting]
    assert stranger.get("/games?player=nobody").json == []
    stranger.get("/games?player=me", status=401)
    stranger.get("/replays?player=me", status=401)


def test_what_waits_for_one_comes_first_that_runs_out_first(client: FlaskClient, stranger: Caller) -> None:
    ann, ben = players(client, 2)
    slow, fast, idle = (
        new_game([ann, ben], **({"clock": {"turn_hours": hours}} if hours else {})) for hours in (96, 24, None)
    )
    sandbox = ben.post(f"/replays/{idle}/branches", {"ply": 0}, 201).json["id"]
    turns = {game: ann.page(game)["to_move"] for game in (fast, slow, idle)}  # by chance

    def listed(caller: Caller, query: str) -> list[str]:
        return [game["id"] for game in caller.get(f"/games?{query}").json]

    for seat, caller in enumerate((ann, ben)):
        own = [game for game, to_move in turns.items() if to_move == seat] + [sandbox] * seat
        timed = [game for game in own if game in (fast, slow)]
        urgent = listed(caller, "to_move=me&sort=deadline")
        assert urgent[: len(timed)] == timed
        assert sorted(urgent) == sorted(own)
        assert listed(caller, "player=me&to_move=me&sort=deadline&page_size=1&page=2") == urgent[1:2]
        assert set(listed(caller, f"to_move=me&player={ann.id}")) == set(own) - {sandbox}
    assert listed(stranger, f"player={ann.id}&sort=deadline") == [fast, slow, idle]
    assert "player" in stranger.get("/games?sort=deadline", status=422).json["message"]
    ann.get("/games?player=me&sort=deadline&after=x", status=422)
    stranger.get("/games?to_move=me", status=401)


def test_playing_a_turn(client: FlaskClient) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    page = callers[0].page(game)
    mover, other = callers[page["to_move"]], callers[1 - page["to_move"]]
    assert mover.page(game)["ply"] == 1  # the server drew
    assert other.page(game)["ply"] == 0
    legal = mover.legal(game)
    assert other.legal(game) == []
    push = next(move for move in legal if move.startswith("push"))
    other.play(game, push, status=403)
    assert other.play(game, push, ply=5, status=409).json["errors"] == {"ply": 0}
    assert mover.play(game, push, ply=0, status=409).json["errors"] == {"ply": 1}
    answer = mover.play(game, push, status=201)
    assert (answer.json["applied"], answer.json["ply"]) == (1, 2)
    assert answer.json["view"] == mover.page(game)["view"]
    refused = mover.play(game, "push N1", status=422).json["errors"]
    assert {"index", "move", "rule", "message", "legal"} <= set(refused)
    assert set(refused["legal"]) <= set(mover.legal(game))
    undone = mover.post(f"/games/{game}/undo", {"ply": 1}, 200)
    assert undone.json["ply"] == 1
    assert mover.legal(game) == legal
    mover.post(f"/games/{game}/undo", {"ply": 0}, 422)
    other.post(f"/games/{game}/undo", {"ply": 0}, 403)


def test_the_log_from_a_ply_on(client: FlaskClient) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    rng = random.Random(4)
    play_on(callers, game, rng, stop=lambda page, legal: page["ply"] > 15)
    whole = callers[0].get(f"/games/{game}/moves").json
    assert [entry["ply"] for entry in whole["moves"]] == list(range(1, whole["ply"] + 1))
    part = callers[0].get(f"/games/{game}/moves?since=10").json
    assert part["moves"] == whole["moves"][10:]
    assert callers[0].get(f"/games/{game}/moves?since=999").json["moves"] == []
    callers[0].get(f"/games/{game}/moves?since=-1", status=422)


RULES: list[dict[str, Any]] = [
    {"options": {}},
    {"options": {"tower": True}},
    {"options": {"tower": True, "rotate_start": True}},
]


@pytest.mark.parametrize(
    ("database_url", "seats", "request_"),
    [
        ("sqlite", 2, RULES[0]),
        ("sqlite", 3, RULES[1]),
        pytest.param("postgresql", 4, RULES[2], marks=pytest.mark.postgres),
    ],
    indirect=["database_url"],
)
def test_a_whole_game_over_http(client: FlaskClient, seats: int, request_: dict[str, Any]) -> None:
    callers = players(client, seats, auto_draw=seats != 3)
    game = new_game(callers, **request_)
    rng = random.Random(seats)
    page = play_on(callers, game, rng)
    assert page["status"] == "finished"
    assert page["to_move"] is None
    assert page["result"]["scores"] == page["view"]["scores"]
    assert page["result"]["winners"]
    callers[0].play(game, "resign", status=409)
    stranger = Caller(client)
    record = stranger.get(f"/replays/{game}/record").json
    verdict = stranger.post("/replays/verify", record, 200).json
    assert verdict["valid"], verdict
    assert verdict["result"] == page["result"]
    assert record["seed"]["commitment"] == page["commitment"]
    assert len(record["moves"]) == page["ply"]
    last = stranger.get(f"/replays/{game}/states/{page['ply']}").json
    assert last["state"]["scores"] == page["view"]["scores"]


@pytest.mark.parametrize("body", [{}, {"bot": "random"}])
def test_bots_take_the_free_seats(client: FlaskClient, ann: Caller, stranger: Caller, body: dict[str, str]) -> None:
    ben, cleo = Caller(client, "Ben"), Caller(client, "Cleo")
    game = ann.post("/games", {"seats": 4}, 201).json["id"]
    ben.post(f"/games/{game}/players", {}, 201)
    stranger.post(f"/games/{game}/bots", body, 401)
    cleo.post(f"/games/{game}/bots", body, 403)
    ben.post(f"/games/{game}/bots", body, 403)
    ann.post(f"/games/{game}/bots", {"bot": "nobody"}, 422)
    assert ann.page(game)["status"] == "open"
    page = ann.post(f"/games/{game}/bots", body, 201).json
    bot = body.get("bot", "apprentice")
    name = {"apprentice": "Apprentice", "random": "random bot"}[bot]
    assert page["status"] == "running"
    assert [place["bot"] for place in page["players"]] == [None, None, bot, bot]
    assert [place["name"] for place in page["players"]] == ["Ann", "Ben", name, f"{name} (2)"]
    assert page["to_move"] in (0, 1)
    ann.post(f"/games/{game}/bots", body, 409)


def test_who_has_left_fills_nothing(client: FlaskClient, ann: Caller) -> None:
    ben = Caller(client, "Ben")
    game = ann.post("/games", {"seats": 3}, 201).json["id"]
    ben.post(f"/games/{game}/players", {}, 201)
    ann.call("DELETE", f"/games/{game}/players/me", None, 204)
    ann.post(f"/games/{game}/bots", {}, 403)


def test_inviting(client: FlaskClient, ann: Caller, stranger: Caller, store) -> None:
    give_address(store, ann, "ann@example.org")  # without a confirmed one one may invite few
    game = ann.post("/games", {"seats": 3}, 201).json["id"]
    path = f"/games/{game}/invitations"
    body = {"address": "ben@example.org"}
    first = ann.post(path, body, 201).json
    assert first["address"] == "ben@example.org"
    assert ann.post(path, body, 201).json == first
    Caller(client, "Ben", email="cleo@example.org")
    known = ann.post(path, {"address": "cleo@example.org"}, 201).json
    assert set(known) == set(first), "nothing tells who has an account"
    with store.read():
        assert Invitation.select().count() == Mail.select().where(Mail.kind == "invitation").count() == 2
    stranger.post(path, body, 401)
    Caller(client, "Eve").post(path, body, 403)
    for wrong in ({}, {**body, "x": 1}, {"address": None}):
        ann.post(path, wrong, 422)
