"""The page of the account: every form of it, what programs may do, taking the data along, going."""

import re
from datetime import timedelta

import pytest

from server.notify import account_mails, recipients
from server.service.accounts import access, links, profiles, sessions, tokens
from server.service.lists import game_page
from server.service.outbox import deliveries
from server.service.play import vacation
from server.service.seating import creating
from tests.routes.pages.conftest import NOW, SQLITE, mails, sign_in
from tests.service.conftest import give_address, make_player


@pytest.fixture
def ann(store, browser, time):
    """Ann, with an address that she has confirmed, is signed in."""
    player = give_address(store, make_player(store, "Ann"), "ann@example.org")
    sign_in(browser.client, store, player, time.now)
    return player


def form(browser, action, **fields):
    """The form that goes to `action` (the end of it) and holds these hidden fields."""
    for one in browser.forms:
        if one.action.endswith(action) and all(one.fields.get(name) == value for name, value in fields.items()):
            return one
    raise AssertionError(f"no form goes to {action}")


def send(browser, action, **fields):
    """Open the account, fill the form in and send it; the page that comes."""
    browser.open("/account")
    return browser.press(form(browser, action), **fields).text


def profile(store, player):
    found = sessions.player_by_id(store, player.id)
    assert found is not None
    return profiles.profile(found)


# Who may look


@SQLITE
@pytest.mark.parametrize("path", ["/account", "/account/tokens", "/account/export", "/account/delete"])
def test_who_is_not_signed_in_is_asked_to(browser, path):
    assert browser.client.get(path).headers["Location"] == f"/sign-in?next={path}"


# Name and address


def test_a_new_address_is_asked_to_confirm(store, browser, ann, time):
    elsewhere = sessions.new_session(store, ann.id, time.now)
    page = send(browser, "/account/address", email="anna@example.org")
    assert "a link to confirm the address is on its way" in page
    assert "anna@example.org is not confirmed yet" in page
    assert (profile(store, ann)["email"], profile(store, ann)["email_confirmed"]) == ("anna@example.org", False)
    assert [mail.address for mail in mails(store, "confirm")] == ["anna@example.org"]
    assert sessions.player_of(store, elsewhere, time.now) is None, "links and sessions from before end with the old one"
    assert browser.client.get("/account").status_code == 200, "but not here"
    browser.press(form(browser, "/account/confirmation"))
    assert len(mails(store, "confirm")) == 2
    for _ in range(3):
        browser.press(form(browser, "/account/confirmation"))
    page = browser.press(form(browser, "/account/confirmation"))
    assert page.status_code == 429
    assert "Enough mails went to this address today" in page.text


def test_an_address_is_removed_only_when_there_is_another_way_in(store, browser, ann):
    [token] = tokens.listing(store, ann)
    tokens.revoke(store, ann, token["id"], NOW)
    browser.open("/account")
    assert browser.press(form(browser, "/account/address", remove="1")).status_code == 422
    assert profile(store, ann)["email"] == "ann@example.org"
    tokens.create(store, ann, "laptop", NOW)
    browser.open("/account")
    assert "Your address is removed." in browser.press(form(browser, "/account/address", remove="1")).text
    assert profile(store, ann)["email"] is None


def test_a_guest_adds_an_address_and_can_sign_in_with_it(store, browser, time):
    guest = make_player(store, "Guest")
    sign_in(browser.client, store, guest)
    assert "You play as a guest" in browser.open("/account").text
    browser.press(form(browser, "/account/address"), email="guest@example.org")
    browser.open("/sign-in")
    browser.press(form(browser, "/sign-in"), email="guest@example.org")
    assert mails(store, "sign_in") == [], "not before it is confirmed"
    claim = links.address_claim("guest@example.org")
    token = links.make(store, "confirm", now=time.now, player=guest.id, address=claim)
    browser.open(f"/confirm/{token}")
    page = browser.press(browser.button("Confirm")).text
    assert "you can sign in with it" in page
    assert "guest-bar" not in page
    browser.open("/sign-in")
    browser.press(form(browser, "/sign-in"), email="guest@example.org")
    assert [mail.player_id for mail in mails(store, "sign_in")] == [guest.id]


# Wishes


@SQLITE
def test_time_zones_are_towns_of_today_in_the_readers_language(store, browser, ann):
    """The data base of zones keeps names of the past, and of places that no reader knows by them."""
    wished = {"time_zone": "America/Argentina/ComodRivadavia", "language": "de"}
    profiles.update_profile(store, ann, {"preferences": wished}, NOW)
    page = browser.open("/account").text
    assert '<option value="America/Argentina/Catamarca" selected>Catamarca' in page  # what was chosen under an old name
    offered = dict(re.findall(r'<option value="([A-Z]\w+/[^"]*)"[^>]*>([^<]*)<', page))
    assert not {"Australia/ACT", "Australia/LHI", "America/Buenos_Aires", "Asia/Calcutta"} & set(offered)
    assert (offered["Asia/Kolkata"], offered["Europe/Rome"], offered["Australia/Sydney"]) == (
        "Kalkutta",
        "Rom",
        "Sydney",
    )
    assert len(offered) > 400
    assert len(set(offered.values())) == len(offered)


LOOK = {"language": "de", "theme": "dark", "time_zone": "America/Argentina/Buenos_Aires"}


@pytest.mark.parametrize(
    ("section", "sent", "wished"),
    [
        (
            "mail",
            {"mail": "digest", "digest_hour": "19", "quiet_from": "22:00", "quiet_to": "07:00"},
            {"mail": "digest", "digest_hour": 19, "quiet_hours": {"from": "22:00", "to": "07:00"}},
        ),
        ("mail", {"mail": "mute", "digest_hour": "8", "quiet_from": "", "quiet_to": ""}, {"quiet_hours": None}),
        ("look", LOOK, LOOK),
    ],
)
def test_wishes_are_kept(store, browser, ann, section, sent, wished):
    send(browser, f"/account/{section}", **sent)
    assert wished.items() <= profile(store, ann)["preferences"].items()


def test_drawing_by_hand(store, browser, ann):
    browser.open("/account")
    table = form(browser, "/account/table")
    del table.fields["auto_draw"]  # as a browser does with a box that is not ticked
    browser.press(table)
    assert profile(store, ann)["preferences"]["auto_draw"] is False
    send(browser, "/account/table", auto_draw="yes")
    assert profile(store, ann)["preferences"]["auto_draw"] is True


# Vacation


def test_a_vacation_is_of_whole_days_where_the_player_lives(store, browser, ann, time):
    profiles.update_profile(store, ann, {"preferences": {"time_zone": "America/New_York"}}, NOW)
    send(browser, "/account/vacation", first="2026-12-24", last="2026-12-26")
    [away] = vacation.listing(store, ann, time.now)
    assert (away["starts_at"], away["ends_at"]) == ("2026-12-24T05:00:00Z", "2026-12-27T05:00:00Z")
    page = browser.open("/account").text
    assert '<time datetime="2026-12-24T05:00:00Z">24 Dec 2026</time>' in page
    assert '<time datetime="2026-12-27T05:00:00Z">26 Dec 2026</time>' in page
    browser.press(form(browser, f"/account/vacation/{away['id']}/end"))
    assert vacation.listing(store, ann, time.now) == []


WRONG = [
    *(("name", {"name": bad}, "name") for bad in (" ", "x" * 61, "a\u202eb")),
    *(("address", {"email": bad}, "email") for bad in ("", "nonsense")),
    ("mail", {"quiet_from": "22:00"}, "quiet_hours"),
    ("mail", {"quiet_from": "25:00", "quiet_to": "07:00"}, "quiet_hours"),
    ("mail", {"mail": "never"}, "mail"),
    ("mail", {"digest_hour": "x"}, "digest_hour"),
    ("look", {"time_zone": "Asia/Ulm"}, "time_zone"),
    ("vacation", {}, "last"),
    ("vacation", {"first": "soon", "last": "2026-12-01"}, "first"),
    ("vacation", {"first": "2026-12-02", "last": "2026-12-01"}, "last"),
]
WHOLE = {
    "mail": {"mail": "mute", "digest_hour": "9", "quiet_from": "", "quiet_to": ""},
    "look": {"language": "en", "theme": "dark", "time_zone": "UTC"},
    "vacation": {"first": "", "last": ""},
}


@SQLITE
@pytest.mark.parametrize(("section", "fields", "field"), WRONG)
def test_what_cannot_be_is_explained_beside_its_field_and_changes_nothing(store, browser, ann, section, fields, field):
    before = profile(store, ann)
    page = send(browser, f"/account/{section}", **{**WHOLE.get(section, {}), **fields})
    assert browser.response.status_code == 422
    assert re.findall('<p class="wrong" id="wrong-([^"]*)"[^>]*>[^<]{10,}</p>', page) == [f"{section}-{field}"]
    assert profile(store, ann) == before
    assert vacation.listing(store, ann, NOW) == []


# Signing in and out


def test_after_signing_in_one_comes_back(store, browser, ann, settings, time):
    """The way back survives the mail."""
    browser.client.delete_cookie("ulm_session")
    browser.open("/sign-in?next=/account/tokens%3Fx%3D1")
    browser.press(form(browser, "/sign-in"), email="ann@example.org")
    [mail] = mails(store, "sign_in")
    assert mail.data == '{"back":"/account/tokens?x=1"}'
    [notice] = deliveries.claim(store, "test", time.now, time.now + timedelta(minutes=1), 5)
    person = recipients.recipient(store, notice, time.now)
    letter = account_mails.sign_in(recipients.MailTask(store, settings, notice, person, time.now))
    assert letter.action.url.endswith("?next=%2Faccount%2Ftokens%3Fx%3D1")
    browser.open(letter.action.url.removeprefix(settings.public_url))
    response = browser.press(browser.forms[0], follow=False)
    assert response.headers["Location"] == "/account/tokens?x=1"


def test_signing_out_everywhere(store, browser, ann, time):
    elsewhere = sessions.new_session(store, ann.id, time.now - timedelta(days=2))
    others = make_player(store, "Ben")
    of_ben = sessions.new_session(store, others.id, time.now)
    [token] = tokens.listing(store, ann)
    browser.open("/account")
    browser.press(form(browser, "/sign-out", everywhere="1"))
    assert browser.client.get("/account").status_code == 303
    assert sessions.player_of(store, elsewhere, time.now) is None
    assert sessions.player_of(store, of_ben, time.now) is not None
    assert tokens.listing(store, ann) == [token], "programs are not signed in"
    time.now += timedelta(seconds=1)
    sign_in(browser.client, store, ann, time.now)
    assert browser.client.get("/account").status_code == 200
    time.now += timedelta(days=20)
    assert sessions.player_of(store, elsewhere, time.now) is None
    assert browser.client.get("/account").status_code == 200


# Tokens


def test_tokens_are_made_named_and_revoked(store, browser, ann, time):
    browser.open("/account/tokens")
    page = browser.press(form(browser, "/account/tokens"), name="my <bot>")
    assert page.status_code == 201
    [token] = re.findall(r'id="new-token">(ulm_[0-9a-f]{48})<', page.text)
    found = access.authenticate(store, token, time.now)
    assert found.id == ann.id
    assert "my &lt;bot&gt;" in page.text
    again = browser.open("/account/tokens").text
    assert token not in again, "it is shown only once"
    assert "used within the last hour" in again
    made = tokens.listing(store, ann)[1]
    browser.press(form(browser, f"{made['id']}/name"), name="old bot")
    assert tokens.listing(store, ann)[1]["name"] == "old bot"
    assert browser.press(form(browser, f"{made['id']}/name"), name="x" * 61).status_code == 422
    browser.press(form(browser, f"{made['id']}/revoke"))
    assert access.authenticate(store, token, time.now) is None
    [last] = tokens.listing(store, ann)
    browser.press(form(browser, f"{last['id']}/revoke"))
    assert "You have no token" in browser.response.text


# Taking the data along, going


def test_the_own_data_is_a_file(store, browser, ann):
    response = browser.open("/account/export")
    assert response.headers["Content-Disposition"] == f'attachment; filename="ulm-account-{ann.id}.json"'
    assert response.headers["Cache-Control"] == "no-store"
    assert response.json["profile"]["email"] == "ann@example.org"


def test_going(store, browser, match):
    m = match(3)
    ann = m.players[0]
    open_game = creating.create(store, ann, 2, "Soon", None, "", [], False, NOW)["id"]
    sign_in(browser.client, store, ann)
    page = browser.open("/account/delete").text
    assert "You resign from 1 running game." in page
    assert "You leave 1 game that has not started." in page
    page = browser.press(form(browser, "/account/delete"), name="Player 1")
    assert page.status_code == 422
    assert "not the name of your account" in page.text
    assert sessions.player_by_id(store, ann.id) is not None
    cookie = browser.client.get_cookie("ulm_session").value
    page = browser.press(form(browser, "/account/delete"), name=" player 0 ")
    assert "Your account is gone" in page.text
    assert browser.client.get_cookie("ulm_session") is None
    browser.client.set_cookie("ulm_session", cookie)
    assert browser.client.get("/account").status_code == 303
    shown = game_page.page(store, m.id, m.players[1])
    assert shown["players"][0]["name"] == "Former player"
    assert shown["status"] == "running"
    assert game_page.page(store, open_game, None)["status"] == "abandoned"
