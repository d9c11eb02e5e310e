"""Errors as problem details (RFC 9457): kinds that stay, addresses that explain them, fields by their place."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from server.routes.http.problem_details import PROBLEM_TYPES, USUAL
from tests.routes.caller import BASE, Caller, new_game, players
from tests.routes.conftest import SQLITE

ROOT = Path(__file__).parents[3]


def kind(answer: Any) -> str:
    return answer.json["type"].rpartition("/")[2]


@SQLITE
def test_kinds_tell_apart_what_a_status_does_not(client: FlaskClient) -> None:
    callers = players(client, 3, auto_draw=False)
    game = new_game(callers[:2])
    page = callers[0].page(game)
    mover, other = callers[page["to_move"]], callers[1 - page["to_move"]]
    path = f"/games/{game}/moves"
    found = {
        "stale-ply": mover.post(path, {"ply": 7, "moves": ["draw"]}, 409),
        "not-your-turn": other.post(path, {"ply": 0, "moves": ["draw"]}, 403),
        "no-seat": callers[2].post(path, {"ply": 0, "moves": ["draw"]}, 403),
        "illegal-move": mover.post(path, {"ply": 0, "moves": ["push N1"]}, 422),
        "unreadable-move": mover.post(path, {"ply": 0, "moves": ["fly"]}, 422),
        "not-open": callers[2].post(f"/games/{game}/players", {}, 409),
        "not-found": mover.get("/games/nobody", 404),
        "unauthorized": Caller(client).post("/games", {"seats": 2}, 401),
        "method-not-allowed": mover.call("DELETE", f"/games/{game}", status=405),
        "unsupported-type": mover.post("/games", status=415, data=b"x", content_type="text/plain"),
        "too-large": mover.post("/games", status=413, data=b"x" * 70_000, content_type="application/json"),
        "bad-json": mover.post("/games", status=400, data=b"{", content_type="application/json"),
        "invalid-field": mover.get("/games?page=0", 422),
        "invalid-record": mover.post("/replays", {}, 422),
        "conflict": mover.post(f"/games/{game}/rematch", status=409),
    }
    stranger = Caller(client)
    stranger.token = "ulm_nobody"
    found["unknown-token"] = stranger.get("/games", 401)
    mover.play(game, "resign", status=201)
    found["not-running"] = other.post(path, {"ply": 1, "moves": ["draw"]}, 409)
    assert {name: kind(answer) for name, answer in found.items()} == {name: name for name in found}
    for answer in found.values():
        explained = client.get(answer.json["type"])
        assert explained.status_code == 200
        assert explained.json["title"] == answer.json["title"]
        assert explained.json["code"] == answer.status_code
    assert set(found["invalid-field"].json["errors"]) == {"query"}
    assert list(found["bad-json"].json["errors"]["json"]) == ["_schema"]
    assert found["stale-ply"].json["instance"] == f"{BASE}{path}"


@SQLITE
def test_a_repeated_refusal_is_of_the_same_kind(client: FlaskClient) -> None:
    callers = players(client, 2, auto_draw=False)
    game = new_game(callers)
    mover = callers[callers[0].page(game)["to_move"]]
    request = {"ply": 9, "moves": ["draw"]}
    first, again = [
        mover.post(f"/games/{game}/moves", request, 409, headers={"Idempotency-Key": "k1"}) for _ in range(2)
    ]
    assert first.json == again.json
    assert kind(again) == "stale-ply"
    other = {"ply": 8, "moves": ["draw"]}
    assert kind(mover.post(f"/games/{game}/moves", other, 422, headers={"Idempotency-Key": "k1"})) == "key-used"


@SQLITE
def test_every_kind_is_listed_and_explained(stranger: Caller) -> None:
    listed = stranger.get("/problems").json
    assert [one["kind"] for one in listed] == list(PROBLEM_TYPES)
    for one in listed:
        assert stranger.get(f"/problems/{one['kind']}").json == one
    stranger.get("/problems/no-such-kind", 404)


@SQLITE
def test_below_a_prefix_the_addresses_are_below_it_too(app: Flask) -> None:
    client = app.test_client()
    answer = client.get(f"{BASE}/games/nobody", base_url="http://localhost/ulm")
    assert answer.json["type"] == f"/ulm{BASE}/problems/not-found"
    assert answer.json["instance"] == f"/ulm{BASE}/games/nobody"


@SQLITE
def test_what_has_no_kind_has_the_type_that_the_rfc_gives_it(client: FlaskClient) -> None:
    answer = client.get(f'{BASE}/games/%ff%fe<>"%0a')
    assert (answer.status_code, kind(answer)) == (404, "not-found")
    assert re.fullmatch(r"[!-~]+", answer.json["instance"])


def test_every_kind_that_the_source_names_is_explained_and_none_else() -> None:
    """A kind that nobody explains would be a dead address in an answer; one that nobody names was forgotten."""
    named = set()
    for path in ROOT.glob("server/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            named |= set(_kinds(node))
    assert named <= set(PROBLEM_TYPES), "not explained"
    assert set(PROBLEM_TYPES) <= named | set(USUAL.values()), "never used"


def _kinds(node: ast.AST) -> Iterator[str]:
    """The kinds that a piece of source gives to errors: `kind="x"`, a class's `kind = "x"`, the third argument."""
    values: list[ast.expr] = []
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        values += [word.value for word in node.keywords if word.arg == "kind"]
        if name in ("Conflict", "Forbidden", "NotFound", "Unprocessable", "refuse_stranger"):
            values += node.args[2:3]
    elif isinstance(node, ast.ClassDef) and any("Error" in ast.unparse(base) for base in node.bases):
        values += [line.value for line in node.body if isinstance(line, ast.Assign) and
                   ast.unparse(line.targets[0]) == "kind"]  # fmt: skip
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value
