"""On pages in another language nothing is called in English by the server itself."""

from server.service.common.naming import BOTS, EXAMPLE, FORMER
from server.service.erasure import deletion
from server.service.seating import creating, guests, joining
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from tests.routes.pages.conftest import NOW, sign_in
from tests.service.conftest import Match, make_player
from tests.tables import Player

OURS = (FORMER, EXAMPLE, *BOTS.values(), "Game of", "against bots", "against a bot")


def test_bots_former_players_and_the_example_have_german_names(browser, store):
    ensure_example(store, NOW)
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    running = creating.create(store, ann, 3, "Running", None, "", ["steady", "random"], False, NOW)["id"]
    waiting = creating.create(store, ann, 3, "Waiting", None, "", ["steady"], False, NOW)["id"]
    over = creating.create(store, ben, 2, "Over", None, "", [], False, NOW)["id"]
    joining.join(store, ann, over, "", None, NOW)
    for _ in range(2):
        Match(store, over, [ben, ann]).play_turn()
    third = creating.create(store, ann, 2, None, None, "", [], False, NOW)["id"]
    fourth = guests.play(store, ann, 2, NOW)
    deletion.delete_account(store, ben, NOW)
    browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    stranger = {
        f"/games/{waiting}/join": "Besonnener Bot",
        "/": "Besonnener Bot",
        "/replays": "Ehemaliges Mitglied",
        f"/replays/{EXAMPLE_ID}": "Ein Beispiel: drei Bots",
        f"/embed/{EXAMPLE_ID}": "Ein Beispiel: drei Bots",
        f"/games/{EXAMPLE_ID}": "Ein Beispiel: drei Bots",
        f"/games/{EXAMPLE_ID}/at/5": "Ein Beispiel: drei Bots",
        f"/replays/{over}": "Ehemaliges Mitglied",
        f"/embed/{over}": "Ehemaliges Mitglied",
        f"/games/{over}": "Ehemaliges Mitglied",
        f"/games/{over}/at/1": "Ehemaliges Mitglied",
        f"/replays/{over}/export.html?language=de": "Ehemaliges Mitglied",
        f"/games/{third}/join": "Partie von Ann",
        f"/games/{fourth}": "Ann gegen einen Bot",
    }
    own = {"/": "Besonnener Bot", f"/games/{running}": "Zufallsbot", f"/games/{running}/at/1": "Zufallsbot",
           f"/games/{waiting}": "Besonnener Bot", f"/games/{third}": "Partie von Ann",
           f"/games/{fourth}/resign": "Ann gegen einen Bot", f"/games/{fourth}/at/1": "Ann gegen einen Bot",
           "/account/delete": "Ehemaliges Mitglied"}  # fmt: skip
    with store.write():
        Player.update(preferences='{"language": "de"}').where(Player.id == ann.id).execute()
    for pages in (stranger, own):
        for path, name in pages.items():
            page = browser.open(path).text
            assert name in page, path
            assert [one for one in OURS if one in page] == [], path
        sign_in(browser.client, store, ann)
