"""Bots over HTTP: the list of them, games in which they think, and that no request waits for one."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from server.service.common.naming import LEVELS
from tests.live import LiveServer
from tests.routes.caller import Caller
from tests.service.play import foreign_bots


def test_all_bots_are_listed_for_everybody(stranger: Caller) -> None:
    listed = stranger.get("/bots", 200).json
    assert [(bot["name"], bot["level"], bot["at_once"]) for bot in listed] == [
        ("random", 0, True), ("apprentice", 1, True), ("journeyman", 2, False), ("master", 3, False),
    ]  # fmt: skip
    assert {"en", "de", "it"} == listed[0]["labels"].keys()
    assert {bot["name"]: bot["descriptions"]["en"] for bot in listed} == LEVELS


def test_no_request_waits_for_a_bot_that_sleeps(
    start_server: Callable[..., LiveServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process sleeps for a second; moves, pages and other games are answered meanwhile. Then it plays."""
    installed = foreign_bots.install(tmp_path / "installed")
    asleep = tmp_path / "asleep"
    asleep.touch()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("SLEEPY_WHILE", str(asleep))
    server = start_server(forked=False, ULM_MAIL_WORKERS="0")
    assert "sleepy" in [bot["name"] for bot in server.call("/bots")]
    token = server.call("/players", {"name": "Ann"})["token"]
    game = server.call("/games", {"seats": 2, "bots": ["sleepy"]}, token)["id"]
    slowest = 0.0
    began = time.monotonic()
    while not server.call(f"/games/{game}", token=token)["thinking"]:
        began = time.monotonic()
        server.step(game, token)
        slowest = max(slowest, time.monotonic() - began)
    while time.monotonic() < began + 1:
        asked = time.monotonic()
        assert server.call(f"/games/{game}", token=token)["thinking"] is True
        slowest = max(slowest, time.monotonic() - asked)
        time.sleep(0.2)
    assert slowest < 8  # who waited for the bot would wait until it is ended, after eleven
    asleep.unlink()
    for _ in range(600):
        if not server.call(f"/games/{game}", token=token)["thinking"]:
            break
        time.sleep(0.05)
    assert server.call(f"/games/{game}", token=token)["to_move"] == 0
