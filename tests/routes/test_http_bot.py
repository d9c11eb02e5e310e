"""`examples/http_bot` plays a whole game against a live server, as docs/bot-accounts.md says how to start it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.live import LiveServer

BOT = Path(__file__).parents[2] / "examples" / "http_bot" / "http_bot.py"


def test_it_takes_a_challenge_and_plays_to_the_end(start_server: Callable[..., LiveServer]) -> None:
    """Ann against her own bot: she ends each turn as soon as she may, so that the ten rounds are short."""
    server = start_server()
    ann = server.call("/players", {"name": "Ann"})["token"]
    bot = server.call("/players/me/bots", {"handle": "example"}, ann)["token"]
    process = subprocess.Popen([sys.executable, str(BOT), server.url, bot], stdin=subprocess.DEVNULL)
    try:
        game = server.call("/games", {"seats": 2, "bots": ["@example"]}, ann)["id"]
        end = time.monotonic() + 120
        while (page := server.call(f"/games/{game}", token=ann))["status"] == "running":
            assert time.monotonic() < end
            if page["to_move"] != 0:
                time.sleep(0.05)
                continue
            server.step(game, ann)
    finally:
        process.kill()
        process.wait()
    assert page["status"] == "finished"
    assert page["players"][1]["bot_of"] == "Ann"
    moves = server.call(f"/games/{game}/moves")["moves"]
    assert sum(entry["seat"] == 1 and not entry["automatic"] for entry in moves) > 20
    assert not page["players"][1]["autopilot"]
