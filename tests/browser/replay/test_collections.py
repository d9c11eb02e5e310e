"""A collection as one file: opened from the disk, without a network, each of its games begins where it is to begin."""

import json

from server.service.accounts.players import player_by_id
from server.service.archive import game_collections, kept_records
from server.service.views import exports
from tests.golden.test_golden import BATCHES, lines
from tests.service.conftest import NOW

NAMES = ["Jörg Müßiggang", "Мария Ивановна", "محمد علي", "王小明"]


def test_all_of_its_games_are_stepped_through_offline(site, open_page, tmp_path):
    """Whatever their names are written in, and by whatever rules they were played."""
    ann = site.person("Ἄννα", "ann-collects@example.org", confirmed=True)
    own = site.store.ask(lambda: player_by_id(site.store, ann.id))
    number, plies, rules = "", [20, None], []
    for batch, ply in zip(BATCHES[-2:], plies, strict=True):
        record = json.loads(lines(batch)[0])
        record |= {"name": f"Игра {ply}", "players": [{"name": name} for name in NAMES]}
        game = kept_records.keep(site.store, own, record, NOW)["id"]
        number = game_collections.add(site.store, own, number, game, ply, NOW)
        rules.append(record["ruleset"])
    assert rules == ["ulm/1", "ulm/2"]
    made = {**game_collections.read(site.store, number, own)[0], "title": "دورة أولى"}
    game_collections.change(site.store, own, number, made, NOW)
    file = tmp_path / "course.html"
    file.write_bytes(b"".join(exports.collection(site.store, number, "light", "en")))
    assert 100_000 < file.stat().st_size < 1_000_000
    page = open_page(file.as_uri(), base="file://")
    assert page.locator("h1").text_content() == "دورة أولى"
    for shown, ply in zip(page.locator("details").all(), plies, strict=True):
        shown.locator("summary").click()
        game = shown.frame_locator("iframe")
        game.locator("body[data-ready]").wait_for()
        assert game.locator("#board svg").count() == 1
        last = game.locator("#slider").get_attribute("max")
        assert game.locator("#number").text_content() == f"{ply or 0} / {last}"
        game.locator("#on").click()
        assert game.locator("#number").text_content() == f"{(ply or 0) + 1} / {last}"
        heads = game.locator("#scores td:first-child").all_text_contents()
        assert heads == NAMES
