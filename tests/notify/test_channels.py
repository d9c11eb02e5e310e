"""News to webhooks: to real listeners, once each, signed, retried, into no private network, never what is over."""

import base64
import hashlib
import hmac
import ipaddress
import random
import socket
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from server.notify import channels, outward
from server.notify.compose import compose
from server.notify.outward import RefusedError, Request
from server.notify.runner import delivery
from server.notify.scheduler import Context
from server.service.accounts import channels as own_channels
from server.service.archive import sandboxes
from server.service.chat import messages, notice_wishes, unsubscribing
from server.service.common.errors import ServiceError
from server.service.outbox import channel_queue
from server.service.play import reminders
from server.settings import Settings
from server.storage.database import Store
from tests.notify.conftest import certificate_of_nobody
from tests.notify.letters import Table
from tests.notify.listener import Heard, Listener
from tests.service.conftest import NOW
from tests.tables import Player as PlayerRow

OWN = "127.0.0.0/8"


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    running = Listener(tmp_path / "listener")
    yield running
    running.stop()


@pytest.fixture
def reached(plain: Settings) -> Settings:
    """Settings by which webhooks may lead to this machine."""
    return replace(plain, own_networks=OWN)


class News(Table):
    """A running game whose players have channels, and what is sent."""

    def context(self, **changes: object) -> Context:
        settings = replace(self.settings, **changes)
        sends = delivery(self.store, settings, compose, "one", lambda: self.now)
        return Context(self.store, settings, random.Random(1), lambda: self.now, sends, lambda: True)

    def deliver(self, **changes: object) -> Counter[str]:
        context = self.context(**changes)
        first = channels.deliver(context, proven=False)
        return first + channels.deliver(context, proven=True)  # where a trial has arrived

    def hook(self, seat: int, address: str, shape: str = "json", token: str = "") -> str:
        """A webhook of the player of a seat, its first trial over."""
        made = own_channels.add_webhook(self.store, self.players[seat], shape, address, token, self.now, plain=True)
        return made["id"]

    def log(self, seat: int) -> list[tuple[str, str, str | None]]:
        found = own_channels.listing(self.store, self.players[seat])
        return [(one["kind"], one["state"], one["error"]) for channel in found for one in channel["deliveries"]]

    def turn(self) -> None:
        while self.move() != "end":
            pass

    @property
    def active(self) -> int:
        return int(self.page(0)["to_move"])

    def prefer(self, seat: int, text: str) -> None:
        with self.store.write():
            PlayerRow.update(preferences=text).where(PlayerRow.id == self.players[seat].id).execute()


@pytest.fixture
def news(store: Store, reached: Settings) -> News:
    return News(store, reached)


def kinds(heard: list[Heard]) -> list[str]:
    return [one.json["type"] for one in heard]


def test_a_turn_is_told_once_in_the_own_form_and_signed(news: News, listener: Listener) -> None:
    made = own_channels.add_webhook(
        news.store, news.players[0], "json", f"{listener.url}/ulm?x=1", "", news.now, plain=True
    )
    ply = news.page(0)["ply"]
    sandboxes.branch(news.store, news.players[0], news.id, ply, 0, None, None, NOW)  # where nobody waits
    while news.active != 0:
        news.turn()
    news.turn()
    news.turn()
    assert news.deliver()["sent"] == 2
    assert news.deliver() == Counter(), "nothing comes twice"
    trial, turn = listener.heard()
    assert (trial.json["type"], turn.json["type"]) == ("test", "turn")
    told = turn.json["data"]
    assert (told["game"], told["games_waiting"]) == (news.id, 1)
    assert told["url"] == f"https://ulm.example.org/games/{news.id}"
    assert told["title"] == "It is your turn in A game"
    assert "/t/" not in turn.body.decode(), "no link that plays"
    stamp = turn.headers["webhook-timestamp"]
    signed = f"{turn.headers['webhook-id']}.{stamp}.".encode() + turn.body
    right = hmac.new(made["signing_secret"].encode(), signed, hashlib.sha256).digest()
    assert turn.headers["webhook-signature"] == f"v1,{base64.b64encode(right).decode()}"
    assert turn.path == "/ulm?x=1"
    assert news.log(0)[0] == ("turn", "sent", "200")
    assert news.log(1) == []


def test_a_turn_that_was_played_is_not_told(news: News, listener: Listener) -> None:
    seat = news.active
    news.hook(seat, listener.url)
    news.deliver()
    news.turn()
    news.turn()
    news.turn()
    news.deliver()
    assert kinds(listener.heard()) == ["test"]
    assert [(kind, state) for kind, state, _why in news.log(seat)] == [("turn", "skipped"), ("test", "sent")]


def test_what_each_service_takes(news: News, listener: Listener) -> None:
    writer, reader = news.active, 1 - news.active
    text = "a_b* <@1> & https://example.org"
    for shape, path, token in (
        ("discord", "/api/webhooks/1/x", ""),
        ("slack", "/services/T/B/x", ""),
        ("matrix", "/!room:example.org", "syt_x"),
        ("ntfy", "/our-games", "tk_x"),
    ):
        news.hook(reader, listener.url + path, shape, token)
    news.deliver()
    messages.post(news.store, news.id, news.players[writer], text, news.now)
    news.deliver()
    discord, slack, matrix, ntfy = listener.heard()[4:]
    assert discord.path == "/api/webhooks/1/x"
    assert discord.json["allowed_mentions"] == {"parse": []}
    assert r"a\_b\*" in discord.json["content"]
    assert r"\<\@1\>" in discord.json["content"]
    assert "&lt;@1&gt; &amp; https://example.org" in slack.json["text"]
    assert "|No more of this game>" in slack.json["text"]
    assert matrix.method == "PUT"
    assert matrix.path.startswith("/_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.room.message/")
    assert matrix.headers["authorization"] == "Bearer syt_x"
    assert text in matrix.json["body"]
    assert (ntfy.path, ntfy.json["topic"], ntfy.json["message"]) == ("/", "our-games", text)
    assert ntfy.json["click"] == f"https://ulm.example.org/games/{news.id}"
    assert [one["label"] for one in ntfy.json["actions"]] == ["Open", "No more of this game"]
    assert all(b"signature" not in one.body for one in (discord, slack, matrix, ntfy))


def test_what_is_not_taken_is_tried_again_and_given_up_in_the_end(news: News, listener: Listener) -> None:
    seat = 1 - news.active
    news.hook(seat, listener.url)
    news.deliver()
    listener.answer("503 7200")
    news.turn()
    assert news.deliver()["pending"] == 1
    news.now += timedelta(minutes=90)
    assert news.deliver() == Counter(), "the other side asked for two hours"
    news.now += timedelta(minutes=31)
    listener.answer("200")
    assert news.deliver()["sent"] == 1
    assert listener.heard()[-1].headers["webhook-id"] == listener.heard()[-2].headers["webhook-id"]
    listener.answer("400 no")
    own_channels.try_out(news.store, news.players[seat], _only(news, seat), news.now)
    assert news.deliver()["dead"] == 1
    assert news.log(seat)[0] == ("test", "dead", "400 no")
    listener.answer("302 https://elsewhere.example.org/")
    news.now += timedelta(minutes=1)
    own_channels.try_out(news.store, news.players[seat], _only(news, seat), news.now)
    assert news.deliver()["dead"] == 1
    assert "not followed" in str(news.log(seat)[0][2])
    listener.answer("500")
    news.now += timedelta(minutes=1)
    own_channels.try_out(news.store, news.players[seat], _only(news, seat), news.now)
    for _try in range(channels.TRIES):
        news.deliver()
        news.now += timedelta(hours=2)
    assert news.log(seat)[0][:2] == ("test", "dead")


def _only(news: News, seat: int) -> str:
    (channel,) = own_channels.listing(news.store, news.players[seat])
    return channel["id"]


def test_a_channel_where_nothing_arrives_is_off_until_a_trial_does(news: News, listener: Listener) -> None:
    seat = 1 - news.active
    listener.answer("404")
    news.hook(seat, listener.url)
    assert news.deliver()["dead"] == 1
    news.now += timedelta(days=4)
    news.turn()
    assert news.deliver()["skipped"] == 1
    assert "off" in str(news.log(seat)[0][2])
    listener.answer("200")
    own_channels.try_out(news.store, news.players[seat], _only(news, seat), news.now)
    news.deliver()
    messages.post(news.store, news.id, news.players[1 - seat], "hello", news.now)
    news.deliver()
    assert kinds(listener.heard()) == ["test", "test", "message"]
    assert own_channels.listing(news.store, news.players[seat])[0]["failing_since"] is None


def test_wishes_quiet_hours_and_one_press_to_end(news: News, listener: Listener) -> None:
    writer, reader = news.active, 1 - news.active
    player = news.players[reader]
    news.hook(reader, listener.url)
    news.deliver()

    def say() -> list[str]:
        before = len(listener.heard())
        messages.post(news.store, news.id, news.players[writer], "hello", news.now)
        news.deliver()
        return kinds(listener.heard()[before:])

    assert say() == ["message"]
    news.prefer(reader, '{"mail": "mute"}')
    assert say() == ["message"], "mail is another matter"
    news.prefer(reader, '{"webhook": "reminders"}')
    assert say() == []
    notice_wishes.change(news.store, news.id, player, {"webhook": "at_once"})
    assert say() == ["message"], "one game may be otherwise"
    news.prefer(reader, '{"quiet_hours": {"from": "09:00", "to": "10:30"}}')
    assert say() == []
    news.now = NOW.replace(hour=10, minute=31)
    news.deliver()
    assert kinds(listener.heard())[-1] == "message", "it waited"
    link = listener.heard()[-1].json["data"]["stop_url"]
    unsubscribing.one_click(news.store, link.rsplit("/", 1)[1], news.now)
    assert say() == []
    assert notice_wishes.read(news.store, news.id, player) == {"mail": None, "push": None, "webhook": "mute"}
    unsubscribing.change(news.store, link.rsplit("/", 1)[1], "again", news.now)
    assert say() == ["message"]
    own_channels.remove(news.store, player, _only(news, reader), news.now)
    assert say() == []


def test_who_has_no_address_hears_by_a_channel_also_of_the_time_that_runs_out(
    store: Store, reached: Settings, listener: Listener
) -> None:
    news = News(store, reached, clock={"turn_hours": 48, "reminders": [0.5]})
    seat = news.active
    with store.write():
        PlayerRow.update(email=None, email_confirmed_at=None).execute()
    news.hook(seat, listener.url)
    news.deliver()
    news.now += timedelta(hours=25)
    for _again in range(2):
        reminders.run_reminders(store, news.now)
        news.deliver()
    assert kinds(listener.heard()) == ["test", "reminder"]


def test_a_drip_and_silence_have_an_end(listener: Listener) -> None:
    for what in ("silence", "drip"):
        listener.answer(what)
        began = time.monotonic()
        with pytest.raises(RefusedError, match="in time"):
            outward.send(Request(listener.url, b"x", {}), OWN, 0.5)
        assert time.monotonic() - began < 30


def test_who_did_not_answer_keeps_none_but_their_own_waiting(news: News, listener: Listener) -> None:
    """The queue of those who take what comes does not even look at the others."""
    news.hook(0, "http://127.0.0.1:9/nobody")
    news.hook(1, listener.url)
    context = news.context()
    assert channels.deliver(context, proven=True) == Counter()
    assert channels.deliver(context, proven=False) == Counter(pending=1, sent=1)
    messages.post(news.store, news.id, news.players[0], "hello", news.now)
    messages.post(news.store, news.id, news.players[1], "hello", news.now)
    assert channels.deliver(context, proven=True) == Counter(sent=1)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *("240.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%1", "fc00::1", "fd12::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "::10.0.0.1", "2002:7f00:1::", "ff02::1"),
        *("fec0::1", "2001:db8::1", "2001:0:4136:e378:8000:63bf:f5ff:fffe", "64:ff9b:1::1"),
    ],
)
def test_no_private_address_is_public(address: str) -> None:
    assert not outward.is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_public_addresses_are(address: str) -> None:
    assert outward.is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"])
def test_nothing_goes_into_a_private_network(listener: Listener, host: str) -> None:
    port = listener.url.rsplit(":", 1)[1]
    for scheme in ("http", "https"):
        with pytest.raises(RefusedError):
            outward.send(Request(f"{scheme}://{host}:{port}/", b"x", {}), "", 2)
        with pytest.raises(RefusedError):
            outward.send(Request(f"{scheme}://{host}:{port}/", b"x", {}), "10.0.0.0/8", 2)
    assert listener.heard() == []


def test_the_address_that_was_looked_at_is_the_one_that_is_asked(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that stands for another address at the second look: there is no second look."""
    port, look, looks = int(listener.url.rsplit(":", 1)[1]), socket.getaddrinfo, []

    def rebinding(host: str, *given: object, **named: object) -> object:
        if host[0].isdigit():
            return look(host, *given, **named)
        looks.append(host)
        return look("127.0.0.1" if len(looks) == 1 else "10.0.0.1", *given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    answer = outward.send(Request(f"http://rebinds.example.org:{port}/", b"x", {}), OWN, 5)
    assert (answer.status, looks) == (200, ["rebinds.example.org"])
    assert listener.heard()[0].headers["host"] == f"rebinds.example.org:{port}"


def test_a_certificate_of_nobody_is_not_trusted(tmp_path: Path) -> None:
    running = Listener(tmp_path, str(certificate_of_nobody(tmp_path)))
    try:
        with pytest.raises(RefusedError, match="certificate"):
            outward.send(Request(running.url, b"x", {}), OWN, 5)
        assert running.heard() == []
    finally:
        running.stop()


@pytest.mark.parametrize(
    ("shape", "address", "token"),
    [
        ("json", "http://example.org/", ""),
        ("json", "ftp://example.org/", ""),
        ("json", "https://user:word@example.org/", ""),
        ("json", "https://example.org:99999/", ""),
        ("json", "https:///x", ""),
        ("json", "https://example.org/a b", ""),
        ("json", "https://example.org/\r\nX: y", ""),
        ("pigeon", "https://example.org/", ""),
        ("matrix", "https://example.org/", "x"),
        ("matrix", "https://example.org/!room:example.org", ""),
        ("ntfy", "https://ntfy.sh/", ""),
        ("ntfy", "https://ntfy.sh/topic", "a b"),
    ],
)
def test_what_is_no_webhook_is_refused(news: News, shape: str, address: str, token: str) -> None:
    with pytest.raises(ServiceError):
        own_channels.add_webhook(news.store, news.players[0], shape, address, token, NOW)


def test_a_player_has_so_many_and_no_other_players(news: News) -> None:
    ann, ben = news.players
    for number in range(own_channels.CHANNELS_MAX):
        made = own_channels.add_webhook(news.store, ann, "json", f"https://example.org/{number}", "", NOW)
    with pytest.raises(ServiceError, match="remove one"):
        own_channels.add_webhook(news.store, ann, "json", "https://example.org/", "", NOW)
    with pytest.raises(ServiceError, match="no such channel"):
        own_channels.remove(news.store, ben, made["id"], NOW)
    with pytest.raises(ServiceError, match="no such channel"):
        own_channels.try_out(news.store, ben, made["id"], NOW)
    assert made["id"] in {one["id"] for one in own_channels.listing(news.store, ann)}


def test_two_at_work_share_what_is_due(news: News) -> None:
    for number in range(4):
        news.hook(number % 2, f"https://example.org/{number}")
    claimed = [
        channel_queue.claim(news.store, owner, NOW, NOW + channels.CLAIM, proven=False)
        for owner in ("one", "two", "one", "two", "one")
    ]
    assert len({one.queued.id for one in claimed if one is not None}) == 4
    assert claimed[-1] is None
    late = NOW + 2 * channels.CLAIM
    taken = channel_queue.claim(news.store, "two", late, late + channels.CLAIM, proven=False)
    assert taken is not None
    channel_queue.mark(news.store, "one", taken, channel_queue.Outcome("dead"), late)
    assert [state for _kind, state, _why in news.log(0)].count("dead") == 0, "who was taken over has no say"
