"""A WSGI application behind an ASGI server.

A request takes a thread only when it has arrived whole, and has limited time for that; its answer goes out without one:
who is slow holds a connection and nothing else. What is no request that an application should see is marked with the
status that it deserves, `environ["ulm.refused"]`; the application words the answer, as it does all its errors.

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
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from queue import SimpleQueue
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

log = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_PIECE = 256 * 1024
_BEHIND = 64  # parts of a stream that may wait for a client that does not take them


class Awaited(Protocol):
    """What somebody waits for without a thread."""

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """From now on `write` is called with what comes, and `end` when nothing more will. Both may be called from any
        thread, while this runs too, and return at once."""

    def close(self) -> None:
        """Nobody waits any more. Called whatever ended it, maybe more than once."""


Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
"""Status, headers and body."""


class _Job:
    """A request that is to be asked of the application."""

    def __init__(self, environ: dict[str, Any], body: bytes) -> None:
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Answer | None] = self.loop.create_future()
        """None where the application has none."""
        self.awaited: dict[str, Awaited] = {}
        """What is waited for, by whether to "hold" or to "wait"."""
        self.environ = environ | {"wsgi.input": io.BytesIO(body)}
        for how in ("hold", "wait"):
            self.environ[f"ulm.{how}"] = partial(self.awaited.__setitem__, how)

    def settle(self, answer: Answer | None) -> None:
        """The application has answered. In the loop."""
        if self.answer.done():
            self.close()  # nobody waits for the answer any more
        else:
            self.answer.set_result(answer)

    def close(self) -> None:
        """Nobody waits any more."""
        for awaited in self.awaited.values():
            awaited.close()


class WsgiBridge:
    """The ASGI application that runs `app` (WSGI) on `threads` threads. A body may have `max_body` bytes and take
    `body_seconds`."""

    def __init__(self, app: Any, *, threads: int, max_body: int, body_seconds: float) -> None:
        self.closing = False
        """Whether each answer is the last one on its connection."""
        self._app, self._max_body, self._body_seconds = app, max_body, body_seconds
        # Many may have waited for the same: whoever comes new is to find a thread.
        self._once_more = asyncio.Semaphore(max(1, threads // 2))
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads = threads
        for number in range(1, threads + 1):
            # Daemons, since the patience of a server that is told to stop has an end.
            threading.Thread(target=self._work, name=f"request-{number}", daemon=True).start()

    def close(self) -> None:
        """Let every thread end when it has done what it does."""
        for _ in range(self._threads):
            self._jobs.put(None)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request (ASGI 3.0, `http` alone). An answer that breaks off is left unfinished: the server closes
        its connection."""
        environ, refused = _environ(scope)
        body = b""
        if refused is None and ("CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ):
            body, refused = await self._body(receive, int(environ.get("CONTENT_LENGTH") or 0))
            environ["CONTENT_LENGTH"] = str(len(body))
            environ.pop("HTTP_TRANSFER_ENCODING", None)
        if refused is not None:
            environ["ulm.refused"] = int(refused)
        job = _Job(environ, body)
        try:
            self._jobs.put(job)
            answer = await job.answer
            if "wait" in job.awaited:
                async with _follow(job.awaited["wait"], receive) as coming:
                    news = await coming.get() is not None
                if news:
                    job.close()
                    job = _Job(environ | {"ulm.waited": True}, body)
                    async with self._once_more:
                        self._jobs.put(job)
                        answer = await job.answer
            if answer is not None:
                if self.closing or refused is not None:
                    answer[1].append((b"connection", b"close"))
                await _send(answer, job.awaited.get("hold"), receive, send)
        finally:
            job.close()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            answer: Answer | None = None
            try:
                answer = _ask(self._app, job)
            except Exception:
                log.exception("an error while serving a request")
            try:
                job.loop.call_soon_threadsafe(job.settle, answer)
            except RuntimeError:  # it is closed: the server did not wait for this one
                job.close()
            del job, answer  # bodies and answers are not kept until the next request comes

    async def _body(self, receive: Receive, length: int) -> tuple[bytes, HTTPStatus | None]:
        """The body, or why there is none."""
        if length > self._max_body:
            return b"", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        body, size, more = bytearray(), 0, True
        try:
            async with asyncio.timeout(self._body_seconds):
                while more:  # also what is too large: who still sends does not hear us
                    message = await receive()
                    if message["type"] != "http.request":
                        return b"", HTTPStatus.BAD_REQUEST
                    size += len(message["body"])
                    body += message["body"] if size <= self._max_body else b""
                    more = message["more_body"]
        except TimeoutError:
            return b"", HTTPStatus.REQUEST_TIMEOUT
        return (bytes(body), None) if size <= self._max_body else (b"", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def _ask(app: Any, job: _Job) -> Answer:
    """The answer of the application, in a thread of its own."""
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], None]:
        head[:] = int(status[:3]), headers
        return parts.append

    parts: list[bytes] = []
    result: Iterable[bytes] = app(job.environ, start_response)
    try:
        parts.extend(result)
    finally:
        if (close := getattr(result, "close", None)) is not None:
            close()
    status = head[0]
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in head[1]]
    silent = job.environ["REQUEST_METHOD"] == "HEAD" or status in (204, 304)
    if "hold" in job.awaited:
        headers.append((b"connection", b"close"))  # the client is not to hold its place
    elif not silent and status >= HTTPStatus.OK and all(name != b"content-length" for name, _ in headers):
        headers.append((b"content-length", b"%d" % sum(map(len, parts))))
    return status, headers, b"" if silent else b"".join(parts)


async def _send(answer: Answer, held: Awaited | None, receive: Receive, send: Send) -> None:
    """Send it, and what comes after it. Who takes nothing is as good as gone before long: the server closes the
    connection."""

    async def part(data: bytes | memoryview, more: bool = True) -> None:
        await send({"type": "http.response.body", "body": data, "more_body": more})

    status, headers, body = answer
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for start in range(0, max(len(body), 1), _PIECE):
        await part(memoryview(body)[start : start + _PIECE], held is not None or start + _PIECE < len(body))
    if held is not None:
        async with _follow(held, receive) as coming:
            while (data := await coming.get()) is not None:
                await part(data)
        await part(b"", False)


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

    async def disconnected() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        put(None)

    watch = loop.create_task(disconnected())
    try:
        awaited.begin(tell, lambda: tell(None))
        yield coming
    finally:
        watch.cancel()


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
