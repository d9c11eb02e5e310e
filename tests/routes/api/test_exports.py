"""Statistics over all games, and games as files for people."""

import builtins
import random
import re
from contextlib import ExitStack
from typing import Any

import pytest
from flask.testing import FlaskClient

from replays import stats
from server.engine import record as records
from server.service.archive import statistics
from server.service.views import exports
from server.storage.database import Store
from tests.routes.caller import BASE, Caller, new_game, play_on, players
from tests.routes.conftest import SQLITE


def short_game(callers: list[Caller], **request: Any) -> str:
    """A game that somebody gives up after a round."""
    game = new_game(callers, options={"tower": True}, **request)
    play_on(callers, game, random.Random(3), stop=lambda page, legal: page["round"] > 1)
    callers[1].play(game, "resign", status=201)
    return game


def test_statistics_are_those_of_the_records(client: FlaskClient, stranger: Caller, store: Store) -> None:
    assert stranger.get("/replays/statistics").json["games"] == 0
    callers = players(client, 2)
    whole = new_game(callers)
    play_on(callers, whole, random.Random(5))
    games = [whole, short_game(callers)]
    sums = stats.Sums()
    for game in games:
        counted = stats.rows(records.from_dict(stranger.get(f"/replays/{game}/record").json))
        stats.add(sums, stats.sums_of(counted))
    expected = {**stats.corpus(sums), "uncounted": 0, "older_left_out": False}
    first = stranger.get("/replays/statistics")
    assert first.json == expected
    stranger.get("/replays/statistics", status=304, headers={"If-None-Match": first.headers["ETag"]})
    # What is kept beside the games is counted anew.
    assert statistics.recount(store) == 2
    assert callers[0].get("/replays/statistics").json == expected
    for query, count in (("tower=true", 1), ("tower=false", 1), ("seats=3", 0), (f"player={callers[0].id}", 2),
                         ("origin=imported", 0), (f"winner={callers[0].id}&tower=true", 1)):  # fmt: skip
        assert stranger.get(f"/replays/statistics?{query}").json["games"] == count, query
    stranger.get("/replays/statistics?page=1", status=422)
    stranger.get("/replays/statistics?score_min=x", status=422)


def test_what_is_private_is_never_counted(client: FlaskClient, stranger: Caller) -> None:
    callers = players(client, 2)
    made = callers[0].post("/games", {"seats": 2, "private": True}, 201).json
    callers[1].post(f"/games/{made['id']}/players", {"invitation": made["invitation"]}, 201)
    callers[1].play(made["id"], "resign", status=201)
    game = short_game(callers)
    alone = callers[0].post(f"/replays/{game}/branches", {"ply": 3}, 201).json["id"]
    callers[0].play(alone, "resign", status=201)
    for query in ("", f"?player={callers[0].id}"):
        counts = {caller.get(f"/replays/statistics{query}").json["games"] for caller in (*callers, stranger)}
        assert counts == {1}
    for query in ("?origin=sandbox", "?player=me&origin=sandbox"):
        assert callers[0].get(f"/replays/statistics{query}").json["games"] == 0


@SQLITE
def test_a_request_counts_some_games_and_the_next_the_rest(
    client: FlaskClient, stranger: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "A_REQUEST", 2)
    callers = players(client, 2)
    for _ in range(3):
        short_game(callers)
    answers = [stranger.get("/replays/statistics").json for _ in range(3)]
    assert [(answer["games"], answer["uncounted"]) for answer in answers] == [(2, 1), (3, 0), (3, 0)]


def test_a_page_that_replays_the_game(client: FlaskClient, stranger: Caller) -> None:
    callers = players(client, 2)
    running = new_game(callers)
    for ending in ("html", "gif"):
        callers[0].get(f"/replays/{running}/export.{ending}", status=404)
    game = short_game(callers)
    answer = stranger.get(f"/replays/{game}/export.html?seat=1&theme=dark")
    assert answer.mimetype == "text/html"
    assert "Ann" in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[\w+/=]+'", policy)
    assert "sandbox allow-scripts" in policy
    assert answer.headers["Cache-Control"] == "public, no-cache", "names in it may go"
    stranger.get(f"/replays/{game}/export.html?seat=1&theme=dark", status=304,
                 headers={"If-None-Match": answer.headers["ETag"]})  # fmt: skip
    for bad, status in (("seat=2", 404), ("theme=pink", 422), ("language=xx", 422), ("width=300", 422)):
        stranger.get(f"/replays/{game}/export.html?{bad}", status=status)


@SQLITE
@pytest.mark.parametrize("file", ["export.html", "export.gif?width=200"])
def test_a_held_copy_is_not_right_any_more_when_a_name_went(client: FlaskClient, stranger: Caller, file: str) -> None:
    if ".gif" in file:
        pytest.importorskip("PIL")
    callers = players(client, 2)
    game = short_game(callers)
    path = f"/replays/{game}/{file}"
    held = stranger.get(path)
    stranger.get(path, status=304, headers={"If-None-Match": held.headers["ETag"]})
    callers[0].call("DELETE", "/players/me", status=204)
    fresh = stranger.get(path, status=200, headers={"If-None-Match": held.headers["ETag"]})
    assert fresh.data != held.data
    assert b"Game of Ann" not in fresh.data


@SQLITE
def test_a_name_goes_also_from_a_game_in_which_its_player_never_sat(client: FlaskClient, stranger: Caller) -> None:
    """A rematch is called as the game before; of the seats at it nobody changes."""
    ann, ben, cleo = players(client, 3)
    first = new_game([ann, ben])
    ben.play(first, "resign", status=201)
    offered = ben.post(f"/games/{first}/rematch", {}, 201).json
    again = offered["id"]
    cleo.post(f"/games/{again}/players", {"invitation": offered["invitation"]}, 201)
    cleo.play(again, "resign", status=201)
    path = f"/replays/{again}/export.html"
    held = cleo.get(path)
    assert "Game of Ann" in held.text
    ann.call("DELETE", "/players/me", status=204)
    fresh = cleo.get(path, status=200, headers={"If-None-Match": held.headers["ETag"]})
    assert "Game of Ann" not in fresh.text


@SQLITE
def test_an_animation(client: FlaskClient, stranger: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("PIL")
    game = short_game(players(client, 2))
    answer = stranger.get(f"/replays/{game}/export.gif?width=200")
    assert answer.mimetype == "image/gif"
    assert answer.data.startswith(b"GIF89a")
    for bad in ("width=100", "width=9999", "each=ply"):
        stranger.get(f"/replays/{game}/export.gif?{bad}", status=422)
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.split(".")[0] in ("PIL", "resvg_py"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    refused = stranger.get(f"/replays/{game}/export.gif?width=201", status=501)
    assert "pip install" in refused.json["message"]


@SQLITE
def test_one_export_at_a_time(client: FlaskClient, stranger: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    game = short_game(players(client, 2))
    monkeypatch.setattr(exports.line, "seconds", 0.01)
    with exports.line.making:
        refused = stranger.get(f"/replays/{game}/export.html", status=503)
    assert refused.headers["Retry-After"]
    stranger.get(f"/replays/{game}/export.html", status=200)


@SQLITE
def test_a_page_is_sent_while_it_is_made(client: FlaskClient, stranger: Caller) -> None:
    """Whoever reads slowly holds up nobody, and whoever goes leaves nothing behind."""
    callers = players(client, 2)
    path = f"{BASE}/replays/{short_game(callers)}/export.html"
    answer = client.get(path)
    assert answer.is_streamed
    pieces = iter(answer.response)
    assert next(pieces).startswith(b"<!DOCTYPE html>")
    assert client.get(path).status_code == 429, "one at a time for a caller"
    beside = callers[0].get(path)
    assert beside.data.endswith(b"</html>\n")
    answer.close()
    assert client.head(path).status_code == 200
    with ExitStack() as stack:
        for _ in range(exports.IN_LINE):
            assert exports.line.places.acquire(blocking=False)
            stack.callback(exports.line.places.release)
    assert client.get(path).data == beside.data
