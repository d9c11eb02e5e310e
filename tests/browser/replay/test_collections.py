"""A collection as one file: opened from the disk, without a network, each of its games begins where it is to begin."""

from server.service.accounts.players import player_by_id
from server.service.archive import game_collections
from server.service.seating.example_game import EXAMPLE_ID
from server.service.views import exports
from tests.service.conftest import NOW


def test_all_of_its_games_are_stepped_through_offline(site, open_page, tmp_path):
    ann = site.person("Ann", "ann-collects@example.org", confirmed=True)
    own = site.store.ask(lambda: player_by_id(site.store, ann.id))
    entries = [{"game": EXAMPLE_ID, "ply": ply, "remark": "Mind the barge."} for ply in (20, None)]
    made = game_collections.create(site.store, own, "A course", "One.\n\nTwo.", True, entries, NOW)
    file = tmp_path / "course.html"
    file.write_bytes(b"".join(exports.collection(site.store, made, "light", "en", None)))
    assert 100_000 < file.stat().st_size < 1_000_000
    page = open_page(file.as_uri(), base="file://")
    first, second = page.locator("details").all()
    for shown, ply in ((first, 20), (second, 0)):
        shown.locator("summary").click()
        game = shown.frame_locator("iframe")
        game.locator("body[data-ready]").wait_for()
        assert game.locator("#board svg").count() == 1
        assert game.locator("#number").text_content() == f"{ply} / 197"
        game.locator("#on").click()
        assert game.locator("#number").text_content() == f"{ply + 1} / 197"
