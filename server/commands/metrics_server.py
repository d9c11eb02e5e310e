"""What a process shows of itself: `/metrics` on a port of its own, to callers on the same machine, or to whoever
reaches the address that an operator has chosen for it."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager, closing, nullcontext
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


def shown(settings: Settings, store: Store) -> AbstractContextManager[MetricsServer | None]:
    """Show the counters of this process within a block, if `settings` have a port for it. Raises `CommandError`."""
    if not settings.metrics_listen:
        return nullcontext()
    host, _, port = settings.metrics_listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    try:
        return closing(MetricsServer(host, int(port), store))
    except OSError as error:
        raise CommandError(
            f"cannot listen on {host} port {port}: {error.strerror}; set ULM_METRICS_LISTEN to another port, each "
            "process its own, or to an address of this machine"
        ) from error


class MetricsServer:
    """Answers until `close`, one caller after the other. Raises `OSError` when the port is taken."""

    def __init__(self, host: str, port: int, store: Store) -> None:
        self._store, self._host = store, host
        kind = _Six if ":" in host else WSGIServer
        self._server: WSGIServer = make_server(host, port, self._answer, server_class=kind, handler_class=_Handler)
        self.port = self._server.server_port
        self._private = is_loopback(str(self._server.server_address[0]))
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End, and wait for what is being answered."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        status, kind, said = "200 OK", metering.CONTENT_TYPE, ""
        # A page in a browser on this machine that has its name lead here reads nothing: its Host tells.
        if self._private and not is_loopback(urlsplit(f"//{environ.get('HTTP_HOST', '')}").hostname or ""):
            address = f"http://{f'[{self._host}]' if ':' in self._host else self._host}:{self.port}/metrics"
            status, kind, said = "403 Forbidden", "text/plain", f"Ask {address}.\n"
        elif environ.get("PATH_INFO") != "/metrics" or environ.get("REQUEST_METHOD") != "GET":
            status, kind, said = "404 Not Found", "text/plain", "There is /metrics alone, to be read by GET.\n"
        else:
            try:
                said = metering.text(figures.readings(self._store, datetime.now(UTC)))
            except StoreError as error:
                log.warning("no counters", extra={"fields": {"why": error}})
                status, kind, said = "503 Service Unavailable", "text/plain", "The database does not answer.\n"
        start_response(status, [("Content-Type", kind), ("Cache-Control", "no-store")])
        return [said.encode()]
