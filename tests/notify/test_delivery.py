"""Delivery in one process: what becomes of each notice, on both databases, against a real mail server."""

import random
from collections.abc import Callable
from datetime import timedelta

import pytest

from server.notify.composing import Composing, compose_one
from server.notify.delivery import Delivery, backoff
from server.notify.mime_message import message_id
from server.service.outbox import deliveries
from server.service.outbox.deliveries import LAST_RETRY
from server.settings import Settings
from server.storage.database import Store, open_database
from tests.notify.composers import plain
from tests.notify.conftest import NOW, Clock, Letterbox, put, states
from tests.tables import Mail

LEASE = timedelta(minutes=2)


@pytest.fixture
def box() -> Letterbox:
    return Letterbox()


@pytest.fixture
def make(store: Store, settings: Settings, clock: Clock, box: Letterbox) -> Callable[..., Delivery]:
    """A function that makes deliveries of one database: `make(owner, tries=3)`."""

    def build(owner: str = "one", tries: int = 3, transport: object = None) -> Delivery:
        composing = Composing(plain, store, settings, clock)
        return Delivery(store, composing, transport or box, clock, random.Random(1), owner, tries, LEASE)

    return build


def test_what_is_due_is_sent_once(store, clock, box, make):
    put(store, NOW, 120)
    put(store, NOW + timedelta(hours=1), 3, prefix="later")
    assert make().run() == {"sent": 120}
    assert make("two").run() == {}
    assert states(store) == {"sent": 120, "pending": 3}
    assert [mail.to for mail in box.got] == [f"player{index}@example.org" for index in range(120)]
    assert len({mail.message_id for mail in box.got}) == 120
    row = store.ask(lambda: Mail.get(Mail.key == "turn:7"))
    assert (row.message_id, row.attempts, row.error, row.lease_owner) == (box.got[7].message_id, 1, None, None)
    assert row.done_at == "2026-11-21T09:30:00Z"


def test_an_idle_server_writes_nothing(store, make, monkeypatch):
    put(store, NOW + timedelta(seconds=1))
    monkeypatch.setattr(Store, "write", lambda self: pytest.fail("a write transaction"))
    assert make().run() == {}


def test_the_composer_decides(store, clock, box, make):
    put(store, NOW, 1, "a", skip="the turn was played")
    put(store, NOW, 1, "b", postpone=8)
    put(store, NOW, 1, "c")
    assert make().run() == {"skipped": 1, "postponed": 1, "sent": 1}
    skipped, postponed, _ = store.ask(lambda: list(Mail.select().order_by(Mail.key)))
    assert (skipped.state, skipped.error) == ("skipped", "the turn was played")
    assert (postponed.state, postponed.due_at, postponed.attempts) == ("pending", "2026-11-21T17:30:00Z", 0)
    clock.pass_by(hours=7)
    assert make().run() == {}


def test_a_failing_composer_costs_that_notice_alone_and_no_secret(store, clock, box, make, caplog):
    put(store, NOW, 1, "bad", fail=True)
    put(store, NOW, 1, "good")
    assert make().run() == {"failed": 1, "sent": 1}
    row = store.ask(lambda: Mail.get(Mail.key == "bad:0"))
    assert row.error.startswith("composing failed with KeyError at composers.py:")
    assert "secret" not in row.error + caplog.text
    for _ in range(2):
        clock.pass_by(hours=7)
        make().run()
    row = store.ask(lambda: Mail.get(Mail.key == "bad:0"))
    assert (row.state, row.attempts) == ("dead", 3)


def test_a_second_sending_is_the_same_message(store, settings, clock, box, make):
    """Died between sending and noting it: the next process sends the same bytes, hours later too."""
    put(store, NOW)
    [queued] = deliveries.claim(store, "died", NOW, NOW + LEASE, 10)
    box.send(compose_one(plain, store, settings, queued, NOW))
    clock.pass_by(seconds=119)
    assert make("other").run() == {}
    clock.pass_by(hours=5)
    assert make("other").run() == {"sent": 1}
    first, second = box.got
    assert first == second
    assert first.message_id == message_id(settings, "turn:0")


def test_a_process_that_was_too_slow_does_not_send_what_another_has(store, clock, box, make):
    """Asleep for longer than its lease: what another process took over meanwhile is not sent again."""
    put(store, NOW, 3)
    others = []

    def sleep_long() -> None:
        if not others:
            others.append(True)
            clock.pass_by(minutes=10)
            others.append(make("other").run())

    box.during = sleep_long
    slow = make("slow").run()
    assert others[1] == {"sent": 3}
    assert slow == {"sent": 1, "lost": 2}
    assert states(store) == {"sent": 3}
    keys = [mail.message_id for mail in box.got]
    assert len(keys) == 4
    assert len(set(keys)) == 3  # the one that it was sending when it fell asleep came twice, the same


def test_told_to_stop_it_gives_back_what_it_has_not_sent(store, clock, box, make):
    put(store, NOW, 80)
    assert make().run(lambda: len(box.got) >= 10) == {"sent": 10}
    assert states(store) == {"sent": 10, "pending": 70}
    assert store.ask(lambda: {row.attempts for row in Mail.select().where(Mail.state == "pending")}) == {0}
    assert make("next").run() == {"sent": 70}


def test_a_notice_that_kills_its_process_each_time_is_given_up(store, clock, box, make):
    put(store, NOW)
    for _ in range(3):
        assert len(deliveries.claim(store, "dies", clock(), clock() + LEASE, 10)) == 1
        clock.pass_by(minutes=3)
    assert make().run() == {"dead": 1}
    assert box.got == []


def test_backoff_doubles_up_to_a_limit_and_spreads():
    rng = random.Random(5)
    minute = timedelta(minutes=1)
    waits = [[backoff(failures, minute, LAST_RETRY, rng) for _ in range(50)] for failures in (1, 2, 5, 40)]
    for row, longest in zip(waits, (minute, 2 * minute, 16 * minute, LAST_RETRY), strict=True):
        assert longest / 2 <= min(row) < max(row) <= longest
        assert max(row) - min(row) > longest / 4


@pytest.mark.parametrize(
    "plan",
    [
        "",
        "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_hashagg=off -c enable_sort=off",
    ],
)
def test_claims_keep_their_limit_whatever_the_database_plans(settings, store, monkeypatch, plan):
    """PostgreSQL may run a query in a query once for each row, and with SKIP LOCKED find others each time."""
    put(store, NOW, 10)
    monkeypatch.setenv("PGOPTIONS", plan)
    planning = open_database(settings.database, threads=1)
    try:
        assert len(deliveries.claim(planning, "one", NOW, NOW + LEASE, 6)) == 6
    finally:
        planning.close()
