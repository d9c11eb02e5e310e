"""What takes long to make is made for one at a time and kept, and what is kept of one database is never another's."""

import threading
from collections.abc import Hashable

import pytest
from cachetools import LRUCache

from server.service.common.render_queue import BusyError, RenderQueue


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
    for name, value in (("a", b"xxxx"), ("b", b"xx"), ("c", b"xxxx"), ("d", b"x")):
        line.made(name, lambda value=value: value)
    assert "".join(kept) == "bcd"
    assert line.made("e", lambda: b"x" * 11) == b"x" * 11
    assert "e" not in kept  # what has no room at all


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
