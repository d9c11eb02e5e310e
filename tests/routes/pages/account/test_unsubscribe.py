"""Ending mails by the link that stands in each."""

import pytest

from server.service.accounts import links, sessions
from server.service.chat import notice_wishes, unsubscribing
from server.service.outbox import stranger_mail
from server.service.seating import creating, joining
from tests.routes.pages.conftest import NOW, everything, sign_in


@pytest.fixture
def m(match):
    return match(2)


def token(m, game=True):
    claims = {"player": m.players[0].id} | ({"game": m.id} if game else {})
    return links.make(m.store, "unsubscribe", now=NOW, **claims)


def mode(m):
    return sessions.player_by_id(m.store, m.players[0].id).preferences["mail"]


def test_no_mail_about_one_game(m, browser):
    browser.open(f"/unsubscribe/{token(m)}")
    page = browser.press(browser.button("No mail about A game"))
    assert "You get none" in page.text
    assert notice_wishes.read(m.store, m.id, m.players[0])["mail"] == "mute"
    assert mode(m) == "at_once"
    browser.press(browser.button("Mail at once"))
    assert notice_wishes.read(m.store, m.id, m.players[0])["mail"] is None


def test_no_mail_at_all_and_again(m, browser):
    browser.open(f"/unsubscribe/{token(m, game=False)}")
    assert not [form for form in browser.forms if form.fields["wish"] == "game"]
    browser.press(browser.button("No mail about any"))
    assert mode(m) == "mute"
    browser.press(browser.button("Send me mail again"))
    assert mode(m) == "at_once"


def test_one_click(m, browser):
    """RFC 8058: a POST with this one field, from anywhere, without cookie or page; a GET does nothing. It ends what the
    mail was about: of a game, mails about this game alone."""
    path = f"/unsubscribe/{token(m)}"
    before = everything(m.store)
    for method in ("GET", "HEAD"):
        assert browser.client.open(path, method=method).status_code == 200
    assert everything(m.store) == before
    for _ in range(2):
        response = browser.client.post(path, data={"List-Unsubscribe": "One-Click"})
        assert response.status_code == 200
        assert "You get none about A game" in response.text
        assert "No mail about any game" in response.text, "the page offers the rest"
        assert (mode(m), notice_wishes.read(m.store, m.id, m.players[0])["mail"]) == ("at_once", "mute")
    response = browser.client.post(f"/unsubscribe/{token(m, game=False)}", data={"List-Unsubscribe": "One-Click"})
    assert response.status_code == 200
    assert mode(m) == "mute"


def test_one_click_after_leaving_the_game_is_no_error(m, browser):
    game = creating.create(m.store, m.players[1], 3, "Left", None, "", [], False, NOW)["id"]
    joining.join(m.store, m.players[0], game, "", None, NOW)
    path = "/unsubscribe/" + links.make(m.store, "unsubscribe", now=NOW, player=m.players[0].id, game=game)
    joining.leave(m.store, m.players[0], game, NOW)
    response = browser.client.post(path, data={"List-Unsubscribe": "One-Click"})
    assert response.status_code == 200
    assert mode(m) == "at_once"


def test_other_posts_need_the_form(m, browser):
    path = f"/unsubscribe/{token(m)}"
    turn = links.make(m.store, "turn", now=NOW, player=m.players[0].id)
    before = everything(m.store)
    for data in ({}, {"wish": "all"}, {"List-Unsubscribe": "no"}, {"wish": "all", "form": "x"}):
        assert browser.client.post(path, data=data).status_code == 403
    browser.open(path)
    form = browser.button("No mail about any")
    assert browser.press(form, wish="nonsense").status_code == 422
    for wrong in ("x", token(m)[:-2], turn):
        assert browser.client.get(f"/unsubscribe/{wrong}").status_code == 404
        response = browser.client.post(f"/unsubscribe/{wrong}", data={"List-Unsubscribe": "One-Click"})
        assert response.status_code == 404
    assert everything(m.store) == before


def test_a_stranger_ends_mail_for_good(m, browser):
    token, mailbox = (
        unsubscribing.stranger_token(m.store, "ann+x@example.org", NOW),
        stranger_mail.claim("ann@example.org"),
    )
    path = f"/unsubscribe/{token}"
    before = everything(m.store)
    for method in ("GET", "HEAD"):
        assert browser.client.open(path, method=method).status_code == 200
    for data in ({}, {"wish": "all"}, {"wish": "all", "form": "x"}):
        assert browser.client.post(path, data=data).status_code == 403
    assert everything(m.store) == before
    browser.open(path)
    browser.press(browser.button("Never write to me again"))
    assert stranger_mail.is_blocked(m.store, mailbox)
    browser.press(browser.button("Let mail come again"))
    assert not stranger_mail.is_blocked(m.store, mailbox)
    for _ in range(2):
        assert browser.client.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
        assert stranger_mail.is_blocked(m.store, mailbox)
    browser.open(path)
    assert browser.press(browser.button("Let mail come again"), wish="game").status_code == 422


def test_an_account_lets_mail_come_again(m, browser):
    with m.store.write():
        m.store.database.execute_sql("UPDATE player SET email = 'ann@example.org', email_confirmed_at = created_at")
    stranger_mail.block(m.store, stranger_mail.claim("ann@example.org"), NOW)
    sign_in(browser.client, m.store, m.players[0])
    browser.open("/account")
    browser.press(browser.button("Let mail come again"))
    assert not stranger_mail.is_blocked(m.store, stranger_mail.claim("ann@example.org"))
    assert "asked for no more" not in browser.open("/account").text
