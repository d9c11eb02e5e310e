"""Several processes at the outbox, and kill -9 while they deliver."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.notify.mime_message import message_id
from server.service.outbox import pauses
from server.settings import Settings
from server.storage.database import Store
from tests.notify.conftest import put, states
from tests.notify.sink import Received, Sink
from tests.notify.worker import main as work
from tests.processes import Forked
from tests.together import until

LEASE = 5.0


class Worker:
    """A process at work on the outbox."""

    def __init__(self, settings: Settings, sink: Sink, workers: int = 0) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ULM_")}
        environment |= {
            "ULM_DATABASE_URL": settings.database_url,
            "ULM_DATA_DIR": str(settings.data_dir),
            "ULM_SMTP_URL": sink.url,
            "ULM_MAIL_WORKERS": str(workers),
            "ULM_SHUTDOWN_SECONDS": "1",
            "ULM_MAIL_FROM": settings.mail_from,
        }
        self.process = Forked(work, [str(LEASE)], environment)
        assert self.process.stdout.readline() == "works\n"

    @property
    def pid(self) -> int:
        return self.process.pid

    def children(self) -> list[int]:
        return [
            int(child)
            for task in Path(f"/proc/{self.pid}/task").iterdir()
            for child in (task / "children").read_text("ascii").split()
        ]

    def kill(self) -> None:
        self.process.kill()
        self.stop()

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(60)
        finally:
            self.process.kill()
            self.process.stdout.close()


@pytest.fixture
def start(settings: Settings) -> Iterator[Callable[..., Worker]]:
    running: list[Worker] = []

    def begin(sink: Sink, workers: int = 0) -> Worker:
        running.append(Worker(settings, sink, workers))
        return running[-1]

    yield begin
    for worker in running:
        worker.stop()


@pytest.mark.slow
def test_killed_in_the_midst_nothing_is_lost_and_one_mail_at_most_comes_twice(
    store: Store, settings: Settings, start_sink: Callable[..., Sink], start: Callable[..., Worker]
) -> None:
    """The one that was with the mail server and not noted yet; and it is the same."""
    sink = start_sink("slow")
    keys = put(store, datetime.now(UTC), 200)
    first = start(sink)
    sink.wait_for(60)
    first.kill()
    at_the_kill = sink.count()
    left = states(store)
    assert at_the_kill < 200
    assert left["sending"] > 0, "nothing was under way: the test has not met its moment"
    assert at_the_kill - 1 <= left["sent"] <= at_the_kill
    start(sink)
    until(lambda: states(store) == {"sent": 200}, "not all were sent")
    got = sink.received()
    times: dict[str, list[Received]] = {}
    for mail in got:
        times.setdefault(mail.message_id, []).append(mail)
    assert set(times) == {message_id(settings, key) for key in keys}
    assert len(got) <= 201
    for once, *again in times.values():
        assert all((once.data, once.to, once.sender) == (mail.data, mail.to, mail.sender) for mail in again)


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_mail_server_that_takes_longer_than_a_lease_gets_one_copy(
    store: Store, start_sink: Callable[..., Sink], start: Callable[..., Worker]
) -> None:
    """Two processes: the one that waits keeps its claim, and the other does not take it over."""
    sink = start_sink(f"at DOT*1 wait {LEASE + 2}")
    put(store, datetime.now(UTC), 3)
    start(sink), start(sink)
    until(lambda: states(store) == {"sent": 3}, "not all were sent")
    assert sink.count() == 3


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_told_to_stop_it_waits_for_a_mail_server_for_a_while_only(
    store: Store, settings: Settings, start_sink: Callable[..., Sink], start: Callable[..., Worker]
) -> None:
    """And leaves the queue as it found it: that one's fault is nobody else's."""
    sink = start_sink("at RCPT silence")
    put(store, datetime.now(UTC), 3)
    worker = start(sink)
    until(lambda: states(store).get("sending") == 3, "nothing is under way")
    assert worker.stop() == 0
    assert states(store) == {"pending": 3}
    assert pauses.current(store) is None
    sink.behave("keep")
    start(sink)
    until(lambda: states(store) == {"sent": 3}, "not all were sent")


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_composing_processes_end_with_a_killed_server(
    store: Store, start_sink: Callable[..., Sink], start: Callable[..., Worker]
) -> None:
    sink = start_sink("slow")
    put(store, datetime.now(UTC), 300)
    worker = start(sink, workers=2)
    sink.wait_for(30)
    children = worker.children()
    assert len(children) >= 2
    worker.kill()
    until(lambda: not any(Path(f"/proc/{child}").exists() for child in children), "they live on", 10)
