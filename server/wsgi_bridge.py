"""A WSGI application behind an ASGI server.

A request takes a thread only when it has arrived whole, and has limited time for that: whoever sends slowly, or not on,
holds a connection and nothing else. What is no request that an application should see is marked with the status that it
deserves, `environ["ulm.refused"]`; the application words the answer, as it does all its errors. And a view can ask
whether its client is still there: `environ["ulm.gone"]()`.

An answer that goes on when the view is done needs no thread either: the view gives what goes on (`Held`) to
`environ["ulm.hold"]`, and what it returns is the beginning.

Hand-written: granian's own WSGI and a2wsgi take a thread before the body has come, asgiref bounds neither its size nor
its time, and none of them tells that a client has gone.
"""

from __future__ import annotations

import asyncio
import io
import logging
import queue
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote_to_bytes

log = logging.getLogger(__name__)

Peer = tuple[str, int]
"""The address and port of a client."""


class Held(Protocol):
    """An answer that goes on without a thread."""

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """The beginning of the answer is on its way: from now on `write` sends more, and `end` ends it. Both may be
        called from any thread, and return at once."""

    def close(self) -> None:
        """Nobody takes any more. Called once, whatever ended the answer."""


class _Answer(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    held: Held | None = None


Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_WHOLE = 256 * 1024  # an answer of a length that is told beforehand is sent in one piece up to so many bytes
_BEHIND = 64 * 1024  # bytes that may wait for a client that does not take them
_LAST_WORDS = 0.2  # seconds for what was said of an answer to go out before it is broken off
_SERVER = (b"server", b"ulm")  # or else what it is made of would be told


class _GoneError(Exception):
    """Nobody takes the rest of an answer: its client has gone, or the server has ended without waiting for it."""


class WsgiBridge:
    """The ASGI application that runs `app` (WSGI) on `threads` threads.

    A body may have `max_body` bytes and take `body_seconds`, a client `send_seconds` to take a piece of an answer.
    `hang_up` closes the connection of a client at once: the only honest end of an answer that breaks off.
    """

    def __init__(
        self,
        app: Any,
        *,
        threads: int,
        max_body: int,
        body_seconds: float,
        send_seconds: float,
        hang_up: Callable[[Peer], None],
    ) -> None:
        self.busy: set[Peer] = set()
        """Clients that have asked for something, wholly, and have not got all of the answer."""
        self.closing = False
        """Whether each answer is the last one on its connection."""
        self._app = app
        self._max_body, self._body_seconds, self._send_seconds = max_body, body_seconds, send_seconds
        self._hang_up = hang_up
        self._jobs: queue.SimpleQueue[tuple[_Exchange, dict[str, Any]] | None] = queue.SimpleQueue()
        self._threads = threads
        self._post: _Post | None = None
        for number in range(threads):
            # Daemons: the patience of a server that is told to stop has an end.
            threading.Thread(target=self._work, name=f"request-{number + 1}", daemon=True).start()

    def close(self) -> None:
        """Let every thread end when it has done what it does."""
        for _ in range(self._threads):
            self._jobs.put(None)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request (ASGI 3.0, `http` alone)."""
        self._post = self._post or _Post(asyncio.get_running_loop())
        peer = (str(scope["client"][0]), int(scope["client"][1]))
        environ, refused = _environ(scope)
        body = b""
        if refused is None and ("CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ):
            body, refused = await self._body(receive, int(environ.get("CONTENT_LENGTH") or 0))
            environ["CONTENT_LENGTH"] = str(len(body))
            environ.pop("HTTP_TRANSFER_ENCODING", None)
        if refused is not None:
            environ["ulm.refused"] = int(refused)
        environ["wsgi.input"] = io.BytesIO(body)
        exchange = _Exchange(receive, send, self._send_seconds, self._post, lambda: self.closing)
        environ["ulm.gone"] = exchange.gone
        environ["ulm.hold"] = exchange.hold
        self.busy.add(peer)
        try:
            self._jobs.put((exchange, environ))
            if not await exchange.serve():
                await asyncio.sleep(_LAST_WORDS)
                self._hang_up(peer)
        except asyncio.CancelledError:
            self._hang_up(peer)  # the server waits for it no longer
        finally:
            self.busy.discard(peer)

    async def _body(self, receive: Receive, length: int) -> tuple[bytes, HTTPStatus | None]:
        """The body, or why there is none."""
        if length > self._max_body:
            return b"", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._body_seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        return b"", HTTPStatus.BAD_REQUEST
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > self._max_body:
                        return b"", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            return b"", HTTPStatus.REQUEST_TIMEOUT
        return (b"".join(parts), None) if size >= length else (b"", HTTPStatus.BAD_REQUEST)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            exchange, environ = job
            exchange.run(self._app, environ)
            del job, exchange, environ  # bodies and answers are not kept until the next request comes


class _Exchange:
    """A request and its answer, between the loop that knows the client and the thread that runs the application."""

    def __init__(
        self, receive: Receive, send: Send, send_seconds: float, post: _Post, closing: Callable[[], bool]
    ) -> None:
        self._receive, self._send, self._send_seconds, self._post = receive, send, send_seconds, post
        self._closing = closing
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[_Answer | bool] = self._loop.create_future()
        self._watch: Future[None] | None = None
        self._held: Held | None = None

    async def serve(self) -> bool:
        """Wait for the answer, and send it; False when it broke off."""
        try:
            answer = await self._done
            if isinstance(answer, bool):
                return answer
            status, headers, body, held = answer
            if self._closing() and (b"connection", b"close") not in headers:
                headers.append((b"connection", b"close"))
            await self._send({"type": "http.response.start", "status": status, "headers": headers})
            if held is not None:
                return await self._go_on(held, body)
            await self._send({"type": "http.response.body", "body": body})
            return True
        finally:
            if self._watch is not None:
                self._watch.cancel()
            if self._held is not None:
                self._held.close()

    async def _go_on(self, held: Held, begun: bytes) -> bool:
        """Send what comes until it ends, or its client has gone; False when that takes nothing any more."""
        pipe = _Pipe(self._loop, self._send, self._send_seconds)
        gone = self._loop.create_task(self._disconnected())
        gone.add_done_callback(lambda _: pipe.close(True))
        try:
            pipe.write(begun)
            held.begin(lambda data: self._post.put(pipe, data), lambda: self._post.put(pipe, None))
            return await pipe.over
        finally:
            gone.cancel()
            pipe.cancel()

    def hold(self, held: Held) -> None:
        """The answer goes on with that when the application has returned. Called by the application."""
        self._held = held

    def run(self, app: Any, environ: dict[str, Any]) -> None:
        """Run the application, in a thread of its own."""
        try:
            answer: _Answer | bool = self._answer(app, environ)
        except _GoneError:
            log.info("the client of a request went away before its answer was over")
            answer = False
        except Exception:
            log.exception("an error while serving a request")
            answer = False
        try:
            self._loop.call_soon_threadsafe(self._settle, answer)
        except RuntimeError:  # the loop is closed: the server did not wait for this one
            if self._held is not None:
                self._held.close()

    def _settle(self, answer: _Answer | bool) -> None:
        if not self._done.done():
            self._done.set_result(answer)
        elif self._held is not None:
            self._held.close()  # nobody waits for the answer any more

    def _answer(self, app: Any, environ: dict[str, Any]) -> _Answer | bool:
        """The whole answer; or True when it was sent piece by piece. Raises `_GoneError`."""
        head: list[Any] = []
        written: list[bytes] = []

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], None]:
            head[:] = [int(status[:3]), headers]
            return written.append

        result: Iterable[bytes] = app(environ, start_response)
        try:
            parts = iter(result)
            first = next(parts, b"")
            status, headers = (
                head[0],
                [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in head[1]],
            )
            headers.append(_SERVER)
            length = next((int(value) for name, value in headers if name == b"content-length"), None)
            if environ["REQUEST_METHOD"] == "HEAD" or status in (204, 304):
                return _Answer(status, headers, b"")
            if length is not None and length <= _WHOLE:
                return _Answer(status, headers, b"".join([*written, first, *parts]))
            if length is None:
                headers.append((b"connection", b"close"))  # the client is not to wait for more, nor to hold its place
            if self._held is not None:
                return _Answer(status, headers, b"".join([*written, first, *parts]), self._held)
            self._stream(status, headers, b"".join([*written, first]), parts)
            return True
        finally:
            close = getattr(result, "close", None)
            if close is not None:
                close()

    def _stream(self, status: int, headers: list[tuple[bytes, bytes]], begun: bytes, rest: Iterator[bytes]) -> None:
        self._tell({"type": "http.response.start", "status": status, "headers": headers})
        self._pass_on(begun)
        for part in rest:
            if self.gone():
                raise _GoneError
            self._pass_on(part)
        self._tell({"type": "http.response.body", "body": b""})

    def _pass_on(self, part: bytes) -> None:
        if part:
            self._tell({"type": "http.response.body", "body": part, "more_body": True})

    def _tell(self, message: dict[str, Any]) -> None:
        """Send a part of the answer, from the application's thread. Raises `_GoneError`."""

        async def sent() -> None:
            await self._send(message)

        try:
            self._in_loop(sent()).result(self._send_seconds)
        except (RuntimeError, CancelledError, TimeoutError) as error:  # the first is granian's for a closed connection
            raise _GoneError from error

    def gone(self) -> bool:
        """Whether the client has closed its side. Asked from the application's thread."""
        if self._watch is None:
            try:
                self._watch = self._in_loop(self._disconnected())
            except _GoneError:
                return True
        return self._watch.done()

    def _in_loop(self, doing: Coroutine[Any, Any, None]) -> Future[None]:
        """Raises `_GoneError` when the loop has ended."""
        try:
            return asyncio.run_coroutine_threadsafe(doing, self._loop)
        except RuntimeError as error:
            doing.close()
            raise _GoneError from error

    async def _disconnected(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


class _Post:
    """What other threads write to clients: the loop is woken once for all that has come together."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[tuple[_Pipe, bytes | None]] = deque()
        self._called = False

    def put(self, pipe: _Pipe, data: bytes | None) -> None:
        """Write to a client; None ends its answer. From any thread."""
        self._waiting.append((pipe, data))
        if not self._called:
            self._called = True
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._called = False  # before looking: what comes meanwhile calls again
        for _ in range(len(self._waiting)):
            pipe, data = self._waiting.popleft()
            if data is None:
                pipe.finish()
            else:
                pipe.write(data)


class _Pipe:
    """The rest of one answer, in the loop: sent in order, as fast as the client takes it."""

    __slots__ = ("_ended", "_loop", "_send", "_send_seconds", "_sending", "_waiting", "over")

    def __init__(self, loop: asyncio.AbstractEventLoop, send: Send, send_seconds: float) -> None:
        self._loop, self._send, self._send_seconds = loop, send, send_seconds
        self.over: asyncio.Future[bool] = loop.create_future()
        """Done when nothing more is sent; True when that is as it should be."""
        self._waiting = b""
        self._ended = False
        self._sending: asyncio.Task[None] | None = None

    def write(self, data: bytes) -> None:
        """Send it after what was written before."""
        if self.over.done():
            return
        self._waiting += data
        if len(self._waiting) > _BEHIND:
            self.close(False)
        elif self._sending is None:
            self._sending = self._loop.create_task(self._drain())

    def finish(self) -> None:
        """End the answer when all is sent."""
        self._ended = True
        if self._sending is None and not self.over.done():
            self._sending = self._loop.create_task(self._drain())

    def close(self, well: bool) -> None:
        """Send nothing more."""
        if not self.over.done():
            self.over.set_result(well)

    def cancel(self) -> None:
        """Leave what is being sent."""
        if self._sending is not None:
            self._sending.cancel()

    async def _drain(self) -> None:
        try:
            while self._waiting or self._ended:
                data, self._waiting = self._waiting, b""
                more = bool(data) or not self._ended
                async with asyncio.timeout(self._send_seconds):
                    await self._send({"type": "http.response.body", "body": data, "more_body": more})
                if not more:
                    self.close(True)
                    break
        except (RuntimeError, TimeoutError):  # the first is granian's for a closed connection
            self.close(False)
        finally:
            self._sending = None


def _environ(scope: dict[str, Any]) -> tuple[dict[str, Any], HTTPStatus | None]:
    """The request as WSGI has it (PEP 3333), and the status of what none should get to see."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": "HTTP/1.1" if scope["http_version"] == "1.1" else "HTTP/1.0",
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": scope["client"][0],
        "REMOTE_PORT": str(scope["client"][1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
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
    if not environ.get("HTTP_HOST") and environ["SERVER_PROTOCOL"] == "HTTP/1.1":
        refused = HTTPStatus.BAD_REQUEST
    if "CONTENT_LENGTH" in environ and (
        "HTTP_TRANSFER_ENCODING" in environ or not environ["CONTENT_LENGTH"].isdecimal()
    ):
        refused = HTTPStatus.BAD_REQUEST  # two servers in a row might read two different requests
    return environ, refused
