"""What becomes of mails, addresses and the queue when a mail server is at fault, or seems to be; against a real one."""

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from server.notify import runner
from server.notify.composing import Composing
from server.notify.delivery import REFUSED_MAX, Delivery
from server.notify.mail_content import Postpone, Skip
from server.notify.recipients import recipient
from server.notify.transport import SmtpTransport
from server.service.accounts import account_opening
from server.service.outbox import deliveries, enqueuing, pauses, stopped_addresses
from server.service.outbox.news import News
from server.settings import Settings
from server.storage.database import Store
from server.storage.times import parse_utc
from tests.notify.composers import plain
from tests.notify.conftest import NOW, Clock, Letterbox, put, states
from tests.notify.sink import Sink
from tests.tables import Mail, Player

LEASE = timedelta(minutes=1)
TRIES = 4


@pytest.fixture
def sink(shared: Sink) -> Sink:
    """As one that has just been started."""
    shared.forget()
    return shared


def to_its_reader(store: Store, settings: Settings, queued: deliveries.QueuedMail, now: datetime):
    """A plain mail to whom the real composer would send it, if to anybody."""
    try:
        person = recipient(store, queued, now)
    except (Skip, Postpone) as none:
        return none
    message = plain(store, settings, queued, now)
    message.replace_header("To", person.address)
    return message


@pytest.fixture
def make(store: Store, settings: Settings, clock: Clock, sink: Sink) -> Callable[..., Delivery]:
    """A function that makes the delivery of one process: `make(owner)`."""

    def build(owner: str = "one", transport: object = None) -> Delivery:
        way = transport or SmtpTransport(sink.url, 60, "ulm.example.org")
        composing = Composing(to_its_reader, store, settings, clock)
        return Delivery(store, composing, way, clock, random.Random(1), owner, TRIES, LEASE)

    return build


def players(store: Store, *addresses: str) -> list[str]:
    """Players with these addresses, confirmed; their ids."""
    ids = [account_opening.create_player(store, f"P{index}", to, NOW)["id"] for index, to in enumerate(addresses)]
    with store.write():
        Mail.delete().execute()
        Player.update(email_confirmed_at=NOW).execute()
    return ids


def tell(store: Store, ids: list[str], about: str, now: datetime = NOW) -> int:
    with store.write():
        return enqueuing.tell(store, [News("over", player, f"{about}:{player}") for player in ids], now)


def stopped(store: Store) -> dict[str, str]:
    with store.read():
        return {player.email: player.mail_stopped_why for player in Player.select() if player.mail_stopped_at}


def work(delivery: Delivery, clock: Clock, hours: float) -> dict[str, int]:
    """Look every ten seconds for so long; what became of what."""
    end, done = clock.now + timedelta(hours=hours), {}
    while clock.now < end:
        for word, number in delivery.run().items():
            done[word] = done.get(word, 0) + number
        clock.pass_by(seconds=10)
    return done


@pytest.mark.parametrize("fault", ["MAIL 530 5.7.0 Authentication required", "EHLO 550 no", "CONNECT 554 no"])
def test_a_servers_fault_pauses_all_processes_and_blames_no_mail(store, sink, clock, make, caplog, fault) -> None:
    put(store, NOW, 20)
    sink.behave(f"at {fault}")
    one, two = make("one"), make("two", Letterbox())
    with caplog.at_level(logging.WARNING, "ulm.mail"):
        assert one.run() == {"unreachable": 1}
        assert two.run() == {}  # it would have gone, and does not even try
        paused = pauses.current(store)
        assert (paused.cause, paused.since) == ("fault", NOW)
        assert states(store) == {"pending": 20}
        for _ in range(20):  # a hundred minutes of it
            clock.pass_by(minutes=5)
            assert one.run() == {"unreachable": 1}
            assert two.run() == {}
        with store.read():
            assert {(row.state, row.attempts) for row in Mail.select()} == {("pending", 0)}
            assert {row.fault for row in Mail.select()} <= {None, "ours"}
    alarms = [record for record in caplog.records if record.getMessage() == "no mail can be sent"]
    assert len(alarms) == 2, "when it began, and an hour later"
    sink.behave("keep")
    clock.pass_by(minutes=5)
    one.run()
    assert pauses.current(store) is None
    warned = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warned[-1] == "mail is sent again"
    work(one, clock, hours=0.05)
    assert states(store) == {"sent": 20}


def test_one_mail_at_a_time_tries_whether_it_is_over(store, sink, clock, make) -> None:
    put(store, NOW, 5)
    sink.behave("at MAIL 451 4.3.0 no")
    make().run()
    clock.pass_by(minutes=1)
    box, other = Letterbox(), make("other", Letterbox())
    seen: list[object] = []
    box.during = lambda: seen.append(other.run())
    assert make("one", box).run() == {"sent": 5}
    assert seen[0] == {}, "another process tried beside it"


def test_who_dies_while_trying_is_missed_within_a_minute(store, sink, clock, make) -> None:
    put(store, NOW, 5)
    sink.behave("at MAIL 451 4.3.0 no")
    make().run()
    clock.pass_by(minutes=1)
    assert pauses.probe(store, clock(), clock() + LEASE)  # and dies
    sink.behave("keep")
    assert make("other").run() == {}
    clock.pass_by(minutes=1)
    assert make("other").run() == {"sent": 5}


@pytest.mark.parametrize("ahead", [timedelta(hours=13), timedelta(days=2)])
def test_what_a_clock_wrote_that_was_ahead_holds_nobody_up(store, sink, clock, make, ahead: timedelta) -> None:
    """Its process died, and the clock is right again: claims, tries and a pause that end in two days are over."""
    put(store, NOW, 3)
    clock.now = NOW + ahead
    assert len(deliveries.claim(store, "dead", clock(), clock() + LEASE, 2)) == 2
    sink.behave("at RCPT*1 451 4.3.0 not now")
    assert make().run()["sent"] == 0
    put(store, NOW, 2, "next")
    sink.behave("at MAIL 451 4.3.0 no")
    make().run()
    assert pauses.current(store) is not None
    sink.behave("keep")
    clock.now = NOW
    for _ in range(3):
        make("other").run()
        clock.pass_by(minutes=5)
    assert states(store) == {"sent": 5}
    assert pauses.current(store) is None


def test_clocks_that_differ_by_seconds_take_nothing_from_each_other(store, sink, clock, make) -> None:
    put(store, NOW, 2)
    assert len(deliveries.claim(store, "ahead", NOW + LEASE / 2, NOW + LEASE * 1.5, 2)) == 2
    assert make().run() == {}


def test_an_address_that_takes_no_mail_is_stopped_with_all_that_waits_for_it(store, sink, clock, make) -> None:
    """Once mail to somebody else is taken, and it is refused again: then it is not the mail server."""
    gone, ann = players(store, "gone@example.org", "ann@example.org")
    tell(store, [gone], "first")
    assert make().run() == {"failed": 1}
    clock.pass_by(minutes=1)
    assert make().run() == {"failed": 1}
    assert stopped(store) == {}
    clock.pass_by(seconds=1)
    tell(store, [ann], "second", clock())
    assert make().run() == {"sent": 1}
    clock.pass_by(minutes=5)
    assert make().run() == {"dead": 1}
    tell(store, [gone], "third", clock())
    [(address, why)] = stopped(store).items()
    assert address == "gone@example.org"
    assert "550 5.1.1 there is nobody of that name" in why
    assert states(store) == {"sent": 1, "dead": 1}, "nothing is written for it any more"
    assert store.ask(lambda: Mail.get(Mail.state == "dead").fault) == "theirs"


def test_what_was_taken_in_the_second_of_the_first_refusal_may_have_been_before_it(store, sink, clock, make) -> None:
    """A mail server that begins to refuse everybody, between two mails."""
    tell(store, players(store, "ann@example.org", "gone@example.org"), "turn")
    assert make().run() == {"sent": 1, "failed": 1}
    clock.pass_by(minutes=1)
    assert make().run() == {"failed": 1}
    assert (states(store), stopped(store)) == ({"sent": 1, "pending": 1}, {})


@pytest.mark.parametrize("fault", ["CONNECT 554 no", "MAIL 451 4.3.0 no", "RCPT close", "RCPT 451 4.7.1 greylisted"])
def test_after_an_outage_an_address_is_refused_once_more_before_it_is_stopped(store, sink, clock, make, fault) -> None:
    ann, gone = players(store, "ann@example.org", "gone@example.org")
    tell(store, [gone], "turn")
    sink.behave(f"at {fault}")
    assert sum(make().run().values()) == 1
    sink.behave("keep")
    for about, becomes in (("one", "failed"), ("two", "dead")):
        assert stopped(store) == {}
        clock.pass_by(minutes=10)
        tell(store, [ann], about, NOW - timedelta(hours=1))
        assert make().run() == {"sent": 1, becomes: 1}
    assert set(stopped(store)) == {"gone@example.org"}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("readers", "begins"), [(6, 0), (1, 1)])
def test_a_server_that_refuses_everybody_pauses_the_queue_and_the_operator_hears_of_it(
    store, sink, clock, make, caplog, readers, begins
) -> None:
    """At once where it refuses five, after an hour where there are fewer to tell."""
    ids = players(store, *(f"player{index}@example.org" for index in range(readers)))
    tell(store, ids, "turn")
    tell(store, ids, "other")
    sink.behave("at RCPT 550 no such user here")
    with caplog.at_level(logging.WARNING, "ulm.mail"):
        before = work(make(), clock, hours=0.9)
        assert (pauses.current(store) is None) == bool(begins)
        assert set(before) == {"failed"}
        work(make(), clock, hours=0.3)
        asked = work(make(), clock, hours=2)["failed"]
    assert asked < 60, "one mail every five minutes, or a little more"
    alarms = [record for record in caplog.records if record.getMessage() == "no mail can be sent"]
    assert len(alarms) == 4 - begins
    assert "mail is sent again" not in caplog.text
    assert (states(store), stopped(store)) == ({"pending": 2 * readers}, {})
    sink.behave("keep")
    work(make(), clock, hours=0.2)
    assert states(store) == {"sent": 2 * readers}
    assert pauses.current(store) is None


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "answer", ["RCPT 550 5.1.1 user unknown", "RCPT 554 5.7.1 relay denied", "DOT 550 no", "RCPT 451 4.7.1 try later"]
)
def test_a_server_that_refuses_everybody_costs_no_mail_and_no_address_in_two_days(
    store, sink, clock, make, answer
) -> None:
    """It has lost its list of users, say. And while it comes and goes nothing is lost either."""
    ids = players(store, *(f"player{index}@example.org" for index in range(6)))
    delivery = make()
    for about in ("turn", "next"):
        tell(store, ids, about, clock())
        sink.behave(f"at {answer}")
        for _ in range(24):
            delivery.run()
            clock.pass_by(hours=2)
        with store.read():
            assert {(row.state, row.attempts) for row in Mail.select().where(Mail.state != "sent")} == {("pending", 0)}
        assert stopped(store) == {}
        sink.behave("keep")
        work(delivery, clock, hours=0.1)
        assert set(states(store)) == {"sent"}


def test_a_bad_address_that_is_confirmed_again_gets_its_mail(store, sink, clock, make) -> None:
    [ann] = players(store, "ann@example.org")
    with store.write():
        stopped_addresses.stop_player(store, ann, None, "user unknown", NOW, by="bounce")
        enqueuing.enqueue(store, "confirm", "ann@example.org", key="confirm:1", now=NOW, player_id=ann)
    assert make().run() == {"sent": 1}
    with store.write():
        Player.update(mail_stopped_at=None).execute()  # the link was opened
    tell(store, [ann], "turn")
    assert make().run() == {"sent": 1}


def test_greylisting_costs_a_few_minutes(store, sink, clock, make) -> None:
    put(store, NOW, 1)
    sink.behave("at RCPT*2 451 4.7.1 greylisted")
    assert work(make(), clock, hours=0.2) == {"failed": 2, "sent": 1}


def test_what_a_mail_says_costs_no_address(store, sink, clock, make) -> None:
    """In most stand names that somebody else has chosen."""
    ids = players(store, "ann@example.org", "ben@example.org")
    sink.behave("at DOT*1 550 This message scored 15 spam points")
    tell(store, ids[:1], "turn")
    assert make().run() == {"dead": 1}
    clock.pass_by(seconds=1)
    tell(store, ids[1:], "turn")
    assert make().run() == {"sent": 1}
    assert (states(store), stopped(store)) == ({"dead": 1, "sent": 1}, {})


@pytest.mark.parametrize("stage", ["TEXT", "DOT"])
def test_a_lost_connection_sends_the_same_mail_once_more(store, sink, clock, make, stage) -> None:
    put(store, NOW, 1)
    sink.behave("at DOT*1 keep and close" if stage == "DOT" else "at TEXT*1 close")
    work(make(), clock, hours=0.2)
    assert states(store) == {"sent": 1}
    got = sink.received()
    assert len(got) == (2 if stage == "DOT" else 1)
    assert len({mail.data for mail in got}) == 1


def test_no_log_line_holds_an_address(store, sink, clock, make, caplog) -> None:
    put(store, NOW, 1, address="someone@example.org")
    sink.behave("at RCPT 554 5.7.1 <someone@example.org>: Relay access denied")
    with caplog.at_level(logging.DEBUG, "ulm"):
        make().run()
        clock.pass_by(days=6)
        make().run()
    lines = [record for record in caplog.records if record.name == "ulm.mail"]
    assert [line.getMessage() for line in lines] == [
        "mail failed, tried again later",
        "mail given up; see `ulm mail list --state dead`",
    ]
    assert "Relay access denied" in str(lines[0].fields)
    assert "someone" not in str([vars(record) for record in caplog.records if record.name.startswith("ulm")])


def test_the_operators_pause_stops_a_batch_in_its_midst(store, sink, clock, make) -> None:
    put(store, NOW, 9)
    box = Letterbox()
    box.during = lambda: len(box.got) == 3 and pauses.pause(store, "", clock())
    assert make("one", box).run() == {"sent": 4}
    assert states(store) == {"sent": 4, "pending": 5}
    assert make("two").run() == {}
    assert pauses.resume(store, clock())
    assert make("two").run() == {"sent": 5}


# --- what comes back later -------------------------------------------------------------------------------------------


def sent_to(store: Store, sink: Sink, make: Callable[..., Delivery], address: str) -> tuple[str, str]:
    """A player to whom a mail was sent, and its token."""
    [player] = players(store, address)
    tell(store, [player], "turn")
    assert make().run() == {"sent": 1}
    return player, store.ask(lambda: Mail.get().bounce_token)


def test_each_mail_has_a_sender_of_its_own_where_bounces_can_be_received(store, settings, sink, clock) -> None:
    put(store, NOW, 1)
    [ann] = players(store, "ann@example.org")
    tell(store, [ann], "turn")
    with_domain = Settings(
        smtp_url=sink.url, mail_from="ulm@ulm.example.org", reply_domain="in.ulm.example.org", mail_workers=0
    )
    delivery = runner.delivery(store, with_domain, to_its_reader, "one", clock)
    assert delivery.run() == {"sent": 1}
    [mail] = sink.wait_for(1)
    token = store.ask(lambda: Mail.get().bounce_token)
    assert len(token) == 26
    assert mail.sender == f"bounce+{token}@in.ulm.example.org"
    assert token.encode("ascii") not in mail.data


def test_a_bounce_of_an_address_left_behind_stops_nothing(store, sink, make) -> None:
    player, token = sent_to(store, sink, make, "ann@example.org")
    with store.write():
        Player.update(email="new@example.org").where(Player.id == player).execute()
    assert deliveries.came_back(store, token, "5.1.1", "nobody", NOW) == "noted"
    assert deliveries.complained(store, token, "spam", NOW) == "noted"
    assert stopped(store) == {}


def test_a_complaint_stops_mail(store, sink, make, clock) -> None:
    _, token = sent_to(store, sink, make, "ann@example.org")
    assert deliveries.complained(store, token, "reported as spam", NOW) == "stopped"
    assert stopped(store) == {"ann@example.org": "reported as spam"}
    with store.write():
        enqueuing.enqueue(store, "invitation", "eve@example.org", key="invitation:1", now=NOW)
        token = Mail.get(Mail.kind == "invitation").bounce_token
    assert deliveries.complained(store, token, "reported as spam", NOW) == "stopped"
    assert make().run() == {"skipped": 1}


# --- neighbours: nobody's bad address keeps the others from their mail, and no mail is tried for ever ----------------

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
