"""An account with a name and an address, by a door of its own."""

from server.service.seating import creating
from tests.routes.pages.conftest import NOW, mails, make_player, read
from tests.tables import Player


def accounts(store):
    return store.ask(lambda: list(Player.select().order_by(Player.created_at)))


def test_a_name_and_an_address_make_an_account_in_the_zone_of_the_browser(store, browser):
    assert "/sign-up" in read(browser.open("/")).links
    browser.open("/sign-up")
    [form] = browser.forms
    page = browser.press(form, name="Ann", email="ann@example.org", time_zone="America/Lima").text
    assert "Check your mail: a link to confirm the address is on its way." in page
    [ann] = accounts(store)
    assert (ann.name, ann.email, ann.email_confirmed_at) == ("Ann", "ann@example.org", None)
    assert "America/Lima" in ann.preferences
    assert [mail.player_id for mail in mails(store, "confirm")] == [ann.id]
    assert "/account" in browser.client.get("/sign-up").headers["Location"], "who is signed in has an account"


def test_a_name_alone_is_enough(store, browser):
    browser.open("/sign-up")
    answer = browser.press(browser.forms[0], follow=False, name="Ann", email=" ")
    assert answer.headers["Location"] == "/"
    assert "Ann" in browser.open("/").text
    assert [one.email for one in accounts(store)] == [None]


def test_who_signs_up_from_a_join_link_is_led_back_to_it_and_nobody_elsewhere(store, browser):
    """The invitation was lost on the way."""
    made = creating.create(store, make_player(store, "Bea"), 2, "Hidden", None, "", [], True, NOW)
    join = f"/games/{made['id']}/join?invitation={made['invitation']}"
    browser.open(join)
    for page in ("/sign-in", "/sign-up"):  # "I have an account", and there "No account yet?"
        browser.open(next(link for link in read(browser.response.text).links[::-1] if link.startswith(page)))
    browser.press(browser.forms[0], name="Ann", email="nobody")  # a mistake loses nothing
    page = browser.press(browser.forms[0], name="Ann", email="ann@example.org").text
    assert browser.response.request.full_path == join
    assert "You join as <strong>Ann</strong>" in page
    assert "Your mail address is not confirmed yet: check your mail." in page
    browser.press(browser.button("Take a seat"))
    assert browser.response.request.path == f"/games/{made['id']}"
    away = browser.client.get("/sign-up?next=//example.org/games", follow_redirects=False)
    assert away.headers["Location"] == "/account"


def test_what_is_wrong_is_said_and_nothing_made(store, browser):
    browser.open("/sign-up")
    [form] = browser.forms
    page = browser.press(form, name="Ann", email="nobody").text
    assert browser.response.status_code == 422
    assert 'id="wrong-email"' in page
    assert 'value="Ann"' in page
    browser.press(browser.forms[0], name="", email="ann@example.org")
    assert 'id="wrong-name"' in browser.response.text
    foreign = browser.client.post(
        "/sign-up", data={**form.fields, "name": "Ann"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert foreign.status_code == 403
    assert accounts(store) == []
