"""Nobody's bad address, and no mail that is never taken, keeps the others from their mail; and none is tried for ever.

The time that passes here is that of a clock that is moved, ten seconds at a time.
"""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from server.notify.composing import Composing
from server.notify.delivery import REFUSED_MAX, Delivery
from server.notify.transport import SmtpTransport
from server.service.outbox import deliveries, pauses
from server.settings import Settings
from server.storage.database import Store
from server.storage.times import parse_utc
from tests.notify import test_delivery_faults as faults
from tests.notify.composers import plain
from tests.notify.conftest import put, states
from tests.notify.test_delivery import Clock
from tests.notify.test_delivery_faults import LEASE, NOW, TRIES, players, stopped, tell, work
from tests.tables import Mail

clock, make, shared, sink = faults.clock, faults.make, faults.shared, faults.sink
MINUTES = timedelta(minutes=3)
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def hours_of_mail(store: Store, clock: Clock, delivery: Delivery, ann: str, hours: int) -> timedelta:
    """Each hour there is a mail for Ann; the longest that one of them took."""
    longest = timedelta()
    for hour in range(hours):
        began, before = clock.now, states(store).get("sent", 0)
        tell(store, [ann], f"hour{hour}", clock.now)
        work(delivery, clock, hours=0.1)
        assert states(store)["sent"] == before + 1, "others' mail keeps hers from going"
        with store.read():
            longest = max(longest, parse_utc(Mail.select().order_by(Mail.id.desc()).get().done_at) - began)
        clock.pass_by(minutes=54)
    return longest


@SQLITE
@pytest.mark.parametrize("how", ["unloved", "out-of-order", "gone", "grey", "full"])
def test_two_bad_addresses_cost_the_others_minutes_at_most(store, sink, clock, make, how) -> None:
    *bad, ann = players(store, f"one@{how}.example", f"two@{how}.example", "ann@example.org")
    tell(store, bad, "turn")
    delivery = make()
    assert hours_of_mail(store, clock, delivery, ann, 8) < MINUTES
    with store.read():
        assert {row.state for row in Mail.select().where(Mail.player.in_(bad))} == {"dead"}
        assert {row.fault for row in Mail.select().where(Mail.player.in_(bad))} == {"theirs"}
    assert pauses.current(store) is None
    assert set(stopped(store)) == ({f"one@{how}.example", f"two@{how}.example"} if how == "gone" else set())


@SQLITE
@pytest.mark.parametrize("how", ["unloved", "gone", "grey"])
def test_many_mails_to_five_bad_addresses_cost_the_others_minutes_at_most(store, sink, clock, make, how) -> None:
    *bad, ann = players(store, *(f"p{index}@{how}.example" for index in range(5)), "ann@example.org")
    for number in range(6):
        tell(store, bad, f"turn{number}")
    clock.pass_by(minutes=1)
    delivery = make()
    assert hours_of_mail(store, clock, delivery, ann, 1) < MINUTES
    for number in range(20):  # and in the end they are known for what they are
        tell(store, [ann], f"later{number}", clock.now)
        work(delivery, clock, hours=0.03)
        clock.pass_by(hours=3)
    assert set(states(store)) <= {"sent", "dead", "skipped"}
    assert set(stopped(store)) == ({f"p{index}@gone.example" for index in range(5)} if how == "gone" else set())


def long_for_one(store: Store, settings: Settings, queued: deliveries.QueuedMail, now):
    message = plain(store, settings, queued, now)
    if queued.key == "turn:0":
        message.add_alternative("<p>a long story</p>\n" * 1000, subtype="html")
    return message


@SQLITE
def test_one_mail_that_is_refused_before_its_reader_is_named_is_not_tried_for_ever(
    store, settings, start_sink, clock
) -> None:
    """And keeps the others for seconds: the next to try is another."""
    sink = start_sink("small")
    put(store, NOW, 2)
    composing = Composing(long_for_one, store, settings, clock)
    way = SmtpTransport(sink.url, 60, "ulm.example.org")
    delivery = Delivery(store, composing, way, clock, random.Random(1), "one", TRIES, LEASE)
    assert delivery.run() == {"unreachable": 1}
    clock.pass_by(seconds=5)
    assert delivery.run() == {"sent": 1}
    for number in range(2, TRIES + 4):
        put(store, clock.now, 1, prefix=f"turn{number}")
        work(delivery, clock, hours=0.05)
        clock.pass_by(hours=1)
    assert states(store) == {"dead": 1, "sent": TRIES + 3}
    assert pauses.current(store) is None


@SQLITE
@pytest.mark.parametrize("how", ["unloved", "out-of-order", "gone", "grey"])
@pytest.mark.parametrize("number", [1, 6])
def test_nobody_else_to_tell_whose_fault_it_is_no_mail_is_tried_for_ever(store, sink, clock, make, how, number) -> None:
    tell(store, players(store, *(f"p{index}@{how}.example" for index in range(number))), "turn")
    delivery = make()
    while clock.now < NOW + REFUSED_MAX - timedelta(days=1):
        delivery.run()
        clock.pass_by(hours=3)
    assert states(store) == {"pending": number}, "it may be the mail server, and nobody has told of it yet"
    while clock.now < NOW + REFUSED_MAX * 2:
        delivery.run()
        clock.pass_by(hours=2)
    assert states(store) == {"dead": number}
