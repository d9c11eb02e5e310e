"""The HTML export: one file, no request, steps in a browser."""

import base64
import json
import re
import tracemalloc
import zlib

import pytest

from replays import report
from replays.picture import picture
from server.engine import record
from server.engine.game import Game
from tests.chromium import EXECUTABLE
from tests.replays.conftest import GAMES, game, good

GAME = GAMES / "vector-05.ulm.json"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("html") / "game.html"
    good("report", GAME, "-o", path)
    return path


def boards(text: str) -> dict:
    packed = re.search(r'<script id="data" type="application/octet-stream">([^<]*)</script>', text)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_every_board_is_inside(page):
    replay = Game(record.loads(GAME.read_text("utf-8")))
    found = boards(page.read_text("utf-8"))
    for layout in ("wide", "narrow"):
        parts, plies = found[layout]["parts"], found[layout]["plies"]
        assert len(plies) == replay.plies + 1
        for ply in (0, 1, 77, replay.plies):
            assert "".join(parts[part] for part in plies[ply]) == picture(replay, ply, layout=layout)


def test_it_is_made_piece_by_piece():
    """As a whole it took ten megabytes more for each page that was made, and the process kept them."""
    data = game(5)
    data |= {"moves": data["moves"][:80], "digests": {}, "result": None}
    replay = Game(record.from_dict(data))
    whole = "".join(report.html(replay))  # from here on the parts of boards are at hand
    unpacked = len(json.dumps(boards(whole)))
    tracemalloc.start()
    try:
        sizes = [len(piece) for piece in report.html(replay)]
        more = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(sizes) == len(whole)
    assert len(sizes) > 20
    assert max(sizes) < len(whole) / 4
    assert more < 2 * unpacked, "it was there four times"


def test_it_loads_nothing_and_is_small(page):
    text = page.read_text("utf-8")
    assert len(text) < 600_000
    assert not re.search(r'\b(src|href)\s*=\s*"?(?!#|data:)', re.sub(r"<script id.*?</script>", "", text, flags=re.S))
    assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    assert "default-src 'none'" in text


def test_names_cannot_break_out(save):
    data = game(6)
    data["name"] = data["players"][1]["name"] = '</script><img src=x onerror="x()">&$title'
    out = save("", "page.html")
    good("report", save(data), "-o", out)
    assert "<img" not in out.read_text("utf-8")
    found = boards(out.read_text("utf-8"))["wide"]
    assert not any("<img" in part for part in found["parts"])


def test_for_a_seat(tmp_path):
    out = tmp_path / "seat.html"
    good("report", GAME, "-o", out, "--seat", 0)
    replay = Game(record.loads(GAME.read_text("utf-8")))
    found = boards(out.read_text("utf-8"))["wide"]
    assert "".join(found["parts"][part] for part in found["plies"][99]) == picture(replay, 99, 0, layout="wide")


@pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium here")
def test_it_steps_in_chromium_offline(page):
    playwright = pytest.importorskip("playwright.sync_api")
    replay = Game(record.loads(GAME.read_text("utf-8")))
    requests, problems = [], []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=EXECUTABLE,
            args=[
                "--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update",
                "--disable-sync",
            ],
        )  # fmt: skip
        context = browser.new_context(offline=True, viewport={"width": 1300, "height": 900})
        tab = context.new_page()
        tab.on("request", lambda request: requests.append(request.url))
        tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(page.as_uri())
        tab.wait_for_selector("body[data-ready]")

        def ply() -> int:
            shown = int(tab.get_attribute("#board svg", "data-ply"))
            assert tab.text_content("#number") == f"{shown} / {replay.plies}"
            return shown

        assert ply() == 0
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("ArrowRight")
        assert ply() == 2
        assert replay.record.moves[1].text in tab.text_content("#log li.now code")
        tab.keyboard.press("ArrowLeft")
        assert ply() == 1
        tab.keyboard.press("End")
        assert ply() == replay.plies
        tab.keyboard.press("PageUp")
        assert ply() < replay.plies
        tab.click("#first")
        tab.click("#turn-on")
        assert replay.record.moves[ply() - 1].text == "end"
        tab.fill("#slider", "120")
        assert ply() == 120
        tab.click('#log li[data-ply="33"]')
        assert ply() == 33
        assert "#33" in tab.url
        tab.set_viewport_size({"width": 390, "height": 800})
        # Not by a function that waits in the page: what it is made of is a text, which the page's policy does not run.
        tab.wait_for_selector('#board svg[viewBox^="0 0 400 "]')
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        browser.close()
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert problems == []
