"""Threads that serve requests share a CPU while these are short; everybody else has all of them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from server import request_threads, shared_cpu
from server.httpd import HttpServer
from server.shared_cpu import SharedCpu
from tests.running_server import Running, SlowApp

ALL = shared_cpu.allowed()
SOON = 60.0
"""Seconds within which a thread that may go on has done so, on a machine that has much else to do."""

pytestmark = pytest.mark.skipif(len(ALL) < 2, reason="there is one CPU, or a system on which nobody may choose")


class TellingApp(SlowApp):
    """Says on which CPUs the thread of a request may run, when it is over."""

    def __init__(self) -> None:
        super().__init__()
        self.cpus: list[set[int]] = []
        self.thread = 0

    def __call__(self, environ, start_response):
        self.thread = threading.get_native_id()
        answer = super().__call__(environ, start_response)
        self.cpus.append(os.sched_getaffinity(0))
        return answer


@pytest.fixture
def running(loop: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server that stays on the CPU that it has once chosen."""
    monkeypatch.setattr(shared_cpu, "STAY", SOON * 2)
    running = Running(TellingApp())
    yield running
    running.close()


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def _chosen(running: Running) -> set[int]:
    """The CPU on which the loop stays, when it has chosen one."""
    loop = running.thread.native_id
    assert loop is not None
    _until(lambda: len(os.sched_getaffinity(loop)) == 1)
    return os.sched_getaffinity(loop)


def test_loop_requests_and_library_share_one_cpu(running: Running) -> None:
    here = _chosen(running)
    requests = {each.native_id for each in threading.enumerate() if each.name.startswith("request-")}
    assert len(requests) == 2
    ours = {each.native_id for each in threading.enumerate()}
    library = {int(name) for name in os.listdir("/proc/self/task")} - ours
    assert [here] * 2 == [os.sched_getaffinity(each) for each in requests if each]
    assert here in [os.sched_getaffinity(each) for each in library]
    running.get("/")
    assert running.app.cpus == [here]
    assert os.sched_getaffinity(0) == ALL  # of this test: no request, no loop


def test_a_request_that_takes_long_may_run_anywhere_and_comes_back(running: Running) -> None:
    here = _chosen(running)
    client = threading.Thread(target=running.get, args=("/slow",))
    client.start()
    assert running.app.began.wait(SOON)
    _until(lambda: os.sched_getaffinity(running.app.thread) == ALL)
    running.app.go_on.set()
    client.join(SOON)
    assert running.app.cpus == [ALL]
    _until(lambda: os.sched_getaffinity(running.app.thread) == here)


def test_a_short_request_stays(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_threads, "AWAY", SOON * 2)
    here = _chosen(running)
    client = threading.Thread(target=running.get, args=("/slow",))
    client.start()
    assert running.app.began.wait(SOON)
    assert os.sched_getaffinity(running.app.thread) == here
    running.app.go_on.set()
    client.join(SOON)


def test_everybody_follows_when_the_system_moves_the_loop(loop: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would keep it where it is as long as nothing else is there: it is told to have moved it."""
    monkeypatch.setattr(shared_cpu, "STAY", 0.01)
    running = Running(TellingApp())
    try:
        _chosen(running)
        requests = [each.native_id for each in threading.enumerate() if each.name.startswith("request-")]
        for cpu in sorted(ALL)[:2]:
            monkeypatch.setattr(shared_cpu, "current", lambda cpu=cpu: cpu)
            _until(lambda cpu=cpu: all(os.sched_getaffinity(each) == {cpu} for each in requests if each))
    finally:
        running.close()


def test_the_thread_of_the_loop_is_free_again_when_the_server_has_ended(loop: None) -> None:
    server = HttpServer("127.0.0.1", 0, threads=1, max_body=1000)
    found: list[set[int]] = []

    def serve() -> None:
        server.run(SlowApp(), 1)
        found.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=serve)
    thread.start()
    native = thread.native_id
    assert native is not None
    _until(lambda: len(os.sched_getaffinity(native)) == 1)
    server.stop()
    thread.join(SOON)
    assert found == [ALL]


def test_a_thread_that_a_request_began_has_all_cpus() -> None:
    cpu, over, found = SharedCpu(), threading.Event(), []

    def request() -> None:
        cpu.join(threading.get_native_id())
        begun.start()
        over.wait(SOON)

    cpu.gather(min(ALL), set())
    begun = threading.Thread(target=over.wait, args=(SOON,))
    asking = threading.Thread(target=request)
    asking.start()
    _until(lambda: begun.native_id is not None)
    assert begun.native_id is not None
    found.append(os.sched_getaffinity(begun.native_id))
    cpu.gather(min(ALL), set())
    found.append(os.sched_getaffinity(begun.native_id))
    over.set()
    begun.join(SOON)
    asking.join(SOON)
    assert found == [{min(ALL)}, ALL]


def test_a_system_that_forbids_to_ask_or_to_choose_is_served_as_well(
    loop: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for forbidden in ("sched_setaffinity", "sched_getaffinity"):
        monkeypatch.setattr(os, forbidden, refuse)
        running = Running(SlowApp())
        try:
            assert running.get("/") == b"xx"
        finally:
            running.close()


def test_a_cpu_that_is_not_ours_is_not_taken() -> None:
    cpu = SharedCpu()
    cpu.gather(max(ALL) + 1, set())
    cpu.join(threading.get_native_id())
    assert os.sched_getaffinity(0) == ALL


def test_a_thread_that_has_ended_is_forgotten() -> None:
    cpu = SharedCpu()
    ended = threading.Thread(target=lambda: cpu.join(threading.get_native_id()))
    ended.start()
    ended.join()

    def forgotten() -> bool:
        cpu.gather(min(ALL), set())
        return not cpu.sharing

    _until(forgotten)  # the system ends it a moment after Python
