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
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from http import HTTPStatus
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote_to_bytes

from server.service.common import networks
from server.settings import Settings

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


class _Work(NamedTuple):
    network: str
    do: Callable[[], Any]
    done: asyncio.Future[Any]


class Turns:
    """Threads for work of networks, of which each has its turn after the others; while there are several, none has more
    than a quarter of the threads. A stranger who asks much waits for himself."""

    def __init__(self, threads: int) -> None:
        self._threads, self._of_one = threads, max(1, threads // 4)
        self._lines = dict[str, deque[_Work]]()  # whose turn it is comes first
        self._busy = Counter[str]()
        self._begun = SimpleQueue[_Work | None]()
        for number in range(1, threads + 1):
            # Daemons, since the patience of a server that is told to stop has an end.
            threading.Thread(target=self._work, name=f"request-{number}", daemon=True).start()

    def run(self, network: str, do: Callable[[], Any]) -> asyncio.Future[Any]:
        """What `do` returns, called in a thread when it is its turn; None when it fails, which is logged."""
        done = asyncio.get_running_loop().create_future()
        self._lines.setdefault(network, deque()).append(_Work(network, do, done))
        self._begin()
        return done

    def close(self) -> None:
        """Let each thread end when it has done what was begun."""
        for _ in range(self._threads):
            self._begun.put(None)

    def _begin(self) -> None:
        """Give the free threads to those whose turn it is."""
        while self._busy.total() < self._threads and (network := self._next()) is not None:
            line = self._lines.pop(network)
            self._begun.put(line.popleft())
            if line:
                self._lines[network] = line
            self._busy[network] += 1

    def _next(self) -> str | None:
        alone = len(self._busy.keys() | self._lines.keys()) == 1
        return next((each for each in self._lines if alone or self._busy[each] < self._of_one), None)

    def _work(self) -> None:
        while (work := self._begun.get()) is not None:
            made = None
            try:
                made = work.do()
            except Exception:
                log.exception("an error while serving a request")
            with suppress(RuntimeError):  # the loop is closed: the server did not wait for this one
                work.done.get_loop().call_soon_threadsafe(self._end, work, made)
            del work, made  # they are not kept until the next comes

    def _end(self, work: _Work, made: Any) -> None:
        self._busy -= Counter({work.network: 1})  # keeps none that is at 0
        if not work.done.done():
            work.done.set_result(made)
        self._begin()


class _Answer:
    """What the application answers. It takes a thread while a piece is made, and none between two."""

    def __init__(self, app: Any, environ: dict[str, Any], body: bytearray) -> None:
        self.awaited: dict[str, Awaited] = {}
        """What is waited for, by whether to "hold" or to "wait"."""
        self.status, self.headers, self.more = 0, list[tuple[bytes, bytes]](), True
        """Known with the first piece; whether others follow."""
        self._app, self._environ = app, environ | {"wsgi.input": io.BytesIO(body)}
        for how in ("hold", "wait"):
            self._environ[f"ulm.{how}"] = partial(self.awaited.__setitem__, how)
        self._context = copy_context()  # Flask's contexts stay, whichever thread makes the next piece
        self._parts: Iterator[bytes] | None = None
        self._end: Callable[[], object] = lambda: None

    def piece(self) -> bytes:
        """The next piece of the body. Raises what the application does."""
        return self._context.run(self._make)

    def close(self) -> None:
        """Let go what an answer holds that is not made to its end."""
        with suppress(RuntimeError):  # a thread still makes it: the server did not wait for this one
            self._context.run(self._end)

    def _make(self) -> bytes:
        if first := self._parts is None:
            result = self._app(self._environ, self._start)
            self._parts, self._end = iter(result), getattr(result, "close", self._end)
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
            self._end()
        silent = self._environ["REQUEST_METHOD"] == "HEAD" or self.status in (204, 304)
        if "hold" in self.awaited:
            self.headers.append((b"connection", b"close"))  # the client is not to hold its place
        elif first and not (self.more or silent) and all(name != b"content-length" for name, _ in self.headers):
            self.headers.append((b"content-length", b"%d" % size))
        return b"".join(pieces)

    def _start(self, status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], object]:
        self.status = int(status[:3])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return NotImplemented  # the `write` of old applications: Flask has none


class WsgiBridge:
    """The ASGI application that runs `app` (WSGI). A body may take `body_seconds`."""

    def __init__(self, app: Any, settings: Settings, body_seconds: float) -> None:
        self.closing = False
        """Whether each answer is the last one on its connection."""
        self._app, self._hops, self._body_seconds = app, settings.proxy_hops, body_seconds
        self._max_body = settings.max_body * 2  # Flask words what is over its limit; this is the wall behind it
        self._bodies = Counter[str]()  # bytes, by network
        # Many may have waited for the same: whoever comes new is to find a thread.
        self._once_more = asyncio.Semaphore(max(1, settings.threads // 2))
        self._turns = Turns(settings.threads)
        self.close = self._turns.close

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request (ASGI 3.0, `http` alone). An answer that breaks off is left unfinished: the server closes
        its connection."""
        environ, refused = _environ(scope)
        network, body = self._network(environ), bytearray()
        if refused is None:
            refused = await self._read(body, receive, int(environ.get("CONTENT_LENGTH") or 0), network)
            environ["CONTENT_LENGTH"] = str(len(body))
            environ.pop("HTTP_TRANSFER_ENCODING", None)
        if refused is not None:
            environ["ulm.refused"] = int(refused)
        answer = _Answer(self._app, environ, body)
        try:
            piece = await self._turns.run(network, answer.piece)
            if "wait" in answer.awaited and await anext(_coming(answer.awaited["wait"], receive), None) is not None:
                answer.awaited["wait"].close()
                answer = _Answer(self._app, environ | {"ulm.waited": True}, body)
                async with self._once_more:
                    piece = await self._turns.run(network, answer.piece)
            if piece is not None:
                if self.closing or refused is not None:
                    answer.headers.append((b"connection", b"close"))
                await self._send(answer, piece, network, receive, send)
        finally:
            for awaited in answer.awaited.values():
                awaited.close()
            if answer.more:
                self._turns.run(network, answer.close)
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

    async def _send(self, answer: _Answer, piece: bytes, network: str, receive: Receive, send: Send) -> None:
        """Send the answer, and what comes after its first piece. Who takes nothing is as good as gone before long: the
        server closes the connection."""

        async def part(data: bytes | memoryview, more: bool) -> None:
            await send({"type": "http.response.body", "body": data, "more_body": more})

        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        if not (answer.more or "hold" in answer.awaited or len(piece) > _PIECE):
            await part(piece, False)
            return
        async for data in self._pieces(answer, piece, network, receive):
            for start in range(0, len(data), _PIECE):
                await part(memoryview(data)[start : start + _PIECE], True)
        if "hold" in answer.awaited or not answer.more:
            await part(b"", False)

    async def _pieces(self, answer: _Answer, piece: bytes, network: str, receive: Receive) -> AsyncIterator[bytes]:
        """All pieces, while there is a client. The next is made when the one before has nearly been taken."""
        yield piece
        if held := answer.awaited.get("hold"):
            async for data in _coming(held, receive):
                yield data
            return
        gone = asyncio.ensure_future(receive())
        while answer.more and not gone.done() and (made := await self._turns.run(network, answer.piece)) is not None:
            yield made
        gone.cancel()


async def _coming(awaited: Awaited, receive: Receive) -> AsyncGenerator[bytes, None]:
    """What comes from now on, until it ends, its client has gone, or takes nothing any more."""
    loop = asyncio.get_running_loop()
    coming: asyncio.Queue[bytes | None] = asyncio.Queue()

    def put(data: bytes | None) -> None:
        coming.put_nowait(data if coming.qsize() < _BEHIND else None)

    def tell(data: bytes | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(put, data)

    gone = asyncio.ensure_future(receive())
    gone.add_done_callback(lambda _: put(None))
    try:
        awaited.begin(tell, lambda: tell(None))
        while (data := await coming.get()) is not None:
            yield data
    finally:
        gone.cancel()


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
    second_length = old and "HTTP_TRANSFER_ENCODING" in environ  # by which another server in the row might go
    if second_length or not (old or environ.get("HTTP_HOST")):
        refused = HTTPStatus.BAD_REQUEST
    return environ, refused
