"""Bad input of every kind gets a 4xx in the one error shape, never a 500."""

import json
import time
from typing import Any

import pytest
from flask.testing import FlaskClient
from marshmallow import Schema

from server.routes.api.schemas.players import ChangedPreferencesSchema, ChangedProfileSchema
from server.routes.api.schemas.replays import ExportQuerySchema
from server.service.accounts import profiles
from server.service.archive import replay_lists
from server.service.common import preferences
from server.service.lists import game_lists
from tests.routes.caller import BASE, Caller, assert_error, new_game, players

ONE_DATABASE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

BAD_BODIES = {
    "broken": (b'{"name": ', 400), "not UTF-8": (b'{"name": "\xff\xfe"}', 400),
    "byte order mark": (b'\xef\xbb\xbf{"name": "Ann"}', 400), "UTF-16": ('{"name": "Ann"}'.encode("utf-16"), 400),
    "NUL": (b'{"name": "a\\u0000b"}', 400), "raw NUL": (b'{"name": "a\x00b"}', 400),
    "lone surrogate": (b'{"name": "\\ud800"}', 400), "surrogate in a key": (b'{"\\udfff": 1}', 400),
    "NaN": (b'{"name": NaN}', 400), "infinite": (b'{"name": 1e999}', 400),
    "huge number": (b'{"name": ' + b"9" * 6000 + b"}", 400),
    "huge negative": (b'{"name": -' + b"9" * 19 + b"}", 400), "twice": (b'{"name": "a", "name": "b"}', 400),
    "deep list": (b"[" * 8_000 + b"]" * 8_000, 400), "deep object": (b'{"a":' * 2_000 + b"1" + b"}" * 2_000, 400),
    "deep enough": (b"[" * 30 + b"]" * 30, 400), "too large to be read": (b"[1," * 16_000, 413),
    "list": (b"[]", 422), "null": (b"null", 422), "text": (b'"Ann"', 422), "number": (b"1", 422),
    "empty": (b"", 422), "blank": (b"   ", 400), "unknown field": (b'{"name": "Ann", "admin": true}', 422),
    "number for text": (b'{"name": 1}', 422), "list for text": (b'{"name": ["Ann"]}', 422),
    "null for text": (b'{"name": null}', 422), "nothing": (b'{"name": "   "}', 422),
    "long": (b'{"name": "' + b"a" * 61 + b'"}', 422), "line break": (b'{"name": "a\\nb"}', 422),
    "escape": (b'{"name": "a\\u001bb"}', 422), "direction mark": ('{"name": "a\u202eb"}'.encode(), 422),
    "paragraph": ('{"name": "a\u2029b"}'.encode(), 422),
    "address without @": (b'{"name": "Ann", "email": "nobody"}', 422),
    "address with header": (b'{"name": "Ann", "email": "a@b.org\\nBcc: c@d.org"}', 422),
    "two addresses": (b'{"name": "Ann", "email": "a@b.org,c@d.org"}', 422),
}  # fmt: skip


@ONE_DATABASE
@pytest.mark.parametrize("case", BAD_BODIES)
def test_bad_bodies_of_a_new_account(stranger: Caller, case: str) -> None:
    data, status = BAD_BODIES[case]
    stranger.post("/players", status=status, data=data, content_type="application/json")


@ONE_DATABASE
def test_other_scripts_can_be_written(stranger: Caller) -> None:
    """Persian and Sinhala need joiners; copied text brings tabs and soft hyphens."""
    persian = "\u0645\u06cc\u200c\u0646\u0627"
    ann, ben = Caller(stranger.client, persian), Caller(stranger.client, "B\u00ade\tn")
    assert ben.get("/players/me").json["name"] == "Be n"
    game = new_game([ann, ben])
    ann.post(f"/games/{game}/messages", {"text": f"{persian}\tx\u00ady"}, status=201)
    assert ben.get(f"/games/{game}/messages").json[0]["text"] == f"{persian} xy"


@ONE_DATABASE
def test_a_body_of_nothing_but_keys_costs_little(stranger: Caller) -> None:
    """Anybody may send a record to be verified: a megabyte of keys, two of them alike, must not keep a thread busy."""
    keys = ",".join(f'"{number}":0' for number in range(80_000))
    began = time.process_time()
    answer = stranger.post(
        "/replays/verify", status=400, data=f'{{{keys},"z":0,"z":1}}', content_type="application/json"
    )
    assert time.process_time() - began < 20  # comparing each key with each would take minutes
    assert "'z'" in answer.json["message"]


@ONE_DATABASE
@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/json; charset=utf-16"]
)
def test_other_types_are_refused(stranger: Caller, content_type: str) -> None:
    answer = stranger.post("/players", status=415, data=b'{"name": "Ann"}', content_type=content_type)
    assert "application/json" in answer.json["message"]


@ONE_DATABASE
def test_compressed_bodies_are_refused(stranger: Caller) -> None:
    headers = {"Content-Encoding": "gzip"}
    stranger.post("/players", status=415, data=b"x", content_type="application/json", headers=headers)


@ONE_DATABASE
def test_ordinary_names_of_the_world_are_taken(client: FlaskClient) -> None:
    for name in ("Zoë", "Łukasz", "李小龍", "अनिल", "🌾", "O'Neill", "Ann-Marie", "<b>&amp;"):
        caller = Caller(client, f"  {name} ")
        assert caller.get("/players/me").json["name"] == name


NEW_GAMES: list[dict[str, Any]] = [
    {}, {"seats": 1}, {"seats": 5}, {"seats": "2"}, {"seats": 2.0}, {"seats": True}, {"seats": None},
    {"seats": 10**17}, {"seats": 2, "options": {"tower": 1}}, {"seats": 2, "options": {"tower": "yes"}},
    {"seats": 2, "options": {"towers": True}}, {"seats": 2, "options": []}, {"seats": 2, "options": None},
    {"seats": 2, "client_seed": "x" * 65}, {"seats": 2, "client_seed": 5}, {"seats": 2, "bots": ["nobody"]},
    {"seats": 2, "bots": "random"}, {"seats": 2, "bots": [None]}, {"seats": 2, "private": "no"},
    {"seats": 2, "name": "a\x0bb"}, {"seats": 2, "name": ""}, {"seats": 2, "clock": {"hours": 24}},
    {"seats": 2, "seed": "00"},
]  # fmt: skip


@ONE_DATABASE
@pytest.mark.parametrize("body", NEW_GAMES, ids=str)
def test_bad_new_games(ann: Caller, body: dict[str, Any]) -> None:
    answer = ann.post("/games", body, 422)
    assert answer.json["errors"]
    assert ann.get("/games").json == []


BAD_MOVES: list[dict[str, Any]] = [
    {}, {"ply": 0}, {"moves": ["draw"]}, {"ply": 0, "moves": []}, {"ply": 0, "moves": "draw"},
    {"ply": 0, "moves": [["draw"]]}, {"ply": 0, "moves": [None]}, {"ply": 0, "moves": [""]},
    {"ply": 0, "moves": ["x" * 81]}, {"ply": 0, "moves": ["draw"] * 65}, {"ply": 0, "moves": ["draw\nend"]},
    {"ply": 0, "moves": ["fly"]}, {"ply": 0, "moves": ["push N9"]}, {"ply": 0, "moves": ["DRAW"]},
    {"ply": -1, "moves": ["draw"]}, {"ply": "0", "moves": ["draw"]}, {"ply": 0.0, "moves": ["draw"]},
    {"ply": False, "moves": ["draw"]}, {"ply": 10**9, "moves": ["draw"]}, {"ply": 0, "moves": ["draw"], "seat": 1},
]  # fmt: skip


@ONE_DATABASE
@pytest.mark.parametrize("where", ["moves", "preview"])
def test_bad_moves(client: FlaskClient, where: str) -> None:
    callers = players(client, 2, auto_draw=False)
    game = new_game(callers)
    mover = callers[callers[0].page(game)["to_move"]]
    for body in BAD_MOVES:
        mover.post(f"/games/{game}/{where}", body, 422)
    assert mover.page(game)["ply"] == 0


@ONE_DATABASE
@pytest.mark.parametrize(
    "query",
    [
        "page=0", "page=-1", "page=x", "page=1.0", "page=", "page=" + "9" * 5000, "page=１", "page_size=0",
        "page_size=101", "status=won", "status=", "nix=1", "page=1&page=2", "%00=1", "player=%00", "player=a%0ab",
        "player=" + "a" * 41, "status=%ff", "player=%ed%a0%80%00",
    ],
)  # fmt: skip
def test_bad_queries(stranger: Caller, query: str) -> None:
    stranger.get(f"/games?{query}", status=422)


@ONE_DATABASE
@pytest.mark.parametrize(
    "path", ["x" * 33, "a%00b", "a%20b", "%ff", "%ed%a0%80", "..", "a;b", "'--", "０", "nosuchgame", ""]
)
def test_bad_ids_are_not_found(ann: Caller, path: str) -> None:
    for address in (f"/games/{path}/legal-moves", f"/games/{path}/moves", f"/replays/{path}/states/1"):
        ann.get(address, status=404)


@ONE_DATABASE
@pytest.mark.parametrize("value", ["", "Bearer ", "Basic QTpC", "Bearer a b", "Bearer " + "a" * 5000, "Bearer é", "x"])
def test_bad_tokens(client: FlaskClient, stranger: Caller, value: str) -> None:
    answer = stranger.get("/players/me", status=401, headers={"Authorization": value})
    assert "POST /api/v1/players" in answer.json["message"]
    # Where no token is needed, a wrong one is still told: its owner believes to be somebody.
    stranger.get("/games", status=401, headers={"Authorization": value})


@ONE_DATABASE
@pytest.mark.parametrize("key", ["", " ", "a b", "a,a", "é", "x" * 129, "a\tb"])
def test_bad_idempotency_keys(client: FlaskClient, key: str) -> None:
    callers = players(client, 2, auto_draw=False)
    game = new_game(callers)
    mover = callers[callers[0].page(game)["to_move"]]
    mover.play(game, "draw", status=422, headers={"Idempotency-Key": key})
    assert mover.page(game)["ply"] == 0


@ONE_DATABASE
@pytest.mark.parametrize("query", ["seats=9", "tower=1", "tower=yes", "origin=stolen", "rotate_start="])
def test_bad_replay_queries(stranger: Caller, query: str) -> None:
    stranger.get(f"/replays?{query}", status=422)


@ONE_DATABASE
@pytest.mark.parametrize("ply", ["-1", "x", "1.5", "9" * 5000, "٣", "1e3", "0x1", ""])
def test_bad_plies_are_not_found(ann: Caller, ply: str) -> None:
    ann.get(f"/replays/abcdef/states/{ply}", status=404)


@ONE_DATABASE
@pytest.mark.parametrize("prefer", ["wait=", "wait=x", "wait=-5", "wait=" + "9" * 40, "respond-async", ",;,", "é"])
def test_odd_preferences_are_ignored(client: FlaskClient, prefer: str) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    headers = {"Prefer": prefer, "If-None-Match": '"something else"'}
    callers[0].get(f"/games/{game}", headers=headers)


@ONE_DATABASE
@pytest.mark.parametrize("value", ["*", '"a', "a", "W/", '""', "é", ", , ,", '"' + "a" * 5000 + '"'])
def test_odd_etags_do_no_harm(ann: Caller, value: str) -> None:
    answer = ann.get("/players/me", status=None, headers={"If-None-Match": value})
    assert answer.status_code == (304 if value == "*" else 200)


@ONE_DATABASE
def test_wrong_methods_tell_the_right_ones(client: FlaskClient) -> None:
    answer = client.put(f"{BASE}/games")
    assert answer.status_code == 405
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))
    assert_error(answer)
    for path in ("/healthz", f"{BASE}/openapi.json", "/api/docs"):
        answer = client.delete(path)
        assert answer.status_code == 405
        assert "GET" in answer.headers["Allow"]
        assert_error(answer)


@ONE_DATABASE
@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1/", "/api/v2/games", "/api/v1/nope", "/api/v1/games/"])
def test_unknown_addresses(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert_error(answer)


@ONE_DATABASE
def test_messages_name_the_place_and_what_to_do(ann: Caller) -> None:
    answer = ann.post("/games", {"seats": 2, "options": {"towr": True}}, 422)
    assert answer.json["errors"] == {"json": {"options": {"towr": ["Remove it: there is no such field here."]}}}
    assert answer.json["message"] == "Correct options.towr in the body: Remove it: there is no such field here."
    odd = json.loads('"' + "\\u202e" * 3 + '"')
    assert "\u202e" not in ann.post("/games", {odd: 1}, 422).text


@ONE_DATABASE
def test_a_fault_shows_its_id_and_nothing_else(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:

    def fail(*_: Any) -> None:
        raise RuntimeError("the seed is 4711")

    caller = Caller(client)
    monkeypatch.setattr(game_lists, "listing", fail)
    answer = caller.get("/games?status=open", status=500)
    assert "4711" not in answer.text
    assert answer.json["errors"]["request_id"] in answer.json["message"]
    assert any(answer.json["errors"]["request_id"] in record.getMessage() for record in caplog.records)


@ONE_DATABASE
def test_a_silent_database_is_503(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from server.storage.unusable import StoreBusyError

    def fail(*_: Any) -> None:
        raise StoreBusyError("the file /secret/place is locked")

    caller = Caller(client)
    monkeypatch.setattr(game_lists, "listing", fail)
    answer = caller.get("/games", status=503)
    assert answer.headers["Retry-After"]
    assert "secret" not in answer.text


ASKED = (
    ("GET", "/games/nowhere", None),
    ("POST", "/games", {"seats": 9}),
    ("GET", "/replays/nowhere", None),
    ("PATCH", "/players/me", {"email": "no address"}),
    ("GET", "/nowhere", None),
)


@ONE_DATABASE
@pytest.mark.parametrize("language", ["de", "it"])
def test_answers_do_not_depend_on_the_language(ann: Caller, client: FlaskClient, language: str) -> None:
    """Programs compare messages, and caches know nothing of languages."""
    before = [ann.call(method, path, body) for method, path, body in ASKED]
    ann.call("PATCH", "/players/me", {"preferences": {"language": language}}, status=200)
    client.set_cookie("ulm_language", language)
    for (method, path, body), old in zip(ASKED, before, strict=True):
        new = ann.call(method, path, body, headers={"Accept-Language": language})
        assert new.status_code == old.status_code >= 400
        assert new.json == old.json
        assert "Content-Language" not in new.headers


@pytest.mark.parametrize(
    ("schema", "shape", "otherwise"),
    [
        (ChangedPreferencesSchema, preferences.Wishes, {}),
        (ChangedPreferencesSchema, preferences.Preferences, {}),
        (ChangedProfileSchema, profiles.ProfileChanges, {}),
        (ExportQuerySchema, replay_lists.Filters, {"player": "member", "after": None}),
    ],
)
def test_a_request_may_hold_what_the_service_takes(
    schema: type[Schema], shape: Any, otherwise: dict[str, str | None]
) -> None:
    """By the names that the service has for them, where it calls them otherwise; None is not for it."""
    taken = {otherwise.get(name, name) for name in schema().fields}
    assert taken - {None} == set(shape.__annotations__)
