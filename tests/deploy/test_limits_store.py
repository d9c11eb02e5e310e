"""`ULM_LIMITS_STORE` with a real Redis: several processes count together."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from server.app import create_app
from server.service.common import quotas
from server.settings import Settings
from server.storage.database import Store
from tests.ports import Port

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


class Redis:
    """A Redis or Valkey of the test's own, on a port, which keeps nothing."""

    def __init__(self, program: str, folder: Path) -> None:
        self._port = Port()
        self.port = self._port.number
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen([program, *options, "--dir", str(folder)], stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                return
            except OSError:
                assert self._process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.02)

    def stop(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()
        self._port.close()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        pytest.skip("no redis-server here, and no valkey-server (apt install redis-server)")
    running = Redis(found, tmp_path)
    yield running
    running.stop()


@ONLY_SQLITE
def test_what_is_asked_at_one_server_counts_at_the_other(
    redis: Redis, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "REQUESTS", quotas.REQUESTS._replace(most=6))
    shared = replace(settings, limits_percent=100, limits_store=f"redis://127.0.0.1:{redis.port}/0")
    one, two = (create_app(shared, store).test_client() for _ in range(2))
    answers = [client.get("/api/v1/games").status_code for client in (one, two) * 5]
    assert answers == [200] * 6 + [429] * 4
    redis.stop()
    # Without it each counts by itself: limits and servers are there still.
    assert [one.get("/api/v1/games").status_code for _ in range(8)] == [200] * 6 + [429] * 2
