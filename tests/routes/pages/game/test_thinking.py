"""The page of a game while a bot thinks: it says so, and is looked at again without a script, too."""

from server.service.seating import creating
from tests.routes.pages.conftest import NOW, sign_in
from tests.service.bots_here import play_due
from tests.service.conftest import make_player

REFRESH = '<noscript><meta http-equiv="refresh"'


def test_who_thinks_is_told_until_it_has_played(browser, store):
    ann = make_player(store, "Ann")
    sign_in(browser.client, store, ann)
    # Nobody has to move first: bots alone, the first of whom thinks.
    game = creating.create(store, ann, 2, "Two of them", None, "", ["master", "master"], False, NOW)["id"]
    page = browser.open(f"/games/{game}").text
    assert "Master builder" in page
    assert "is thinking …" in page
    assert REFRESH in page
    assert "Look again" in page
    play_due(store, NOW)
    page = browser.open(f"/games/{game}").text
    assert "is thinking" not in page
    assert REFRESH not in page
