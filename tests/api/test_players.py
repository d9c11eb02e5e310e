"""Accounts over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.api.caller import Caller

DEFAULTS = {
    "auto_draw": True, "digest_hour": 8, "language": "en", "mail": "at_once", "quiet_hours": None,
    "theme": "auto", "time_zone": "UTC",
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


def test_without_a_token_there_is_no_profile(stranger: Caller) -> None:
    answer = stranger.get("/players/me", status=401)
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    stranger.call("PATCH", "/players/me", {"name": "X"}, 401)


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


def test_the_own_profile_has_an_etag(ann: Caller) -> None:
    first = ann.get("/players/me")
    known = {"If-None-Match": first.headers["ETag"]}
    again = ann.get("/players/me", status=304, headers=known)
    assert "private" in again.headers["Cache-Control"]
    ann.call("PATCH", "/players/me", {"name": "Anna"}, 200)
    ann.get("/players/me", status=200, headers=known)


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
