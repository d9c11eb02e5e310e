"""A mail server to send to, and an outbox to send from."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server.notify.mime_message import OutgoingMail
from server.service.outbox import deliveries, mail_queue
from server.settings import Settings
from server.storage.database import Store
from server.storage.times import utc
from tests.notify.sink import Sink
from tests.tables import Mail

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


class Clock:
    """A time that stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **time: float) -> None:
        self.now += timedelta(**time)


class Letterbox:
    """A transport that keeps envelopes; `fail` is raised instead, `during` is called at each sending."""

    def __init__(self) -> None:
        self.got: list[OutgoingMail] = []
        self.fail: Exception | None = None
        self.during: Callable[[], None] = lambda: None

    def send(self, envelope: OutgoingMail) -> None:
        self.during()
        if self.fail is not None:
            raise self.fail
        self.got.append(envelope)

    def close(self) -> None:
        pass

    def abort(self) -> None:
        pass


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def start_sink(tmp_path: Path) -> Iterator[Callable[..., Sink]]:
    """A function that starts a mail server: `start_sink(mode="keep", certificate="")`."""
    running: list[Sink] = []

    def start(mode: str = "keep", certificate: str = "") -> Sink:
        running.append(Sink(tmp_path / "sink", mode, certificate))
        return running[-1]

    yield start
    for sink in running:
        sink.stop()


@pytest.fixture
def sink(start_sink: Callable[..., Sink]) -> Sink:
    """A mail server that keeps whatever comes."""
    return start_sink()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sink]:
    """A mail server for all tests of a module: starting one for each would take longer than the tests."""
    running = Sink(tmp_path_factory.mktemp("sink"))
    yield running
    running.stop()


@pytest.fixture
def plain(settings: Settings) -> Settings:
    """Settings for mails without pictures."""
    return replace(settings, base_url="https://ulm.example.org", mail_from="ulm@ulm.example.org", mail_pictures=False)


@pytest.fixture
def answered(plain: Settings) -> Settings:
    """The same, and mails can be answered."""
    return replace(plain, reply_domain="ulm.example.org")


def certificate_of_nobody(directory: Path) -> Path:
    """A file with a certificate for localhost that no authority signed, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    both, public = directory / "certificate.pem", directory / "public.pem"
    command = [openssl, *words.split(), "-keyout", str(both), "-out", str(public)]
    subprocess.run(command, check=True, capture_output=True)
    with both.open("a") as file:
        file.write(public.read_text())
    return both


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


def mark(store: Store, owner: str, marks: Sequence[deliveries.Mark], now: datetime) -> int:
    """Note what became of notices that `owner` has claimed; how many were its own."""
    return deliveries.mark(store, owner, marks, now).marks


def states(store: Store) -> dict[str, int]:
    """How many mails are in which state; those with none left out."""
    return {state: number for state, number in mail_queue.counts(store).items() if number}
