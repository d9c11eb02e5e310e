"""The README keeps its promises: its own bash blocks, as they stand, play turns against a live server. So do those of
docs/playing.md, which go on in the same shell."""

import json
import os
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PLAYING = (ROOT / "docs" / "playing.md").read_text("utf-8")
BLOCKS, MORE = (re.findall(r"^```bash\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) for text in (README, PLAYING))


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as response:
        return json.load(response)


def paste(blocks: list[str], url: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run blocks in one bash that reads them from its standard input, as a terminal does; stop at the first failure."""
    environment = {**os.environ, "ULM": url, "LC_ALL": "C.UTF-8", "no_proxy": "127.0.0.1"}
    return subprocess.run(
        ["bash", "-eu", "-o", "pipefail"],
        input="\n".join(blocks),
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_first_game_works_when_pasted(start_server, tmp_path):
    server = start_server(ULM_EXAMPLE="on")
    directory = tmp_path / "shell"
    directory.mkdir()
    done = paste(BLOCKS, server.url, directory)
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout
    assert said.startswith("running\n")
    assert "Column 2 is blocked: a tile lies in S2 (rule K4)" in said
    assert '"valid":true' in said
    assert list(directory.iterdir()) == []  # it leaves nothing behind

    # What the shell was told is what the server holds: both players played a turn.
    both = get(f"{server.url}/api/v1/games?status=running")  # in any order where they began in the same second
    game, against_the_master = sorted(both, key=lambda one: one["players"][1]["bot"] is not None)
    assert against_the_master["players"][1]["bot"] == "master"
    assert (game["name"], game["seats"], [player["name"] for player in game["players"]]) == (
        "A first game",
        2,
        ["Red", "Green"],
    )
    log = get(f"{server.url}/api/v1/games/{game['id']}/moves")["moves"]
    one = log[0]["seat"]
    turns = [
        [entry["move"] for entry in log if entry["seat"] == seat and entry["move"] != "draw"] for seat in (one, 1 - one)
    ]
    assert turns[0][0] == "push N2"
    assert turns[0][-1] == "end"
    assert set(turns[0][1:-1]) <= {"money", "river"}
    assert turns[1] == ["push W1", "end"]
    page = get(f"{server.url}/api/v1/games/{game['id']}")
    assert (page["round"], page["to_move"], page["ply"]) == (2, one, len(log))


def test_the_guide_goes_on_where_the_readme_stops(start_server, tmp_path):
    server = start_server(ULM_EXAMPLE="on")
    done = paste(BLOCKS + MORE, server.url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    legal, grid, pushed, undone, first, repeat, stale, early, unknown, waited, draw, bots, invited = said[-13:]
    assert "push S1" in json.loads(legal)["moves"]
    assert len(json.loads(grid)) == 3
    assert int(pushed) == int(undone) + 1
    assert (first, repeat) == ("1", "1")
    assert stale == "Conflict"
    assert early.startswith("it is not your turn")
    assert "atlantis" in unknown
    assert waited == "304"
    assert draw == "false"
    assert bots == "running"
    assert len(invited) >= 16

    games = get(f"{server.url}/api/v1/games?status=running")
    [game] = [game for game in games if game["name"] == "A first game"]
    log = get(f"{server.url}/api/v1/games/{game['id']}/moves?since={undone}")["moves"]
    assert [entry["move"] for entry in log] == ["push S1"]  # undone once, repeated once, and there once
