"""Accounts over HTTP."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient

from server.app import create_app
from tests.routes.caller import Caller, new_game, players
from tests.tables import Player

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)

DEFAULTS = {
    "auto_draw": True, "digest_hour": 8, "language": "en", "mail": "at_once", "private": False, "push": "at_once",
    "quiet_hours": None, "rated": False, "theme": "auto", "time_zone": "UTC", "webhook": "at_once",
}  # fmt: skip


def test_an_account_and_its_token(client: FlaskClient, stranger: Caller) -> None:
    made = stranger.post("/players", {"name": "  Ann  "}, 201).json
    assert set(made) == {"id", "name", "token"}
    assert made["name"] == "Ann"
    stranger.token = made["token"]
    profile = stranger.get("/players/me").json
    assert profile["id"] == made["id"]
    assert profile["email"] is None
    assert profile["preferences"] == DEFAULTS
    assert profile["mail_stopped"] is None
    assert made["token"] not in stranger.get("/players/me").text


def test_a_profile_is_changed_in_parts(ann: Caller) -> None:
    changed = ann.call("PATCH", "/players/me", {"preferences": {"auto_draw": False}}, 200).json
    assert (changed["name"], changed["preferences"]) == ("Ann", {**DEFAULTS, "auto_draw": False})
    changed = ann.call("PATCH", "/players/me", {"name": "Anna", "email": "anna@example.org"}, 200).json
    assert (changed["name"], changed["email"], changed["email_confirmed"]) == ("Anna", "anna@example.org", False)
    assert changed["preferences"] == {**DEFAULTS, "auto_draw": False}
    assert ann.call("PATCH", "/players/me", {"email": None}, 200).json["email"] is None
    ann.call("PATCH", "/players/me", {}, 422)
    ann.call("PATCH", "/players/me", {"id": "x"}, 422)
    ann.call("PATCH", "/players/me", {"preferences": {"auto_draw": 1}}, 422)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_read_in_any_case(ann: Caller, scheme: str) -> None:
    ann.get("/players/me", headers={"Authorization": f"{scheme} {ann.token}"})


def test_addresses_and_tokens_are_nobody_elses_business(client: FlaskClient) -> None:
    owner = Caller(client, "Ann", email="ann.secret@example.org")
    other = Caller(client, "Ben")
    game = owner.post("/games", {"seats": 2}, 201).json["id"]
    other.post(f"/games/{game}/players", {}, 201)
    for caller in (other, Caller(client)):
        for path in ("/games", f"/games/{game}", f"/games/{game}/moves", f"/games?player={owner.id}"):
            answer = caller.get(path)
            assert "secret@" not in answer.text
            assert str(owner.token) not in answer.text


def test_a_token_for_each_device(client: FlaskClient, ann: Caller) -> None:
    first = ann.get("/players/me/tokens").json
    assert len(first) == 1
    made = ann.post("/players/me/tokens", {"name": " laptop "}, 201).json
    assert made["name"] == "laptop"
    laptop = Caller(client)
    laptop.token = made["token"]
    assert laptop.get("/players/me").json["id"] == ann.id
    listed = laptop.get("/players/me/tokens")
    assert [token["id"] for token in listed.json] == [first[0]["id"], made["id"]]
    assert made["token"] not in listed.text
    assert str(ann.token) not in listed.text
    eve = Caller(client, "Eve")
    eve.call("DELETE", f"/players/me/tokens/{made['id']}", status=404)
    ann.call("DELETE", f"/players/me/tokens/{made['id']}", status=204)
    ann.call("DELETE", f"/players/me/tokens/{made['id']}", status=404)
    laptop.get("/players/me", status=401)
    ann.call("DELETE", f"/players/me/tokens/{first[0]['id']}", status=409)
    ann.get("/players/me")


def test_tokens_are_not_without_number(ann: Caller) -> None:
    for _ in range(19):
        ann.post("/players/me/tokens", {}, 201)
    ann.post("/players/me/tokens", {}, 409)


def test_a_token_gets_another_name(ann: Caller) -> None:
    [token] = ann.get("/players/me/tokens").json
    changed = ann.call("PATCH", f"/players/me/tokens/{token['id']}", {"name": " laptop "}, 200).json
    assert changed == {**token, "name": "laptop"}
    assert ann.get("/players/me/tokens").json == [changed]
    ann.call("PATCH", f"/players/me/tokens/{token['id']}", {}, 422)
    ann.call("PATCH", "/players/me/tokens/0123456789abcdef", {"name": "x"}, 404)


def test_who_can_sign_in_by_mail_may_revoke_the_last_token(store, ann: Caller) -> None:
    [token] = ann.get("/players/me/tokens").json
    ann.call("PATCH", "/players/me", {"email": "ann@example.org"}, 200)
    ann.call("DELETE", f"/players/me/tokens/{token['id']}", status=409)
    with store.write():
        Player.update(email_confirmed_at="2026-11-21T09:30:00Z").execute()
    ann.call("DELETE", f"/players/me/tokens/{token['id']}", status=204)
    ann.get("/players/me", status=401)


def test_only_so_many_accounts_come_from_one_network(settings, store) -> None:
    client = create_app(replace(settings, accounts_per_hour=2), store).test_client()
    client.application.extensions["ulm.now"] = lambda: NOON
    stranger = Caller(client)
    for address in ("2001:db8::1", "2001:db8::2"):
        stranger.post("/players", {"name": "Ann"}, 201, environ_base={"REMOTE_ADDR": address})
    answer = stranger.post("/players", {"name": "Ann"}, 429, environ_base={"REMOTE_ADDR": "2001:db8::3"})
    assert "hour" in answer.json["message"]
    stranger.post("/players", {"name": ""}, 422, environ_base={"REMOTE_ADDR": "2001:db8:0:1::1"})
    stranger.post("/players", {"name": "Ann"}, 201, environ_base={"REMOTE_ADDR": "2001:db8:0:1::1"})
    stranger.post("/players", {"name": "Ann"}, 201)
    client.application.extensions["ulm.now"] = lambda: NOON + timedelta(hours=1)
    stranger.post("/players", {"name": "Ann"}, 201, environ_base={"REMOTE_ADDR": "2001:db8::1"})


def test_only_so_many_addresses_are_tried(ann: Caller) -> None:
    """Each of them gets a mail: an account is no way to send mails to the world."""
    ann.client.application.extensions["ulm.now"] = lambda: NOON
    for number in range(10):
        ann.call("PATCH", "/players/me", {"email": f"a{number}@example.org"}, 200)
    ann.call("PATCH", "/players/me", {"email": "a10@example.org"}, 429)
    assert ann.get("/players/me").json["email"] == "a9@example.org"
    ann.call("PATCH", "/players/me", {"email": None}, 200)


def test_the_own_data(client: FlaskClient) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann, ben])
    made = ann.get("/players/me/export")
    assert made.headers["Cache-Control"] == "no-store"
    assert made.json["profile"] == ann.get("/players/me").json
    assert [one["id"] for one in made.json["games"]] == [game]
    assert str(ben.token) not in made.text
    assert str(ann.token) not in made.text
    Caller(client).get("/players/me/export", status=401)


def test_preferences_of_mail(ann: Caller) -> None:
    wish = {
        "mail": "digest", "digest_hour": 19, "quiet_hours": {"from": "22:00", "to": "07:00"}, "language": "en",
        "time_zone": "Europe/Berlin",
    }  # fmt: skip
    changed = ann.call("PATCH", "/players/me", {"preferences": wish}, 200).json["preferences"]
    assert changed == {**DEFAULTS, **wish}
    quiet = {"preferences": {"quiet_hours": None}}
    assert ann.call("PATCH", "/players/me", quiet, 200).json["preferences"]["quiet_hours"] is None


def test_asking_for_another_confirmation(client: FlaskClient) -> None:
    nobody = Caller(client, "Ann")
    assert "PATCH" in nobody.post("/players/me/confirmation", None, 409).json["message"]
    ann = Caller(client, "Ann", email="ann@example.org")
    for _ in range(4):
        ann.post("/players/me/confirmation", None, 204)
    assert "tomorrow" in ann.post("/players/me/confirmation", None, 429).json["message"]
