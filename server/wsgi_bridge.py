"""A WSGI application behind an ASGI server.

A request takes a thread only when it has arrived whole, and has limited time for that. Its answer goes out without one,
and a long one is made piece by piece, as it is taken: who is slow holds a connection and nothing else. What is no
request that an application should see is marked with the status that it deserves, `environ["ulm.refused"]`; the
application words the answer, as it does all its errors.

Who waits for something needs no thread either. The view gives what is waited for (`Awaited`) to `environ["ulm.hold"]`,
and what it returns is the beginning of an answer that goes on with what comes: a stream of events. Or it gives it to
`environ["ulm.wait"]`, and returns the answer for the case that nothing comes. When something does, the application is
asked once more, with `environ["ulm.waited"]`: a long poll.

Hand-written: a2wsgi takes a thread before the body has come and as long as an answer goes on, so 10,000 open streams
would need as many (here they share one loop), and costs half as much again a request; asgiref bounds neither size nor
time of a body.
"""

from __future__ import annotations

import asyncio
import io
import logging
import math
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, nullcontext, suppress
from contextvars import copy_context
from functools import partial
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

from server.service.common import networks

log = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_PIECE = 256 * 1024  # bytes of an answer that are made, and sent, at once
_PIECE_SECONDS = 0.25  # for which a thread makes a piece: then others have it, or the client has gone
_BODIES = 32_000_000  # bytes of all bodies that are received or worked on
_BEHIND = 64  # parts of a stream that may wait for a client that does not take them


class Awaited(Protocol):
    """What somebody waits for without a thread."""

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """From now on `write` is called with what comes, and `end` when nothing more will. Both may be called from any
        thread, while this runs too, and return at once."""

    def close(self) -> None:
        """Nobody waits any more. Called whatever ended it, maybe more than once."""


class Turns:
    """Calls that wait for one of `threads`. Networks have their turn one after the other, and while there are several,
    none has more than a quarter of the threads: a stranger who asks much waits for himself."""

    def __init__(self, threads: int) -> None:
        self._of_one = max(1, threads // 4)
        self._lines = dict[str, deque[_Call]]()  # whose turn it is comes first
        self._busy = Counter[str]()
        self._closed, self._changed = False, threading.Condition()

    def put(self, call: _Call) -> None:
        """Let `call` wait for its turn."""
        with self._changed:
            self._lines.setdefault(call.network, deque()).append(call)
            self._changed.notify()

    def get(self) -> _Call | None:
        """The call whose turn it is, to be given to `done`; None when there are none and will be none."""
        with self._changed:
            while (network := self._next()) is None:
                if self._closed and not self._lines:
                    return None
                self._changed.wait()
            line = self._lines.pop(network)
            call = line.popleft()
            if line:
                self._lines[network] = line
            self._busy[network] += 1
            return call

    def _next(self) -> str | None:
        alone = len(self._busy.keys() | self._lines.keys()) == 1
        return next((each for each in self._lines if alone or self._busy[each] < self._of_one), None)

    def done(self, call: _Call) -> None:
        """Its thread is free."""
        with self._changed:
            self._busy -= Counter({call.network: 1})  # keeps none that is at 0
            self._changed.notify_all()

    def close(self) -> None:
        """Let every thread end when it has done what there is."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class _Call:
    """A call of the application for somebody of `network`. It takes a thread while a piece of its answer is made, and
    none between two."""

    def __init__(self, environ: dict[str, Any], body: bytearray, network: str, turns: Turns) -> None:
        self.network = network
        self.awaited: dict[str, Awaited] = {}
        """What is waited for, by whether to "hold" or to "wait"."""
        self.status, self.headers, self.more = 0, list[tuple[bytes, bytes]](), True
        """Known with the first piece; whether others follow."""
        self._environ = environ | {"wsgi.input": io.BytesIO(body)}
        for how in ("hold", "wait"):
            self._environ[f"ulm.{how}"] = partial(self.awaited.__setitem__, how)
        # Flask's contexts stay, whichever thread makes the next piece.
        self._turns, self._context, self._loop = turns, copy_context(), asyncio.get_running_loop()
        self._parts: Iterator[bytes] | None = None
        self._end: Callable[[], object] = lambda: None
        self._busy = False  # whether a thread has it, or will

    async def piece(self) -> bytes | None:
        """The next piece of the body; None where the application fails."""
        self._made: asyncio.Future[bytes | None] = self._loop.create_future()
        self._busy = True
        self._turns.put(self)
        return await self._made

    def work(self, app: Any) -> None:
        """Make the next piece, in a thread."""
        made: bytes | None = None
        try:
            made = self._context.run(self._make, app)
        except Exception:
            log.exception("an error while serving a request")
        try:
            self._loop.call_soon_threadsafe(self._settle, made)
        except RuntimeError:  # it is closed: the server did not wait for this one
            self.close()

    def close(self) -> None:
        """Nobody waits any more. What is left of the answer is not made, and what it holds is let go by a thread."""
        for awaited in self.awaited.values():
            awaited.close()
        if self._parts is not None and self.more and not self._busy:
            self._parts = iter(())
            self._turns.put(self)

    def _settle(self, made: bytes | None) -> None:
        self._busy = False
        if self._made.done():
            self.close()  # nobody waits for it any more
        else:
            self._made.set_result(made)

    def _make(self, app: Any) -> bytes:
        if first := self._parts is None:
            result = app(self._environ, self._start)
            self._parts, self._end = iter(result), getattr(result, "close", self._end)
        silent = self._environ["REQUEST_METHOD"] == "HEAD" or self.status in (204, 304)
        # HTTP/1.0 has no other sign of the end than the length.
        most = _PIECE if self._environ["SERVER_PROTOCOL"] == "HTTP/1.1" else math.inf
        pieces, size, until = list[bytes](), 0, time.monotonic() + _PIECE_SECONDS
        for part in self._parts:
            pieces.append(part)
            size += len(part)
            if size >= most or (most == _PIECE and time.monotonic() >= until):
                break
        else:
            self.more = False
        self.more = self.more and not silent
        if not self.more:
            self._end()
        if "hold" in self.awaited:
            self.headers.append((b"connection", b"close"))  # the client is not to hold its place
        elif first and not (self.more or silent) and all(name != b"content-length" for name, _ in self.headers):
            self.headers.append((b"content-length", b"%d" % size))
        return b"" if silent else b"".join(pieces)

    def _start(self, status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], object]:
        self.status = int(status[:3])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return NotImplemented  # the `write` of old applications: Flask has none


class WsgiBridge:
    """The ASGI application that runs `app` (WSGI) on `threads` threads. A body may have `max_body` bytes and take
    `body_seconds`; the last of `hops` proxies in front tell the address of their client."""

    def __init__(self, app: Any, *, threads: int, max_body: int, body_seconds: float, hops: int) -> None:
        self.closing = False
        """Whether each answer is the last one on its connection."""
        self._max_body, self._body_seconds, self._hops = max_body, body_seconds, hops
        self._bodies = Counter[str]()  # bytes, by network
        # Many may have waited for the same: whoever comes new is to find a thread.
        self._once_more = asyncio.Semaphore(max(1, threads // 2))
        self._turns = Turns(threads)
        self.close = self._turns.close

        def work() -> None:
            while (call := self._turns.get()) is not None:
                call.work(app)
                self._turns.done(call)
                del call  # its body is not kept until the next request comes

        for number in range(1, threads + 1):
            # Daemons, since the patience of a server that is told to stop has an end.
            threading.Thread(target=work, name=f"request-{number}", daemon=True).start()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request (ASGI 3.0, `http` alone). An answer that breaks off is left unfinished: the server closes
        its connection."""
        environ, refused = _environ(scope)
        network, body = self._network(environ), bytearray()
        if refused is None and ("CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ):
            refused = await self._read(body, receive, int(environ.get("CONTENT_LENGTH") or 0), network)
            environ["CONTENT_LENGTH"] = str(len(body))
            environ.pop("HTTP_TRANSFER_ENCODING", None)
        if refused is not None:
            environ["ulm.refused"] = int(refused)
        call = _Call(environ, body, network, self._turns)
        try:
            piece = await call.piece()
            if "wait" in call.awaited:
                async with _follow(call.awaited["wait"], receive) as coming:
                    news = await coming.get() is not None
                if news:
                    call.close()
                    call = _Call(environ | {"ulm.waited": True}, body, network, self._turns)
                    async with self._once_more:
                        piece = await call.piece()
            if piece is not None:
                if self.closing or refused is not None:
                    call.headers.append((b"connection", b"close"))
                await _send(call, piece, receive, send)
        finally:
            call.close()
            self._bodies -= Counter({network: len(body)})

    def _network(self, environ: dict[str, Any]) -> str:
        """Whose turn a request takes, by the address that `ProxyFix` will take for its caller's."""
        told = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
        address = told[-self._hops].strip() if 0 < self._hops <= len(told) else ""
        return networks.counted(address or environ["REMOTE_ADDR"])[-1][0]

    async def _read(self, body: bytearray, receive: Receive, length: int, network: str) -> HTTPStatus | None:
        """Fill `body`, or say why it is refused."""
        if length > self._max_body:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        refused: HTTPStatus | None = None
        more = True
        try:
            async with asyncio.timeout(self._body_seconds):
                while more:  # also what is refused: who still sends does not hear us
                    message = await receive()
                    if message["type"] != "http.request":
                        return HTTPStatus.BAD_REQUEST
                    more = message["more_body"]
                    if refused is None:
                        body += message["body"]
                        self._bodies[network] += len(message["body"])
                        refused = self._too_much(body, network)
        except TimeoutError:
            return HTTPStatus.REQUEST_TIMEOUT
        return refused

    def _too_much(self, body: bytearray, network: str) -> HTTPStatus | None:
        """Let go a body that is too long; or, where all of them are too much, is of a network that has more than its
        part of that."""
        if len(body) > self._max_body:
            why = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        elif self._bodies.total() > _BODIES < self._bodies[network] * len(self._bodies):
            why = HTTPStatus.SERVICE_UNAVAILABLE
        else:
            return None
        self._bodies[network] -= len(body)
        body.clear()
        return why


async def _send(call: _Call, piece: bytes, receive: Receive, send: Send) -> None:
    """Send the answer, and what comes after it. Who takes nothing is as good as gone before long: the server closes the
    connection. The next piece is made when the one before has nearly been taken."""

    async def part(data: bytes | memoryview, more: bool = True) -> None:
        await send({"type": "http.response.body", "body": data, "more_body": more})

    await send({"type": "http.response.start", "status": call.status, "headers": call.headers})
    if held := call.awaited.get("hold"):
        await part(piece)
        async with _follow(held, receive) as coming:
            while (data := await coming.get()) is not None:
                await part(data)
        await part(b"", False)
        return
    async with _watch(receive) if call.more else nullcontext() as gone:
        left: bytes | None = piece
        while left is not None:
            for start in range(0, max(len(left), 1), _PIECE):
                await part(memoryview(left)[start : start + _PIECE], call.more or start + _PIECE < len(left))
            left = await call.piece() if gone and not gone.done() and call.more else None


@asynccontextmanager
async def _watch(receive: Receive, then: Callable[[], object] = lambda: None) -> AsyncIterator[asyncio.Task[None]]:
    """A task that is done, and has called `then`, when the client has gone."""

    async def disconnected() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        then()

    watch = asyncio.get_running_loop().create_task(disconnected())
    try:
        yield watch
    finally:
        watch.cancel()


@asynccontextmanager
async def _follow(awaited: Awaited, receive: Receive) -> AsyncIterator[asyncio.Queue[bytes | None]]:
    """What comes from now on; None when it ends, its client has gone, or takes nothing any more."""
    loop = asyncio.get_running_loop()
    coming: asyncio.Queue[bytes | None] = asyncio.Queue()

    def put(data: bytes | None) -> None:
        coming.put_nowait(data if coming.qsize() < _BEHIND else None)

    def tell(data: bytes | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(put, data)

    async with _watch(receive, lambda: put(None)):
        awaited.begin(tell, lambda: tell(None))
        yield coming


def _environ(scope: dict[str, Any]) -> tuple[dict[str, Any], HTTPStatus | None]:
    """The request as WSGI has it (PEP 3333), and the status of what none should get to see."""
    (server, port), (client, client_port) = scope["server"], scope["client"]
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"], "SCRIPT_NAME": "", "SERVER_NAME": server, "SERVER_PORT": str(port),
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"), "REMOTE_ADDR": client,
        "QUERY_STRING": scope["query_string"].decode("latin-1"), "REMOTE_PORT": str(client_port),
        "SERVER_PROTOCOL": "HTTP/1.1" if scope["http_version"] == "1.1" else "HTTP/1.0",
        "wsgi.version": (1, 0), "wsgi.url_scheme": scope["scheme"], "wsgi.errors": sys.stderr,
        "wsgi.multithread": True, "wsgi.multiprocess": False, "wsgi.run_once": False,
    }  # fmt: skip
    refused: HTTPStatus | None = None
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" in name:
            continue  # it would pass for the header that is written with a hyphen
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = "HTTP_" + key
        if key in environ:
            if key in ("HTTP_HOST", "CONTENT_LENGTH", "CONTENT_TYPE"):
                refused = HTTPStatus.BAD_REQUEST
            value = environ[key] + ("; " if key == "HTTP_COOKIE" else ",") + value
        environ[key] = value
    old = environ["SERVER_PROTOCOL"] == "HTTP/1.0"
    # Of two lengths two servers in a row might read two different requests.
    two_lengths = "HTTP_TRANSFER_ENCODING" in environ and ("CONTENT_LENGTH" in environ or old)
    if two_lengths or not (environ.get("HTTP_HOST") or old):
        refused = HTTPStatus.BAD_REQUEST
    return environ, refused
