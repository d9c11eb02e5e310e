"""What is kept of errors that processes log."""

from __future__ import annotations

import logging
import time
from datetime import timedelta

from server import request_ids
from server.service.admin import recent_errors
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from tests.service.conftest import NOW

HOUR = timedelta(hours=1)


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
    assert found[0]["cause"].startswith("ValueError at test_recent_errors.py:")
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
