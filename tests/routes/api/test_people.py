"""Invitations and messages over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from flask.testing import FlaskClient

from server.service.chat.messages import AN_HOUR
from server.service.seating.invitations import GAME_MAX
from server.storage.models.accounts import Player
from server.storage.models.games import Invitation
from server.storage.models.mail import Mail
from tests.routes.caller import Caller, new_game, players
from tests.service.conftest import NOW


def test_inviting(client: FlaskClient, ann: Caller, stranger: Caller, store) -> None:
    with store.write():  # without a confirmed address one may invite few
        Player.update(email="ann@example.org", email_confirmed_at=NOW).where(Player.name == "Ann").execute()
    game = ann.post("/games", {"seats": 3}, 201).json["id"]
    path = f"/games/{game}/invitations"
    body = {"address": "ben@example.org"}
    first = ann.post(path, body, 201).json
    assert first["address"] == "ben@example.org"
    assert ann.post(path, body, 201).json == first
    Caller(client, "Ben", email="cleo@example.org")
    known = ann.post(path, {"address": "cleo@example.org"}, 201).json
    assert set(known) == set(first), "nothing tells who has an account"
    with store.read():
        assert Invitation.select().count() == Mail.select().where(Mail.kind == "invitation").count() == 2
    stranger.post(path, body, 401)
    Caller(client, "Eve").post(path, body, 403)
    addresses = ("", "x", "a@b.c\nBcc: d@e.f", None)
    for wrong in ({}, {**body, "x": 1}, *({"address": address} for address in addresses)):
        ann.post(path, wrong, 422)
    ann.post("/games/nosuchgame/invitations", body, 404)
    for number in range(GAME_MAX - 2):
        ann.post(path, {"address": f"p{number}@example.org"}, 201)
    ann.post(path, {"address": "last@example.org"}, 429)


def test_messages(client: FlaskClient, stranger: Caller) -> None:
    callers = players(client, 2)
    game = new_game(callers)
    path = f"/games/{game}/messages"
    assert callers[0].get(path).json == []
    said = callers[0].post(path, {"text": " Well pushed!\r\nReally. "}, 201).json
    assert (said["seat"], said["name"], said["text"]) == (0, "Ann", "Well pushed!\nReally.")
    assert callers[1].get(path).json == [said]
    answer = callers[1].post(path, {"text": "👩‍🎨 ⛪"}, 201).json
    assert callers[0].get(f"{path}?since={said['id']}").json == [answer]
    for wrong in ("", "  ", "x" * 1001, "a\u202eb", 1, None):
        callers[0].post(path, {"text": wrong}, 422)
    callers[0].get(f"{path}?since=-1", 422)
    stranger.get(path, 401)
    Caller(client, "Eve").get(path, 403)
    Caller(client, "Eve").post(path, {"text": "hello"}, 403)
    callers[0].get("/games/nosuchgame/messages", 404)
    for _ in range(AN_HOUR - 1):
        callers[0].post(path, {"text": "and"}, 201)
    callers[0].post(path, {"text": "more"}, 429)


def test_a_message_under_a_key_is_written_once(client: FlaskClient) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann, ben])
    path, key = f"/games/{game}/messages", {"Idempotency-Key": "hello-1"}
    first = ann.post(path, {"text": "Hello"}, 201, headers=key).json
    assert ann.post(path, {"text": " Hello "}, 201, headers=key).json == first
    assert ben.get(path).json == [first]
    ann.post(path, {"text": "Hello?"}, 422, headers=key)
    ann.play(game, "resign", status=422, headers=key)
    assert ben.post(path, {"text": "Hello"}, 201, headers=key).json["seat"] == 1, "a key belongs to its player"
    ann.post(path, {"text": "Hello"}, 422, headers={"Idempotency-Key": "no key"})
    for _ in range(AN_HOUR - 1):
        ann.post(path, {"text": "Hello"}, 201)
    full = {"Idempotency-Key": "too-many"}
    ann.post(path, {"text": "Hello"}, 429, headers=full)
    assert ann.post(path, {"text": "Hello"}, 201, headers=key).json == first
    client.application.extensions["ulm.now"] = lambda: datetime.now(UTC) + timedelta(hours=2)
    assert ann.post(path, {"text": "Hello"}, 201, headers=full).json["id"] > first["id"], "nothing was written then"
