"""The HTTP server of `ulm serve`: granian with one process, and limits for those who are slow or many.

It runs embedded: requests, scheduler and whoever waits for a change share one process, and nothing is left behind when
that ends. granian has the deadline for headers, closes idle connections and finishes running requests when it is told
to stop; `wsgi_bridge` has that for bodies, `connections` counts by address.

Hand-written around `granian.server.embed`: granian's own command has processes beside it, opens its port last and
shares it with a second server.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.net import SocketHolder
from granian.server.embed import Server

from server.connections import Connections
from server.shared_cpu import SharedCpu
from server.wsgi_bridge import WsgiBridge

ARRIVING = 0.2
"""So many seconds after the last connection was let in, all of them are accepted."""
_MOST_HEAPS = -8  # glibc's M_ARENA_MAX
_YOUNG, _MIDDLE, _OLD = 20_000, 20, 50  # thresholds of the garbage collector
_SPARE = 100  # connections that are kept free for who comes new
_OTHER_FILES = 224  # that a process has open beside its connections
_LISTENS_AGAIN = sys.platform.startswith(("linux", "freebsd"))
_BACKLOG = 1024  # who may wait for one
_HEADER_BYTES = 32_768
_SEND_SECONDS = 60  # for a client to take a piece of a long answer
_LOOK_SECONDS = 0.5  # between two looks at who has how many connections
_LOOK_SHARE = 50  # and one of so many parts of the time at most goes by with looking
_LAST_SECONDS = 1.0  # for connections that were closed to be gone, and for granian's threads


def spare_collector() -> None:
    """Keep Python's garbage collector from looking again and again at what lives as long as the process.

    Called once when everything is loaded. Code, tables and templates are most of what there is; on its own the
    collector walks through them during requests, and some of these take longer for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


def one_heap() -> None:
    """Let all threads of the process share one heap, where the C library is glibc. Called before there are threads.

    By default each thread gets one of its own and keeps what it needed once: exports grew a process from 68 to 352 MB,
    each thread that had made one by 14 MB. Python lets one thread work at a time, so they are not in each other's way.
    """
    with suppress(AttributeError, OSError):  # another C library has no such thing
        ctypes.CDLL(None).mallopt(_MOST_HEAPS, 1)


def most_connections(wanted: int) -> int:
    """How many connections this process may have open: `wanted`, or as many as the system lets it open files.

    The limit that a process may raise by itself (`ulimit -Sn`) is raised as far as that takes.
    """
    if sys.platform == "win32":
        return wanted  # there is no such limit
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    needed = wanted + _OTHER_FILES
    if soft != unlimited and soft < needed:
        soft = needed if hard == unlimited else min(needed, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if soft == unlimited else max(min(wanted, soft - _OTHER_FILES), 16)


class _Granian(Server):
    """granian on a socket that is open already: its own would share the port with a second server."""

    def __init__(self, app: Any, listener: socket.socket, header_seconds: int, connections: int) -> None:
        super().__init__(
            app,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            websockets=False,
            backlog=_BACKLOG,
            backpressure=connections,
            http1_settings=HTTP1Settings(header_read_timeout=header_seconds * 1000, max_buffer_size=_HEADER_BYTES),
            # What there is of a log goes to ours, and nothing of it is about requests.
            log_level=LogLevels.error,
            log_access=False,
            log_dictconfig={"incremental": True, "formatters": {}, "handlers": {}, "loggers": {}},
        )
        self._listener = listener

    def _init_shared_socket(self) -> None:
        self._ssp = None
        # granian closes it. What a holder takes depends on the system.
        arguments = (self._listener.detach(), False, *([self.backlog] if _LISTENS_AGAIN else []))
        self._shd: Any = SocketHolder(*arguments)


class HttpServer:
    """A listening socket, and in `run` a server behind it. Raises `OSError` when host and port cannot be had.

    The socket comes first, so that a process that finds its port in use has touched nothing else yet. Who connects
    before `run` waits for it. `listener` is one that is open already, shared with other processes. `per_address` is for
    those who come directly: behind a proxy all have one address, and 0 is no limit.
    """

    def __init__(
        self,
        host: str,
        port: int,
        threads: int,
        max_body: int,
        header_seconds: int = 30,
        body_seconds: int = 30,
        per_address: int = 100,
        connections: int = 800,
        listener: socket.socket | None = None,
    ) -> None:
        self._socket = listener or listen(host, port)
        self.connections = most_connections(connections)
        """So many may be open at once."""
        self._port = int(self._socket.getsockname()[1])
        self._threads = threads
        self._max_body = max(max_body * 2, 1_000_000)  # Flask words what is over its limit; this is the wall behind it
        self._header_seconds, self._body_seconds = header_seconds, body_seconds
        self._connections = Connections(self._port, per_address, self.connections - min(_SPARE, self.connections // 8))
        self._stop = threading.Event()
        self._wake: Callable[[], object] = lambda: None

    @property
    def port(self) -> int:
        """The port that is listened on, also when any was asked for."""
        return self._port

    def run(
        self,
        app: Any,
        grace: float,
        stopping: Callable[[], None] = lambda: None,
        drain: float = 0,
        shared: bool = False,
    ) -> None:
        """Serve `app` (WSGI) until `stop()`; then close the door, call `stopping`, and give running requests `grace`
        seconds to be answered.

        Where other processes go on serving, on the same socket (`shared`) or behind a proxy, clients have `drain`
        seconds before that to be sent to these: nobody new is taken on, and each answer closes its connection.
        """
        before = _foreign_threads()
        try:
            with asyncio.Runner(loop_factory=event_loop) as runner:
                runner.run(self._run(app, grace, stopping, drain, shared, lambda: _foreign_threads() - before))
        finally:
            self.close()
        # The end of the interpreter is no good moment for a thread that still has a word to say to it.
        deadline = time.monotonic() + _LAST_SECONDS
        while _foreign_threads() - before and time.monotonic() < deadline:
            time.sleep(0.01)

    def close(self) -> None:
        """Close the socket, if nobody was served on it."""
        self._socket.close()

    def stop(self) -> None:
        """Ask `run` to end. May be called from a signal handler and from any thread."""
        self._stop.set()
        with suppress(RuntimeError):  # it has ended already
            self._wake()

    def stop_on_signals(self) -> None:
        """Stop at SIGTERM and SIGINT; Ctrl+C once more, and `run` is left at once by `KeyboardInterrupt`."""

        def handle(number: int, frame: FrameType | None) -> None:
            if number == signal.SIGINT and self._stop.is_set():
                raise KeyboardInterrupt
            self.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, handle)

    async def _run(
        self,
        app: Any,
        grace: float,
        stopping: Callable[[], None],
        drain: float,
        shared: bool,
        library_threads: Callable[[], set[int]],
    ) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        self._wake = lambda: loop.call_soon_threadsafe(stop.set)
        if self._stop.is_set():
            return
        cpu = SharedCpu()
        bridge = WsgiBridge(
            app,
            threads=self._threads,
            max_body=self._max_body,
            body_seconds=self._body_seconds,
            send_seconds=_SEND_SECONDS,
            hang_up=self._connections.hang_up,
            cpu=cpu,
        )
        granian = _Granian(bridge, self._socket, self._header_seconds, self.connections)
        serving = asyncio.create_task(granian.serve())
        watching = asyncio.create_task(self._watch(bridge))
        following = asyncio.create_task(cpu.follow(library_threads))
        waiting = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        stopping()
        if drain:
            bridge.closing = True
            if not shared:
                self._connections.turn_away()
                await asyncio.sleep(ARRIVING)
            self._connections.accept_no_more()
            await asyncio.sleep(drain)
        for task in (watching, following, waiting):
            task.cancel()
        granian.stop()
        if not (await asyncio.wait({serving}, timeout=grace))[0]:
            self._connections.close_all()
            await asyncio.wait({serving}, timeout=_LAST_SECONDS)
        bridge.close()

    async def _watch(self, bridge: WsgiBridge) -> None:
        pause = _LOOK_SECONDS
        while True:
            await asyncio.sleep(pause)
            began = time.monotonic()
            self._connections.close_too_many(bridge.busy)
            # Where there are thousands a look takes a while, in which nothing else is done.
            pause = max(_LOOK_SECONDS, (time.monotonic() - began) * _LOOK_SHARE)


def event_loop() -> asyncio.AbstractEventLoop:
    """uvloop's where that is installed (extra `uvloop`), which takes a fifth off what a request costs in here."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _foreign_threads() -> set[int]:
    """The threads of this process that are not Python's, where the system lists them."""
    with suppress(OSError):
        ours = {each.native_id for each in threading.enumerate()}
        return {int(name) for name in os.listdir("/proc/self/task")} - ours
    return set()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at the first address that `host` has."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # so that a server that restarts gets its port
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener
