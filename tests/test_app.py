"""The application as a whole: headers on every answer, proxies by setting, limits, `wsgi:app`."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.app import create_app
from server.settings import Settings

ROOT = Path(__file__).parent.parent
ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@ONLY_SQLITE
@pytest.mark.parametrize("path", ["/healthz", "/api/v1/games", "/nothing/here", "/api/v1/nothing"])
def test_every_answer_keeps_browsers_careful(client, path):
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"


def seen(settings, store, headers) -> str:
    """The address that a view of a new application believes to have been called at."""
    from flask import request

    app = create_app(settings, store)
    app.add_url_rule("/seen", view_func=lambda: f"{request.url} {request.remote_addr}")
    return app.test_client().get("/seen", headers=headers).text


@ONLY_SQLITE
def test_forwarded_headers_are_believed_by_setting_alone(settings, store):
    headers = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "ulm.example.org"}
    assert seen(settings, store, headers) == "http://localhost/seen 127.0.0.1"
    behind = dataclasses.replace(settings, proxy_hops=1)
    assert seen(behind, store, headers) == "https://ulm.example.org/seen 192.0.2.7"


@ONLY_SQLITE
def test_request_ids_of_a_proxy_are_believed_by_setting_alone(settings, store):
    for hops, taken in ((0, False), (1, True)):
        client = create_app(dataclasses.replace(settings, proxy_hops=hops), store).test_client()
        for path in ("/", "/api/v1/games", "/api/v1/games/nobody", "/healthz"):
            answer = client.get(path, headers={"X-Request-Id": "of-the-proxy-17"})
            assert (answer.headers["X-Request-Id"] == "of-the-proxy-17") == taken, path


@ONLY_SQLITE
def test_a_body_over_the_limit_is_413(settings, store, monkeypatch):
    monkeypatch.setattr(Settings, "max_body", 1000)
    client = create_app(settings, store).test_client()
    answer = client.post("/api/v1/players", json={"name": "x" * 2000})
    assert answer.status_code == 413
    assert answer.json["code"] == 413
    assert client.post("/api/v1/players", json={"name": "Ann"}).status_code == 201


def test_two_applications_live_in_one_process(settings, store, tmp_path):
    other_settings = dataclasses.replace(settings, database_url=f"sqlite:///{tmp_path}/second.sqlite3")
    first, second = create_app(settings, store), create_app(other_settings)
    token = first.test_client().post("/api/v1/players", json={"name": "Ann"}).json["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert first.test_client().get("/api/v1/players/me", headers=headers).status_code == 200
    assert second.test_client().get("/api/v1/players/me", headers=headers).status_code == 401
    second.extensions["ulm.store"].close()


def load(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run this in a process of its own, as a WSGI server loads `wsgi`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ULM_")} | variables
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )


def test_any_wsgi_server_can_load_it(tmp_path):
    code = (
        "import wsgi; answer = wsgi.app.test_client().get('/readyz'); "
        "assert answer.status_code == 200, answer.data; wsgi.app.extensions['ulm.store'].close()"
    )
    done = load(code, ULM_DATA_DIR=str(tmp_path / "data"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "data" / "ulm.sqlite3").exists()


def test_a_wrong_setting_stops_it_with_its_name(tmp_path):
    done = load("import wsgi", ULM_DATA_DIR=str(tmp_path), ULM_THREADS="many")
    assert done.returncode != 0
    assert "ULM_THREADS: 'many' is not a whole number from 1 to 256" in done.stderr
    assert "Traceback" not in done.stderr
