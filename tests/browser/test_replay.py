"""The replay viewer with its scripts: stepping, playing, the address, boards in chunks, motion, the check of a game."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from server.engine import seeds
from server.engine.ulm1 import tables
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from server.storage import sql
from server.storage.times import utc
from tests.browser.site import Person, Site
from tests.service.conftest import NOW

GAME = f"/replays/{EXAMPLE_ID}"
LAST = 197
SCRIPTS = Path(__file__).parent.parent.parent / "server/routes/pages/static/js"


@pytest.fixture(autouse=True)
def example(site: Site) -> None:
    ensure_example(site.store, NOW)


def ready(page: Any) -> Any:
    page.wait_for_selector("#viewer[data-ready]")
    return page


def on_stage(page: Any, ply: int) -> None:
    """Wait until the board of that ply is to be seen."""
    page.wait_for_selector(f'.layout svg[data-ply="{ply}"]:visible')


def at(page: Any, ply: int) -> None:
    """The board, the words, the list, the slider and the address speak of that ply."""
    on_stage(page, ply)
    assert page.locator("#slider").input_value() == str(ply)
    marked = page.locator('#moves a[aria-current="step"]')
    assert marked.count() == 1
    assert marked.get_attribute("href").startswith(f"?ply={ply}")
    if ply:
        assert page.locator("#where").text_content() == f"Move {ply} of {LAST}"
        assert page.locator("#text").text_content() == marked.text_content()
    page.wait_for_url(re.compile(rf"[?&]ply={ply}(&|$)"))


def frames(page: Any) -> list[str]:
    return [url for url in page.watch.requests if "/frames?" in url]


@pytest.mark.parametrize("width", [360, 820, 1280])
def test_it_steps_by_buttons_and_keys_and_keeps_the_address(open_page, width):
    page = ready(open_page(f"{GAME}?ply=20", width=width))
    at(page, 20)
    page.click('[data-step="on"]')
    at(page, 21)
    page.keyboard.press("ArrowRight")
    at(page, 22)
    page.keyboard.press("ArrowLeft")
    at(page, 21)
    turns = [int(text) for text in page.locator("#viewer").get_attribute("data-turns").split()]
    rounds = [int(text) for text in page.locator("#viewer").get_attribute("data-rounds").split()]
    page.keyboard.press("PageDown")
    at(page, min(turn for turn in turns if turn > 21))
    page.keyboard.press("Shift+PageDown")
    at(page, min(number for number in rounds if number > 21))
    page.keyboard.press("Shift+PageUp")
    page.keyboard.press("PageUp")
    at(page, 0 if rounds[0] > 21 else max(turn for turn in turns if turn < rounds[0]))
    page.keyboard.press("End")
    at(page, LAST)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    at(page, 0)
    page.locator("#slider").fill("100")
    at(page, 100)
    page.locator('#moves .line[data-ply="99"] a').click()
    at(page, 99)
    page.go_back()  # steps are no pages of the history
    assert "/replays/" not in page.url


def test_the_slider_takes_the_keys_by_plies_turns_and_ends(open_page):
    page = ready(open_page(f"{GAME}?ply=20"))
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    at(page, 21)
    page.keyboard.press("End")
    at(page, LAST)
    page.keyboard.press("Home")
    at(page, 0)


def test_keys_are_left_to_fields_that_are_typed_into(open_page):
    page = ready(open_page(f"{GAME}?ply=20"))
    page.focus("#link")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    at(page, 20)


def test_it_plays_and_pauses_and_ends_by_itself(open_page):
    page = ready(open_page(f"{GAME}?ply={LAST - 6}"))
    page.select_option("#speed", "100")
    play = page.get_by_role("button", name="Play", exact=True)
    play.click()
    assert page.get_by_role("button", name="Pause", exact=True).count() == 1
    at(page, LAST)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.keyboard.press("Home")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    for _ in range(100):
        if int(page.locator("#slider").input_value()) >= 3:
            break
        page.wait_for_timeout(100)
    page.keyboard.press("Space")
    stopped = page.locator("#slider").input_value()
    page.wait_for_timeout(500)
    assert page.locator("#slider").input_value() == stopped


def test_boards_come_in_chunks_not_one_by_one(open_page):
    page = ready(open_page(f"{GAME}?ply=0"))
    for ply in range(1, 60):
        page.keyboard.press("ArrowRight")
        on_stage(page, ply)
    assert 2 <= len(frames(page)) <= 3  # 0 to 39, 40 to 79, and perhaps one ahead
    assert [url for url in page.watch.requests if re.search(r"/replays/\w+\?|board\.svg|/states", url)] == [
        page.watch.requests[0]
    ]


def test_a_game_is_watched_without_waiting_for_boards(open_page):
    """The board of the address is in the page itself: it shows though no script runs and no chunk comes."""
    page = open_page(allow="503|Failed to load")
    page.route("**/frames?*", lambda route: route.fulfill(status=503))
    page.goto(f"{GAME}?ply=50")
    on_stage(page, 50)
    ready(page).keyboard.press("ArrowRight")
    page.get_by_text("The boards do not come").wait_for()
    on_stage(page, 50)
    page.unroute("**/frames?*")
    page.keyboard.press("ArrowRight")
    at(page, 52)


def test_the_links_work_without_javascript(open_page):
    page = open_page(f"{GAME}?ply=20&seat=1", javascript=False)
    assert page.locator("#play").is_hidden()
    assert page.locator("#slider").is_hidden()
    page.click('[data-step="turn-on"]')
    assert page.locator("#where").text_content() != f"Move 20 of {LAST}"
    page.get_by_role("link", name="All open").click()
    assert page.get_by_role("link", name="All open").get_attribute("aria-current") == "true"
    page.locator('.chart a[href="?ply=41"]').or_(page.locator(".chart a")).first.click()
    assert "ply=" in page.url


def test_whose_knowledge_is_shown_is_chosen_and_stays_while_stepping(open_page):
    page = ready(open_page(f"{GAME}?ply=30"))
    page.keyboard.press("ArrowRight")
    at(page, 31)
    page.get_by_role("link", name="As Green knew it").click()
    page.wait_for_url("**?ply=31&seat=1")
    ready(page).keyboard.press("ArrowRight")
    at(page, 32)
    assert "seat=1" in page.url
    assert all("seat=1" in url for url in frames(page) if "layout=wide" in url and "seat" in url)
    # Green's own hand is on its board and nobody else's.
    hands = page.locator('.layout.wide svg [id$="-hand-0"], .layout.wide svg [id$="-hand-2"]')
    assert hands.count() == 0


def test_another_width_is_another_board_at_the_same_ply(open_page):
    page = ready(open_page(f"{GAME}?ply=30", width=1280))
    page.keyboard.press("ArrowRight")
    at(page, 31)
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_selector('.layout.narrow svg[data-ply="31"]:visible')


def plies_of(site: Site, what: str) -> list[int]:
    """Where moves of a kind are."""
    moves = site.call(f"/replays/{EXAMPLE_ID}/record")["moves"]
    return [ply for ply, (text, _, _) in enumerate(moves, 1) if text.split()[0] == what]


# Notes what is set in motion: a slow machine may come to look only when it is over.
NOTING = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const named = this.closest("[data-cell], [data-slot], [data-quarter]") ?? this.firstChild;
  window.moved.push(named.id);
  return animate.apply(this, given);
};
"""


def test_a_push_slides_the_line_and_a_seal_drops_and_a_barge_sails(open_page, site):
    page = open_page(reduced_motion="no-preference")
    page.add_init_script(NOTING)
    page.goto(f"{GAME}?ply=0")
    ready(page)

    def step(ply: int) -> list[str]:
        page.locator("#slider").fill(str(ply - 1))
        on_stage(page, ply - 1)
        page.evaluate("window.moved = []")
        page.keyboard.press("ArrowRight")
        on_stage(page, ply)
        return list(page.evaluate("window.moved"))

    ply = plies_of(site, "push")[3]
    slot = site.call(f"/replays/{EXAMPLE_ID}/record")["moves"][ply - 1][0].split()[1]
    moved = step(ply)
    assert len([one for one in moved if "-cell-" in one]) == 3, moved
    assert len([one for one in moved if "-slot-" in one and slot not in one]) == 1, moved
    assert [one for one in step(plies_of(site, "seal")[0]) if "-quarter-" in one]
    assert [one for one in step(plies_of(site, "river")[0]) if "-barge-" in one]


def test_nothing_moves_for_who_wishes_no_motion(open_page, site):
    ply = plies_of(site, "push")[3]
    page = open_page(reduced_motion="reduce")
    page.add_init_script(NOTING)
    page.goto(f"{GAME}?ply={ply - 1}")
    ready(page).keyboard.press("ArrowRight")
    on_stage(page, ply)
    assert page.evaluate("window.moved") == []


def test_the_marker_of_the_chart_follows_and_its_rounds_lead(open_page):
    page = ready(open_page(f"{GAME}?ply=0"))
    marker = page.locator(".chart .marker")
    first = marker.get_attribute("transform")
    page.locator("#slider").fill("100")
    at(page, 100)
    assert marker.get_attribute("transform") != first
    page.locator(".chart a").nth(2).click()
    rounds = page.locator("#viewer").get_attribute("data-rounds").split()
    at(page, int(rounds[2]))


def test_each_arrow_says_how_far_it_leads(open_page):
    for width, script in ((360, True), (360, False), (820, True), (1280, True)):
        for language in ("en", "de", "it"):
            page = open_page(f"{GAME}?ply=20", width=width, javascript=script, language=language)
            for step in page.locator(".step:visible").all():
                word = step.locator(".far")
                assert word.inner_text().lower() in step.get_attribute("aria-label").lower()
                box, frame = word.bounding_box(), step.bounding_box()
                assert frame["x"] <= box["x"], (width, word.inner_text())
                assert box["x"] + box["width"] <= frame["x"] + frame["width"], (width, word.inner_text())
            page.close()


def test_what_leads_to_the_analysis_is_in_sight(open_page):
    page = ready(open_page(f"{GAME}?ply=20", width=1280))
    there = page.get_by_role("link", name="Analysis: luck or skill?")
    box = there.bounding_box()
    assert box["y"] + box["height"] < 800
    page.click('[data-step="on"]')
    at(page, 21)
    there.click()
    page.wait_for_url("**?ply=21&tab=analysis#tabs")
    assert page.locator("#analysis h2").first.bounding_box()["y"] < 800


@pytest.fixture
def unfinished(site: Site) -> Iterator[Any]:
    """A function that says how many plies of the analysis are done, None: all; it is there again after the test."""
    store = site.store
    with store.read():
        version, data = sql.row(store, "SELECT version, data FROM analysis WHERE game_id = ?", EXAMPLE_ID)

    def done(plies: int | None) -> None:
        kept = (version, data) if plies is None else (None, None)
        wanted, owner = (None, None) if plies is None else (utc(NOW), "a test")
        with store.write():
            sql.execute(store, "UPDATE analysis SET version = ?, data = ?, wanted_at = ?, lease_owner = ?, done = ?"
                        " WHERE game_id = ?", *kept, wanted, owner, plies or 0, EXAMPLE_ID)  # fmt: skip

    yield done
    done(None)


def test_an_analysis_that_is_made_comes_by_itself(open_page, unfinished, axe):
    unfinished(50)
    page = ready(open_page(f"{GAME}?ply=20&tab=analysis#tabs", width=390))
    page.get_by_text("50 of 197 moves are done").wait_for()
    assert page.get_by_text("seconds more").is_visible()
    axe(page)
    top = page.evaluate("scrollY")
    assert top > 1000
    unfinished(90)
    page.get_by_text("90 of 197 moves are done").wait_for()
    assert page.evaluate("scrollY") == top
    unfinished(None)
    page.locator("#chances-title").wait_for(state="attached")
    assert page.locator("#said").text_content() == "The analysis is there."
    assert page.evaluate("scrollY") == top
    page.locator(".moment a").first.click()
    on_stage(page, 1)


def test_an_analysis_that_is_made_comes_without_a_script_too(open_page, unfinished):
    unfinished(50)
    page = open_page(f"{GAME}?ply=20&tab=analysis#tabs", width=390, javascript=False)
    assert page.evaluate("scrollY") > 1000
    place = page.locator("#tabs")  # what is asked of the page itself fails while it loads itself anew
    before = place.bounding_box()["y"]
    unfinished(90)
    page.get_by_text("90 of 197 moves are done").wait_for()
    for _ in range(100):  # the browser goes back to where the reader was when it has laid out the page
        if place.bounding_box()["y"] == pytest.approx(before, abs=5):
            break
        page.wait_for_timeout(100)
    assert place.bounding_box()["y"] == pytest.approx(before, abs=5)
    for count in (120, 130, 140):
        unfinished(count)
        page.locator("#analysis noscript a").click()
        page.get_by_text(f"{count} of 197 moves are done").wait_for()
        assert page.locator("#tabs").bounding_box()["y"] < 400
    unfinished(None)
    page.locator("#chances-title").wait_for(state="attached")


def test_waiting_for_an_analysis_without_a_script_leaves_nothing_to_go_back_through(open_page, unfinished):
    unfinished(50)
    page = open_page("/rules", javascript=False)
    page.goto(f"{GAME}?ply=20&tab=analysis#tabs")
    for count in (60, 70):
        unfinished(count)
        page.get_by_text(f"{count} of 197 moves are done").wait_for()
    unfinished(80)
    page.locator("#analysis noscript a").click()
    page.get_by_text("80 of 197 moves are done").wait_for()
    page.go_back()
    assert page.url.endswith("/rules")


def test_links_and_code_to_share_name_the_ply(open_page):
    page = ready(open_page(f"{GAME}?ply=5&seat=2"))
    page.keyboard.press("ArrowRight")
    at(page, 6)
    assert page.locator("#link").input_value().endswith(f"{GAME}?ply=6&seat=2")
    assert f'/embed/{EXAMPLE_ID}?ply=6&amp;seat=2"' in page.locator("#code").input_value()


def test_a_player_goes_on_from_what_is_shown(open_page, site):
    ann = site.person("Ann")
    page = ready(open_page(f"{GAME}?ply=10", person=ann))
    page.keyboard.press("ArrowRight")
    at(page, 11)
    page.select_option('select[name="play"]', "1")
    page.get_by_role("button", name="Play on from this move").click()
    page.wait_for_url("**/games/*")
    game = page.url.rsplit("/", 1)[1].split("?")[0]
    assert site.page(game, ann)["origin"] == "sandbox"


@pytest.fixture
def other_site(site: Site) -> Iterator[str]:
    """Somebody else's page with the viewer in a frame."""
    frame = f'<iframe src="{site.url}/embed/{EXAMPLE_ID}?ply=9" width="800" height="700" title="A game"></iframe>'
    page = f'<!doctype html><link rel="icon" href="data:,"><title>Host</title>{frame}'

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_it_plays_in_a_frame_of_another_site(open_page, site, other_site):
    page = open_page(base=other_site)
    page.watch.base = "http://127.0.0.1"  # the host and the framed site
    page.watch.foreign = lambda: [url for url in page.watch.requests
                                  if not url.startswith((other_site, site.url, "data:"))]  # fmt: skip
    page.goto("/")
    frame = page.frame_locator("iframe")
    frame.locator("#viewer[data-ready]").wait_for(state="attached")
    frame.locator('[data-step="on"]').click()
    frame.locator('.layout svg[data-ply="10"]:visible').wait_for()


# The check


def verdict(page: Any) -> tuple[str, list[str]]:
    page.get_by_role("button", name="Check this game").click()
    page.wait_for_selector('#check[data-verdict="good"], #check[data-verdict="bad"]')
    findings = page.locator("#findings li")
    return page.locator("#check").get_attribute("data-verdict"), [
        f"{one.get_attribute('class')}: {one.text_content()}" for one in findings.all()
    ]


def test_an_honest_game_is_found_to_be_so_and_what_was_checked_is_said(open_page, site, axe):
    page = ready(open_page(GAME))
    found, lines = verdict(page)
    assert found == "good", lines
    record = site.call(f"/replays/{EXAMPLE_ID}/record")
    assert [line for line in lines if line.startswith("bad")] == []
    text = " ".join(lines)
    assert record["seed"]["commitment"] in text
    seed = seeds.game_seed(bytes.fromhex(record["seed"]["server"]), record["seed"]["clients"])
    assert seed.hex() in text
    assert f"All {LAST} positions" in text
    draws = sum(move == "draw" for move, _, _ in record["moves"])
    assert f"All {draws} draws" in text
    assert f"digests of {len(record['digests'])} positions" in text
    assert page.get_by_role("alert").text_content() == "Everything that was checked is right."
    axe(page)


def _record(change):
    def tamper(route):
        answer = route.fetch()
        data = answer.json()
        change(data)
        route.fulfill(response=answer, body=json.dumps(data))

    return "**/record?inline", tamper


def _state(ply, change):
    def tamper(route):
        answer = route.fetch()
        lines = [json.loads(line) for line in answer.text().splitlines()]
        change(lines, next(index for index, line in enumerate(lines) if line["ply"] == ply))
        headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
        route.fulfill(status=200, headers=headers, body="".join(json.dumps(line) + "\n" for line in lines))

    return "**/states?*", tamper


def _last(data):
    return str(len(data["moves"]))


TAMPERED = {
    "another secret": (_record(lambda data: data["seed"].update(server="00" * 32)), "NOT the one that it promised"),
    "another promise": (
        _record(lambda data: data["seed"].update(server="00" * 32, commitment=seeds.commitment(bytes(32)))),
        "another commitment than the one that was shown"),
    "another client seed": (
        _record(lambda data: data["seed"]["clients"].__setitem__(0, "x")), "NOT follow from the seed"),
    "another shuffle": (
        _state(0, lambda lines, at: lines[at]["state"]["pile"].reverse()), "does NOT follow from the seed: pile"),
    "another tile drawn": (
        _state(1, lambda lines, at: lines[at]["state"]["turn"].update(tiles=["orange"])), "not the one that follows"),
    "points at the end": (
        _state(LAST, lambda lines, at: lines[at]["state"]["players"][0].update(vp=99)), "the position is not the one"),
    "a position left out": (_state(50, lambda lines, at: lines.pop(at)), "missing or stands in the wrong place"),
    "the end left out": (_state(LAST, lambda lines, at: lines.pop(at)), "missing or stands in the wrong place"),
    "another player": (
        _record(lambda data: data["moves"][3].__setitem__(1, (data["moves"][3][1] + 1) % 3)), "another seat moved"),
    "a digest": (_record(lambda data: data["digests"].update({_last(data): "0" * 16})), "its digest is"),
    "no digest": (_record(lambda data: data["digests"].pop(_last(data))), "lacks the digest"),
    "the result": (
        _record(lambda data: data["result"]["scores"][0].update(total=200)), "NOT that of the last position"),
    "no record": (("**/record?inline", lambda route: route.fulfill(status=404)), "cannot be read: 404"),
    "nonsense": (("**/states?*", lambda route: route.fulfill(status=200, body="<p>")), "could not be finished"),
}  # fmt: skip


@pytest.mark.parametrize("case", TAMPERED)
def test_what_was_tampered_with_is_told_loudly(open_page, case):
    (pattern, tamper), words = TAMPERED[case]
    page = ready(open_page(GAME, allow="404"))
    page.route(pattern, tamper)
    found, lines = verdict(page)
    assert found == "bad", lines
    assert [line for line in lines if line.startswith("bad") and words in line], lines
    assert page.get_by_role("alert").text_content() == "This game is NOT right: see the lines in red above."


def test_games_of_people_check_too_with_their_own_seeds(open_page, site):
    ann, ben = site.person("Ann"), site.person("Ben")
    game = site.game(ann, ben, client_seed="a ünïcode sëed ☘", private=True)
    site.advance(game, ann, ben, until=lambda page: page["ply"] > 40)
    site.play(game, ann, "resign") if site.page(game, ann)["to_move"] == 0 else site.play(game, ben, "resign")
    page = ready(open_page(f"/replays/{game}", person=ben))
    found, lines = verdict(page)
    assert found == "good", lines


def test_what_cannot_be_checked_is_said(open_page, site):
    ann = site.person("Ann")
    record = json.loads((Path(__file__).parent.parent / "vectors/games/vector-02.ulm.json").read_text("utf-8"))
    kept = site.call("/replays", record, ann.token)
    found, lines = verdict(ready(open_page(f"/replays/{kept['id']}")))
    assert found == "good", lines
    assert [line for line in lines if line.startswith("open") and "played elsewhere" in line]
    sandbox = site.call(f"/replays/{EXAMPLE_ID}/branches", {"ply": 190}, ann.token)["id"]
    finish(site, sandbox, ann)
    found, lines = verdict(ready(open_page(f"/replays/{sandbox}", person=ann)))
    assert found == "good", lines
    assert [line for line in lines if line.startswith("open") and "no shuffle to check" in line]


def finish(site: Site, game: str, owner: Person) -> None:
    """Play a sandbox, in which the owner moves for all, to its end."""
    for _ in range(500):
        if site.page(game, owner)["status"] == "finished":
            return
        legal = site.legal(game, owner)
        site.play(game, owner, next((move for move in ("end", "draw") if move in legal), legal[0]))
    raise AssertionError("the sandbox does not end")


NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="no node here")
def test_the_scripts_of_the_check_compute_what_the_engine_does(tmp_path):
    """SHA-256 and HMAC against Python's for all lengths round a block, the tables against the rules'."""
    import hashlib
    import hmac

    lengths = [*range(130), 1000, 4096]
    script = tmp_path / "run.mjs"
    script.write_text(f"""
import {{ sha256, hmac, hex, utf8 }} from "{SCRIPTS}/verify-sha256.js";
import * as shuffle from "{SCRIPTS}/verify-shuffle.js";
import {{ canonical }} from "{SCRIPTS}/verify.js";
const bytes = (length) => Uint8Array.from({{ length }}, (_, index) => (index * 7 + length) % 256);
console.log(JSON.stringify({{
  sha: {lengths}.map((length) => hex(sha256(bytes(length)))),
  hmac: {lengths}.map((length) => hex(hmac(bytes(length % 100), bytes(length)))),
  tables: [shuffle.CARDS, shuffle.DESCENDANTS, shuffle.COATS, shuffle.TOWER, shuffle.GRID, shuffle.COLORS,
    shuffle.TILES_PER_COLOR],
  known: ["ulm/1", "ulm-box/1-177e3bfe", "ulm/2", "ulm-box/1", "ulm-box/1-177e3bfe0"].map(shuffle.known),
  canonical: canonical({{ b: [1, null, true, "\\u00e4\\u2028\\ud83d\\ude00\\u007f\\"\\\\"], a: {{ z: -1, y: {{}} }} }}),
}}));
""")
    done = subprocess.run([NODE, script], capture_output=True, text=True, check=True, timeout=60)
    found = json.loads(done.stdout)
    data = [bytes((index * 7 + length) % 256 for index in range(length)) for length in lengths]
    keys = [bytes((index * 7 + length % 100) % 256 for index in range(length % 100)) for length in lengths]
    assert found["sha"] == [hashlib.sha256(one).hexdigest() for one in data]
    assert found["hmac"] == [hmac.digest(key, one, "sha256").hex() for key, one in zip(keys, data, strict=True)]
    assert found["tables"] == [
        list(tables.CARDS), list(tables.DESCENDANTS), list(tables.COATS), list(tables.TOWER),
        [tables.COLORS[color] for color in tables.FIRST_GRID], list(tables.COLORS), tables.TILES_PER_COLOR,
    ]  # fmt: skip
    assert found["known"] == [True, True, False, False, False]
    value = {"b": [1, None, True, '\u00e4\u2028\U0001f600\x7f"\\'], "a": {"z": -1, "y": {}}}
    assert found["canonical"] == json.dumps(value, sort_keys=True, separators=(",", ":"))


# How it looks and reads


@pytest.mark.parametrize("theme", ["dark"])  # test_every_page.py has the other looks
def test_all_pages_are_accessible(open_page, axe, theme):
    for width, path in ((360, GAME), (1280, f"{GAME}?ply=80&seat=1"), (360, "/replays?seats=3"), (1280, "/replays"),
                        (820, f"/embed/{EXAMPLE_ID}?ply=20")):  # fmt: skip
        axe(open_page(path, width=width, theme=theme))


def test_targets_are_large_enough_for_a_finger_and_nothing_sticks_out(open_page):
    page = ready(open_page(f"{GAME}?ply=20", width=360, touch=True))
    for box in [one.bounding_box() for one in page.locator(".step:visible, #play, #speed, .eyes a, #slider").all()]:
        assert box["height"] >= 44
        assert box["width"] >= 38
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator('[data-step="on"]').tap()
    at(page, 21)


def test_a_magnified_page_is_not_covered_by_what_is_at_hand(open_page, site):
    """A window of 1280 by 800 pixels at 200 % has room for 640 by 400."""
    tab = ready(open_page(f"{GAME}?ply=50", width=640))
    tab.set_viewport_size({"width": 640, "height": 400})
    assert tab.locator(".controls").bounding_box()["height"] <= 130


def test_weights(open_page):
    """The page without its boards under 150 kB, each board under 120 kB."""
    page = open_page(GAME)
    text = page.evaluate("fetch(location.href).then(answer => answer.text())")
    boards = re.findall(r"<svg xmlns.*?</svg>", text, re.DOTALL)
    assert len(boards) == 2
    assert all(len(board) < 120_000 for board in boards)
    scripts = sum(file.stat().st_size for pattern in ("replay*.js", "verify*.js") for file in SCRIPTS.glob(pattern))
    assert len(text) - sum(map(len, boards)) + scripts < 150_000


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_on_a_phone_what_a_move_changes_comes_into_view(open_page, motion):
    """A barge sailed below the bar while only the square was seen."""
    page = ready(open_page(f"{GAME}?ply=0", width=390, touch=True, reduced_motion=motion))
    went = {"square": 0, "barge": 0}
    for ply in range(1, 60):
        page.locator('[data-step="on"]').tap()
        on_stage(page, ply)
        said = page.locator("#text").inner_text()
        part = "barge" if "barge reaches" in said else "square" if " pushes " in said else ""
        if part:
            went[part] += 1
            page.wait_for_function(IN_VIEW, arg=part, timeout=5000)
    assert min(went.values()) > 1, went


@pytest.mark.parametrize("step", ["turn", "round"])
def test_on_a_phone_what_a_jump_changes_comes_into_view(open_page, step):
    """Forward and back; but the page stays under a finger that moves the slider."""
    page = ready(open_page(f"{GAME}?ply=0", width=390, touch=True))
    sailed = 0
    for way in ("on", "on", "on", "back"):
        page.evaluate("scrollTo(0, 0)")
        spaces = page.evaluate(BARGES)
        step_to = page.locator(f'[data-step="{step}-{way}"]')
        ply = int(re.search(r"ply=(\d+)", step_to.get_attribute("href"))[1])
        step_to.tap()
        on_stage(page, ply)
        for barge, (space, seen) in page.evaluate(BARGES).items():
            if space != spaces[barge][0]:
                sailed += 1
                assert seen, (way, barge)
    assert sailed > 2
    page.evaluate("scrollTo(0, 0)")
    page.locator("#slider").fill("120")
    on_stage(page, 120)
    assert page.evaluate("scrollY") == 0


BARGES = """() => {
  const board = [...document.querySelectorAll(".layout svg")].find((one) => one.checkVisibility());
  const foot = document.getElementById("controls").getBoundingClientRect().top;
  return Object.fromEntries([...board.querySelectorAll("[id*='-barge-'][data-space]")].map((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return [one.id, [one.dataset.space, top >= 0 && bottom <= foot]];
  }));
}"""
IN_VIEW = """(part) => {
  const board = [...document.querySelectorAll(".layout svg")].find((one) => one.checkVisibility());
  const space = document.getElementById("text").textContent.match(/[0-9]+(?=[.])/)?.[0];
  const wanted = part === "square" ? "[data-cell]" : `[id*="-barge-"][data-space="${space}"]`;
  const parts = [...board.querySelectorAll(wanted)];
  const foot = document.getElementById("controls").getBoundingClientRect().top;
  const boxes = parts.map((one) => one.getBoundingClientRect());
  return boxes.length > 0 && boxes.every((box) => box.top >= 0 && box.bottom <= foot);
}"""
