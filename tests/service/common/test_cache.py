"""What was made once is kept for a while."""

import gc
from collections.abc import Callable

import pytest

from server.service.common.cache import ByStore, Kept
from server.storage.database import Store, open_database


@pytest.fixture
def other(tmp_path) -> Callable[[], Store]:
    return lambda: open_database(f"sqlite:///{tmp_path / 'other.db'}")


def names(kept: Kept[str]) -> str:
    return "".join(name for name in "abcdefg" if kept.get(name) is not None)


def test_what_was_not_asked_for_longest_goes():
    kept: Kept[str] = Kept(3)
    for name in "abcd":
        assert kept.put(name, name) == name
    assert names(kept) == "bcd"
    kept.get("b")
    kept.put("e", "e")
    assert names(kept) == "bde"


def test_the_same_name_again_is_one_value():
    kept: Kept[str] = Kept(3)
    for name in "abcabcabc":
        kept.put(name, name)
    kept.put("a", "new")
    assert names(kept) == "abc"
    assert kept.get("a") == "new"


def test_it_is_made_once():
    kept: Kept[str] = Kept(3)
    assert kept.made("a", lambda: "first") == "first"
    assert kept.made("a", lambda: "second") == "first"


def test_what_weighs_more_takes_more_room():
    kept: Kept[str] = Kept(10, len)
    for name, value in (("a", "xxxx"), ("b", "xxxx"), ("b", "xx"), ("c", "xxxx")):
        kept.put(name, value)
    assert names(kept) == "abc"
    kept.put("d", "x")
    assert names(kept) == "bcd"
    kept.put("e", "x" * 11)
    assert names(kept) == ""  # and what has no room at all is not kept
    kept.put("f", "x" * 10)
    assert names(kept) == "f"


def test_each_store_has_its_own(store, other):
    things: ByStore[list[str]] = ByStore(list)
    things.of(store).append("one")
    second = other()
    assert things.of(store) == ["one"]
    assert things.of(second) == []
    second.close()


def test_a_store_that_is_gone_is_forgotten(store, other):
    things: ByStore[list[str]] = ByStore(list)
    second = other()
    things.of(second)
    second.close()
    del second
    gc.collect()
    assert len(things._of) == 0
