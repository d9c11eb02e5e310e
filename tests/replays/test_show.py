"""`show` and `moves`: what people look at."""

import json
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from replays.sight import chapters
from server.engine import record
from server.engine.game import Game
from tests.replays.conftest import GAMES, good, ulm_replay

GAME = GAMES / "vector-03.ulm.json"


def test_json_is_the_state_or_what_a_seat_knew():
    replay = Game(record.loads(GAME.read_text("utf-8")))
    assert json.loads(good("show", GAME, "--ply", 44, "--format", "json")) == replay.state(44).to_dict()
    assert json.loads(good("show", GAME, "--ply", 44, "--seat", 1, "--format", "json")) == replay.view(44, 1)


def test_svg_and_png(tmp_path):
    root = ET.fromstring(good("show", GAME, "--ply", 50, "--format", "svg"))  # noqa: S314 - our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("data-ply") == "50"
    out = tmp_path / "board.png"
    good("show", GAME, "--ply", 50, "-o", out, "--width", 500, "--theme", "dark")
    with Image.open(out) as image:
        assert (image.format, image.width) == ("PNG", 500)


@pytest.mark.parametrize(
    "args",
    [["--ply", 9999], ["--seat", 4], ["--ply", "-1"], ["--format", "gif"], ["--format", "png", "--width", 99999]],
)
def test_wrong_arguments(args):
    result = ulm_replay("show", GAME, *args)
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"Traceback" not in result.stderr
    assert result.stderr


def test_moves_for_a_seat_hide_what_it_could_not_read(vectors):
    replay = Game(vectors[4])
    kept = {
        event.what[0]
        for step in replay.steps()
        for event in step.events
        if event.kind in ("keep_card", "draw_card") and event.seat != 0
    }
    assert kept
    for chapter in chapters(replay, 0):
        for line in chapter.lines:
            if line.seat != 0 and line.move.startswith("choose"):
                assert line.move == "choose"
            for words in line.text:
                if re.search(r"(draws|keeps|looks at) [a-z_ ]*[-a-z]*(nave|choir|fustian|siege)", words):
                    assert words.startswith(replay.names[0])


def test_moves_as_text_and_json():
    text = good("moves", GAME)
    assert "Round 1: " in text
    assert "Round 10" in text
    lines = [json.loads(line) for line in good("moves", GAME, "--json").splitlines()]
    assert [line["ply"] for line in lines] == list(range(1, len(lines) + 1))
    assert set(lines[0]) == {"round", "ply", "seat", "move", "at", "text", "vp"}
