"""waitress with an orderly end: told to stop, it finishes what it works on and takes on nothing new.

On its own waitress forgets running requests at SIGTERM: a player's move would be stored and never acknowledged.
"""

from __future__ import annotations

import gc
import json
import logging
import re
import signal
import socket
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from types import FrameType
from typing import Any

import waitress
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import logger as waitress_logger

_YOUNG, _MIDDLE, _OLD = 20_000, 20, 50  # thresholds of the garbage collector
_CONNECTIONS = 800  # most at once; waitress' 100 are soon taken by idle ones, and 1024 files is a usual limit
_IDLE_SECONDS = 60  # then a connection on which nothing happens is closed
_DRAIN_STEP = 0.05  # seconds between two looks at what is still running
# What to do, where a request is refused before the application sees it.
_ADVICE = {
    400: "Send a well-formed HTTP request.",
    413: "Send a smaller body.",
    431: "Send fewer or shorter headers.",
    501: "Send the body whole or in chunks; no other transfer encoding is read.",
}


def spare_collector() -> None:
    """Keep Python's garbage collector from looking again and again at what lives as long as the process.

    Called once when everything is loaded. Code, tables and templates are most of what there is; on its own the
    collector walks through them during requests, and some of these take longer for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


class _Refusal(ErrorTask):
    """waitress' own errors, in the one shape that the application gives to all of its (docs/api.md)."""

    def execute(self) -> None:
        code = self.request.error.code
        status = HTTPStatus(code).phrase
        body = {"code": code, "status": status, "message": _ADVICE.get(code, "Send the request again."), "errors": {}}
        data = json.dumps(body).encode()
        self.status = f"{code} {status}"
        self.response_headers += [("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff")]
        self.content_length = len(data)
        self.set_close_on_finish()
        self.write(data)


class _Discreet(logging.LoggerAdapter[logging.Logger]):
    """waitress' own log, without the addresses of requests: there are tokens in those of pages."""

    def process(self, msg: Any, kwargs: Any) -> tuple[Any, Any]:
        return re.sub(r"(?s)(while serving ).*", r"\1a request", str(msg)), kwargs


class _Task(WSGITask):
    """A request, which can ask whether its client is still there: `environ["ulm.gone"]()`."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ.setdefault("ulm.gone", self._gone)
        return environ

    def _gone(self) -> bool:
        # waitress looks for the end of a connection only between requests, or where it writes.
        try:
            return bool(self.channel.socket.recv(1, socket.MSG_PEEK) == b"")
        except BlockingIOError:
            return False  # open, and silent
        except OSError:
            return True


class _Channel(HTTPChannel):
    logger = _Discreet(waitress_logger)
    task_class = _Task
    error_task_class = _Refusal


class HttpServer:
    """A listening socket, and in `run` a server behind it. Raises `OSError` when host and port cannot be had.

    The socket comes first, so that a process that finds its port in use has touched nothing else yet. Who connects
    before `run` waits for it.
    """

    def __init__(self, host: str, port: int, threads: int, max_body: int) -> None:
        self._map: dict[int, Any] = {}
        self._stop = threading.Event()
        self._app: Any = None
        try:
            self._server = waitress.create_server(
                self._answer, map=self._map, host=host, port=port, threads=threads, ident=None,
                # Flask answers a body over its limit with an error that says so; this is the wall behind it.
                max_request_body_size=max(max_body * 2, 1_000_000),
                max_request_header_size=32_768,
                connection_limit=_CONNECTIONS,
                channel_timeout=_IDLE_SECONDS,
                clear_untrusted_proxy_headers=False,  # ProxyFix decides, by the setting
            )
        except BaseException:
            self.close()  # waitress leaves what it had opened
            raise
        for listener in self._listeners():
            listener.channel_class = _Channel

    @property
    def port(self) -> int:
        """The port that is listened on, also when any was asked for."""
        return int(self._listeners()[0].socket.getsockname()[1])

    def run(self, app: Any, grace: float, stopping: Callable[[], None] = lambda: None) -> None:
        """Serve `app` (WSGI) until `stop()`; then close the door, call `stopping`, and give running requests `grace`
        seconds to be answered."""
        self._app = app
        while not self._stop.is_set():
            self._turn(1.0)
        stopping()
        for listener in self._listeners():
            # The socket only: the listener's trigger still wakes the loop for the answers that go out.
            listener.del_channel(self._map)
            listener.socket.close()
        deadline = time.monotonic() + grace
        while self._busy() and time.monotonic() < deadline:
            self._turn(_DRAIN_STEP)
        self._server.task_dispatcher.shutdown(timeout=1)
        self.close()

    def close(self) -> None:
        """Close every socket at once."""
        wasyncore.close_all(self._map, ignore_all=True)

    def stop(self) -> None:
        """Ask `run` to end. May be called from a signal handler and from any thread."""
        self._stop.set()
        for listener in self._listeners():
            listener.pull_trigger()

    def stop_on_signals(self) -> None:
        """Stop at SIGTERM and SIGINT; Ctrl+C once more, and `run` is left at once by `KeyboardInterrupt`."""

        def handle(number: int, frame: FrameType | None) -> None:
            if number == signal.SIGINT and self._stop.is_set():
                raise KeyboardInterrupt
            self.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, handle)

    def _answer(self, environ: Any, start_response: Any) -> Any:
        return self._app(environ, start_response)

    def _turn(self, timeout: float) -> None:
        wasyncore.loop(timeout=timeout, use_poll=True, map=self._map, count=1)

    def _listeners(self) -> list[BaseWSGIServer]:
        return [item for item in list(self._map.values()) if isinstance(item, BaseWSGIServer)]

    def _busy(self) -> bool:
        """Whether an answer is owed. Connections to which none is owed are closed."""
        owed = False
        for channel in [item for item in list(self._map.values()) if isinstance(item, HTTPChannel)]:
            if channel.requests or channel.total_outbufs_len:
                owed = True
            else:
                channel.handle_close()
        return owed
