"""What a token may be used for: every operation refuses one without its scope; how long it is good, who hears of it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from server.notify.compose import compose
from server.notify.mail_content import Skip
from server.routes.http import bearer_auth
from server.routes.http.blueprint import Blueprint
from server.service.accounts import players, tokens
from server.service.accounts.access import SCOPES
from server.service.erasure import deletion
from server.service.outbox import deliveries
from tests.routes.caller import BASE, Caller, assert_error, contract
from tests.service.conftest import give_address
from tests.tables import Mail, Player, Token

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
FREE = {
    ("post", "/players"),
    ("post", "/replays/verify"),
    ("get", ""),
    ("get", "/problems"),
    ("get", "/problems/{kind}"),
    ("get", "/bots"),
    ("get", "/bots/accounts"),
    ("get", "/puzzles"),
    ("get", "/tournaments/{tournament_id}/records"),
    ("get", "/puzzles/{which}"),
    ("post", "/puzzles/{which}/answer"),
}
"""What looks at no token, beside what lies outside the base: it neither tells nor changes what is somebody's."""


@pytest.fixture
def clock(app: Flask) -> list[datetime]:
    """The application's clock: its last entry is the time."""
    times = [NOW]
    app.extensions["ulm.now"] = lambda: times[-1]
    return times


@pytest.fixture
def ann(store, client: FlaskClient, clock) -> Caller:
    """A player with a confirmed address."""
    caller = Caller(client, "Ann")
    give_address(store, caller, "ann@example.org")
    return caller


def made(store, caller: Caller, **wishes: Any) -> str:
    player = players.player_by_id(store, caller.id)
    assert player is not None
    return str(tokens.create(store, player, "", NOW, **wishes)["token"])


def ask(client: FlaskClient, method: str, path: str, token: str, **more: Any) -> Any:
    response = client.open(f"{BASE}{path}", method=method, headers={"Authorization": f"Bearer {token}"}, **more)
    contract(client).check(method, f"{BASE}{path}", response)
    return response


@SQLITE
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("patch", "/players/me", {"name": "Eve"}),
        ("post", "/players/me/tokens", {"name": "late"}),
        ("post", "/players/me/vacations", {"ends_at": "2026-11-28T09:30:00Z"}),
        ("post", "/players/me/bots", {"handle": "late"}),
    ],
)
def test_who_is_deleted_while_they_ask_is_told_that_the_token_ended(
    store, client: FlaskClient, ann: Caller, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: Any
) -> None:
    """Between the look at the token and the transaction; PATCH was answered 500."""
    token, known = made(store, ann), bearer_auth.access.access

    def meanwhile(*given: Any) -> Any:
        found = known(*given)
        deletion.delete_account(store, found.player, NOW)
        return found

    monkeypatch.setattr(bearer_auth.access, "access", meanwhile)
    response = ask(client, method, path, token, json=body)
    assert response.status_code == 401
    assert response.json["type"].endswith("/unknown-token")
    assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]


@SQLITE
def test_every_operation_refuses_a_token_without_its_scope(store, client: FlaskClient, ann: Caller) -> None:
    """The list is the description's own, so that a new operation is in it by itself."""
    held = {scope: made(store, ann, wanted=[other for other in SCOPES if other != scope]) for scope in SCOPES}
    document = client.get(f"{BASE}/openapi.json").json
    count = dict.fromkeys(SCOPES, 0)
    before = snapshot(store)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method == "parameters" or not path.startswith(BASE):
                continue
            short = path.removeprefix(BASE)
            if not operation["security"]:
                assert (method, short) in FREE, f"{method} {path} needs no scope: say here why"
                continue
            [scope] = operation["security"][0]["bearer"]
            count[scope] += 1
            where = re.sub(r"\{(\w+)\}", lambda part: "1" if part[1] in ("ply", "number") else "nobody", short)
            response = ask(client, method.upper(), where, held[scope])
            assert response.status_code == 403, (method, path)
            assert_error(response)
            assert response.json["type"].endswith("/missing-scope")
            assert f"the scope {scope}" in response.json["message"]
            assert response.headers["WWW-Authenticate"] == f'Bearer error="insufficient_scope", scope="{scope}"'
            assert "403" in operation["responses"]
    assert snapshot(store) == before, "nothing was done"
    assert min(count.values()) >= 8
    assert sum(count.values()) >= 45


def snapshot(store) -> list[tuple[Any, ...]]:
    with store.read():
        return [tuple(Token.select(Token.hash, Token.revoked_at).tuples()), tuple(Player.select().tuples())]


def test_an_operation_that_names_no_scope_cannot_be_made() -> None:
    for wrong in ("", "all", lambda: None):
        with pytest.raises(TypeError, match="one of the scopes"):
            Blueprint("any", __name__).get("/any", scope=wrong)


@SQLITE
def test_a_scope_is_enough_for_what_it_is_for(store, client: FlaskClient, ann: Caller) -> None:
    read, play, account = (made(store, ann, wanted=[scope]) for scope in SCOPES)
    assert ask(client, "GET", "/players/me", read).status_code == 200
    assert ask(client, "GET", "/games", read).status_code == 200
    assert ask(client, "POST", "/games", play, json={"seats": 2}).status_code == 201
    assert ask(client, "GET", "/players/me/export", account).status_code == 200
    assert ask(client, "PATCH", "/players/me", account, json={"name": "Anne"}).status_code == 200
    assert ask(client, "DELETE", "/players/me", read).status_code == 403
    assert ask(client, "DELETE", "/players/me", play).status_code == 403
    assert ask(client, "DELETE", "/players/me", account).status_code == 204


def test_what_is_asked_for_is_what_is_given(store, client: FlaskClient, ann: Caller) -> None:
    wish = {"name": "bot", "scopes": ["play", "read", "play"], "expires_at": "2026-12-01T10:00:00+01:00"}
    found = ask(client, "POST", "/players/me/tokens", ann.token, json=wish)
    assert found.status_code == 201
    assert found.json["scopes"] == ["read", "play"]
    assert found.json["expires_at"] == "2026-12-01T09:00:00Z"
    plain = ask(client, "POST", "/players/me/tokens", ann.token, json={}).json
    assert (plain["scopes"], plain["expires_at"]) == (list(SCOPES), None)


@SQLITE
@pytest.mark.parametrize("wish", [
    {"scopes": []}, {"scopes": ["all"]}, {"scopes": "read"}, {"scopes": ["read", None]}, {"scopes": ["read"] * 4},
    {"expires_at": "2026-11-21T09:30:00Z"}, {"expires_at": "tomorrow"}, {"expires_at": "2026-12-01T09:30:00"},
    {"expires_at": "9999-12-31T23:59:59Z"}, {"expires_at": ""}, {"expires_at": 3},
])  # fmt: skip
def test_what_cannot_be_is_refused(client: FlaskClient, ann: Caller, wish: dict[str, Any]) -> None:
    response = ask(client, "POST", "/players/me/tokens", ann.token, json=wish)
    assert response.status_code == 422
    assert set(response.json["errors"]["json"]) == set(wish)
    assert len(ask(client, "GET", "/players/me/tokens", ann.token).json) == 1


def test_a_token_makes_none_that_may_more_or_lives_longer(store, client: FlaskClient, ann: Caller) -> None:
    ends = NOW + timedelta(days=2)
    token = made(store, ann, wanted=["read", "account"], expires_at=ends.isoformat())
    refused = ask(client, "POST", "/players/me/tokens", token, json={"scopes": ["read", "play"]})
    assert refused.status_code == 403
    assert refused.json["type"].endswith("/missing-scope")
    assert "play" in refused.json["message"]
    late = (ends + timedelta(seconds=1)).isoformat()
    assert ask(client, "POST", "/players/me/tokens", token, json={"expires_at": late}).status_code == 422
    heir = ask(client, "POST", "/players/me/tokens", token, json={}).json
    assert (heir["scopes"], heir["expires_at"]) == (["read", "account"], "2026-11-23T09:30:00Z")
    same = {"scopes": ["account"], "expires_at": ends.isoformat()}
    assert ask(client, "POST", "/players/me/tokens", token, json=same).status_code == 201


def test_past_its_end_a_token_opens_nothing(store, client: FlaskClient, ann: Caller, clock) -> None:
    token = made(store, ann, expires_at=(NOW + timedelta(days=1)).isoformat())
    assert ask(client, "GET", "/players/me", token).status_code == 200
    clock.append(NOW + timedelta(days=1) - timedelta(seconds=1))
    assert ask(client, "GET", "/players/me", token).status_code == 200
    clock.append(NOW + timedelta(days=1))
    for method, path in (("GET", "/players/me"), ("GET", "/games"), ("DELETE", "/players/me")):
        response = ask(client, method, path, token)
        assert response.status_code == 401
        assert "invalid_token" in response.headers["WWW-Authenticate"]
    ended = ask(client, "GET", "/players/me/tokens", ann.token).json[1]
    assert ended["expires_at"] == "2026-11-22T09:30:00Z"
    ask(client, "POST", "/players/me/tokens", ann.token, json={})
    assert len(ask(client, "GET", "/players/me/tokens", ann.token).json) == 2, "a new one sweeps it away"


def test_who_cannot_sign_in_keeps_a_token_that_looks_after_the_account(store, client: FlaskClient, clock) -> None:
    guest = Caller(client, "Guest")
    [first] = ask(client, "GET", "/players/me/tokens", guest.token).json
    made(store, guest, wanted=["read", "play"])
    soon = made(store, guest, expires_at=(NOW + timedelta(minutes=1)).isoformat())
    clock.append(NOW + timedelta(minutes=2))
    path = f"/players/me/tokens/{first['id']}"
    assert ask(client, "DELETE", path, guest.token).status_code == 409, "the others read, play, or have ended"
    others = ask(client, "GET", "/players/me/tokens", guest.token).json[1:]
    assert soon
    for one in others:
        assert ask(client, "DELETE", f"/players/me/tokens/{one['id']}", guest.token).status_code == 204
    made(store, guest)
    assert ask(client, "DELETE", path, guest.token).status_code == 204


def test_nobody_makes_them_without_end(
    store, client: FlaskClient, ann: Caller, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "TOKENS_A_DAY", 3)
    answers = []
    for _ in range(4):
        answer = ask(client, "POST", "/players/me/tokens", ann.token, json={})
        answers.append(answer.status_code)
        if answer.status_code == 201:
            ask(client, "DELETE", f"/players/me/tokens/{answer.json['id']}", ann.token)
    assert answers == [201, 201, 201, 429]
    assert int(answer.headers["Retry-After"]) > 0
    clock.append(NOW + timedelta(days=1))
    assert ask(client, "POST", "/players/me/tokens", ann.token, json={}).status_code == 201


def letters(store) -> list[Any]:
    return store.ask(lambda: list(Mail.select().where(Mail.kind == "token_made").order_by(Mail.id)))


@SQLITE
def test_the_owner_hears_of_a_new_token(store, settings, client: FlaskClient, ann: Caller) -> None:
    with store.write():
        Player.update(preferences='{"mail":"mute","quiet_hours":{"from":"00:00","to":"23:59"}}').execute()
    wish = {"name": "bot", "scopes": ["read", "play"], "expires_at": "2026-12-01T09:00:00Z"}
    found = ask(client, "POST", "/players/me/tokens", ann.token, json=wish).json
    [row] = letters(store)
    assert row.address == "ann@example.org"
    assert found["token"] not in repr(row.__data__)
    [notice] = [
        one for one in deliveries.claim(store, "test", NOW, NOW + timedelta(minutes=1), 9) if one.kind == "token_made"
    ]
    mail = compose(store, settings, notice, NOW)
    text = mail.get_body(("plain",)).get_content()
    for part in ("read your games and your profile", "1 December", f"{settings.public_url}/account/tokens"):
        assert part in " ".join(text.split()), part
    assert found["token"] not in text
    ask(client, "DELETE", f"/players/me/tokens/{found['id']}", ann.token)
    assert isinstance(compose(store, settings, notice, NOW), Skip), "a token that was revoked is no news"


def test_nobody_hears_of_it_at_an_address_that_was_merely_claimed(store, client: FlaskClient, clock) -> None:
    eve = Caller(client, "Eve")
    with store.write():
        Player.update(email="victim@example.org").execute()
    ask(client, "POST", "/players/me/tokens", eve.token, json={"name": "buy at example.org"})
    assert letters(store) == []


@SQLITE
def test_a_stolen_token_takes_no_account_over(store, client: FlaskClient, ann: Caller) -> None:
    """It gave the account another address, confirmed that, and the owner could sign in no more."""
    for email in ("thief@example.net", None):
        refused = ask(client, "PATCH", "/players/me", ann.token, json={"name": "Thief", "email": email})
        assert refused.status_code == 403
        assert refused.json["type"].endswith("/fresh-sign-in")
        assert "/account" in refused.json["message"]
    found = ask(client, "GET", "/players/me", ann.token).json
    assert (found["name"], found["email"], found["email_confirmed"]) == ("Ann", "ann@example.org", True)
    same = ask(client, "PATCH", "/players/me", ann.token, json={"name": "Anna", "email": "ann@example.org"})
    assert (same.status_code, same.json["name"]) == (200, "Anna")
    assert not [one for one in mails(store) if one.kind in ("confirm", "address_changed")]
    with store.write():  # who gets no mail could not sign in: another address is the way out
        Player.update(mail_stopped_at="2026-11-21T09:30:00Z").execute()
    assert ask(client, "PATCH", "/players/me", ann.token, json={"email": "new@example.org"}).status_code == 200
    assert ask(client, "PATCH", "/players/me", ann.token, json={"email": None}).status_code == 200


def mails(store) -> list[Any]:
    return store.ask(lambda: list(Mail.select().order_by(Mail.id)))
