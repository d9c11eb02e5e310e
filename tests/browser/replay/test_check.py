"""The check of a game in the browser."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from server.engine import rulesets, seeds
from server.engine.ulm1 import tables
from server.service.seating.example_game import EXAMPLE_ID
from tests.browser.replay.conftest import GAME, LAST, SCRIPTS, ready


def verdict(page):
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
        "a different commitment from the one shown"),
    "another client seed": (
        _record(lambda data: data["seed"]["clients"].__setitem__(0, "x")), "NOT follow from the seed"),
    "another shuffle": (
        _state(0, lambda lines, at: lines[at]["state"]["pile"].reverse()), "does NOT follow from the seed: pile"),
    "another tile drawn": (
        _state(1, lambda lines, at: lines[at]["state"]["turn"].update(tiles=["orange"])), "not the one that follows"),
    "points at the end": (
        _state(LAST, lambda lines, at: lines[at]["state"]["players"][0].update(vp=99)), "the position is not the one"),
    "a position left out": (_state(50, lambda lines, at: lines.pop(at)), "missing or in the wrong place"),
    "the end left out": (_state(LAST, lambda lines, at: lines.pop(at)), "missing or in the wrong place"),
    "another player": (
        _record(lambda data: data["moves"][3].__setitem__(1, (data["moves"][3][1] + 1) % 3)), "the wrong seat moved"),
    "a digest": (_record(lambda data: data["digests"].update({_last(data): "0" * 16})), "its digest is"),
    "no digest": (_record(lambda data: data["digests"].pop(_last(data))), "lacks the digest"),
    "the result": (
        _record(lambda data: data["result"]["scores"][0].update(total=200)), "NOT that of the last position"),
    "no record": (("**/record?inline", lambda route: route.fulfill(status=404)), "cannot be read: 404"),
    "nonsense": (("**/states?*", lambda route: route.fulfill(status=200, body="<p>")), "could not be finished"),
}  # fmt: skip


def test_what_was_tampered_with_is_told_loudly(open_page):
    page = open_page(allow="404")
    for case, ((pattern, tamper), words) in TAMPERED.items():
        page.goto(GAME)
        ready(page).route(pattern, tamper)
        found, lines = verdict(page)
        assert found == "bad", (case, lines)
        assert [line for line in lines if line.startswith("bad") and words in line], (case, lines)
        assert page.get_by_role("alert").text_content() == "This game is NOT right: see the lines in red above."
        page.unroute(pattern)


def test_what_cannot_be_checked_is_said(open_page, site):
    ann = site.person("Ann")
    record = json.loads((Path(__file__).parent.parent.parent / "vectors/games/vector-02.ulm.json").read_text("utf-8"))
    kept = site.call("/replays", record, ann.token)
    found, lines = verdict(ready(open_page(f"/replays/{kept['id']}")))
    assert found == "good", lines
    assert [line for line in lines if line.startswith("open") and "played elsewhere" in line]
    sandbox = site.call(f"/replays/{EXAMPLE_ID}/branches", {"ply": 190}, ann.token)["id"]
    finish(site, sandbox, ann)
    found, lines = verdict(ready(open_page(f"/replays/{sandbox}", person=ann)))
    assert found == "good", lines
    assert [line for line in lines if line.startswith("open") and "no shuffle to check" in line]


def finish(site, game, owner):
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
  known: ["ulm/1", "ulm/2", "ulm-box/1-177e3bfe", "ulm/3", "ulm-box/1", "ulm-box/1-177e3bfe0"].map(shuffle.known),
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
        [tables.COLORS[color] for color in tables.FIRST_GRID], list(tables.COLORS), rulesets.NEWEST.tiles_per_color,
    ]  # fmt: skip
    assert found["known"] == [True, True, True, False, False, False]
    value = {"b": [1, None, True, '\u00e4\u2028\U0001f600\x7f"\\'], "a": {"z": -1, "y": {}}}
    assert found["canonical"] == json.dumps(value, sort_keys=True, separators=(",", ":"))
