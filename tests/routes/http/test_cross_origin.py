"""Scripts of other sites: the API, for configured origins, without cookies; nothing by default."""

import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from server.app import create_app
from server.settings import Settings
from server.storage.database import Store
from tests.routes.caller import BASE
from tests.routes.conftest import SQLITE

HERE, ELSEWHERE = "https://play.example.org", "https://evil.example.net"
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def open_client(settings: Settings, store: Store) -> FlaskClient:
    """A client of a server that knows an origin, and another one."""
    return create_app(replace(settings, cors_origins=f"{HERE},http://localhost:3000"), store).test_client()


@SQLITE
def test_by_default_no_other_site_reads_anything(client: FlaskClient) -> None:
    for answer in (
        client.get(f"{BASE}/games", headers={"Origin": HERE}),
        client.options(f"{BASE}/games", headers={"Origin": HERE, "Access-Control-Request-Method": "POST"}),
    ):
        assert not [name for name in answer.headers.keys() if name.startswith("Access-Control")]  # noqa: SIM118


@SQLITE
def test_a_configured_origin_may_call_and_read(open_client: FlaskClient) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    before = open_client.options(f"{BASE}/games", headers={"Origin": HERE, **asked})
    assert before.status_code == 200
    assert before.headers[ALLOWED] == HERE
    assert "POST" in before.headers["Access-Control-Allow-Methods"]
    assert "authorization" in before.headers["Access-Control-Allow-Headers"]
    assert int(before.headers["Access-Control-Max-Age"]) > 0
    listed = open_client.get(f"{BASE}/games", headers={"Origin": HERE})
    assert listed.headers[ALLOWED] == HERE
    shown = listed.headers["Access-Control-Expose-Headers"]
    for name in ("ETag", "Link", "X-Pagination", "Retry-After", "X-Request-Id", "Location"):
        assert name in shown
    refused = open_client.get(f"{BASE}/games/nobody", headers={"Origin": HERE})
    assert (refused.status_code, refused.headers[ALLOWED]) == (404, HERE)


@SQLITE
def test_no_cookies_no_pages_and_nobody_else(open_client: FlaskClient) -> None:
    for path in (f"{BASE}/games", "/", "/account", "/api/docs"):
        for origin in (HERE, ELSEWHERE, "null"):
            answer = open_client.get(path, headers={"Origin": origin})
            assert "Access-Control-Allow-Credentials" not in answer.headers
            assert (ALLOWED in answer.headers) == (path.startswith(BASE) and origin == HERE), (path, origin)
    assert ALLOWED not in open_client.get(f"{BASE}/games").headers
    for near in ("https://play.example.org.evil.net", "https://playxexample.org", "http://play.example.org"):
        assert ALLOWED not in open_client.get(f"{BASE}/games", headers={"Origin": near}).headers


@SQLITE
def test_caches_are_told_that_the_answer_depends_on_the_origin(open_client: FlaskClient) -> None:
    for headers in ({}, {"Origin": HERE}, {"Origin": ELSEWHERE}):
        assert "Origin" in open_client.get(f"{BASE}/games", headers=headers).headers["Vary"]


def test_origins_are_read_as_browsers_write_them() -> None:
    found = Settings.from_env({"ULM_CORS_ORIGINS": "https://Play.example.org, http://localhost:3000,http://[::1]:80"})
    assert found.cors_origins == f"{HERE},http://localhost:3000,http://[::1]:80"
    assert Settings.from_env({"ULM_CORS_ORIGINS": "*"}).cors_origins == "*"
    assert Settings.from_env({}).cors_origins == ""


@SQLITE
def test_options_lists_the_methods_that_there_are(app: Flask, client: FlaskClient) -> None:
    """`OPTIONS /replays/verify` listed GET, which another rule takes: there it is a replay that nobody has."""
    paths = {re.sub(r"<\w+:kind>", "conflict", rule.rule) for rule in app.url_map.iter_rules()}
    paths = {re.sub(r"<puzzle:\w+>", "today", path) for path in paths}
    paths = {re.sub(r"<ply:\w+>", "1", re.sub(r"<(id|player):\w+>", "a1b2", path)) for path in paths}
    served = 0
    for path in sorted(path for path in paths if path.startswith(("/api/v1", "/healthz", "/readyz"))):
        listed = set(client.options(path).headers["Allow"].split(", "))
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            answer = client.open(path, method=method)
            assert (answer.status_code != 405) == (method in listed), (method, path)
            if answer.status_code == 405:
                assert set(answer.headers["Allow"].split(", ")) == listed
        served += 1
    assert served > 30
