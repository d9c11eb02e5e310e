"""What becomes of a mail that came in: for whom it is, what of it is done, and what is only counted."""

import base64
import io
import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server import logs
from server.inbox import receiving
from server.inbox.limits import PER_TOKEN, SEARCHED, SIZE, TRIES
from server.inbox.receiving import Outcome
from server.service.accounts import links
from server.service.outbox import received_mail
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from server.storage.unusable import StoreBusyError
from tests.service.conftest import give_address, make_player

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
DOMAIN = "ulm.example.org"
NOBODYS = "zzzzzzzzzzzzzzzzzzzzzzzzzz"
TOKEN = "abcdefghijklmnopqrstuvwx23"
REPORTS = Path(__file__).parent / "reports"


class World:
    """An account with a link to a turn, a mail that was sent to it, and what answers were read."""

    def __init__(self, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.settings = store, replace(settings, reply_domain=DOMAIN, mail_from=f"ulm@{DOMAIN}")
        self.now = NOW
        self.player = give_address(store, make_player(store, "Ann"), "ann@example.net")
        self.token = self.link(self.player.id)
        self.read: list[tuple[str, receiving.answers.AnswerMail]] = []
        self.trouble: list[Exception] = []
        monkeypatch.setattr(receiving.answers, "receive", self._answer)
        monkeypatch.setattr(receiving.answers, "receive_message", self._answer)

    def link(self, player_id: str, ply: int = 0) -> str:
        return links.make(self.store, "turn", now=self.now, player=player_id, game=None, ply=ply, seat=0)

    def _answer(
        self, store: Store, token: str, mail: receiving.answers.AnswerMail, now: datetime, rng: random.Random
    ) -> None:
        if self.trouble:
            raise self.trouble.pop()
        self.read.append((token, mail))

    def receive(self, data: bytes | None = None, *to: str, sender: str | None = "ann@example.net") -> Outcome:
        data = mail() if data is None else data
        return receiving.receive(self.store, self.settings, data, to, self.now, random.Random(1), sender)

    def play(self, data: bytes | None = None, **more: str) -> Outcome:
        return self.receive(data, f"play+{self.token}@{DOMAIN}", **more)

    def reported(self, data: bytes, to: str = "", sender: str | None = "") -> str:
        """What became of a report: to that address, or to the one for all."""
        return self.receive(data, f"{to or 'bounce'}@{DOMAIN}", sender=sender).why

    def counts(self) -> dict[str, int]:
        return received_mail.counts(self.store, self.now)

    def sent(self, token: str = TOKEN) -> None:
        """A mail that was sent to the account under this token."""
        with self.store.write():
            sql.execute(
                self.store,
                "INSERT INTO mail (key, kind, player_id, data, state, due_at, created_at, attempts, bounce_token)"
                " VALUES (?, 'turn', ?, '{}', 'sent', ?, ?, 1, ?)",
                token, self.player.id, "2026-11-22T09:00:00Z", "2026-11-22T09:00:00Z", token,
            )  # fmt: skip

    def stopped(self) -> str | None:
        return sql.rows(self.store, "SELECT mail_stopped_why FROM player WHERE id = ?", self.player.id)[0][0]


@pytest.fixture
def log() -> io.StringIO:
    """What the operator would read."""
    stream = io.StringIO()
    logs.configure("DEBUG", stream)
    return stream


@pytest.fixture
def world(store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(store, settings, monkeypatch)


def mail(text: str = "n1\n", more: str = "Message-ID: <1@example.net>") -> bytes:
    return f"From: Ann <ann@example.net>\nSubject: Re: Your turn\n{more}\n\n{text}".encode()


def test_an_answer_is_read_once_however_often_it_comes(world):
    fields = "Message-ID: <1@example.net>\nAuthentication-Results: mx; dkim=pass"
    assert world.play(mail(more=fields)) == Outcome("done", "play")
    assert world.play(mail(more=fields)) == Outcome("done", "was here before")
    [(token, read)] = world.read
    assert token == world.token
    assert (read.message_id, list(read.lines), read.authentication) == ("<1@example.net>", ["n1"], "dkim=pass")
    assert world.play(mail(more="Message-ID: <2@example.net>")) == Outcome("done", "play")
    assert world.receive(mail(more=fields), f"talk+{world.token}@{DOMAIN}") == Outcome("done", "was here before")
    assert world.counts() == {"done play": 2}
    for secret in (world.token, "example.net", world.player.id):
        assert secret not in repr(dump(world.store))


def test_a_mail_without_message_id_is_known_by_its_bytes(world):
    assert world.play(mail(more="X: y")).why == world.play(mail("n2\n", more="X: y")).why == "play"
    assert world.play(mail(more="X: y")).why == "was here before"
    assert len({read.message_id for _, read in world.read}) == 2


def test_the_recipient_is_the_envelopes_or_else_the_headers(world):
    to = f"play+{world.token}@{DOMAIN}"
    assert world.receive(mail(more=f"To: {to}"), "someone@example.org") == Outcome("dropped", "not for us")
    assert world.receive(mail(more=f"To: {to}")) == Outcome("done", "play")
    assert world.receive(mail(more="To: ann@example.net")) == Outcome("dropped", "not for us")
    assert world.receive(mail(), to.upper()) == Outcome("done", "play")
    world.settings = replace(world.settings, reply_domain="")
    assert world.receive(mail(more="Message-ID: <9@x>"), to) == Outcome("dropped", "ULM_REPLY_DOMAIN is not set")
    assert len(world.read) == 2


def test_what_is_dropped_is_counted_by_its_reason_and_has_no_row(world, log):
    play = f"play+{world.token}@{DOMAIN}"
    assert world.receive(mail(), f"play+{NOBODYS}@{DOMAIN}").why == "unknown token"
    assert world.receive(mail(more="Auto-Submitted: auto-replied"), play).why == "Auto-Submitted"
    assert world.receive(mail(), play, sender="").why == "null sender"
    assert world.receive(b"x" * (SIZE + 1), play).why == "too large"
    assert world.receive(b"no header", play).why == "no header"
    assert world.receive(mail(), f"bounce+{NOBODYS}@{DOMAIN}").why == "no report"
    assert world.receive(mail(), f"check+{NOBODYS}@{DOMAIN}").why == "unknown token"
    assert world.counts() == {
        "dropped unknown token": 2, "dropped Auto-Submitted": 1, "dropped null sender": 1, "dropped too large": 1,
        "dropped no header": 1, "dropped no report": 1,
    }  # fmt: skip
    assert received_mail.listing(world.store, 10) == []
    assert world.read == []
    for secret in (world.token, NOBODYS, "ann@", "example.net", "Your turn", "n1"):
        assert secret not in log.getvalue()
    assert world.token not in repr(dump(world.store))


def dump(store: Store) -> list[tuple]:
    with store.read():
        return sql.rows(store, "SELECT * FROM received_mail") + sql.rows(store, "SELECT * FROM received_count")


def test_a_flood_to_one_address_is_bounded(world):
    """Of many mails within an hour a few are read, and nothing of the rest is kept but how many they were."""
    most = PER_TOKEN[timedelta(hours=1)]
    outcomes = [world.play(mail(more=f"Message-ID: <{number}@example.net>")).why for number in range(120)]
    assert outcomes == ["play"] * most + ["too many"] * (120 - most)
    assert len(world.read) == most
    assert len(received_mail.listing(world.store, 200)) == most
    assert world.counts() == {"done play": most, "dropped too many": 120 - most}
    world.now += timedelta(hours=2)
    assert world.play(mail(more="Message-ID: <later@example.net>")).why == "play"


def test_all_addresses_of_a_player_together_are_bounded(world, monkeypatch):
    monkeypatch.setattr(receiving, "PER_PLAYER", {timedelta(hours=1): 3})
    tokens = [world.link(world.player.id, ply) for ply in range(5)]
    other = world.link(make_player(world.store, "Ben").id)
    outcomes = [
        world.receive(mail(more=f"Message-ID: <{token}@x>"), f"play+{token}@{DOMAIN}").why for token in [*tokens, other]
    ]
    assert outcomes == ["play"] * 3 + ["too many"] * 2 + ["play"]


def test_while_the_database_cannot_be_used_the_mail_comes_again(world, log):
    world.trouble = [StoreBusyError("busy")]
    assert world.play() == Outcome("again", "database")
    assert world.counts() == {}
    assert world.play() == Outcome("done", "play")
    assert "ERROR" not in log.getvalue()


def test_a_mistake_of_ours_is_tried_again_some_times_and_named_without_a_word_of_the_mail(world, log):
    world.trouble = [ValueError("n1 of ann@example.net")] * 10
    for _ in range(TRIES - 1):
        assert world.play() == Outcome("again", "mistake")
    assert world.play() == Outcome("dropped", "gave up")
    assert "ValueError" in log.getvalue()
    assert "test_receiving.py" in log.getvalue()
    assert "ann@" not in log.getvalue()
    assert "n1 of" not in log.getvalue()
    assert world.read == []


@pytest.mark.parametrize(
    ("trouble", "why"), [(StoreBusyError("busy"), "database"), (ValueError("for the first alone"), "mistake")]
)
def test_a_mail_to_several_addresses_comes_again_for_those_that_failed(world, trouble, why):
    """And a mistake at one keeps no other from its mail."""
    other = world.link(make_player(world.store, "Ben").id)
    world.trouble = [trouble]
    to = (f"play+{world.token}@{DOMAIN}", f"play+{other}@{DOMAIN}")
    assert world.receive(mail(), *to) == Outcome("again", why)
    assert [token for token, _ in world.read] == ([other] if why == "mistake" else [])
    assert world.receive(mail(), *to) == Outcome("done", "play")
    assert sorted(token for token, _ in world.read) == sorted([world.token, other])


def counted(monkeypatch, of):
    """How many mails were read by `of.read`."""
    read, whole = [], of.read
    monkeypatch.setattr(of, "read", lambda *given: read.append(1) or whole(*given))
    return read


def test_a_mail_for_a_worthless_token_is_not_read_and_counts(world, monkeypatch):
    """A link that was ended, or is for another door: its mails have the limit of every address, and use nothing up that
    is the player's."""
    read = counted(monkeypatch, receiving.message_reading)
    with world.store.write():
        links.raise_epoch(world.store, world.player.id)
    talk = links.talk_token(world.store, now=world.now, player_id=world.player.id, game_id=None)
    most = PER_TOKEN[timedelta(hours=1)]
    monkeypatch.setattr(receiving, "PER_PLAYER", {timedelta(hours=1): 1})
    for token in (world.token, talk):
        outcomes = [
            world.receive(mail(more=f"Message-ID: <{number}@example.net>"), f"play+{token}@{DOMAIN}").why
            for number in range(most + 10)
        ]
        assert outcomes == ["worthless token"] * most + ["too many"] * 10
    assert world.receive(mail(more="Message-ID: <1@example.net>"), f"play+{talk}@{DOMAIN}").why == "was here before"
    assert (read, world.read, len(received_mail.listing(world.store, 200))) == ([], [], 2 * most)
    world.token = world.link(world.player.id)
    assert world.play().why == "play"


# Reports


def test_reports_are_read_only_where_the_token_is_one_of_ours(world, monkeypatch):
    """And to each of these there are not more than to any other address."""
    world.sent()
    read = counted(monkeypatch, receiving.bounces)
    data = (REPORTS / "postfix_user_unknown.eml").read_bytes()
    for number in range(80):
        other = data.replace(TOKEN.encode(), NOBODYS.encode()).replace(b"Message-Id:", b"X: %d\nMessage-Id:" % number)
        for to in (f"bounce+{NOBODYS}", "bounce", f"play+{world.token}"):
            assert world.reported(other, to) == "report with unknown token"
    assert read == []
    most = PER_TOKEN[timedelta(hours=1)]
    to = f"bounce+{TOKEN}"
    outcomes = [world.reported(b"Message-ID: <%d@x>\n" % number + data, to) for number in range(most + 10)]
    assert outcomes == ["report: recipient"] * most + ["too many"] * 10
    assert world.reported(b"Message-ID: <1@x>\n" + data) == "was here before"
    assert len(read) == most


def test_few_reports_are_searched_for_a_token_that_cannot_be_seen(world, monkeypatch):
    read = counted(monkeypatch, receiving.bounces)
    data = (REPORTS / "postfix_user_unknown.eml").read_bytes().replace(f"bounce+{TOKEN}".encode(), b"ulm")
    outcomes = [world.reported(data) for _ in range(SEARCHED + 10)]
    assert outcomes == ["report without token"] * SEARCHED + ["too many"] * 10
    assert len(read) == SEARCHED
    world.now += timedelta(hours=1)
    assert world.reported(data) == "report without token"


def test_a_token_that_is_encoded_with_what_was_returned_is_found(world):
    world.sent()
    returned = base64.b64encode(f"Return-Path: <bounce+{TOKEN}@{DOMAIN}>\n".encode())
    data = (
        b"From: a@example.net\nContent-Type: multipart/report; boundary=x\n\n"
        b"--x\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n\n"
        b"--x\nContent-Type: text/rfc822-headers\nContent-Transfer-Encoding: base64\n\n" + returned + b"\n--x--\n"
    )
    assert world.reported(data) == "report: complaint"
    assert world.stopped() is not None


EXPECTED = json.loads((REPORTS / "expected.json").read_text("utf-8"))["reports"]
STOPPING = ("recipient", "full", "complaint")


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, (kind, _, _) in EXPECTED.items()])
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_report_stops_mail_where_nobody_is_and_nowhere_else(world, name, kind):
    world.sent()
    data = (REPORTS / f"{name}.eml").read_bytes()
    outcome = world.receive(data, f"bounce+{TOKEN}@{DOMAIN}", sender="")
    assert outcome == Outcome("dropped" if kind == "delivered" else "done", f"report: {kind}")
    assert (world.stopped() is not None) == (kind in STOPPING)
    assert "example.net" not in (world.stopped() or "")


OLD_COMPLAINT = f"""\
From: <staff@hotmail.com>
Subject: complaint about message from 192.0.2.7
Content-Type: multipart/mixed; boundary=b5

--b5
Content-Type: message/rfc822

X-HmXmrOriginalRecipient: ann@example.net
Return-Path: bounce+{TOKEN}@{DOMAIN}
Subject: Your turn

A turn.

--b5--
"""


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_complaints_of_old_form_stop_mail_and_feedback_of_other_kinds_does_not(world):
    world.sent()
    complaint = (REPORTS / "complaint_arf.eml").read_bytes()
    for kind in (b"auth-failure", b"not-spam", b"virus"):
        other = b"Message-ID: <%s@x>\n" % kind + complaint.replace(b"Feedback-Type: abuse", b"Feedback-Type: " + kind)
        assert world.reported(other, "bounce") == "report: unknown"
    assert world.stopped() is None
    assert world.reported(OLD_COMPLAINT.encode(), "bounce", "staff@hotmail.com") == "report: complaint"
    assert world.stopped() is not None


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_does_not_know_the_token_stops_nobodys_mail(world):
    """Neither with another one, nor with none, nor with that of an answer."""
    world.sent()
    data = (REPORTS / "postfix_user_unknown.eml").read_bytes()
    without = data.replace(f"bounce+{TOKEN}".encode(), b"ulm")
    for given, to, why in (
        (data.replace(TOKEN.encode(), NOBODYS.encode()), "bounce", "report with unknown token"),
        (data, f"bounce+{NOBODYS}", "report with unknown token"),
        (without, "bounce", "report without token"),
        (without, f"play+{world.token}", "report without token"),
        (without, f"bounce+{world.token}", "report with unknown token"),
    ):
        assert world.reported(given, to, "ann@example.net") == why
    assert world.stopped() is None
    assert sql.rows(world.store, "SELECT state, error FROM mail") == [("sent", None)]
    assert world.reported(data, f"play+{world.token}") == "report: recipient", (
        "its own counts, whatever address it comes to"
    )
    assert world.stopped() is not None


# The operator


def test_what_came_in_is_forgotten(world, store):
    world.play()
    world.receive(mail(), f"play+{NOBODYS}@{DOMAIN}")
    assert received_mail.clean_up(store, NOW - timedelta(days=1)) == 0
    assert received_mail.clean_up(store, NOW + timedelta(days=1)) == 1
    assert dump(store) == []
