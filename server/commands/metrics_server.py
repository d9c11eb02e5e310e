"""What a process shows of itself: `/metrics` on a port of its own, to callers on the same machine, or to whoever
reaches the address that an operator has chosen for it."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from server import metering
from server.commands import CommandError
from server.service.admin import figures
from server.service.common.networks import is_loopback
from server.settings import Settings
from server.storage.database import Store
from server.storage.unusable import StoreError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = logging.getLogger("ulm.metrics")

_SECONDS = 10


class _Handler(WSGIRequestHandler):
    timeout = _SECONDS  # who sends nothing holds the only thread no longer

    def log_message(self, *words: Any) -> None:
        """Nothing: who reads counters does it every few seconds."""


class _Six(WSGIServer):
    address_family = socket.AF_INET6


@contextmanager
def shown(settings: Settings, store: Store) -> Iterator[int]:
    """Show the counters of this process within a block, if `settings` have a port for it, to one caller after the
    other; the port (0: none). Raises `CommandError`."""
    if not settings.metrics_listen:
        yield 0
        return
    host, _, number = settings.metrics_listen.rpartition(":")

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        status, kind, said = _told(environ, host, is_private, store)
        start_response(status, [("Content-Type", kind), ("Cache-Control", "no-store")])
        return [said.encode()]

    try:
        server: WSGIServer = make_server(
            host.removeprefix("[").removesuffix("]"), int(number), answer,
            server_class=_Six if ":" in host else WSGIServer, handler_class=_Handler,
        )  # fmt: skip
    except OSError as error:
        raise CommandError(
            f"cannot listen on {host} port {number}: {error.strerror}; set ULM_METRICS_LISTEN to another port, each "
            "process its own, or to an address of this machine"
        ) from error
    log.info("shows its counters", extra={"fields": {"port": server.server_port}})
    is_private = is_loopback(str(server.server_address[0]))
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="metrics", daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _told(environ: WSGIEnvironment, host: str, is_private: bool, store: Store) -> tuple[str, str, str]:
    """Status, type and text of an answer."""
    # A page in a browser on this machine that has its name lead here reads nothing: its Host tells.
    if is_private and not is_loopback(urlsplit(f"//{environ.get('HTTP_HOST', '')}").hostname or ""):
        return "403 Forbidden", "text/plain", f"Ask http://{host}:{environ['SERVER_PORT']}/metrics.\n"
    if environ.get("PATH_INFO") != "/metrics" or environ.get("REQUEST_METHOD") != "GET":
        return "404 Not Found", "text/plain", "There is /metrics alone, to be read by GET.\n"
    try:
        return "200 OK", metering.CONTENT_TYPE, metering.text(figures.readings(store, datetime.now(UTC)))
    except StoreError as error:
        log.warning("no counters", extra={"fields": {"why": error}})
        return "503 Service Unavailable", "text/plain", "The database does not answer.\n"
