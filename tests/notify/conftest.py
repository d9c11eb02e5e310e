"""A mail server to send to, and an outbox to send from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from server.storage.database import Store
from server.storage.models import Mail, utc
from tests.notify.sink import Sink


@pytest.fixture
def start_sink(tmp_path: Path) -> Iterator[Callable[..., Sink]]:
    """A function that starts a mail server: `start_sink(mode="keep")`."""
    running: list[Sink] = []

    def start(mode: str = "keep") -> Sink:
        running.append(Sink(tmp_path / "sink", mode))
        return running[-1]

    yield start
    for sink in running:
        sink.stop()


@pytest.fixture
def sink(start_sink: Callable[..., Sink]) -> Sink:
    """A mail server that keeps whatever comes."""
    return start_sink()


def put(
    store: Store, now: datetime, number: int = 1, prefix: str = "turn", address: str | None = None, **data: object
) -> list[str]:
    """Put notices into the outbox, due at `now`; their keys."""
    keys = [f"{prefix}:{index}" for index in range(number)]
    rows = [
        {
            "key": key,
            "kind": "turn",
            "address": address or f"player{index}@example.org",
            "data": json.dumps(data),
            "due_at": utc(now),
            "created_at": utc(now),
        }
        for index, key in enumerate(keys)
    ]
    with store.write():
        for first in range(0, number, 500):
            Mail.insert_many(rows[first : first + 500]).execute()
    return keys


def states(store: Store) -> dict[str, int]:
    """How many mails are in which state; those with none left out."""
    from server.service.outbox import deliveries

    return {state: number for state, number in deliveries.counts(store).items() if number}
