"""The examples that docs/clients.md names, each as it says how to start it. (The two bots: `test_bot.py`; the page:
tests/browser.)"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from ulm_client import Client

from clients.python.tests.test_outages import send, serving
from tests.clients.test_bot import ROOT, how, started
from tests.live import LiveServer
from tests.ports import Port
from tests.together import until

EXAMPLES = ROOT / "examples"


def test_a_game_by_curl(start_server: Callable[..., LiveServer]) -> None:
    missing = [name for name in ("sh", "curl", "jq") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"no {missing[0]} here")
    server = start_server()
    done = subprocess.run(["sh", EXAMPLES / "curl-game.sh", server.url], capture_output=True, text=True, timeout=300,
                          check=True)  # fmt: skip
    assert "the end of the game" in done.stdout
    assert done.stderr == ""


def test_a_tournament_and_a_plot_of_its_games(start_server: Callable[..., LiveServer], tmp_path: Path) -> None:
    server = start_server()
    environment = how(tmp_path, server, ULM_TOKEN=server.call("/players", {"name": "Ann"})["token"])
    for name in ("tournament.py", "bot.py"):
        shutil.copy(EXAMPLES / name, tmp_path)
    shutil.copy(EXAMPLES / "bot.py", tmp_path / "mine.py")
    names = ["bot:choose", "mine:choose", "random"]
    played = subprocess.run([sys.executable, "tournament.py", *names], capture_output=True, text=True, timeout=300,
                            check=True, **environment)  # fmt: skip
    rows = [line.split() for line in played.stdout.splitlines()[1:]]
    assert sorted((row[0], row[1]) for row in rows) == [("bot:choose", "3"), ("mine:choose", "3"), ("random", "2")]
    assert sum(int(row[2]) for row in rows) >= 4
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("no matplotlib here: the plot is not tried")
    subprocess.run([sys.executable, EXAMPLES / "corpus_to_plot.py", server.url, "plot.svg"], timeout=300, check=True,
                   **environment)  # fmt: skip
    assert "mean of 4 games" in (tmp_path / "plot.svg").read_text("utf-8")


def test_a_webhook_for_a_chat(start_server: Callable[..., LiveServer], tmp_path: Path) -> None:
    """What the server signed goes on; what somebody else made up does not."""
    heard: list[bytes] = []

    def chat(request: BaseHTTPRequestHandler, body: bytes) -> None:
        heard.append(body)
        send(request, 200, b"")

    server = start_server(ULM_OWN_NETWORKS="127.0.0.0/8")
    ann, ben = (server.call("/players", {"name": name})["token"] for name in ("Ann", "Ben"))
    with Port() as port, serving(chat) as chat_url, Client(server.url, ann) as client:
        hook = f"http://127.0.0.1:{port}/"
        channel = client.create_channel(shape="json", address=hook)
        environment = how(tmp_path, server, SECRET=channel["signing_secret"], CHAT=chat_url)
        script = (sys.executable, str(EXAMPLES / "webhook_to_chat.py"), str(port))
        with started(*script, log=tmp_path / "log", **environment):
            game = client.create_game(seats=2, name="Friday")["id"]
            server.call(f"/games/{game}/players", {}, ben)
            until(lambda: any(b"Friday" in body for body in heard))
            forged = {"webhook-id": "a", "webhook-timestamp": "1764236100", "webhook-signature": "v1,bm8="}
            with pytest.raises(HTTPError, match="401"):
                urlopen(Request(hook, b'{"data": {"title": "Made up"}}', forged), timeout=30)
    assert not any(b"Made up" in body for body in heard)
