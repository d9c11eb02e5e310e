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


def test_what_is_made_in_pieces_goes_on_in_turns_and_what_is_dropped_ends(kept):
    line = RenderQueue(3, 0.01, "busy", kept, of_one=2)
    ended = []

    def make(name: str):
        try:
            for number in range(3):
                yield f"{name}{number}".encode()
        finally:
            ended.append(name)

    first, second = (line.pieces(name, lambda name=name: make(name), "10.0.0.0/16") for name in "ab")
    with pytest.raises(BusyError):  # one network leaves places for others
        line.pieces("c", lambda: make("c"), "10.0.0.0/16")
    other = line.pieces("d", lambda: make("d"), "10.1.0.0/16")
    with pytest.raises(BusyError):
        line.pieces("e", lambda: make("e"), "10.2.0.0/16")
    assert [next(one) for one in (first, second, other, first)] == [b"a0", b"b0", b"d0", b"a1"]
    first.close()
    assert ended == ["a"]
    assert b"".join(line.pieces("c", lambda: make("c"), "10.0.0.0/16")) == b"c0c1c2"
    assert (b"".join(second), b"".join(other)) == (b"b1b2", b"d1d2")
    assert sorted(ended) == ["a", "b", "c", "d"]
