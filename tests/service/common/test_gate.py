"""What takes long to make is made for one at a time and kept, and what is kept of one database is never another's."""

import gc
import threading
import weakref
from collections.abc import Callable, Hashable

import pytest
from cachetools import LRUCache

from server.service.accounts import byte_quota
from server.service.common.change_signal import changes
from server.service.common.render_queue import BusyError, RenderQueue
from server.storage.database import Store, open_database


@pytest.fixture
def other(tmp_path) -> Callable[[], Store]:
    return lambda: open_database(f"sqlite:///{tmp_path / 'other.db'}")


@pytest.fixture
def kept() -> LRUCache[Hashable, bytes]:
    return LRUCache(10, len)


@pytest.fixture
def line(kept) -> RenderQueue:
    return RenderQueue(2, 0.01, "busy", kept)


def test_it_is_made_once(line: RenderQueue):
    assert line.made("a", lambda: b"first") == b"first"
    assert line.made("a", lambda: b"second") == b"first"
    assert list(line.pieces("a", lambda: iter([b"third"]))) == [b"first"]
    assert list(line.pieces("b", lambda: iter([b"in ", b"two"]))) == [b"in ", b"two"]
    assert line.made("b", lambda: b"second") == b"in two"


def test_what_weighs_more_takes_more_room(line: RenderQueue, kept):
    for name, value in (("a", b"xxxx"), ("b", b"xx"), ("c", b"xxxx")):
        line.made(name, lambda value=value: value)
    assert "".join(kept) == "abc"
    line.made("d", lambda: b"x")
    assert "".join(kept) == "bcd"
    assert line.made("e", lambda: b"x" * 11) == b"x" * 11
    assert "e" not in kept  # what has no room at all
    line.made("f", lambda: b"x" * 10)
    assert "".join(kept) == "f"


def test_whoever_waited_for_the_same_is_given_it(line: RenderQueue):
    line.seconds = 10
    begun, go_on = threading.Event(), threading.Event()
    found = []

    def slow() -> bytes:
        begun.set()
        assert go_on.wait(10)
        return b"first"

    makers = [
        threading.Thread(target=lambda make=make: found.append(line.made("a", make))) for make in (slow, lambda: b"no")
    ]
    makers[0].start()
    assert begun.wait(10)
    makers[1].start()
    makers[1].join(0.1)
    assert makers[1].is_alive()  # in the line
    with pytest.raises(BusyError):
        line.made("b", lambda: b"third")
    go_on.set()
    for maker in makers:
        maker.join()
    assert found == [b"first", b"first"]


def test_each_store_has_its_own(store, other):
    second = other()
    assert store.number != second.number
    assert changes(store) is changes(store) is not changes(second)
    second.close()


def test_a_store_that_is_gone_is_forgotten(other):
    second = other()
    changes(second)
    byte_quota.allow(second, 7)
    known = weakref.ref(second)
    second.close()
    del second
    gc.collect()
    assert known() is None
