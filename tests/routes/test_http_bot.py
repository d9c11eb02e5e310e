"""`examples/http_bot` plays a whole game against a live server, as docs/bot-accounts.md says how to start it."""

import importlib.util
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType

import pytest

from tests.live import LiveServer

BOT = Path(__file__).parents[2] / "examples" / "http_bot" / "http_bot.py"


def test_it_takes_a_challenge_and_plays_to_the_end(
    start_server: Callable[..., LiveServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann against her own bot: she ends each turn as soon as she may, so that the ten rounds are short."""
    server, anns = start_server(), []
    monkeypatch.setattr(server, "call", lambda *what, **how: anns.append(what) or LiveServer.call(server, *what, **how))
    ann = server.call("/players", {"name": "Ann"})["token"]
    token = server.call("/players/me/bots", {"handle": "example"}, ann)["token"]
    process = subprocess.Popen([sys.executable, str(BOT), server.url, token], stdin=subprocess.DEVNULL)
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
    assert sum(entry["seat"] == 1 and entry["move"] != "draw" for entry in moves) > 20
    # A request for each of its moves, none in vain, and the stream: all that was asked for, but by Ann.
    asked = re.findall(r" method=(\w+) path=(\S+) status=(\d+) ", server.log())
    posted = [status for _, path, status in asked if path.endswith("/moves")]
    assert posted == ["201"] * (len(posted) - 1) + ["200"]
    own = len(posted) - sum(str(path).endswith("/moves") for path, *_ in anns)
    assert own > 20
    assert len(asked) - len(anns) == own + 1
    assert not page["players"][1]["autopilot"]


@pytest.fixture
def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("http_bot", BOT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GAME = (b'event: game\nid: 7\ndata: {"game": "g", "status": "running", "ply": 1, "legal_moves": ["draw"], '
        b'"view": {}}\n\n')  # fmt: skip
MOVED = b'{"ply": 2, "legal_moves": ["push N2"], "view": {}}'
BAD = [(502, b"<html>Bad gateway</html>", {}), (0, b"", {}), (200, b"<html>Soon back</html>", {}),
       (429, b"{}", {"Retry-After": "50"})]  # fmt: skip
"""What answers instead of the server: a proxy's page, nothing, a page with 200, too much."""


def test_it_waits_out_whatever_happens(bot: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """It died in an outage of 31 s, and at a page of HTML."""
    told = [*BAD * 8, (200, GAME, {}), *BAD, (201, MOVED, {}), *BAD, (409, b"{}", {}), (200, GAME, {}),
            (200, GAME[:-40], {}), (401, b"no JSON", {})]  # fmt: skip
    asked: list[tuple[str, str | None]] = []

    class Told(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers["Last-Event-ID"]))
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            status, body, headers = told.pop(0)
            if status:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - its name

        def log_message(self, *_: object) -> None:
            pass

    slept: list[float] = []
    monkeypatch.setattr(bot.time, "sleep", slept.append)
    server = HTTPServer(("127.0.0.1", 0), Told)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    with pytest.raises(SystemExit, match="refuses"):
        bot.play_all(bot.Server(f"http://127.0.0.1:{server.server_port}", "token"), random.Random(1))
    server.shutdown()
    server.server_close()
    assert told == []
    assert asked[-1] == ("/api/v1/events?include=legal_moves,view", "7")
    assert sum(slept) > 500
    assert max(slept) == 50
