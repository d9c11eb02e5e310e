"""The operator's way in, what is kept of errors, and what graphs are made of."""

from __future__ import annotations

import logging
import time
from datetime import timedelta

import pytest

from server import request_ids
from server.service.accounts import links
from server.service.accounts.links import BadLinkError, OldLinkError
from server.service.admin import access, health, hourly, recent_errors
from server.service.common import audit_log
from server.service.common.errors import TooManyRequests
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from server.storage.models.games import Move
from server.storage.models.mail import Mail
from server.storage.times import utc
from tests.notify.conftest import put
from tests.service.conftest import NOW, make_player

HOUR = timedelta(hours=1)


def test_a_link_lets_in_once_and_for_minutes(store: Store) -> None:
    link = access.make_link(store, "otto", NOW)
    assert access.look(store, link, NOW).name == "otto"
    session = access.sign_in(store, link, "192.0.2.1", NOW)
    assert access.find(store, session, NOW + 7 * HOUR) == access.Operator("otto")
    with pytest.raises(OldLinkError, match="already been used"):
        access.sign_in(store, link, "192.0.2.1", NOW)
    with pytest.raises(OldLinkError, match="too old"):
        access.look(store, access.make_link(store, "otto", NOW), NOW + timedelta(minutes=16))
    assert access.find(store, session, NOW + 9 * HOUR) is None
    access.sign_out(store, session, NOW)
    assert access.find(store, session, NOW) is None
    audit_log.operated_by(None)
    acts = [(line["what"], line["details"].get("by")) for line in audit_log.listing(store)]
    assert acts[:2] == [("operator_made_link", None), ("operator_signed_in", "otto")]


def test_no_other_token_is_a_session_of_the_operator(store: Store) -> None:
    ann = make_player(store, "Ann")
    for purpose in links.LIFETIMES:
        token = links.sign(store, purpose, now=NOW, player=ann.id, by="ann")
        assert (access.find(store, token, NOW) is not None) is (purpose == access.SESSION)
        if purpose != access.LINK:
            with pytest.raises(BadLinkError):
                access.look(store, token, NOW)
    assert access.find(store, None, NOW) is access.find(store, "x", NOW) is None
    session = access.sign_in(store, access.make_link(store, "otto", NOW), "192.0.2.1", NOW)
    links.rotate(store, NOW, revoke=True)
    assert access.find(store, session, NOW) is None


def test_links_are_tried_so_often_only(store: Store) -> None:
    for _ in range(access.TRIES_AN_HOUR):
        with pytest.raises(BadLinkError):
            access.sign_in(store, "guessed", "192.0.2.1", NOW)
    with pytest.raises(TooManyRequests):
        access.sign_in(store, access.make_link(store, "otto", NOW), "192.0.2.1", NOW)
    audit_log.operated_by(None)


def test_errors_are_kept_without_their_words(store: Store) -> None:
    recorder = recent_errors.record(store, "here:1")
    log = logging.getLogger("ulm.test")
    try:
        for number in range(recent_errors.KEPT // 50):
            try:
                raise ValueError("a secret hand")
            except ValueError:
                with request_ids.caused_by("abc"):
                    log.exception("it broke %s", number)
        log.warning("not this")
    finally:
        recorder.end()
    found = recent_errors.newest(store)
    assert [one["message"] for one in found] == [f"it broke {number}" for number in (3, 2, 1, 0)]
    assert found[0]["cause"].startswith("ValueError at test_access.py:")
    assert (found[0]["process"], found[0]["request"]) == ("here:1", "abc")
    assert "secret" not in repr(found)


def test_of_many_errors_the_newest_are_kept(store: Store) -> None:
    with store.write():
        for number in range(recent_errors.KEPT):
            sql.execute(
                store,
                "INSERT INTO trouble (at, process, logger, message, cause) VALUES (?, 'p', 'l', ?, '')",
                utc(NOW),
                str(number),
            )
    recorder = recent_errors.record(store, "here:1")
    logging.getLogger("ulm.test").error("the last")
    recorder.end()
    with store.read():
        assert sql.rows(store, "SELECT count(*), min(id) FROM trouble") == [(recent_errors.KEPT, 2)]


def test_an_error_within_a_transaction_waits_for_nobody(store: Store) -> None:
    recorder = recent_errors.record(store, "here:1")
    began = time.monotonic()
    with store.write():
        logging.getLogger("ulm.test").error("in the midst of it")
    assert time.monotonic() - began < 5
    recorder.end()
    assert [one["message"] for one in recent_errors.newest(store)] == ["in the midst of it"]


def test_hours_are_counted(store: Store, match) -> None:
    m = match(2)
    m.play_turn()
    put(store, NOW - HOUR, 3)
    with store.write():
        Mail.update(state="sent", done_at=NOW - HOUR + timedelta(seconds=40)).execute()
        stored = Move.select().count()
    found = hourly.read(store, m.clock.now)
    assert sum(found.moves) == found.moves[-1] + found.moves[-2] == stored
    assert (sum(found.mails), max(found.late)) == (3, 40)
    assert len(found.hours) == hourly.HOURS
    assert hourly.read(store, NOW + timedelta(days=9)).moves == [0] * hourly.HOURS


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_graph_reads_all_moves(store: Store, match) -> None:
    match(2)
    for statement, values in (
        (hourly.MOVES, (9, utc(NOW))),
        (hourly.MAILS, (utc(NOW), 9)),
        (hourly.OVER, (utc(NOW), 9)),
    ):
        with store.read():
            plan = [str(row[-1]) for row in sql.rows(store, "EXPLAIN QUERY PLAN " + statement, *values)]
        assert not [line for line in plan if line.startswith(("SCAN move", "SCAN mail", "SCAN game"))], plan


def test_what_is_wrong_is_said(store: Store, settings: Settings) -> None:
    found = health.findings(settings, store, NOW)
    assert any("no process sends mails" in one.text for one in found if one.kind == "wrong")
    assert any("its schema is the present one" in one.text for one in found if one.kind == "ok")
