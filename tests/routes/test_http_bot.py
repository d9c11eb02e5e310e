"""`examples/http_bot` plays a whole game against a live server, as docs/bot-accounts.md says how to start it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.live import LiveServer

BOT = Path(__file__).parents[2] / "examples" / "http_bot" / "http_bot.py"


def call(server: LiveServer, path: str, data: object = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}/api/v1{path}", body, headers)) as answer:
        return json.load(answer)


def test_it_takes_a_challenge_and_plays_to_the_end(start_server: Callable[..., LiveServer]) -> None:
    """Ann against her own bot: she ends each turn as soon as she may, so that the ten rounds are short."""
    server = start_server()
    ann = call(server, "/players", {"name": "Ann"})["token"]
    bot = call(server, "/players/me/bots", {"handle": "example"}, ann)["token"]
    process = subprocess.Popen([sys.executable, str(BOT), server.url, bot], stdin=subprocess.DEVNULL)
    try:
        game = call(server, "/games", {"seats": 2, "bots": ["@example"]}, ann)["id"]
        end = time.monotonic() + 120
        while (page := call(server, f"/games/{game}", token=ann))["status"] == "running":
            assert time.monotonic() < end
            if page["to_move"] != 0:
                time.sleep(0.05)
                continue
            legal = call(server, f"/games/{game}/legal-moves", token=ann)
            move = "end" if "end" in legal["moves"] else legal["moves"][0]
            call(server, f"/games/{game}/moves", {"ply": legal["ply"], "moves": [move]}, ann)
    finally:
        process.kill()
        process.wait()
    assert page["status"] == "finished"
    assert page["players"][1]["bot_of"] == "Ann"
    moves = call(server, f"/games/{game}/moves")["moves"]
    assert sum(entry["seat"] == 1 and not entry["automatic"] for entry in moves) > 20
    assert not page["players"][1]["autopilot"]
