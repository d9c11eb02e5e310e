"""Health, readiness, counters."""

from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient

from server import metering
from server.service.admin import figures
from server.service.outbox import deliveries, pauses
from server.storage.database import Store
from server.storage.unusable import StoreError
from tests.notify.conftest import put
from tests.routes.caller import Caller


def test_up_and_ready(stranger: Caller) -> None:
    assert stranger.get("/healthz").json == {"status": "ok"}
    assert stranger.get("/readyz").json == {"status": "ok"}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_index_leads_everywhere(stranger: Caller) -> None:
    index = stranger.get("").json
    assert index["new_games"] in index["rulesets"]
    assert set(index["links"]) > {"description", "docs", "games", "replays"}
    for link in index["links"].values():
        assert stranger.client.get(link).status_code == 200


def test_up_but_not_ready(stranger: Caller, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise StoreError("postgresql://user:password@host is gone")

    monkeypatch.setattr(store, "ping", fail)
    answer = stranger.get("/readyz", status=503)
    assert "password" not in answer.text
    assert answer.headers["Retry-After"]
    stranger.get("/healthz")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_counters_are_readable(client: FlaskClient, store: Store, stranger: Caller) -> None:
    metering.meters.cache_clear()
    stranger.get("/games")
    stranger.get("/games/nosuchgame", status=404)
    client.open("/api/v1/games", method="BREW")
    text = metering.text(figures.readings(store, datetime.now(UTC)))
    assert 'ulm_requests_total{endpoint="games.getGames",method="GET",status="200"} 1.0\n' in text
    assert 'ulm_requests_total{endpoint="games.getGame",method="GET",status="404"} 1.0\n' in text
    assert "BREW" not in text
    assert "nosuchgame" not in text
    assert 'ulm_request_seconds_bucket{endpoint="games.getGames",le="+Inf"} 1.0\n' in text
    assert "ulm_waiting_requests 0.0\n" in text
    assert "_created" not in text
    assert text.endswith("\n")


def test_the_queue_of_mail_is_shown(store: Store) -> None:
    def shown() -> set[str]:
        return {
            line
            for line in metering.text(figures.readings(store, datetime.now(UTC))).split("\n")
            if line.startswith("ulm_mail")
        }

    assert {"ulm_mail_queue_age_seconds 0.0", "ulm_mail_pending 0.0", 'ulm_mail_paused{cause="fault"} 0.0'} <= shown()
    now = datetime.now(UTC)
    put(store, now - timedelta(hours=1), 3)
    [notice] = deliveries.claim(store, "one", now, now + timedelta(minutes=1), 1)
    fault = pauses.Fault("no server")
    dead = [deliveries.Mark(notice.id, "dead")]
    deliveries.mark(store, "one", dead, now, fault, lambda failures: now, {"dead": 1, "sent": 7})
    pauses.pause(store, "", now)
    lines = shown()
    assert {
        "ulm_mail_pending 2.0",
        "ulm_mail_dead 1.0",
        'ulm_mail_paused{cause="fault"} 1.0',
        'ulm_mail_paused{cause="operator"} 1.0',
        'ulm_mails_total{outcome="sent"} 7.0',
        'ulm_mails_total{outcome="dead"} 1.0',
    } <= lines
    [age] = [float(line.split()[1]) for line in lines if line.startswith("ulm_mail_queue_age_seconds")]
    assert 3599 <= age < 7200
