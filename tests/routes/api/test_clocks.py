"""Clocks over HTTP: wished for, shown, run out, paused, held by vacations."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from server.service.play import timeouts
from server.storage.database import Store
from tests.routes.caller import Caller, new_game, players
from tests.service.bots_here import play_due

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
CLOCK = {"turn_hours": 24, "vacation_days": 10}


class Time:
    """The application's clock, and the job that minds it."""

    def __init__(self, app: Flask, store: Store) -> None:
        self.now, self.store = NOW, store
        app.extensions["ulm.now"] = lambda: self.now

    def pass_by(self, **span: float) -> int:
        """Let time pass and the clocks' job run; how many games it changed."""
        self.now += timedelta(**span)
        changed = timeouts.run_clocks(self.store, self.now, random.Random(1))
        play_due(self.store, self.now)
        return changed


@pytest.fixture
def time(app: Flask, store: Store) -> Time:
    return Time(app, store)


def test_a_game_with_a_clock(client: FlaskClient, time: Time, stranger: Caller) -> None:
    ann, ben = players(client, 2)
    clock = {"turn_hours": 36, "reserve_hours": 12, "night": {"from": "22:00", "to": "07:00"}, "reminders": [0.75]}
    page = ann.post("/games", {"seats": 2, "clock": clock}, 201).json
    assert page["clock"] == {
        **clock, "on_timeout": "steady", "vacation_days": 21, "start_by": None, "weekends_off": False, "due_time": None,
    }  # fmt: skip
    assert (page["deadline"], page["paused"], page["reserve_seconds"]) == (None, False, [43200, 43200])
    ben.post(f"/games/{page['id']}/players", {}, 201)
    # Both live in UTC: 48 hours of 15 a day, from 9:30 on.
    assert stranger.page(page["id"])["deadline"] == "2026-11-24T12:30:00Z"
    assert stranger.get("/games").json[0]["deadline"] == "2026-11-24T12:30:00Z"


def test_a_pause_by_agreement(client: FlaskClient, time: Time, stranger: Caller) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann, ben], clock=CLOCK)
    stranger.post(f"/games/{game}/pause", {}, 401)
    Caller(client, "Eve").post(f"/games/{game}/pause", {}, 403)
    page = ann.post(f"/games/{game}/pause", {}, 200).json
    assert (page["paused"], page["pause_votes"]) == (False, [0])
    page = ben.post(f"/games/{game}/pause", {}, 200).json
    assert (page["paused"], page["pause_votes"], page["deadline"]) == (True, [0, 1], None)
    assert time.pass_by(days=50) == 0
    page = ann.call("DELETE", f"/games/{game}/pause", status=200).json
    assert (page["paused"], page["pause_votes"], page["deadline"]) == (False, [], "2027-01-11T09:30:00Z")
    plain = new_game([ann, ben])
    ann.post(f"/games/{plain}/pause", {}, 409)
    ann.call("DELETE", f"/games/{plain}/pause", status=409)


def test_vacations(client: FlaskClient, time: Time, stranger: Caller) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann, ben], clock=CLOCK)
    mover = (ann, ben)[ann.page(game)["to_move"]]
    stranger.get("/players/me/vacations", status=401)
    kept = mover.post("/players/me/vacations", {"ends_at": "2026-11-24T09:30:00Z"}, 201).json
    assert (kept["starts_at"], kept["under_way"]) == ("2026-11-21T09:30:00Z", True)
    assert mover.get("/players/me/vacations").json == [kept]
    assert stranger.page(game)["deadline"] == "2026-11-25T09:30:00Z"
    mover.post("/players/me/vacations", {"ends_at": "2026-11-23T00:00:00Z"}, 409)
    for wrong in ({}, {"ends_at": "2026-11-20T00:00:00Z"}, {"ends_at": "x"}, {"ends_at": 5}, {"end": "x"}):
        mover.post("/players/me/vacations", wrong, 422)
    other = ben if mover is ann else ann
    other.call("DELETE", f"/players/me/vacations/{kept['id']}", status=404)
    mover.call("DELETE", f"/players/me/vacations/{kept['id']}", status=204)
    assert stranger.page(game)["deadline"] == "2026-11-22T09:30:00Z"
    assert other.get("/players/me/vacations").json == []


def test_what_players_agree_upon(client: FlaskClient, time: Time, stranger: Caller) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann, ben], clock=CLOCK)
    address, slow = f"/games/{game}/proposal", ann.page(game)["to_move"]
    one, other = (ben, ann) if slow == 0 else (ann, ben)
    stranger.post(address, {"kind": "end"}, 401)
    Caller(client, "Eve").post(address, {"kind": "end"}, 403)
    for wrong in ({}, {"kind": "war"}, {"kind": "time"}, {"kind": "time", "hours": 0}, {"kind": "replace", "seat": 4}):
        one.post(address, wrong, 422)
    one.post(address, {"kind": "replace", "seat": slow, "bot": "random"}, 409)
    other.post(address, {"kind": "time", "hours": 5}, 409)
    page = one.post(address, {"kind": "time", "hours": 5}, 200).json
    assert (page["deadline"], page["extra_seconds"], page["proposal"]) == ("2026-11-22T14:30:00Z", 18000, None)
    named = one.post(address, {"kind": "end"}, 200).json["proposal"]["id"]
    assert stranger.page(game)["proposal"]["asked"] == [0, 1]
    other.call("PUT", address, {"id": "another", "agree": True}, status=409)
    assert other.call("PUT", address, {"id": named, "agree": True}, status=200).json["status"] == "abandoned"
    one.post(address, {"kind": "end"}, 409)
