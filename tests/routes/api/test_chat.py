"""What players of a game write, and when they want to hear of it, over HTTP."""

from datetime import UTC, datetime, timedelta

from flask.testing import FlaskClient

from server.service.common.quotas import MESSAGES_AN_HOUR as AN_HOUR
from tests.routes.caller import BASE, Caller, new_game, players


def test_a_note_is_its_players_own(client: FlaskClient, ann: Caller, stranger: Caller) -> None:
    ben = Caller(client, "Ben")
    game = ann.post("/games", {"seats": 2}, 201).json["id"]
    ben.get(f"/games/{game}/note", 403)
    ben.post(f"/games/{game}/players", {}, 201)
    assert ann.get(f"/games/{game}/note").json == {"note": ""}
    assert ann.call("PUT", f"/games/{game}/note", {"note": " Two\r\nlines "}, 200).json == {"note": "Two\nlines"}
    assert ann.get(f"/games/{game}/note").json == {"note": "Two\nlines"}
    assert ben.get(f"/games/{game}/note").json == {"note": ""}
    stranger.get(f"/games/{game}/note", 401)
    for bad in ({}, {"note": None}, {"note": "x" * 4001}, {"note": "x", "seat": 1}):
        ann.call("PUT", f"/games/{game}/note", bad, 422)


def test_what_has_changed_meanwhile_is_not_written_over(client: FlaskClient, ann: Caller) -> None:
    """Two devices read, and both write: the second is told. Tags of packed answers do as well."""
    game, bot = ann.post("/games", {"seats": 2}, 201).json["id"], "/players/me/bots/hal"
    ann.post("/players/me/bots", {"handle": "hal"}, 201)
    for path, method, one, two in (
        (f"/games/{game}/note", "PUT", {"note": "One" * 400}, {"note": "Two"}),
        (f"/games/{game}/notices", "PUT", {"mail": "digest"}, {"mail": "mute"}),
        ("/players/me", "PATCH", {"name": "Anne"}, {"name": "Anna"}),
        (bot, "PATCH", {"name": "Hal one"}, {"name": "Hal two"}),
    ):
        read = {"If-Match": ann.get(path).headers["ETag"]}
        first = ann.call(method, path, one, 200, headers=read).json
        assert ann.call(method, path, two, 412, headers=read).json["type"].endswith("/changed-meanwhile")
        assert ann.get(path).json == first
        packed = {"Accept-Encoding": "gzip", "Authorization": f"Bearer {ann.token}"}
        again = client.get(BASE + path, headers=packed).headers["ETag"]
        ann.call(method, path, two, 200, headers={"If-Match": again})
        ann.call(method, path, one, 200, headers={"If-Match": "*"})
        ann.call(method, path, two, 200)


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


def test_each_player_chooses_for_each_game(client: FlaskClient, ann: Caller) -> None:
    ben = Caller(client, "Ben")
    game = ann.post("/games", {"seats": 2}, 201).json["id"]
    ben.post(f"/games/{game}/players", {}, 201)
    none = {"mail": None, "push": None, "webhook": None}
    assert ann.get(f"/games/{game}/notices").json == none
    assert ann.call("PUT", f"/games/{game}/notices", {"mail": "digest"}, 200).json == {**none, "mail": "digest"}
    wish = {"mail": None, "push": "mute"}
    assert ann.call("PUT", f"/games/{game}/notices", wish, 200).json == {**none, "push": "mute"}
    assert ann.get(f"/games/{game}/notices").json == {**none, "push": "mute"}
    assert ben.get(f"/games/{game}/notices").json == none
    assert ann.call("PUT", f"/games/{game}/notices", {"mail": None, "push": None}, 200).json == none
    for bad in ({}, {"mail": "loud"}, {"mail": 1}, {"mail": "mute", "game": "x"}):
        ann.call("PUT", f"/games/{game}/notices", bad, 422)


def test_only_its_players_choose(client: FlaskClient, ann: Caller, stranger: Caller) -> None:
    open_game = ann.post("/games", {"seats": 2}, 201).json["id"]
    hidden = ann.post("/games", {"seats": 2, "private": True}, 201).json["id"]
    ben = Caller(client, "Ben")
    ben.call("PUT", f"/games/{open_game}/notices", {"mail": "mute"}, 403)
    ben.call("PUT", f"/games/{hidden}/notices", {"mail": "mute"}, 404)
    ben.get(f"/games/{hidden}/notices", 404)
    stranger.call("PUT", f"/games/{open_game}/notices", {"mail": "mute"}, 401)
