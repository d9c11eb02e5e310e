"""Limits of requests: somebody who asks in a loop is sent away, and the honest neighbour beside them is not."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from server.routes import request_limits
from server.routes.http import context
from server.routes.pages.shared import forms
from server.service.common import quotas
from server.settings import Settings
from tests.routes.caller import BASE, Caller, assert_error, new_game, play_on, players
from tests.routes.conftest import SQLITE

pytestmark = SQLITE


@pytest.fixture
def limited(app: Flask, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FlaskClient]:
    """A function that sets quotas by their names, and begins to count anew."""

    def begin(limits_store: str = "memory://", **most: int) -> FlaskClient:
        if "GAMES" in most:
            most["GAMES_AT_A_TIME"] = max(1, most["GAMES"] // 10)
        for name in ("REQUESTS", "PAGES", "GAMES", "GAMES_AT_A_TIME", "WORK"):
            quota = getattr(quotas, name)
            monkeypatch.setattr(quotas, name, quota._replace(most=most.get(name, 1_000_000)))
        app.extensions["ulm.settings"] = replace(settings, limits_store=limits_store, limits_percent=100)
        context.install(app)
        return app.test_client()

    return begin


def rules(app: Flask) -> Iterator[tuple[Rule, str]]:
    """Every route, with each of its methods."""
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule, method


def address(rule: Rule) -> str:
    """One that the rule matches."""
    path = re.sub(r"<any\(([^)]*)\):\w+>", lambda found: found[1].split(",")[0].strip("'\" "), rule.rule)
    return re.sub(r"<(?:id|[^:>]*token|token_id):?[^>]*>", "abcdefghjkmn", re.sub(r"<(?:int|ply):\w+>", "1", path)
                  ).replace("<path:filename>", "ulm.css").replace("<slot>", "N1").replace("<name>", "x"
                  ).replace("<number>", "1")  # fmt: skip


def test_every_route_has_a_limit_and_says_so_in_the_one_shape(app: Flask, limited: Callable[..., FlaskClient]) -> None:
    """Enumerated, so that a new route is in it by itself."""
    seen: set[str] = set()
    for rule, method in rules(app):
        client = limited(REQUESTS=1)
        path = address(rule)
        first, second = (client.open(path, method=method) for _ in range(2))
        for answer in (first, second):
            answer.close()
        assert first.status_code not in (405, 429, 500), (method, path, first.status)
        if rule.endpoint in request_limits.UNLIMITED:
            assert second.status_code == first.status_code, path
            continue
        assert_too_many(second, path)
        seen.add(rule.endpoint)
    assert len(seen) > 90
    assert {"games.getGames", "lobby-pages.index", "pages.static", "game-pages.turn"} <= seen


def assert_too_many(answer: TestResponse, path: str) -> None:
    assert answer.status_code == 429, (path, answer.status)
    assert 1 <= int(answer.headers["Retry-After"]) <= 3600
    if path.startswith("/api"):
        assert_error(answer)
    else:
        assert answer.mimetype == "text/html"
        assert "<h1" in answer.text


def test_limits_are_of_routes_that_there_are(app: Flask) -> None:
    known = {(rule.endpoint, method) for rule, method in rules(app)}
    assert request_limits.MAKING | request_limits.WORK.keys() <= known
    assert request_limits.UNLIMITED.keys() <= {endpoint for endpoint, _ in known}


def test_a_loop_is_stopped_and_neither_player_nor_stranger_beside_it_is(limited: Callable[..., FlaskClient]) -> None:
    client = limited(REQUESTS=30)
    ann, ben = players(client, 2)
    codes = [ann.get("/games", None).status_code for _ in range(60)]
    assert codes == [200] * 30 + [429] * 30
    refused = ann.get("/games", 429)
    assert "try again in" in refused.json["message"]
    assert refused.headers["RateLimit-Policy"] == '"requests";q=30;w=60'
    assert refused.headers["RateLimit"] == f'"requests";r=0;t={refused.headers["Retry-After"]}'
    assert "RateLimit" not in ben.get("/games").headers
    # Ben plays on beside it, from the same network, and so does a stranger.
    assert ben.get("/games").status_code == 200
    assert client.get(f"{BASE}/games").status_code == 200
    assert client.get("/").status_code == 200


def test_many_accounts_in_one_hand_are_one_hand(limited: Callable[..., FlaskClient]) -> None:
    """What players do is counted to their network, too; that of another network goes on."""
    client = limited()
    several = players(client, 4) + players(client, 4)
    limited(REQUESTS=10)
    answered = sum(one.get("/games", None).status_code == 200 for _ in range(8) for one in several)
    assert answered == 10 * quotas.REQUESTS.together
    several[0].get("/games", 429)
    elsewhere = {"REMOTE_ADDR": "198.51.100.7"}
    assert several[7].get("/games", environ_base=elsewhere).status_code == 200


def test_who_has_many_ipv6_networks_has_one_share(limited: Callable[..., FlaskClient]) -> None:
    client = limited(REQUESTS=10)
    asked = [client.get(f"{BASE}/games", environ_base={"REMOTE_ADDR": f"2001:db8:1:{number:x}::1"}).status_code
             for number in range(100)]  # fmt: skip
    assert asked.count(200) == 40
    assert client.get(f"{BASE}/games", environ_base={"REMOTE_ADDR": "2001:db8:2::1"}).status_code == 200


def test_wrong_tokens_are_counted_to_the_network(limited: Callable[..., FlaskClient]) -> None:
    """Who tries tokens gets no new share with each of them."""
    client = limited(REQUESTS=10)
    codes = [client.get(f"{BASE}/games", headers={"Authorization": f"Bearer ulm_{number:048x}"}).status_code
             for number in range(20)]  # fmt: skip
    assert codes == [401] * 10 + [429] * 10


def test_games_made_in_a_loop(limited: Callable[..., FlaskClient]) -> None:
    """571 games made and resigned in six seconds stood on the first page, all of them."""
    client = limited(GAMES=20)
    ann, ben = players(client, 2)
    made = []
    for _ in range(40):
        answer = ann.call("POST", "/games", {"seats": 2, "bots": ["random"]})
        if answer.status_code == 429:
            assert int(answer.headers["Retry-After"]) <= 60, "a tenth of an hour's within a minute"
            break
        made.append(answer.json["id"])
    assert len(made) == 2
    ann.post(f"/replays/{made[0]}/branches", {"ply": 0}, 429)
    ann.post(f"/games/{made[0]}/rematch", None, 429)
    # What is under way goes on, and a neighbour makes a game.
    ann.play(made[0], "resign", status=201)
    game = ben.post("/games", {"seats": 2}, 201).json["id"]
    ann.post(f"/games/{game}/players", {}, 201)


def test_games_made_in_an_hour(limited: Callable[..., FlaskClient], monkeypatch: pytest.MonkeyPatch) -> None:
    client = limited(GAMES=3)
    monkeypatch.setattr(quotas, "GAMES_AT_A_TIME", quotas.GAMES_AT_A_TIME._replace(most=100))
    ann, ben, cleo = players(client, 3)
    for number in range(9):  # what is refused makes no game
        ann.post("/games", {"seats": 2, "bots": ["hal"] * (number % 3 < 2)}, 422 if number % 3 < 2 else 201)
    assert int(ann.post("/games", {"seats": 2}, 429).headers["Retry-After"]) > 60
    for _ in range(3):
        ben.post("/games", {"seats": 2}, 201)
    cleo.post("/games", {"seats": 2}, 429)  # three accounts of one network make no more than twice as many


def test_guests_and_games_made_on_pages(limited: Callable[..., FlaskClient], monkeypatch: pytest.MonkeyPatch) -> None:
    client = limited(GAMES=20)
    assert [client.post("/guest", data={"seats": "2"}).status_code for _ in range(4)] == [403] * 4  # no form of ours
    monkeypatch.setattr(forms, "guard", lambda *_, **__: None)
    codes = [client.post("/guest", data={"seats": "2"}).status_code for _ in range(4)]
    assert codes == [303, 303, 303, 429]  # the first by the network, then by the guest
    assert client.post("/new").status_code == 429
    assert client.get("/new").status_code == 200


def finished(callers: list[Caller]) -> str:
    game = new_game(callers)
    play_on(callers, game, random.Random(3), stop=lambda page, legal: page["ply"] > 8)
    for caller in callers:
        if caller.page(game)["status"] == "running":
            caller.play(game, "resign")
            break
    return game


@contextmanager
def under_way(client: FlaskClient, path: str, **caller: Any) -> Iterator[TestResponse]:
    """A streamed answer of which but the first part was read."""
    answer = client.get(path, **caller)
    assert answer.status_code == 200
    assert answer.is_streamed
    yield answer
    answer.close()


def test_work_is_limited_by_caller(limited: Callable[..., FlaskClient]) -> None:
    client = limited(WORK=24)
    ann, ben = players(client, 2)
    game = finished([ann, ben])
    record = ann.get(f"/replays/{game}/record").json
    left = [ann.get(f"/replays/{game}/export.html").headers["RateLimit"] for _ in range(2)]
    assert left == ['"work";r=12', '"work";r=0']
    for path in (f"/replays/{game}/export.html", f"/replays/{game}/export.gif", f"/replays/{game}/states",
                 f"/replays/{game}/timeline", "/replays/statistics", "/players/me/export"):  # fmt: skip
        refused = ann.get(path, 429)
        assert int(refused.headers["Retry-After"]) <= 60
    ann.post("/replays/verify", record, 429)
    ann.post("/replays", record, 429)
    # Who plays is not hindered by their own exports, nor a neighbour in the least.
    assert ann.get(f"/replays/{game}/record").status_code == 200
    ben.get(f"/replays/{game}/export.html")
    ben.post("/replays/verify", record, 200)


def test_one_piece_of_heavy_work_at_a_time(limited: Callable[..., FlaskClient], app: Flask) -> None:
    client = limited()
    ann, ben = players(client, 2)
    game = finished([ann, ben])
    record = ann.get(f"/replays/{game}/record").json
    end = context_of(app).work.take({f"alone for player {ann.id}": 1})
    refused = ann.post("/replays/verify", record, 429)
    assert refused.headers["Retry-After"] == str(request_limits.AT_ONCE_SECONDS)
    ann.get(f"/replays/{game}/export.html", 429)
    ann.get(f"/replays/{game}/states")  # lighter work goes on beside it
    ben.post("/replays/verify", record, 200)
    end()
    end()  # twice is once
    ann.post("/replays/verify", record, 200)
    ann.post("/replays/verify", {"format": "x"}, 200)  # what fails has ended, too
    ann.post("/replays/verify", record, 200)


def test_work_whose_answer_is_a_stream_ends_with_it(limited: Callable[..., FlaskClient], app: Flask) -> None:
    client = limited()
    ann, ben = players(client, 2)
    path = f"{BASE}/replays/{finished([ann, ben])}/states"
    held = [client.get(path) for _ in range(request_limits.SIDE_BY_SIDE)]
    assert client.get(path).status_code == 429
    assert client.get(path, headers={"Authorization": f"Bearer {ann.token}"}).status_code == 200  # a player beside
    held[0].close()  # the client has gone
    assert client.get(path).data  # read to its end
    assert client.head(path).status_code == 200
    for answer in held:
        answer.close()
    # All places are free again.
    for headers in ({}, {"Authorization": f"Bearer {ann.token}"}):
        held = [client.get(path, headers=headers) for _ in range(request_limits.SIDE_BY_SIDE)]
        assert [answer.status_code for answer in held] == [200] * len(held)
        assert client.get(path, headers=headers).status_code == 429
        for answer in held:
            answer.close()


def context_of(app: Flask) -> context.Context:
    with app.app_context():
        return context.here()


def test_health_is_told_however_often(limited: Callable[..., FlaskClient]) -> None:
    client = limited(REQUESTS=1)
    for path in ("/healthz", "/readyz"):
        assert {client.get(path).status_code for _ in range(20)} == {200}


def test_without_its_store_each_process_counts_by_itself(limited: Callable[..., FlaskClient]) -> None:
    """A store of the limits that is away takes neither the server nor the limits away."""
    client = limited(REQUESTS=5, limits_store="redis://127.0.0.1:1/0")
    codes = [client.get(f"{BASE}/games").status_code for _ in range(8)]
    assert codes == [200] * 5 + [429] * 3
