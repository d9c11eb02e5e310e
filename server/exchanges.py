"""A request and its answer under `wsgi_bridge`, between the loop that knows the client and the thread that runs the
application."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from server.static_cache import Count

log = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_WHOLE = 256 * 1024  # an answer of a length that is told beforehand is sent in one piece up to so many bytes
_BEHIND = 64 * 1024  # bytes that may wait for a client that does not take them
_SERVER = (b"server", b"ulm")  # or else what it is made of would be told


class Held(Protocol):
    """An answer that goes on without a thread."""

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """The beginning of the answer is on its way: from now on `write` sends more, and `end` ends it. Both may be
        called from any thread, and return at once."""

    def close(self) -> None:
        """Nobody takes any more. Called whatever ended the answer, maybe more than once."""


class Awaited(Protocol):
    """What a request waits for without a thread."""

    def begin(self, ready: Callable[[bool], None]) -> None:
        """Call `ready` once: True when it has come, False when it is waited for no longer. From any thread, and while
        this runs too; it returns at once."""

    def close(self) -> None:
        """Nobody waits any more. It may be called again."""


class _Answer(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    held: Held | None = None


class _GoneError(Exception):
    """Nobody takes the rest of an answer: its client has gone, or the server has ended without waiting for it."""


class Exchange:
    """A request and its answer, between the loop that knows the client and the thread that runs the application."""

    def __init__(
        self, receive: Receive, send: Send, send_seconds: float, post: Post, closing: Callable[[], bool]
    ) -> None:
        self._receive, self._send, self._send_seconds, self._post = receive, send, send_seconds, post
        self._closing = closing
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[_Answer | bool] = self._loop.create_future()
        self._watch: Future[None] | asyncio.Task[None] | None = None
        self._held: Held | None = None
        self._awaited: Awaited | None = None
        self._count: Count | None = None

    async def waits(self) -> bool:
        """Wait for the answer, then for what it was put off for; whether that has come, and the application is to be
        asked once more."""
        answer = await self._done
        if self._awaited is None or isinstance(answer, bool):
            return False
        ready: asyncio.Future[bool] = self._loop.create_future()
        self._watch = self._loop.create_task(self._disconnected())
        self._watch.add_done_callback(lambda _: _tell(ready, False))

        def came(news: bool) -> None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(_tell, ready, news)

        self._awaited.begin(came)
        again = await ready
        self._awaited.close()
        if again:
            self._awaited, self._done = None, self._loop.create_future()
        elif self._watch.done():
            self._done = self._loop.create_future()
            self._done.set_result(True)  # nobody is there to take an answer
        return again

    async def answered(self) -> None:
        """Wait for the answer."""
        await self._done

    async def send(self) -> bool:
        """Send the answer, when there is one; False when it broke off."""
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

    def close(self) -> None:
        """It is over, however it ended."""
        if self._watch is not None:
            self._watch.cancel()
        self._let_go()

    def _let_go(self) -> None:
        for kept in (self._held, self._awaited):
            if kept is not None:
                kept.close()

    def kept(self) -> tuple[list[tuple[bytes, bytes]], bytes, Count] | None:
        """Headers and body of an answer that may be given again, and what counts it; asked before it is sent."""
        answer = self._done.result()
        if self._count is None or isinstance(answer, bool) or answer.status != 200 or answer.held is not None:
            return None
        return answer.headers, answer.body, self._count

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

    def keep(self, count: Count) -> None:
        """The answer is the same for everybody, and `count` is told when it is given again. Called by the
        application."""
        self._count = count

    def wait(self, awaited: Awaited) -> None:
        """Give the answer when that has come, or is waited for no longer. Called by the application."""
        self._awaited = awaited

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
            self._let_go()

    def _settle(self, answer: _Answer | bool) -> None:
        if self._done.done():
            self._let_go()  # nobody waits for the answer any more
        else:
            self._done.set_result(answer)

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


def _tell(future: asyncio.Future[bool], value: bool) -> None:
    if not future.done():
        future.set_result(value)


class Post:
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
