"""Health, readiness, counters."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from server.storage.database import Store, StoreError
from tests.routes.caller import Caller


def test_up_and_ready(stranger: Caller) -> None:
    assert stranger.get("/healthz").json == {"status": "ok"}
    assert stranger.get("/readyz").json == {"status": "ok"}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_up_but_not_ready(stranger: Caller, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise StoreError("postgresql://user:password@host is gone")

    monkeypatch.setattr(store, "ping", fail)
    answer = stranger.get("/readyz", status=503)
    assert "password" not in answer.text
    assert answer.headers["Retry-After"]
    stranger.get("/healthz")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_counters_are_readable(client: FlaskClient, stranger: Caller) -> None:
    stranger.get("/games")
    stranger.get("/games/nosuchgame", status=404)
    client.open("/api/v1/games", method="BREW")
    text = stranger.get("/metrics").text
    assert 'ulm_requests_total{endpoint="games.Games",method="GET",status="200"} 1\n' in text
    assert 'ulm_requests_total{endpoint="games.Game",method="GET",status="404"} 1\n' in text
    assert "BREW" not in text
    assert "nosuchgame" not in text
    assert 'ulm_request_seconds_bucket{endpoint="games.Games",le="+Inf"} 1\n' in text
    assert "ulm_waiting_requests 0\n" in text
    assert text.endswith("\n")
