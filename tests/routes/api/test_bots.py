"""Bots over HTTP: the list of them, games in which they think, and that no request waits for one."""

from __future__ import annotations

import json
import os
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.service.common.naming import LEVELS
from tests.live import LiveServer
from tests.routes.caller import Caller
from tests.service.bots_here import play_due
from tests.service.play import foreign_bots


def test_all_bots_are_listed_for_everybody(stranger: Caller) -> None:
    listed = stranger.get("/bots", 200).json
    assert [(bot["name"], bot["level"], bot["at_once"]) for bot in listed] == [
        ("random", 0, True), ("apprentice", 1, True), ("journeyman", 2, False), ("master", 3, False),
    ]  # fmt: skip
    assert {bot["served_by"] for bot in listed} == {"Ulm by mail"}
    assert [bot["labels"]["de"] for bot in listed][1:] == ["Lehrling", "Geselle", "Baumeister"]
    assert {"en", "de", "it"} == listed[0]["labels"].keys()
    assert {bot["name"]: bot["descriptions"]["en"] for bot in listed} == LEVELS
    assert listed[3]["descriptions"]["de"] == "Baumeister: der stärkste"


def test_who_chooses_no_bot_gets_the_apprentice(ann: Caller) -> None:
    """Under both of his names: he plays alike, and a game keeps the name by which he was asked for."""
    for body, bot, name in (
        ({}, "apprentice", "Apprentice"),
        ({"bot": "steady"}, "steady", "steady bot"),
        ({"bot": "master"}, "master", "Master builder"),
    ):
        game = ann.post("/games", {"seats": 2}, 201).json["id"]
        place = ann.post(f"/games/{game}/bots", body, 201).json["players"][1]
        assert (place["bot"], place["name"]) == (bot, name)


def test_the_page_says_that_a_bot_thinks(store, ann: Caller) -> None:
    game = ann.post("/games", {"seats": 2, "bots": ["master"]}, 201).json["id"]
    for _ in range(200):
        page = ann.page(game)
        if page["thinking"]:
            break
        legal = ann.get(f"/games/{game}/legal-moves", 200).json
        move = "end" if "end" in legal["moves"] else legal["moves"][0]
        answer = ann.post(f"/games/{game}/moves", {"ply": legal["ply"], "moves": [move]}, 201).json
        assert answer["applied"] == 1
    assert page["to_move"] == 1
    assert page["players"][1] == {
        "seat": 1, "player": None, "name": "Master builder", "bot": "master", "bot_of": None, "autopilot": False,
    }  # fmt: skip
    ann.post(f"/games/{game}/moves", {"ply": page["ply"], "moves": ["end"]}, 403)
    tag = ann.get(f"/games/{game}", 200).headers["ETag"]
    play_due(store, _now())
    assert ann.get(f"/games/{game}", 200).headers["ETag"] != tag
    assert ann.page(game)["thinking"] is False


def test_bots_alone_are_looked_on(store, ann: Caller, stranger: Caller) -> None:
    page = ann.post("/games", {"seats": 2, "bots": ["random", "apprentice"]}, 201).json
    assert (page["seat"], page["ply"], page["thinking"]) == (None, 0, True)
    assert stranger.page(page["id"])["status"] == "running"
    ann.post("/games", {"seats": 2, "bots": ["random"] * 3}, 422)
    ann.post("/games", {"seats": 2, "bots": ["random"] * 2, "private": True}, 422)
    play_due(store, _now())
    assert ann.page(page["id"])["status"] == "finished"
    assert stranger.get(f"/replays/{page['id']}", 200)


def _now() -> Any:
    from datetime import UTC, datetime

    return datetime.now(UTC)


def call(server: LiveServer, path: str, data: object = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}/api/v1{path}", body, headers)) as answer:
        return json.load(answer)


def test_no_request_waits_for_a_bot_that_sleeps(
    start_server: Callable[..., LiveServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process sleeps for three seconds; moves, pages and other games are answered meanwhile. Then it plays."""
    installed = foreign_bots.install(tmp_path / "installed")
    asleep = tmp_path / "asleep"
    asleep.touch()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("SLEEPY_WHILE", str(asleep))
    server = start_server(forked=False, ULM_MAIL_WORKERS="0")
    assert "sleepy" in [bot["name"] for bot in call(server, "/bots")]
    token = call(server, "/players", {"name": "Ann"})["token"]
    game = call(server, "/games", {"seats": 2, "bots": ["sleepy"]}, token)["id"]
    slowest = 0.0
    began = time.monotonic()
    while not call(server, f"/games/{game}", token=token)["thinking"]:
        legal = call(server, f"/games/{game}/legal-moves", token=token)
        move = "end" if "end" in legal["moves"] else legal["moves"][0]
        began = time.monotonic()
        call(server, f"/games/{game}/moves", {"ply": legal["ply"], "moves": [move]}, token)
        slowest = max(slowest, time.monotonic() - began)
    while time.monotonic() < began + 3:
        asked = time.monotonic()
        assert call(server, f"/games/{game}", token=token)["thinking"] is True
        slowest = max(slowest, time.monotonic() - asked)
        time.sleep(0.2)
    assert slowest < 8  # who waited for the bot would wait until it is ended, after eleven
    asleep.unlink()
    for _ in range(600):
        if not call(server, f"/games/{game}", token=token)["thinking"]:
            break
        time.sleep(0.05)
    assert call(server, f"/games/{game}", token=token)["to_move"] == 0
