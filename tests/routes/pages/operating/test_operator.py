"""The operator's page: who gets in, and what can be done there."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from server.service.accounts import links, tokens
from server.service.admin import access
from server.service.common import audit_log
from server.service.outbox import pauses
from server.storage.database import Store
from server.storage.models.games import Game
from server.storage.models.mail import Mail
from tests.notify.conftest import put
from tests.routes.pages.conftest import NOW, Browser, Time, sign_in
from tests.routes.pages.table import timed
from tests.service.conftest import make_player

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
FORMS = ("sign-out", "mail", "mail/again", "game")


@pytest.fixture
def inside(browser: Browser, store: Store, time: Time) -> Browser:
    """A browser on the operator's page."""
    browser.open("/operator/sign-in/" + access.make_link(store, "otto", time.now))
    [form] = browser.forms
    answer = browser.press(form, follow=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/operator")
    [cookie] = [one for one in answer.headers.getlist("Set-Cookie") if one.startswith("ulm_operator=")]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    browser.open("/operator")
    return browser


def shut(client: FlaskClient, **options: object) -> None:
    """There is nothing here for this one."""
    answer = client.get("/operator", **options)
    assert (answer.status_code, "Nothing here" in answer.text, "Queues" in answer.text) == (404, True, False)
    for path in FORMS:
        assert client.post(f"/operator/{path}", data={"wish": "pause", "form": "x"}, **options).status_code == 404


def test_nothing_that_a_player_has_opens_it(client: FlaskClient, store: Store, match, time: Time) -> None:
    shut(client)
    m = match(2)
    ann = m.players[m.active]
    token = tokens.create(store, ann, "phone", NOW)["token"]
    shut(client, headers={"Authorization": f"Bearer {token}"})
    sign_in(client, store, ann)
    shut(client)
    for purpose in links.LIFETIMES:
        if purpose != access.SESSION:
            client.set_cookie("ulm_operator", links.sign(store, purpose, now=time.now, player=ann.id))
            shut(client)
            if purpose != access.LINK:
                made = links.sign(store, purpose, now=time.now, player=ann.id)
                assert client.get(f"/operator/sign-in/{made}").status_code in (404, 410)
    client.set_cookie("ulm_operator", token)
    shut(client)
    assert pauses.by_operator(store) is None


def test_the_session_of_the_operator_is_no_player_s(inside: Browser) -> None:
    cookie = inside.client.get_cookie("ulm_operator")
    inside.client.set_cookie("ulm_session", cookie.value)
    assert inside.client.get("/account").status_code == 303
    assert (
        inside.client.get("/api/v1/players/me", headers={"Authorization": f"Bearer {cookie.value}"}).status_code == 401
    )


def test_no_form_from_elsewhere_does_anything(inside: Browser, store: Store) -> None:
    form = inside.button("Pause all mail")
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert inside.press(form, headers=headers).status_code == 403
    form.fields["form"] = "made up"
    assert inside.press(form).status_code == 403
    assert pauses.by_operator(store) is None


def test_mail_is_paused_and_goes_on(inside: Browser, store: Store, time: Time) -> None:
    assert "no process sends mails" in inside.response.text
    inside.press(inside.button("Pause all mail"))
    assert pauses.by_operator(store) is not None
    assert "No mail has been sent and no clock has run" in inside.response.text
    inside.press(inside.button("Send mail again"))
    assert pauses.by_operator(store) is None
    lines = [line for line in audit_log.listing(store) if line["what"].endswith("_mail")]
    assert [(line["what"], line["details"]["by"]) for line in lines] == [
        ("operator_paused_mail", "otto on the page"),
        ("operator_resumed_mail", "otto on the page"),
    ]


def test_dead_letters_are_sent_again(inside: Browser, store: Store, time: Time) -> None:
    put(store, time.now, 2)
    with store.write():
        Mail.update(state="dead", error="550 <b>no</b>").execute()
        first = Mail.select().order_by(Mail.id).first().id
    inside.open("/operator")
    assert "550 &lt;b&gt;no" in inside.response.text
    inside.press(inside.button(f"Send again {first}"))
    with store.read():
        assert [row.state for row in Mail.select().order_by(Mail.id)] == ["pending", "dead"]
    answer = inside.press(inside.button("Send again"), mail=str(first))
    assert (answer.status_code, "on its way still" in answer.text) == (409, True)
    inside.press(inside.button("Send all of them again"))
    with store.read():
        assert {row.state for row in Mail.select()} == {"pending"}
    assert "There are none." in inside.response.text


def test_the_clock_of_a_game_is_stopped(inside: Browser, store: Store) -> None:
    game = timed(store)
    [form] = [form for form in inside.forms if form.action == "/operator/game"]
    inside.press(form, game=game.id, wish="pause")
    with store.read():
        assert Game.get_by_id(game.id).held
    answer = inside.press(form, game=game.id, wish="pause")
    assert (answer.status_code, "it was like that already" in answer.text) == (409, True)
    inside.press(form, game=f" {game.id} ", wish="resume")
    with store.read():
        assert not Game.get_by_id(game.id).held
    assert inside.press(form, game="nothing", wish="pause").status_code == 404


def test_who_leaves_is_out(inside: Browser, store: Store) -> None:
    cookie = inside.client.get_cookie("ulm_operator").value
    inside.press(inside.button("Leave this page"))
    assert inside.client.get_cookie("ulm_operator") is None
    inside.client.set_cookie("ulm_operator", cookie)
    inside.open("/operator", 404)


def test_no_hand_no_seed_and_no_address_is_shown(inside: Browser, store: Store) -> None:
    game = timed(store)
    ann = make_player(store, "Ann")
    with store.read():
        seed = Game.get_by_id(game.id).server_seed
    text = inside.open("/operator").text
    assert seed not in text
    assert ann.id not in text
