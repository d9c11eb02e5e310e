"""What was made once and may be wanted again, kept in this process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from server.storage.database import Store

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Values by their names. Safe between threads; what was not asked for longest goes.

    Whoever names a value names all that it follows from: another would have been given the same.
    """

    def __init__(self, room: int, weigh: Callable[[Value], int] = lambda value: 1) -> None:
        """Room for `room` values; or for values that weigh that much together, when there is something to `weigh`."""
        self._room, self._weigh = room, weigh
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._weight = 0

    def get(self, name: Hashable) -> Value | None:
        """The value, None when it is not kept."""
        with self._lock:
            found = self._values.get(name)
            if found is not None:
                self._values.move_to_end(name)
            return found

    def put(self, name: Hashable, value: Value) -> Value:
        """Keep a value, which nobody changes any more, and give it back."""
        with self._lock:
            before = self._values.pop(name, None)
            if before is not None:
                self._weight -= self._weigh(before)
            self._values[name] = value
            self._weight += self._weigh(value)
            while self._weight > self._room:
                self._weight -= self._weigh(self._values.popitem(last=False)[1])
        return value

    def made(self, name: Hashable, make: Callable[[], Value]) -> Value:
        """The value, which `make` makes when it is not kept; two that ask at the same time both make it."""
        found = self.get(name)
        return self.put(name, make()) if found is None else found


class ByStore(Generic[Value]):
    """Something for each database of the process, made when it is asked for first. Safe between threads."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._of: WeakKeyDictionary[Store, Value] = WeakKeyDictionary()

    def of(self, store: Store) -> Value:
        """That of this store."""
        with self._lock:
            found = self._of.get(store)
            if found is None:
                found = self._of[store] = self._make()
            return found
