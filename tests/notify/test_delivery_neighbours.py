"""Nobody's bad address, and no mail that is never taken, keeps the others from their mail; and none is tried for ever.

The time that passes here is that of a clock that is moved, ten seconds at a time.
"""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from server.notify.compose_workers import ComposingHere
from server.notify.delivery import DOUBT_MAX, Delivery
from server.notify.transport import SmtpTransport
from server.service.outbox import deliveries, pauses, refusals, stopped_addresses
from server.settings import Settings
from server.storage.database import Store
from server.storage.models.accounts import Player
from server.storage.models.mail import Mail, MailRefusal
from server.storage.times import parse_utc
from tests.notify import test_delivery_faults as faults
from tests.notify.composers import plain
from tests.notify.conftest import put, states
from tests.notify.test_delivery import Clock
from tests.notify.test_delivery_faults import LEASE, NOW, TRIES, players, stopped, tell, work
from tests.service.timed import start

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


def long_for_one(store: Store, settings: Settings, notice: deliveries.Notice, now):
    message = plain(store, settings, notice, now)
    if notice.key == "turn:0":
        message.add_alternative("<p>a long story</p>\n" * 1000, subtype="html")
    return message


@SQLITE
def test_one_mail_that_is_refused_before_its_reader_is_named_is_not_tried_for_ever(
    store, settings, start_sink, clock
) -> None:
    """And keeps the others for seconds: the next to try is another."""
    sink = start_sink("small")
    put(store, NOW, 2)
    composing = ComposingHere(long_for_one, store, settings)
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
    while clock.now < NOW + DOUBT_MAX - timedelta(days=1):
        delivery.run()
        clock.pass_by(hours=3)
    if how == "unloved":
        assert states(store) == {"pending": number}, "it may be the mail server, and nobody has told of it yet"
    while clock.now < NOW + DOUBT_MAX * 2:
        delivery.run()
        clock.pass_by(hours=2)
    assert states(store) == {"dead": number}


@SQLITE
@pytest.mark.parametrize("tries", [1, TRIES])
def test_what_is_taken_back_in_its_last_try_is_tried_again(store, settings, sink, clock, tries) -> None:
    tell(store, players(store, *(f"p{index}@example.org" for index in range(refusals.IN_A_ROW))), "turn")
    with store.write():
        Mail.update(attempts=tries - 1).execute()
    composing = ComposingHere(faults.to_its_reader, store, settings)
    way = SmtpTransport(sink.url, 60, "ulm.example.org")
    delivery = Delivery(store, composing, way, clock, random.Random(1), "one", tries, LEASE)
    sink.behave("at RCPT 550 5.1.1 user unknown")
    assert delivery.run() == {"dead": 5}
    assert states(store) == {"pending": 5}
    with store.read():
        assert {(row.attempts, row.fault) for row in Mail.select()} == {(tries - 1, "ours")}
    sink.behave("keep")
    work(delivery, clock, hours=0.5)
    assert states(store) == {"sent": 5}
    assert stopped(store) == {}


@SQLITE
def test_a_server_that_comes_and_goes_kills_no_mail(store, sink, clock, make) -> None:
    """Each time it is back others are taken first: that tells nothing of those that wait."""
    ids = players(store, *(f"p{index}@example.org" for index in range(8)))
    tell(store, ids, "turn")
    delivery = make()
    for answer in ("RCPT 550 5.1.1 unknown", "RCPT 554 5.7.1 relay", "MAIL 451 4.3.0 no", "RCPT 450 4.7.1 later"):
        sink.behave(f"at {answer}")
        for _ in range(30):
            delivery.run()
            clock.pass_by(minutes=7)
        assert "dead" not in states(store)
        assert stopped(store) == {}
        sink.behave("keep")
        work(delivery, clock, hours=0.5)
        assert set(states(store)) == {"sent"}
        tell(store, ids, answer, clock.now)


# --- a stop that is doubted, and one that is not ---------------------------------------------------------------------


@pytest.mark.parametrize("word", ["bounce", "complaint", "operator"])
def test_a_stop_by_something_else_is_beyond_doubt(store, sink, clock, make, word) -> None:
    ids = players(store, *(f"p{index}@example.org" for index in range(refusals.IN_A_ROW)))
    tell(store, ids[:1], "before")
    assert make().run() == {"sent": 1}
    with store.read():
        token = Mail.get().bounce_token
    sink.behave("at RCPT 550 5.1.1 user unknown")
    tell(store, ids[:1], "turn")
    assert make().run() == {"dead": 1}
    if word == "bounce":
        assert deliveries.came_back(store, token, "5.1.1", "nobody", clock.now) == "stopped"
    elif word == "complaint":
        assert deliveries.complained(store, token, "reported as spam", clock.now) == "stopped"
    else:
        assert stopped_addresses.bounced(store, "p0@example.org", "it came back", clock.now)[0] == 1
    tell(store, ids[1:], "turn")
    assert make().run() == {"dead": 4}
    assert set(stopped(store)) == {"p0@example.org"}
    assert "5.1.1 user unknown" not in stopped(store)["p0@example.org"]
    assert tell(store, ids[:1], "next") == 0


@SQLITE
def test_a_mail_refused_beside_a_stop_beyond_doubt_undoes_nothing(store, sink, clock, make) -> None:
    ids = players(store, *(f"p{index}@unloved.example" for index in range(refusals.IN_A_ROW)))
    tell(store, ids, "turn")
    with store.write():
        stopped_addresses.stop_player(store, ids[0], None, "spam", NOW, by="complaint")
        first = Mail.select().order_by(Mail.id).get()
        MailRefusal.insert(mail=first, player=ids[0], sent_to="x", counted=1, stopped=0, since=NOW, at=NOW).execute()
    work(make(), clock, hours=0.1)
    assert set(stopped(store)) == {"p0@unloved.example"}


@SQLITE
def test_what_the_mails_of_one_game_say_stops_no_address(store, sink, clock, make) -> None:
    """In them stand names that somebody else has chosen."""
    one, two = start(store), start(store)
    ann = one.players[0].id
    with store.write():
        Player.update(email="ann@example.org", email_confirmed_at=NOW).where(Player.id == ann).execute()
        Mail.delete().execute()
    sink.behave("at DOT 550 This message scored 15 spam points")

    def say(key: str, kind: str, game: str) -> None:
        with store.write():
            row = {"player": ann, "game": game, "due_at": clock.now, "created_at": clock.now}
            Mail.insert(key=key, kind=kind, **row).execute()
        clock.pass_by(minutes=1)
        assert make().run() == {"dead": 1}

    for number, kind in enumerate(("turn", "reminder", "over")):
        say(f"one:{number}", kind, one.id)
    say("two:message", "message", two.id)
    assert stopped(store) == {}
    say("two:turn", "turn", two.id)
    assert "spam points" in stopped(store)["ann@example.org"]
    with store.read():
        assert {row.fault for row in Mail.select()} == {"theirs"}


@SQLITE
def test_a_mail_that_was_taken_between_two_refused_ones_keeps_the_address_good(store, sink, clock, make) -> None:
    [ann] = players(store, "ann@example.org")
    for number, answer in enumerate(("at DOT 550 no", "keep", "at DOT 550 no")):
        sink.behave(answer)
        tell(store, [ann], f"mail{number}", clock.now)
        make().run()
        clock.pass_by(minutes=1)
    assert states(store) == {"sent": 1, "dead": 2}
    assert stopped(store) == {}
