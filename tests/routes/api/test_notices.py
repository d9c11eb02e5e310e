"""Mail of single games, and asking for another confirmation, over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.routes.caller import Caller


def test_each_player_chooses_for_each_game(client: FlaskClient, ann: Caller) -> None:
    ben = Caller(client, "Ben")
    game = ann.post("/games", {"seats": 2}, 201).json["id"]
    ben.post(f"/games/{game}/players", {}, 201)
    assert ann.get(f"/games/{game}/notices").json == {"mail": None}
    assert ann.call("PUT", f"/games/{game}/notices", {"mail": "digest"}, 200).json == {"mail": "digest"}
    assert ann.get(f"/games/{game}/notices").json == {"mail": "digest"}
    assert ben.get(f"/games/{game}/notices").json == {"mail": None}
    assert ann.call("PUT", f"/games/{game}/notices", {"mail": None}, 200).json == {"mail": None}


@pytest.mark.parametrize("body", [{}, {"mail": "loud"}, {"mail": 1}, {"mail": "mute", "game": "x"}])
def test_other_wishes_are_refused(ann: Caller, body: dict[str, object]) -> None:
    game = ann.post("/games", {"seats": 2}, 201).json["id"]
    ann.call("PUT", f"/games/{game}/notices", body, 422)


def test_only_its_players_choose(client: FlaskClient, ann: Caller, stranger: Caller) -> None:
    open_game = ann.post("/games", {"seats": 2}, 201).json["id"]
    hidden = ann.post("/games", {"seats": 2, "private": True}, 201).json["id"]
    ben = Caller(client, "Ben")
    ben.call("PUT", f"/games/{open_game}/notices", {"mail": "mute"}, 403)
    ben.call("PUT", f"/games/{hidden}/notices", {"mail": "mute"}, 404)
    ben.get(f"/games/{hidden}/notices", 404)
    stranger.call("PUT", f"/games/{open_game}/notices", {"mail": "mute"}, 401)


def test_preferences_of_mail(ann: Caller) -> None:
    wish = {
        "mail": "digest", "digest_hour": 19, "quiet_hours": {"from": "22:00", "to": "07:00"}, "language": "en",
        "time_zone": "Europe/Berlin",
    }  # fmt: skip
    changed = ann.call("PATCH", "/players/me", {"preferences": wish}, 200).json["preferences"]
    assert changed == {"auto_draw": True, "theme": "auto", **wish}
    quiet = {"preferences": {"quiet_hours": None}}
    assert ann.call("PATCH", "/players/me", quiet, 200).json["preferences"]["quiet_hours"] is None
    for bad in (
        {"mail": "x"},
        {"digest_hour": 24},
        {"language": "xx"},
        {"quiet_hours": {"from": "22:00"}},
        {"quiet_hours": {"from": "7", "to": "8"}},
    ):
        ann.call("PATCH", "/players/me", {"preferences": bad}, 422)


def test_asking_for_another_confirmation(client: FlaskClient) -> None:
    nobody = Caller(client, "Ann")
    assert "PATCH" in nobody.post("/players/me/confirmation", None, 409).json["message"]
    ann = Caller(client, "Ann", email="ann@example.org")
    for _ in range(4):
        ann.post("/players/me/confirmation", None, 204)
    assert "tomorrow" in ann.post("/players/me/confirmation", None, 429).json["message"]
