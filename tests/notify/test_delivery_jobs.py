"""Leases and the scheduler: one process does a job, another takes over; and what composing processes survive."""

import itertools
import logging
import multiprocessing
import random
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine
from apscheduler.triggers.date import DateTrigger

from server.notify import runner
from server.notify.composing import Composing
from server.notify.delivery import Delivery
from server.notify.jobs import MAILS_KEPT, clean_up
from server.notify.scheduler import Context, Job, Scheduler
from server.service.outbox import deliveries
from server.settings import Settings
from server.storage import leases
from server.storage.database import Store
from server.storage.unusable import StoreBusyError, StoreError
from tests.notify.composers import plain
from tests.notify.conftest import NOW, Clock, Letterbox, mark, put, states
from tests.tables import Lease, Mail
from tests.together import at_once

MINUTE = timedelta(minutes=1)
one_database = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def make(store: Store, settings: Settings, clock: Clock) -> Callable[..., Scheduler]:
    """A function that makes the scheduler of one process: `make("one", job, …)`."""

    def build(owner: str, *jobs: Job) -> Scheduler:
        delivery = runner.delivery(store, settings, plain, owner, clock, random.Random(1), Letterbox())
        return Scheduler(store, settings, delivery, jobs, owner, clock, random.Random(1), MINUTE)

    return build


def test_a_lease_has_one_owner_until_it_runs_out(store: Store) -> None:
    assert leases.take(store, "clocks", "one", NOW, NOW + MINUTE)
    assert not leases.take(store, "clocks", "two", NOW, NOW + MINUTE)
    assert set(leases.held(store, NOW).values()) == {"one"}
    assert leases.take(store, "digest", "two", NOW, NOW + MINUTE)
    assert leases.take(store, "clocks", "one", NOW + MINUTE / 2, NOW + 2 * MINUTE)
    assert not leases.take(store, "clocks", "two", NOW + 1.5 * MINUTE, NOW + 3 * MINUTE)
    assert set(leases.held(store, NOW + 2 * MINUTE).values()) == set()
    assert leases.take(store, "clocks", "two", NOW + 2 * MINUTE, NOW + 3 * MINUTE)
    assert not leases.take(store, "clocks", "one", NOW + 2 * MINUTE, NOW + 4 * MINUTE)
    leases.release(store, "clocks", "one")  # not its own: nothing happens
    assert set(leases.held(store, NOW + 2 * MINUTE).values()) == {"two"}
    leases.release(store, "clocks", "two")
    assert leases.take(store, "clocks", "one", NOW, NOW + MINUTE)


def test_of_many_at_once_one_gets_the_lease(store: Store) -> None:
    for number in range(5):
        takes = [
            partial(leases.take, store, f"job {number}", f"owner {index}", NOW, NOW + MINUTE) for index in range(8)
        ]
        assert at_once(takes).count(True) == 1


def test_one_process_does_a_job_until_it_is_silent_for_too_long(store, clock, make) -> None:
    done: list[str] = []
    one = make("one", job := Job("clocks", 1, lambda context, now: done.append("one")))
    two = make("two", twin := Job("clocks", 1, lambda context, now: done.append("two")))
    assert one.look(job)
    assert not two.look(twin)
    clock.pass_by(seconds=59)
    assert not two.look(twin)
    clock.pass_by(seconds=1)
    assert two.look(twin)
    assert not one.look(job)
    assert done == ["one", "two"]
    two.stop()  # in order: the lease is free at once
    assert one.look(job)


def test_a_process_that_goes_on_keeps_its_job_and_writes_seldom(store, clock, make, monkeypatch) -> None:
    one = make("one", job := Job("clocks", 1, lambda context, now: None))
    other = Job("reminders", 1, lambda context, now: None, lease="clocks")
    writes: list[int] = []
    write = Store.write
    monkeypatch.setattr(Store, "write", lambda self: (writes.append(1), write(self))[1])
    for _ in range(180):
        assert one.look(job)
        assert one.look(other)
        clock.pass_by(seconds=1)
    assert 3 <= len(writes) <= 4


def test_a_long_job_hears_that_it_has_lost_its_lease(store, clock, make) -> None:
    heard: list[bool] = []
    two = make("two", Job("clocks", 1, lambda context, now: None))

    def sleepy(context: Context, now: datetime) -> None:
        heard.append(context.keep())
        clock.pass_by(seconds=90)
        two.look(Job("clocks", 1, lambda context, now: None))
        heard.append(context.keep())

    make("one", job := Job("clocks", 1, sleepy)).look(job)
    assert heard == [True, False]


def test_a_failing_job_is_logged_and_tried_again(store, clock, make, caplog) -> None:
    def fail(context: Context, now: datetime) -> None:
        raise StoreBusyError("others write") if len(caplog.records) else ZeroDivisionError

    scheduler = make("one", job := Job("clocks", 1, fail))
    with caplog.at_level(logging.WARNING, "ulm.jobs"):
        assert not scheduler.look(job)
        assert not scheduler.look(job)
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("ERROR", "job failed"),
        ("WARNING", "job put off"),
    ]


@one_database
def test_a_job_that_cannot_be_done_waits_longer_each_time_and_says_so_once(
    store, settings, caplog, monkeypatch
) -> None:
    """Also one that is to be done again at once, as the bots' is."""
    monkeypatch.setattr("server.notify.scheduler.LONGEST_WAIT", 2.0)
    tries: list[float] = []
    again = threading.Event()

    def look(context: Context, now: datetime) -> None:
        tries.append(time.monotonic())
        if len(tries) < 4:
            raise StoreError("the database is away")
        again.set()
        time.sleep(0.05)

    scheduler = runner.scheduler(store, settings, plain, [Job("bots-0", 0, look, shared=True)])
    with caplog.at_level(logging.INFO, "ulm.jobs"):
        scheduler.start()
        assert again.wait(30)
        scheduler.stop()
    first, second, third, fourth = tries[:4]
    assert (second - first > 0.9, third - second > 1.9, fourth - third > 1.9) == (True, True, True)
    told = [record.getMessage() for record in caplog.records if record.name == "ulm.jobs"]
    assert told == ["job put off", "job done again"]


@one_database
def test_a_gentle_job_rests_between_its_steps_and_holds_up_no_stop(store, settings, monkeypatch) -> None:
    monkeypatch.setattr("server.notify.scheduler.REST", 600.0)
    steps: list[float] = []
    rests = threading.Event()

    def work(context: Context, now: datetime) -> None:
        while context.keep():
            steps.append(time.monotonic())
            time.sleep(0.05)
            if len(steps) == 3:
                monkeypatch.setattr("server.notify.scheduler.SHARE", 20_000)
                rests.set()

    scheduler = runner.scheduler(store, settings, plain, [Job("archive", 600, work, gentle=True)])
    scheduler.start()
    assert rests.wait(30)
    scheduler.stop()  # while it rests, for 1000 seconds
    assert len(steps) == 3
    assert all(after - before > 0.19 for before, after in itertools.pairwise(steps))


@one_database
def test_the_scheduler_runs_all_jobs_and_stops_in_order(store, settings) -> None:
    done = {name: threading.Event() for name in ("a", "b")}
    jobs = [Job(name, 0.05, lambda context, now, event=event: event.set()) for name, event in done.items()]
    scheduler = runner.scheduler(store, settings, plain, jobs)
    scheduler.start()
    assert all(event.wait(10) for event in done.values())
    scheduler.stop()
    assert store.ask(lambda: Lease.select().count()) == 0
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if "APScheduler" in name or name == "ulm-jobs-clock"]


@one_database
def test_a_clock_that_is_set_back_makes_no_job_wait_that_is_seldom_done(store, settings, monkeypatch) -> None:
    """What is done each hour is done again at once, and then in an hour; so it is when the clock leaps forward."""
    monkeypatch.setattr("server.notify.scheduler.WATCH", 0.1)
    often, seldom = threading.Semaphore(0), threading.Semaphore(0)
    jobs = [
        Job("often", 0.05, lambda context, now: often.release(), shared=True),
        Job("seldom", 3600, lambda context, now: seldom.release(), shared=True),
    ]
    with time_machine.travel(datetime.now(UTC), tick=True) as traveller:
        scheduler = runner.scheduler(store, settings, plain, jobs)
        scheduler.start()
        try:
            assert seldom.acquire(timeout=10)
            for by in (-48 * 3600, 48 * 3600):
                for _ in range(10):  # it may be so quick that the job is planned by the new time already
                    time.sleep(0.05)
                    traveller.shift(by)
                    if seldom.acquire(timeout=2):
                        break
                else:
                    pytest.fail(f"it waits, the clock having moved by {by} s")
                assert all(often.acquire(timeout=30) for _ in range(20))
                assert not seldom.acquire(blocking=False), by
        finally:
            scheduler.stop()


@one_database
def test_it_stops_while_a_job_is_planned_anew(store, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waited for ever for the thread that waited for its lock."""
    planning = threading.Event()

    def slowly(when, timezone):
        if threading.current_thread() is not threading.main_thread():
            planning.set()
            time.sleep(0.3)
        return DateTrigger(when, timezone)

    monkeypatch.setattr("server.notify.scheduler.DateTrigger", slowly)
    scheduler = runner.scheduler(store, settings, plain, [Job("a", 0.05, lambda context, now: None)])
    scheduler.start()
    assert planning.wait(10)
    stopping = threading.Thread(target=scheduler.stop, daemon=True)
    stopping.start()
    stopping.join(10)
    assert not stopping.is_alive()


def test_a_lease_that_ends_later_than_any_can_is_of_a_clock_that_was_wrong(store: Store) -> None:
    """Its owner died, and the clock is right again: nobody waits for two days."""
    assert leases.take(store, "clocks", "one", NOW + timedelta(days=2), NOW + timedelta(days=2) + MINUTE)
    assert leases.take(store, "clocks", "two", NOW, NOW + MINUTE)
    assert set(leases.held(store, NOW).values()) == {"two"}
    assert not leases.take(store, "clocks", "one", NOW - MINUTE / 2, NOW + MINUTE / 2), "clocks differ by seconds"


def test_clean_up_keeps_what_somebody_may_ask_for(store, settings, clock) -> None:
    put(store, NOW, 3)
    claimed = deliveries.claim(store, "one", NOW, NOW + MINUTE, 10)
    mark(
        store,
        "one",
        [
            deliveries.Mark(claimed[0].id, "sent"),
            deliveries.Mark(claimed[1].id, "dead"),
            deliveries.Mark(claimed[2].id, "skipped"),
        ],
        NOW,
    )
    put(store, NOW, 1, prefix="waits")
    delivery = runner.delivery(store, settings, plain, "one", clock)
    context = Context(store, settings, random.Random(1), clock, delivery, lambda: True)
    clean_up(context, NOW + MAILS_KEPT - MINUTE)
    assert states(store) == {"sent": 1, "skipped": 1, "dead": 1, "pending": 1}
    clean_up(context, NOW + MAILS_KEPT)
    assert states(store) == {"dead": 1, "pending": 1}


@one_database
def test_a_notice_that_kills_the_composing_process_takes_no_other_with_it(store, settings) -> None:
    """The others are composed by the next process; the deadly one ends as a dead letter."""
    clock, box = Clock(), Letterbox()
    put(store, NOW, 1, "a-deadly", kill=True)
    put(store, NOW, 6, "b")
    composing = Composing(plain, store, settings, clock, 2)
    delivery = Delivery(store, composing, box, clock, random.Random(1), "one", 3, timedelta(hours=1))
    for _ in range(12):
        delivery.run()
        clock.pass_by(hours=7)
    delivery.close()
    assert states(store) == {"sent": 6, "dead": 1}
    dead = store.ask(lambda: Mail.get(Mail.state == "dead"))
    assert dead.key == "a-deadly:0"
    assert dead.attempts == 3
    assert "died" in dead.error
    assert len(box.got) == 6


@one_database
def test_composing_processes_end_when_there_is_nothing_to_send(store, settings) -> None:
    clock, box = Clock(), Letterbox()
    composing = Composing(plain, store, settings, clock, 1)
    delivery = Delivery(store, composing, box, clock, random.Random(1), "one", 3, MINUTE)
    before = set(multiprocessing.active_children())
    put(store, NOW)
    assert delivery.run() == {"sent": 1}
    [process] = set(multiprocessing.active_children()) - before
    clock.pass_by(minutes=2)
    delivery.run()
    # The pool waits for it in a thread of its own; who asks while that is told of the end hears that it still lives.
    late = time.monotonic() + 30
    while process.is_alive() and time.monotonic() < late:
        time.sleep(0.05)
    assert not process.is_alive()
    put(store, NOW, 1, "next")
    assert delivery.run() == {"sent": 1}
    delivery.close()
