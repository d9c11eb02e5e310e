"""The HTTP server of `ulm serve`: uvicorn in this process, so that requests, jobs and streams end together.

Added to uvicorn by hand, some 70 lines, since it has none of these: a deadline and a size for headers, a deadline for
who is to take an answer, places for connections. By these, clients that send halves of requests or read no answer, more
than there are places, keep nobody out (`tests/test_httpd.py`). Trailers are left out, since uvicorn would take them for
headers; and of requests that were sent one behind the other each hears that its client has gone, not the last alone.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from typing import Any
from zlib import crc32

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.settings import Settings
from server.wsgi_bridge import WsgiBridge

_HEADER_BYTES = 32_768  # and what comes with the last of them; as many of what is neither header nor body
SEND_SECONDS = 60
"""For a client to take a piece of an answer, of 256 KiB."""
_OTHER_FILES = 224  # that a process has open beside its connections
_BACKLOG = 1024  # who may wait to be accepted
HELD = 3
"""The file by which a service manager hands a socket over."""
LOOP = "auto"
"""uvloop where that is installed (extra `uvloop`): it takes a fifth off what a request costs in here."""


def most_connections(wanted: int) -> int:
    """How many connections this process may have open: `wanted`, or as many as the system lets it open files."""
    if sys.platform == "win32":
        return wanted  # there is no such limit
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = min(max(soft, wanted + _OTHER_FILES), hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - _OTHER_FILES), 16)


def _stay_on_a_cpu(port: int) -> None:
    """Keep this thread, and those that it begins, on one CPU, where the system can. They take turns in any case, and to
    wake one on another CPU costs more than much of what it does: 437 moves a second in place of 277 on two CPUs.
    Servers on ports in a row share the CPUs evenly, containers by chance."""
    if hasattr(os, "sched_setaffinity"):
        cpus, number = sorted(os.sched_getaffinity(0)), crc32(socket.gethostname().encode()) + port
        os.sched_setaffinity(0, {cpus[number % len(cpus)]})


class HttpServer(uvicorn.Server):
    """A listening socket, and in `answer` a server behind it. Raises `OSError` when host and port cannot be had.

    The socket comes first, so that a process that finds its port in use has touched nothing else yet. When a connection
    was made or its last request answered, the headers of the next may take `seconds`, then its body.
    """

    def __init__(self, settings: Settings, seconds: int = 30) -> None:
        self._settings, self.seconds = settings, seconds
        self._socket = listen(settings.host, settings.port)
        self.port: int = self._socket.getsockname()[1]
        """The port that is listened on, also when any was asked for."""
        self.connections = most_connections(settings.connections)
        """So many may be open at once."""
        protocol: Any = partial(_Connection, places=self)  # called as a class is
        super().__init__(
            uvicorn.Config(
                "",
                http=protocol,
                loop=LOOP,
                lifespan="off",
                ws="none",
                log_config=None,
                log_level="critical",  # what goes wrong the bridge logs
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=seconds,
            )
        )

    def answer(self, app: Any, grace: float, stopping: Callable[[], None] = lambda: None, drain: float = 0) -> None:
        """Serve `app` (WSGI) until `stop()`; then close the door, call `stopping`, and give running requests `grace`
        seconds to be answered.

        Where other servers go on serving, clients have `drain` seconds before that to be sent to these: nobody new is
        taken on, and each answer closes its connection.
        """
        _stay_on_a_cpu(self.port)
        self._stopping, self._drain, self._grace = stopping, drain, grace
        self.config.app = self._app = WsgiBridge(app, self._settings, self.seconds)
        try:
            self.run([self._socket])
        finally:
            self._app.close()
            self.close()

    def close(self) -> None:
        """Close the socket, if nobody was served on it."""
        self._socket.close()

    def stop(self) -> None:
        """Ask `answer` to end. May be called from any thread."""
        self.should_exit = True

    def stop_on_signals(self) -> None:
        """Stop at SIGTERM and SIGINT; at another Ctrl+C at once."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.handle_exit)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None: they are `stop_on_signals`'s, and end nothing else."""
        yield

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: look whether answers are taken, ten times in the time that there is for it."""
        if counter % SEND_SECONDS == 0:
            connections: set[Any] = self.server_state.connections
            for each in list(connections):
                each.look()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """What `answer` says of the end."""
        self._stopping()
        if self._drain:
            self._app.closing = True
            for each in self.servers:
                each.close()
            await asyncio.sleep(self._drain)
        with suppress(TimeoutError):
            await asyncio.wait_for(super().shutdown(sockets), self._grace)
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class _Connection(HttpToolsProtocol):
    """A connection that has a place, limited time and space for headers, and limited time to take its answers."""

    def __init__(self, *args: Any, places: HttpServer, **named: Any) -> None:
        super().__init__(*args, **named)
        self._places, self._arrived = places, 0
        self._left, self._taken = 0, 0.0  # bytes that are to be taken, and when the last of others were
        self._cycles: list[Any] = []  # those that may not be answered yet

    def look(self) -> None:
        """Close this connection if a piece of an answer was not taken in time."""
        now, left = self.loop.time(), self.transport.get_write_buffer_size()
        if left > self._left or not left:  # another piece, so that the one before was taken
            self._taken = now
        elif now > self._taken + SEND_SECONDS:
            self.transport.abort()
        self._left = left

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._taken = self.loop.time()
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        if len(self.connections) > self._places.connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        super()._unset_keepalive_if_required()
        for cycle in self._cycles:  # uvicorn tells the last alone
            cycle.disconnected = True
            cycle.message_event.set()

    def _unset_keepalive_if_required(self) -> None:
        """Not by half of a header, as uvicorn does."""

    def data_received(self, data: bytes) -> None:
        self._arrived += len(data)
        super().data_received(data)
        if self._arrived > _HEADER_BYTES and not self.transport.is_closing():
            self.send_400_response("The headers are too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._arrived = 0

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._arrived = 0

    def on_headers_complete(self) -> None:
        super()._unset_keepalive_if_required()
        if sum(map(len, chain([self.url], *self.headers))) > _HEADER_BYTES:
            raise ValueError("the headers are too long")  # which refuses the request
        super().on_headers_complete()
        self.headers = []  # for trailers, which nobody reads
        self._cycles = [each for each in self._cycles if not each.response_complete] + [self.cycle]

    def _make_room(self) -> None:
        """Close one that asks nothing or half of something, or is being closed; this one if all others work."""
        connections: set[Any] = self.connections
        for each in connections:
            asks_nothing = each.cycle is None or each.cycle.response_complete or each.cycle.more_body
            if (asks_nothing or each.transport.is_closing()) and each is not self:
                connections.discard(each)  # none makes room twice
                each.transport.abort()
                return
        self.transport.abort()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at the first address that `host` has; or that which a service manager holds for us
    (systemd's protocol): it stays open while we are started anew, and who connects meanwhile waits."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()):
        listener = socket.socket(fileno=HELD)
    else:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    if listener.family in (socket.AF_INET, socket.AF_INET6):
        # Connections inherit it. uvloop sets it itself, asyncio only where a socket calls its protocol by name. Without
        # it the body of an answer waits until its header is acknowledged, which takes clients 40 ms.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
