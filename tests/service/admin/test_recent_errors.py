"""What is kept of errors that processes log."""

import logging
from datetime import timedelta

from server import request_ids
from server.service.admin import recent_errors
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from tests.service.conftest import NOW

HOUR = timedelta(hours=1)


def test_errors_are_kept_without_their_words(store: Store) -> None:
    """And one that is logged in the midst of a transaction waits for nobody."""
    recorder = recent_errors.record(store, "here:1")
    log = logging.getLogger("ulm.test")
    try:
        with store.write(), request_ids.caused_by("abc"):
            raise ValueError("a secret hand")
    except ValueError:
        with request_ids.caused_by("abc"), store.write():
            log.exception("it broke")
    log.warning("not this")
    recorder.end()
    [found] = recent_errors.newest(store)
    assert (found["message"], found["process"], found["request"]) == ("it broke", "here:1", "abc")
    assert found["cause"].startswith("ValueError at test_recent_errors.py:")
    assert "secret" not in repr(found)


def test_of_many_errors_the_newest_are_kept(store: Store) -> None:
    row = {"at": utc(NOW), "process": "p", "logger": "l", "cause": ""}
    with store.write():
        for number in range(recent_errors.KEPT):
            sql.insert(store, "trouble", **row, message=str(number))
    recorder = recent_errors.record(store, "here:1")
    logging.getLogger("ulm.test").error("the last")
    recorder.end()
    assert sql.rows(store, "SELECT count(*), min(id) FROM trouble") == [(recent_errors.KEPT, 2)]
