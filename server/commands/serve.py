"""`ulm serve`: the server on one process."""

from __future__ import annotations

import argparse
import dataclasses
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from server.app import counters, create_app
from server.commands import CommandError, metrics_server
from server.commands.background import Background
from server.httpd import HttpServer, one_heap, spare_collector
from server.notify import sender_checks, spool, spool_page
from server.service.archive import packed_games
from server.service.operating import troubles
from server.service.seating import example_game
from server.settings import Settings, local_url
from server.storage import leases
from server.storage.database import Store, open_database
from server.storage.migrate import migrate

log = logging.getLogger("ulm.serve")


def add_parser(subparsers: Any) -> None:
    """Add `serve`."""
    parser = subparsers.add_parser("serve", help="run the server")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT, then finish running requests and return 0."""
    one_heap()
    server = _bind(settings)
    try:
        store = open_database(settings.database, settings.threads)
        try:
            _serve(settings, store, server)
        finally:
            store.close()
    finally:
        server.close()
    return 0


def _bind(settings: Settings) -> HttpServer:
    try:
        return HttpServer(
            settings.host,
            settings.port,
            settings.threads,
            settings.max_body,
            header_seconds=settings.header_seconds,
            body_seconds=settings.body_seconds,
            per_address=0 if settings.proxy_hops else settings.connections_per_address,
            connections=settings.connections,
        )
    except OSError as error:
        reason = error.strerror or "the address is not one of this machine"
        raise CommandError(
            f"cannot listen on {settings.host} port {settings.port}: {reason.lower()}; "
            "set ULM_HOST or ULM_PORT to something else"
        ) from error


def _serve(settings: Settings, store: Store, server: HttpServer) -> None:
    for name in migrate(store):
        log.info("schema changed", extra={"fields": {"migration": name}})
    example = None
    if settings.example:
        example = example_game.ensure_example(store, datetime.now(UTC))
        packed_games.ensure_puzzles(store, datetime.now(UTC))
    if not settings.port:
        settings = dataclasses.replace(settings, port=server.port)  # for the links in mails
    # Whoever comes with a request is to find a connection free.
    settings = dataclasses.replace(settings, streams=max(1, min(settings.streams, server.connections * 3 // 4)))
    recorder = troubles.record(store, leases.new_owner())
    app = create_app(settings, store)
    jobs = Background(store, settings) if settings.jobs else None
    shown = metrics_server.shown(settings, store, counters(app))
    server.stop_on_signals()
    _welcome(local_url(settings.host, server.port), store.name, example, settings)
    if jobs is not None:
        jobs.start()
    spare_collector()
    try:
        server.run(app, grace=settings.shutdown_seconds, stopping=store.closing.set)
    finally:
        store.closing.set()
        if jobs is not None:
            jobs.stop()
        if shown is not None:
            shown.close()
        recorder.end()
    log.info("stopped")


def _welcome(url: str, database: str, example: str | None, settings: Settings) -> None:
    lines = [
        f"Ulm by mail listens on {url}",
        f"  Play in a browser:        {url}/",
        f"  API, to read and to try:  {url}/api/docs",
        '  A first game with curl:   README.md, "A first game by the API"',
    ]
    if example is not None:
        lines.append(f"  An example replay:        {url}/replays/{example}")
    if spool_page.offered(settings):
        lines.append(f"  Mails (none are sent):    {url}{spool_page.PATH}")
    elif not settings.smtp_url:
        lines.append(f"  Mails (none are sent):    {spool.directory(settings)}")
    lines += [f"  Mail: {warning}." for warning in sender_checks.warnings(settings)]
    lines += [f"  Database:                 {database}", "Stop it with Ctrl+C."]
    print("\n".join(lines), flush=True)
