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

    def __init__(self, most: int) -> None:
        """Room for `most` values."""
        self._most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, name: Hashable) -> Value | None:
        """The value, None when it is not kept."""
        with self._lock:
            found = self._values.get(name)
            if found is not None:
                self._values.move_to_end(name)
            return found

    def put(self, name: Hashable, value: Value) -> Value:
        """Keep a value, and give it back."""
        with self._lock:
            self._values[name] = value
            self._values.move_to_end(name)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def made(self, name: Hashable, make: Callable[[], Value]) -> Value:
        """The value, which `make` makes when it is not kept; two that ask at the same time both make it."""
        found = self.get(name)
        return self.put(name, make()) if found is None else found


class KeptByStore(Generic[Value]):
    """The same for each database of the process by itself."""

    def __init__(self, most: int) -> None:
        """Room for `most` values of each store."""
        self._most = most
        self._lock = threading.Lock()
        self._of: WeakKeyDictionary[Store, Kept[Value]] = WeakKeyDictionary()

    def of(self, store: Store) -> Kept[Value]:
        """What is kept of this store's."""
        with self._lock:
            return self._of.setdefault(store, Kept(self._most))
