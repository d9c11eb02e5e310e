"""What changes at one process is heard at the others of the same server, and goes no further."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from server.service.common import change_signal, worker_signals
from server.storage.database import open_database


def test_each_hears_what_the_others_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sockets = worker_signals.Sockets(3)
    heard: list[list[str]] = [[], []]
    more = threading.Condition()
    stores = [open_database(f"sqlite:///{tmp_path / 'one.sqlite3'}") for _ in range(2)]
    for number, store in enumerate(stores):
        _place, told, inherited = sockets.take()
        copies = {one: os.dup(one) for one in inherited}  # as a process of its own has them
        read, _, write = told.partition(":")
        others = ",".join(str(copies[int(one)]) for one in write.split(","))
        monkeypatch.setenv(worker_signals.VARIABLE, f"{copies[int(read)]}:{others}")
        worker_signals.join(store)
        assert worker_signals.VARIABLE not in os.environ
        hub = change_signal.changes(store)

        def hear(game: str, number: int = number) -> None:
            with more:
                heard[number].append(game)
                more.notify_all()

        hub.listen(hear)
    change_signal.changes(stores[0]).signal("k3v7mhw2qe9t")
    with more:
        assert more.wait_for(lambda: len(heard[1]) == 1, 20)
    change_signal.changes(stores[1]).signal("x4ab7mhw2qe9")
    with more:
        assert more.wait_for(lambda: len(heard[0]) == 2, 20)
    assert heard == [["k3v7mhw2qe9t", "x4ab7mhw2qe9"], ["k3v7mhw2qe9t", "x4ab7mhw2qe9"]]
    worker_signals.join(stores[0])  # of a process that nobody has started: nothing
    # The third place is nobody's: it takes what it can, and whoever gets it begins anew.
    for _ in range(5000):
        change_signal.changes(stores[0]).signal("k3v7mhw2qe9t")
    sockets.take()
    sockets.close()
    for store in stores:
        store.close()
