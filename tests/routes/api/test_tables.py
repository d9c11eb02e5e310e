"""Notes, and bots for free seats, over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.routes.caller import Caller


def test_a_note_is_its_players_own(client: FlaskClient, ann: Caller, stranger: Caller) -> None:
    ben = Caller(client, "Ben")
    game = ann.post("/games", {"seats": 2}, 201).json["id"]
    ben.get(f"/games/{game}/note", 403)
    ben.post(f"/games/{game}/players", {}, 201)
    assert ann.get(f"/games/{game}/note").json == {"note": ""}
    assert ann.call("PUT", f"/games/{game}/note", {"note": " Two\r\nlines "}, 200).json == {"note": "Two\nlines"}
    assert ann.get(f"/games/{game}/note").json == {"note": "Two\nlines"}
    assert ben.get(f"/games/{game}/note").json == {"note": ""}
    stranger.get(f"/games/{game}/note", 401)
    for bad in ({}, {"note": None}, {"note": "x" * 4001}, {"note": "x", "seat": 1}):
        ann.call("PUT", f"/games/{game}/note", bad, 422)


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
