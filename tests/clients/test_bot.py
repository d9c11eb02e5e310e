"""`ulm-bot` (clients/python) keeps `examples/bot.py` at its tables, as docs/clients.md says how to start it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ulm_client import Client

from tests.live import LiveServer

ROOT = Path(__file__).parents[2]
BOT = (sys.executable, "-m", "ulm_client.bot")
"""The command `ulm-bot`, where the client is not installed."""


@pytest.fixture
def server(start_server: Callable[..., LiveServer]) -> LiveServer:
    return start_server()


@pytest.fixture
def ann(server: LiveServer) -> Iterator[tuple[Client, str]]:
    """A player, and her token."""
    token = server.call("/players", {"name": "Ann"})["token"]
    with Client(server.url, token) as client:
        yield client, token


def how(folder: Path, server: LiveServer, **variables: str) -> dict[str, Any]:
    """Where a program of this folder runs."""
    known = {"PYTHONPATH": str(ROOT / "clients/python/src"), "ULM_SERVER": server.url}
    return {"cwd": folder, "env": {**os.environ, **known, **variables}, "stdin": subprocess.DEVNULL}


@contextmanager
def started(*words: str, log: Path, **environment: Any) -> Iterator[None]:
    with log.open("a") as file:
        process = subprocess.Popen(words, stdout=file, stderr=file, **environment)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def play(client: Client, game: str, until: Callable[[], bool], log: Path) -> None:
    """Play one's seat of a game, ending turns as soon as may be, until something is so."""
    end = time.monotonic() + 120
    for turn in client.turns(game):
        assert time.monotonic() < end, log.read_text("utf-8")
        turn.play("end" if "end" in turn.legal else turn.legal[0])
        if until():
            break


def test_it_takes_challenges_and_outlives_its_end(server: LiveServer, ann: tuple[Client, str], tmp_path: Path) -> None:
    """Ann makes a bot and plays two games against it; it is killed in the midst of the first, and started again."""
    client, token = ann
    log = tmp_path / "log"
    rules = '{"games": 2, "without_clock": true}'
    made = subprocess.run([*BOT, "create", "example", "--rules", rules], capture_output=True, text=True, check=True,
                          **how(tmp_path, server, ULM_TOKEN=token))  # fmt: skip
    again = subprocess.run([*BOT, "create", "example", "--rules", '{"games": 3}'], capture_output=True, text=True,
                           check=True, **how(tmp_path, server, ULM_TOKEN=token))  # fmt: skip
    assert again.stdout == ""
    assert client.my_bot("example")["rules"]["games"] == 3
    run = (*BOT, "run", "bot:choose", "--at-once", "2")
    environment = how(ROOT / "examples", server, ULM_BOT_TOKEN=made.stdout.strip())
    games = [client.create_game(seats=2, bots=["@example"])["id"] for _ in range(2)]
    with started(*run, log=log, **environment):
        play(client, games[0], lambda: client.game(games[0])["ply"] > 30, log)
    with started(*run, log=log, **environment):
        for game in games:
            play(client, game, lambda game=game: client.game(game)["status"] == "finished", log)
    assert "plays as example (bot)" in log.read_text("utf-8")
    for game in games:
        assert sum(entry["seat"] == 1 and not entry["automatic"] for entry in client.moves(game)["moves"]) > 20
        assert not client.game(game)["players"][1]["autopilot"]


@pytest.mark.parametrize(("program", "example"), [(sys.executable, "bot.py"), ("node", "bot.mjs")])
def test_the_examples_play_by_themselves(
    server: LiveServer, ann: tuple[Client, str], tmp_path: Path, program: str, example: str
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    client, _ = ann
    bot = client.create_bot(handle="example")["token"]
    game, log = client.create_game(seats=2, bots=["@example"])["id"], tmp_path / "log"
    with started(program, example, server.url, log=log, **how(ROOT / "examples", server, ULM_BOT_TOKEN=bot)):
        play(client, game, lambda: client.game(game)["ply"] > 30, log)


def test_a_function_that_fails_is_asked_again(server: LiveServer, ann: tuple[Client, str], tmp_path: Path) -> None:
    """It raises once, says once what is against the rules, and plays on."""
    client, _ = ann
    bot = client.create_bot(handle="example")["token"]
    game, log = client.create_game(seats=2, bots=["@example"])["id"], tmp_path / "log"
    shutil.copy(ROOT / "examples/bot.py", tmp_path / "bot.py")
    (tmp_path / "moody.py").write_text(
        "import bot\n\nanswers = iter([5, 'seal it'])\n\n"
        "def choose(view, legal):\n    return next(answers, None) or bot.choose(view, legal)\n"
    )
    with started(*BOT, "run", "moody:choose", log=log, **how(tmp_path, server, ULM_BOT_TOKEN=bot)):
        play(client, game, lambda: client.game(game)["ply"] > 10, log)
    told = log.read_text("utf-8")
    assert told.count("asked again in") == 2
    assert "TypeError" in told
    assert "RefusedError" in told


@pytest.mark.parametrize(("function", "token", "told"), [
    ("bot:choose", "", "put the token into ULM_BOT_TOKEN"),
    ("bot:choose", "ulm_unknown", "token"),
    ("bot:none", "ulm_unknown", "bot:none is no function to play with"),
])  # fmt: skip
def test_what_cannot_play_says_why(server: LiveServer, function: str, token: str, told: str) -> None:
    done = subprocess.run([*BOT, "run", function], capture_output=True, text=True, check=False,
                          **how(ROOT / "examples", server, ULM_BOT_TOKEN=token))  # fmt: skip
    assert done.returncode == 1
    assert told in done.stderr.splitlines()[-1]
