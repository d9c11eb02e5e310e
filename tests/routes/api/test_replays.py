"""Replays over HTTP: reading, checking, importing."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from replays.analysis import results
from server.service.archive import analyses
from tests.routes.caller import Caller, new_game, play_on, players
from tests.routes.conftest import Played, PlayedOnce
from tests.service.conftest import NOW


@pytest.fixture
def finished(client: FlaskClient, played_once: PlayedOnce) -> Played:
    """A finished advanced game: its id, its players, its last page."""

    def play() -> Played:
        callers = players(client, 2)
        game = new_game(callers, options={"tower": True}, name="Long ago")
        return game, callers, play_on(callers, game, random.Random(7))

    return played_once(play)


def test_stepping_through_a_game(finished: Played, stranger: Caller) -> None:
    game, callers, last = finished
    summary = stranger.get(f"/replays/{game}").json
    assert (summary["plies"], summary["origin"], summary["name"]) == (last["ply"], "played", "Long ago")
    assert summary["result"] == last["result"]
    for ply in (0, 1, last["ply"] // 2, last["ply"]):
        whole = stranger.get(f"/replays/{game}/states/{ply}").json["state"]
        assert whole["ply"] == ply
        assert "pile" in whole
        for seat in (0, 1):
            seen = stranger.get(f"/replays/{game}/states/{ply}?seat={seat}").json
            assert seen["seat"] == seat
            assert "pile" not in seen["state"]
            assert "hand" in seen["state"]["players"][seat]
            assert "hand" not in seen["state"]["players"][1 - seat]
    stranger.get(f"/replays/{game}/states/{last['ply'] + 1}", status=404)
    stranger.get(f"/replays/{game}/states/0?seat=2", status=404)
    stranger.get(f"/replays/{game}/states/0?seat=x", status=422)
    timeline = stranger.get(f"/replays/{game}/timeline").json
    assert [entry["ply"] for entry in timeline["plies"]] == list(range(1, last["ply"] + 1))
    assert all(len(entry["vp"]) == 2 for entry in timeline["plies"])
    assert any(entry["text"] for entry in timeline["plies"])
    # The page of the game stays a view: the own hand, nobody else's.
    page = callers[0].page(game)
    assert "hand" not in page["view"]["players"][1]


def test_a_record_goes_round(finished: Played, stranger: Caller) -> None:
    game, callers, last = finished
    answer = stranger.get(f"/replays/{game}/record")
    assert answer.headers["Content-Disposition"].endswith(f'{game}.ulm.json"')
    record = {**answer.json, "note": "kept and ignored: ☃", "id": "elsewhere"}
    kept = callers[0].post("/replays", record, 201)
    replay = kept.json
    assert kept.headers["Location"] == f"/api/v1/replays/{replay['id']}"
    assert (replay["origin"], replay["plies"], replay["result"]) == ("imported", last["ply"], last["result"])
    assert stranger.get(f"/replays/{replay['id']}/record").json == record
    for ply in (0, last["ply"]):
        one, other = (stranger.get(f"/replays/{name}/states/{ply}").json["state"] for name in (game, replay["id"]))
        assert one == other
    assert callers[1].post("/replays", record, 201).json["id"] == replay["id"]
    assert stranger.get("/games").json[0]["id"] == game


def break_moves(record: dict[str, Any]) -> int:
    record["moves"][4][0] = "fly" if record["moves"][4][0] != "fly" else "swim"
    return 5


def put(*path: Any) -> Callable[[dict[str, Any]], int]:
    """A function that writes the last of these at the place that the others name; what fails there is the set-up."""

    def harm(record: dict[str, Any]) -> int:
        *names, last, value = path
        place: Any = record
        for name in names:
            place = place[name]
        place[last] = value
        return 0

    return harm


@pytest.mark.parametrize(
    "harm",
    [
        break_moves, put("seed", "server", "0" * 64), put("seed", "clients", 0, "a\x00b"),
        put("seed", "clients", 0, "\ud800"), put("options", "flying", True), lambda record: record.clear() or 0,
    ],
)  # fmt: skip
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_record_that_fails_names_the_ply(finished: Played, stranger: Caller, harm: Any) -> None:
    game, callers, _ = finished
    record = copy.deepcopy(stranger.get(f"/replays/{game}/record").json)
    ply = harm(record)
    refused = callers[0].post("/replays", record, 422).json
    assert refused["errors"]["ply"] == ply
    assert str(ply) in refused["message"]
    verdict = stranger.post("/replays/verify", record, 200).json
    assert (verdict["valid"], verdict["ply"]) == (False, ply)
    assert verdict["message"]
    assert len(stranger.get("/replays").json) == 1


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"record"'])
def test_no_record_at_all(ann: Caller, body: bytes) -> None:
    for path in ("/replays", "/replays/verify"):
        answer = ann.post(path, status=422, data=body, content_type="application/json")
        assert answer.json["errors"]["ply"] == 0
        ann.post(path, status=400, data=b"{", content_type="application/json")
        ann.post(path, status=400, data=b"[" * 5000, content_type="application/json")
        ann.post(path, status=415, data=body, content_type="text/plain")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_records_larger_than_the_limit(ann: Caller) -> None:
    limit = ann.client.application.extensions["ulm.settings"].max_body
    body = b'{"note": "' + b"a" * limit + b'"}'
    for path in ("/replays", "/replays/verify"):
        answer = ann.post(path, status=413, data=body, content_type="application/json")
        assert str(limit) in answer.json["message"]


def test_the_analysis_of_a_game(finished: Played, stranger: Caller) -> None:
    """202 while it is made, 200 with what was found; of a running game there is none."""
    game, callers, last = finished
    path = f"/replays/{game}/analysis"
    waiting = stranger.get(path, status=202).json
    assert waiting == {"id": game, "status": "waiting", "done": 0, "plies": last["ply"]}
    stranger.post(path, {}, status=401)
    assert callers[0].post(path, {}, status=202).json == waiting
    running = new_game(callers)
    for caller in (stranger, callers[0]):
        caller.get(f"/replays/{running}/analysis", status=404)
    store = stranger.client.application.extensions["ulm.store"]
    found: results.Analysis = {"format": results.FORMAT, "version": results.version(2), "plies": [], "seats": [],
                               "moments": [], "strokes": []}  # fmt: skip
    assert analyses.claim(store, "me", NOW, NOW) is not None
    analyses.keep(store, "me", game, found, [], NOW)
    assert stranger.get(path).json["version"] == results.version(2)
    assert callers[0].post(path, {}, status=200).json == stranger.get(path).json
