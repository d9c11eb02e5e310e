"""Confirming, signing in, invitations and messages."""

from datetime import timedelta

import pytest

from server.routes.pages.shared import visitor_preferences
from server.service.accounts import access, account_opening, links, players, sessions
from server.service.common import quotas
from server.service.common.errors import Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable
from server.service.lists import game_page
from server.service.seating import creating, invitations
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from tests.routes.pages.conftest import (
    NOW,
    SQLITE,
    Form,
    everything,
    give_address,
    mails,
    read,
    sign_in,
    steady,
)
from tests.service.conftest import make_player
from tests.tables import Invitation, Player


def account(store, name, address, confirmed=True):
    made = account_opening.create_player(store, name, address, NOW)["id"]
    if confirmed:
        with store.write():
            Player.update(email_confirmed_at=NOW).where(Player.id == made).execute()
    return made


# Confirming


def test_the_page_says_which_account_an_address_is_joined_to(store, browser):
    """Made by somebody else, say, who has its token."""
    made = account_opening.create_player(store, "Mal <b>", "ann@example.org", NOW)
    claim = links.address_claim("ann@example.org")
    token = links.make(store, "confirm", now=NOW, player=made["id"], address=claim)
    before = everything(store)
    page = browser.open(f"/confirm/{token}").text
    assert everything(store) == before
    for said in ("Mal &lt;b&gt;", "Sat, 21 Nov 2026, 09:30", "never used", "every session and every token"):
        assert said in page
    assert made["token"] not in page
    page = browser.press(browser.button("Confirm")).text
    assert "sessions and tokens (1) have ended" in page
    assert "/sign-in" in read(browser.response).links
    answer = browser.client.get("/api/v1/players/me", headers={"Authorization": f"Bearer {made['token']}"})
    assert answer.status_code == 401
    assert "confirmed by somebody who was not signed in" in answer.json["message"]
    assert "already confirmed for the account Mal &lt;b&gt;" in browser.open(f"/confirm/{token}").text


def test_who_is_signed_in_confirms_without_losing_anything(store, browser):
    made = account_opening.create_player(store, "Ann", "ann@example.org", NOW)
    player = players.player_by_id(store, made["id"])
    token = links.make(store, "confirm", now=NOW, player=made["id"], address=links.address_claim("ann@example.org"))
    sign_in(browser.client, store, player)
    assert "its sessions and tokens stay" in browser.open(f"/confirm/{token}").text
    assert "no longer work" not in browser.press(browser.button("Confirm")).text
    assert browser.client.get("/account").status_code == 200
    assert access.authenticate(store, made["token"], NOW) is not None


def test_a_program_confirms_the_own_address(store, browser):
    made = account_opening.create_player(store, "Ann", "ann@example.org", NOW)
    claim = links.address_claim("ann@example.org")
    head = {"Authorization": f"Bearer {made['token']}"}

    def put(token):
        return browser.client.put("/api/v1/players/me/confirmation", json={"token": token}, headers=head).status_code

    assert put("x") == 404
    other = account_opening.create_player(store, "Ben", "ben@example.org", NOW)["id"]
    foreign = links.make(store, "confirm", now=NOW, player=other, address=links.address_claim("ben@example.org"))
    assert put(foreign) == 410
    assert put(links.make(store, "sign_in", now=NOW, player=made["id"], address=claim)) == 404
    assert players.player_by_id(store, made["id"]).email_confirmed_at is None
    assert put(links.make(store, "confirm", now=NOW, player=made["id"], address=claim)) == 204
    assert browser.client.get("/api/v1/players/me", headers=head).json["email_confirmed"] is True
    assert players.player_by_id(store, other).email_confirmed_at is None


def test_an_invitation_leads_an_account_that_is_there_to_signing_in(store, browser):
    host, game = open_game(store)
    ben = account(store, "Ben", "ben@example.org")
    token = invite(store, host, game, "ben@example.org")
    page = browser.open(f"/invitation/{token}").text
    assert "sign in to take the seat" in page
    assert "Ben" not in page, "who it is stands in no mail that others may read"
    form = sessions.form_token(token, NOW + timedelta(hours=1))
    before = everything(store)
    answer = browser.press(Form(f"/invitation/{token}", {"form": form, "name": "Eve"}), follow=False)
    assert answer.status_code == 403
    assert browser.client.get_cookie("ulm_session") is None
    assert everything(store) == before
    sign_in(browser.client, store, players.player_by_id(store, ben))
    mine = browser.client.get_cookie("ulm_session").value
    browser.open(f"/invitation/{token}")
    browser.press(browser.button("Take a seat"))
    assert game_page.page(store, game, host)["players"][1]["player"] == ben
    assert browser.client.get_cookie("ulm_session").value == mine


def test_an_address_whose_mails_are_held_back_is_no_silent_matter(store, browser):
    for number in range(quotas.ASKED_ADDRESS_A_DAY):
        account_opening.create_player(store, f"Mal {number}", "ann@example.org", NOW + timedelta(hours=1))
    guest = make_player(store, "Ann")
    sign_in(browser.client, store, guest)
    browser.open("/account")
    [form] = [one for one in browser.forms if one.action == "/account/address" and "remove" not in one.fields]
    assert "Any of them will do" in browser.press(form, email="ann@example.org").text
    stranger = store.ask(lambda: Player.get(Player.name == "Mal 3").id)
    token = links.make(store, "confirm", now=NOW, player=stranger, address=links.address_claim("ann@example.org"))
    assert "The mail was sent for another account, Mal 3" in browser.open(f"/confirm/{token}").text
    assert "Thank you, Ann" in browser.press(browser.button("Confirm")).text
    assert players.player_by_id(store, guest.id).email_confirmed_at is not None
    assert players.player_by_id(store, stranger).email_confirmed_at is None


# Signing in


def sign_in_link(store, player, address, now=NOW + timedelta(hours=1, minutes=30)):
    return links.sign_in_token(store, now=now, player_id=player, address=address)


def test_signing_in_and_out(store, browser):
    player = account(store, "Ann", "ann@example.org")
    assert browser.client.get("/me").headers["Location"] == "/sign-in"
    browser.open(f"/sign-in/{sign_in_link(store, player, 'ann@example.org')}")
    form = browser.button("Sign in")
    response = browser.press(form, follow=False)
    assert response.status_code == 303
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie, "without https there is nothing secure about it"
    assert response.headers["Location"] == "/"
    assert browser.client.get("/me").headers["Location"] == "/"
    assert "ann@example.org" in browser.open("/account").text
    value = browser.client.get_cookie("ulm_session").value
    assert browser.press(form).status_code == 410, "the link works once"
    browser.open("/account")
    browser.press(_leaving(browser, everywhere=False))
    browser.client.set_cookie("ulm_session", value)
    assert browser.client.get("/account").status_code == 303, "the session is over, not only forgotten"


def _leaving(browser, everywhere):
    [form] = [
        form for form in browser.forms if form.action == "/sign-out" and ("everywhere" in form.fields) == everywhere
    ]
    return form


def test_asking_for_a_link_tells_nothing(store, browser):
    account(store, "Ann", "ann@example.org")
    account(store, "Mal", "mal@example.org", confirmed=False)
    pages = []
    for address in ("ann@example.org", "mal@example.org", "nobody@example.org"):
        browser.open("/sign-in")
        pages.append(browser.press(browser.forms[0], email=address))
    assert len({(page.status_code, steady(page.text), steady(str(page.headers))) for page in pages}) == 1
    assert "link is on its way" in pages[0].text
    [mail] = mails(store, "sign_in")
    assert mail.address == "ann@example.org"
    assert browser.press(_form(browser), email="no address").status_code == 422


def _form(browser):
    browser.open("/sign-in")
    return browser.forms[0]


def test_only_so_many_links_are_sent(store, browser, time):
    account(store, "Ann", "ann@example.org")
    said = {}
    for address in ("ann@example.org", "nobody@example.org"):
        for number in range(6):
            page = browser.press(_form(browser), email=address)
            sent = number < quotas.SIGN_INS_AN_HOUR
            assert ("link is on its way" in page.text) == sent
            assert page.status_code == (200 if sent else 429)
        said[address] = page.text.replace(address, "")
    assert steady(said["ann@example.org"]) == steady(said["nobody@example.org"]), "it tells of no account"
    assert "the newest one works" in page.text, "but of the limit it is not"
    assert len(mails(store, "sign_in")) == quotas.SIGN_INS_AN_HOUR


# Invitations


def open_game(store, private=True, seats=2, **how):
    host = make_player(store, "Ann")
    game = creating.create(store, host, seats, "Friday", None, "", [], private, NOW, **how)
    return host, game["id"]


def invite(store, host, game, address):
    invitations.invite(store, host, game, address, NOW)
    found = store.ask(lambda: Invitation.get(Invitation.game == game, Invitation.address == address))
    return links.invitation_token(store, now=NOW, invitation_id=found.id, address=address)


def test_an_invitation_makes_an_account_confirms_it_and_takes_the_seat(store, browser):
    host, game = open_game(store)
    token = invite(store, host, game, "ben@example.org")
    [mail] = mails(store, "invitation")
    assert (mail.address, mail.game_id, mail.player_id) == ("ben@example.org", game, None)
    page = browser.open(f"/invitation/{token}").text
    assert "Ann invites you" in page
    assert game_page.page(store, game, host)["commitment"] in page, "to be noted before one's share is given"
    response = browser.press(browser.button("Take a seat"), name="Ben", client_seed="words")
    assert response.request.path == f"/games/{game}"
    shown = game_page.page(store, game, host)
    assert shown["status"] == "running"
    assert [player["name"] for player in shown["players"]] == ["Ann", "Ben"]
    ben = sessions.player_by_id(store, shown["players"][1]["player"])
    assert (ben.email, ben.email_confirmed_at is not None) == ("ben@example.org", True)
    assert "already been accepted" in browser.open(f"/invitation/{token}", 410).text
    assert store.ask(lambda: Invitation.get().player_id) == ben.id


def test_who_is_invited_keeps_the_language_and_the_colours_of_the_page(store, browser):
    host, game = open_game(store)
    token = invite(store, host, game, "ben@example.org")
    browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    browser.client.set_cookie(visitor_preferences.THEME_COOKIE, "dark")
    assert 'lang="de"' in browser.open(f"/invitation/{token}").text
    shown = browser.press(browser.button("Mitspielen"), name="Ben").text
    assert 'lang="de"' in shown
    ben = sessions.player_by_id(store, game_page.page(store, game, host)["players"][1]["player"])
    assert (ben.preferences["language"], ben.preferences["theme"]) == ("de", "dark")


@SQLITE
@pytest.mark.parametrize(
    ("told", "languages", "zone"),
    [
        ("Europe/Lisbon", "de", "Europe/Lisbon"),  # what the device says
        ("", "de-AT,de;q=0.9,en;q=0.5", "Europe/Vienna"),  # without a script: where the browser's language is at home
        ("Asia/Ulm", "it", "Europe/Rome"),
        ("", "en-US,en;q=0.9", "UTC"),  # a country of many zones
    ],
)
def test_an_account_begins_with_the_clock_of_its_browser(store, browser, told, languages, zone):
    """Whatever way it comes about on a page: by an invitation, at an open game, with a new one, at once, or from a
    replay. Every such form has room for what a script knows."""
    ensure_example(store, NOW)
    host, game = open_game(store)
    token = invite(store, host, game, "ben@example.org")
    known = {host.id}
    opened = creating.create(store, host, 2, "Open", None, "", [], False, NOW)["id"]
    ways = {
        f"/invitation/{token}": f"/invitation/{token}",
        f"/games/{opened}/join": f"/games/{opened}/join",
        "/new": "/new",
        "/": "/guest",
        f"/replays/{EXAMPLE_ID}": f"/replays/{EXAMPLE_ID}/continue",
    }
    browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = languages
    for path, action in ways.items():
        browser.client.delete_cookie("ulm_session")
        browser.open(path)
        form = next(one for one in browser.forms if one.action == action)
        assert form.fields["time_zone"] == ""
        form.fields |= {"time_zone": told, "second": "steady"} | {
            name: "Ben" for name in ("name", "your_name") if name in form.fields
        }
        browser.press(form)
        found = store.ask(lambda: {player.id for player in Player.select()} - known)
        assert len(found) == 1, (path, browser.response.text[-300:])
        [made] = found
        known.add(made)
        assert sessions.player_by_id(store, made).preferences["time_zone"] == zone, path


def test_who_merely_claims_an_address_gets_no_seat_by_it(store, browser):
    """An account that gave the address but never confirmed it may be somebody else's: whoever has the mail is new."""
    host, game = open_game(store)
    thief = account(store, "Mal", "ben@example.org", confirmed=False)
    token = invite(store, host, game, "ben@example.org")
    assert "Mal" not in browser.open(f"/invitation/{token}").text
    browser.press(browser.button("Take a seat"), name="Ben")
    assert game_page.page(store, game, host)["players"][1]["player"] != thief
    assert sessions.player_by_id(store, thief).email_confirmed_at is None


def test_what_may_go_wrong_with_an_invitation(store, browser):
    host, game = open_game(store)
    first = invite(store, host, game, "ben@example.org")
    second = invite(store, host, game, "cleo@example.org")
    browser.open(f"/invitation/{first}")
    form = browser.button("Take a seat")
    for name in ("", " ", "x" * 100, "a\u202eb"):
        before = everything(store)
        assert browser.press(form, name=name).status_code == 422
        assert everything(store) == before
    assert browser.press(form, name="Ben", client_seed="x" * 100).status_code == 422
    browser.open(f"/invitation/{second}")
    late = browser.button("Take a seat")
    assert browser.press(form, name="Ben").status_code == 200
    before = everything(store)
    assert browser.press(late, name="Cleo").status_code == 409
    assert "takes no more players" in browser.response.text
    assert everything(store) == before, "no account is made for a seat that there is not"
    assert "This game has begun" in browser.open(f"/invitation/{second}").text
    with store.write():
        Invitation.delete().execute()
    browser.open(f"/invitation/{second}", 404)


def test_accepting_again_after_a_failure_half_way(store):
    """The account is there and the seat taken, but the invitation was not marked: the second time marks it. Who is
    invited needs no rating."""
    host, game = open_game(store, seats=3, rating={"min": 1600, "max": None})
    token = invite(store, host, game, "ben@example.org")
    first = invitations.accept(store, token, "Ben", "", NOW)
    with store.write():
        Invitation.update(accepted_at=None).execute()
    ben = players.player_by_id(store, first[1])
    assert invitations.accept(store, token, "Ben", "", NOW, visitor=ben) == first
    assert store.ask(lambda: Player.select().count()) == 2


def test_accounts_that_cost_nothing_write_to_few_strangers(store):
    """Who has confirmed no address may fill a table; mail for everybody in a loop of new guests is not to be had."""
    host, game = open_game(store)
    for number in range(quotas.INVITATIONS_OF_GUEST_A_DAY):
        invitations.invite(store, host, game, f"p{number}@example.org", NOW)
    with pytest.raises(TooManyRequests):
        invitations.invite(store, host, game, "more@example.org", NOW)
    assert len(mails(store, "invitation")) == quotas.INVITATIONS_OF_GUEST_A_DAY
    invitations.invite(store, give_address(store, host, "host@example.org"), game, "more@example.org", NOW)


def test_who_may_invite_and_how_often(store):
    host, game = open_game(store)
    host = give_address(store, host, "host@example.org")
    stranger = make_player(store, "Eve")
    with pytest.raises(NotFound):
        invitations.invite(store, stranger, game, "x@example.org", NOW)
    _, public = open_game(store, private=False)
    with pytest.raises(Forbidden):
        invitations.invite(store, stranger, public, "x@example.org", NOW)
    for bad in ("", None, "nonsense", "a@b\nBcc: c@d.e"):
        with pytest.raises(Unprocessable):
            invitations.invite(store, host, game, bad, NOW)
    for _ in range(3):
        invitations.invite(store, host, game, "ben@example.org", NOW)
        invitations.invite(store, host, game, "BEN@example.org", NOW)
    assert len(mails(store, "invitation")) == 1, "asked again, nobody is mailed again"
    for number in range(quotas.INVITED_TO_GAME - 1):
        invitations.invite(store, host, game, f"p{number}@example.org", NOW)
    with pytest.raises(TooManyRequests):
        invitations.invite(store, host, game, "last@example.org", NOW)
    for _ in range(quotas.INVITATIONS_TO_ADDRESS_A_DAY - 1):
        other, elsewhere = open_game(store)
        invitations.invite(store, other, elsewhere, "ben@example.org", NOW)
    other, elsewhere = open_game(store)
    with pytest.raises(TooManyRequests):
        invitations.invite(store, other, elsewhere, "ben@example.org", NOW)
    with pytest.raises(Conflict):
        invitations.invite(store, host, _full(store, host), "x@example.org", NOW)


def _full(store, host):
    return creating.create(store, host, 2, "Full", None, "", ["random"], False, NOW)["id"]
