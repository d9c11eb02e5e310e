"""A WSGI application behind an ASGI server.

A request takes a thread only when it has arrived whole, and has limited time for that: whoever sends slowly, or not on,
holds a connection and nothing else. What is no request that an application should see is marked with the status that it
deserves, `environ["ulm.refused"]`; the application words the answer, as it does all its errors. And a view can ask
whether its client is still there: `environ["ulm.gone"]()`.

An answer that goes on when the view is done needs no thread either: the view gives what goes on (`exchanges.Held`) to
`environ["ulm.hold"]`, and what it returns is the beginning. Nor does a request that waits for something: the view gives
that (`exchanges.Awaited`) to `environ["ulm.wait"]`, and returns the answer for the case that it does not come. When it
does, the application is asked once more, with `environ["ulm.waited"]`.

What a view marks by `environ["ulm.keep"]` is answered without it from then on (`static_cache`).

Hand-written: granian's own WSGI and a2wsgi take a thread before the body has come, asgiref bounds neither its size nor
its time, and none of them tells that a client has gone.
"""

from __future__ import annotations

import asyncio
import io
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote_to_bytes

from server.exchanges import Exchange, Post, Receive, Send
from server.request_threads import RequestThreads
from server.shared_cpu import SharedCpu
from server.static_cache import Count, Header, KeptAnswers

Peer = tuple[str, int]
"""The address and port of a client."""

_LAST_WORDS = 0.2  # seconds for what was said of an answer to go out before it is broken off


class WsgiBridge:
    """The ASGI application that runs `app` (WSGI) on `threads` threads, on one `cpu` while requests are short.

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
        cpu: SharedCpu,
    ) -> None:
        self.busy: set[Peer] = set()
        """Clients that have asked for something, wholly, and have not got all of the answer."""
        self.closing = False
        """Whether each answer is the last one on its connection."""
        self._app = app
        self._max_body, self._body_seconds, self._send_seconds = max_body, body_seconds, send_seconds
        self._hang_up = hang_up
        self._threads = RequestThreads(self._run, threads, cpu)
        # Many may have waited for the same: whoever comes new is to find a thread.
        self._once_more = asyncio.Semaphore(max(1, threads // 2))
        self._post: Post | None = None
        self._kept = KeptAnswers()

    def close(self) -> None:
        """Let every thread end when it has done what it does."""
        self._threads.close()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request (ASGI 3.0, `http` alone)."""
        self._post = self._post or Post(asyncio.get_running_loop())
        peer = (str(scope["client"][0]), int(scope["client"][1]))
        if (kept := self._kept.find(scope)) is not None:
            await self._give(kept, scope["method"], send)
            return
        environ, refused = _environ(scope)
        body = b""
        if refused is None and ("CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ):
            body, refused = await self._body(receive, int(environ.get("CONTENT_LENGTH") or 0))
        if refused is not None:
            environ["ulm.refused"] = int(refused)
        exchange = Exchange(receive, send, self._send_seconds, self._post, lambda: self.closing)
        self.busy.add(peer)
        try:
            self._ask(exchange, environ, body)
            if await exchange.waits():
                async with self._once_more:
                    # Anew, since an application may change what it was given.
                    self._ask(exchange, {**_environ(scope)[0], "ulm.waited": True}, body)
                    await exchange.answered()
            if (kept_now := exchange.kept()) is not None:
                self._kept.keep(scope, *kept_now)
            if not await exchange.send():
                await asyncio.sleep(_LAST_WORDS)
                self._hang_up(peer)
        except asyncio.CancelledError:
            self._hang_up(peer)  # the server waits for it no longer
        finally:
            exchange.close()
            self.busy.discard(peer)

    async def _give(self, kept: tuple[int, list[Header], bytes, Count], method: str, send: Send) -> None:
        """Send an answer that was kept."""
        status, headers, body, count = kept
        if self.closing:
            headers.append((b"connection", b"close"))
        began = time.perf_counter()
        with suppress(RuntimeError):  # granian's for a closed connection
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        count(method, status, time.perf_counter() - began)

    def _ask(self, exchange: Exchange, environ: dict[str, Any], body: bytes) -> None:
        """Let a thread run the application."""
        if "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
            environ["CONTENT_LENGTH"] = str(len(body))
            environ.pop("HTTP_TRANSFER_ENCODING", None)
        environ["wsgi.input"] = io.BytesIO(body)
        environ["ulm.gone"], environ["ulm.hold"] = exchange.gone, exchange.hold
        environ["ulm.wait"], environ["ulm.keep"] = exchange.wait, exchange.keep
        self._threads.put((exchange, environ))

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

    def _run(self, job: tuple[Exchange, dict[str, Any]]) -> None:
        exchange, environ = job
        exchange.run(self._app, environ)


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
