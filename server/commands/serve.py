"""`ulm serve`: the server, with its jobs, in one process."""

from __future__ import annotations

import argparse
import ctypes
import dataclasses
import gc
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime

from server.app import create_app
from server.commands import CommandError, argument, command, metrics_server
from server.commands.worker import Background
from server.httpd import HttpServer
from server.notify import spool, spool_page
from server.notify.transport import sender_warnings
from server.routes import answer_streams_alone
from server.service.admin import recent_errors
from server.service.archive import puzzles
from server.service.common import database_signals
from server.service.outbox import heartbeat
from server.service.seating import example_game
from server.settings import Settings, local_url
from server.storage import leases
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from server.storage.unusable import StoreError

log = logging.getLogger("ulm.serve")

DRAIN_SECONDS = 1.0
"""How long clients of one server of several have to go on at the others; a proxy that keeps connections to us for less
(deploy/nginx.conf) asks nothing more on them then."""


@command(
    "serve",
    "run the server",
    argument(
        "--only", choices=["streams"],
        help="answer streams of events and long polls alone, beside servers on the same PostgreSQL that do the rest",
    ),
)  # fmt: skip
def serve(args: argparse.Namespace, settings: Settings) -> int | None:
    """Serve until SIGTERM or SIGINT, then finish running requests and return 0."""
    if args.only is not None:
        settings = _for_streams(settings)
    one_heap()
    with _listening(settings):
        server = HttpServer(settings)
    with closing(server), closing(open_database(settings.database, settings.threads)) as store:
        _serve(settings, store, server, args.only is not None)
    return 0


def one_heap() -> None:
    """Let all threads share one heap, where the C library is glibc; called before there are threads. By default each
    keeps what it needed once in one of its own: exports grew a process from 68 to 352 MB."""
    with suppress(AttributeError, OSError):  # another C library has no such thing
        ctypes.CDLL(None).mallopt(-8, 1)  # M_ARENA_MAX


def _spare_collector() -> None:
    """Keep Python's garbage collector from walking during requests through what lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _for_streams(settings: Settings) -> Settings:
    if settings.database.startswith("sqlite:"):
        raise CommandError(
            "on SQLite the servers answer streams themselves: --only streams takes PostgreSQL (ULM_DATABASE_URL), "
            "which tells it what they change"
        )
    return dataclasses.replace(settings, jobs=False, example=False)


@contextmanager
def _listening(settings: Settings) -> Iterator[None]:
    """Raises `CommandError` for the `OSError` of a block that opens the port."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(number) if (number := error.errno or 0) > 0 else "the address is not one of this machine"
        raise CommandError(
            f"cannot listen on {settings.host} port {settings.port}: {reason.lower()}; "
            "set ULM_HOST or ULM_PORT to something else"
        ) from error


def _prepare(settings: Settings, store: Store) -> str | None:
    """Bring the schema up to date and put in what comes with the server; the example game."""
    for name in migrate(store):
        log.info("schema changed", extra={"fields": {"migration": name}})
    if not settings.example:
        return None
    example = example_game.ensure_example(store, datetime.now(UTC))
    puzzles.ensure_puzzles(store, datetime.now(UTC))
    return example


def _serve(settings: Settings, store: Store, server: HttpServer, streams_alone: bool) -> None:
    example = _prepare(settings, store)
    if not settings.port:
        settings = dataclasses.replace(settings, port=server.port)  # for the links in mails
    # Whoever comes with a request is to find a connection free.
    settings = dataclasses.replace(settings, streams=max(1, min(settings.streams, server.connections * 3 // 4)))
    with ExitStack() as ending:
        ending.callback(recent_errors.record(store, leases.new_owner()).end)
        ending.callback(database_signals.DatabaseSignals(store).close)
        app = create_app(settings, store)
        if streams_alone:
            answer_streams_alone(app)
        ending.enter_context(metrics_server.shown(settings, store))
        jobs = Background(store, settings) if settings.jobs else None
        if not streams_alone:
            ending.callback(_heart(store).join, 5)
        server.stop_on_signals()
        url = local_url(settings.host, server.port)
        if streams_alone:
            print(f"Ulm by mail listens on {url} for streams and long polls alone. Stop it with Ctrl+C.", flush=True)
        else:
            _welcome(url, store.name, example, settings)
        if jobs is not None:
            jobs.start()
            ending.callback(jobs.stop)
        ending.callback(store.closing.set)
        _spare_collector()
        drain = DRAIN_SECONDS if settings.proxy_hops else 0.0
        server.answer(app, settings.shutdown_seconds, store.closing.set, drain)
    log.info("stopped")


def _heart(store: Store) -> threading.Thread:
    """Say now, and again and again until the store closes, that people can move here. Before a clock is looked at, it
    is known since when they could not."""

    def beat() -> None:
        # Without a database nobody can move either, and the next one that succeeds says since when.
        try:
            heartbeat.beat(store, datetime.now(UTC))
        except StoreError:
            pass
        except Exception:  # a heart that stopped would let all clocks stand
            log.exception("the heartbeat failed")

    def go_on() -> None:
        while not store.closing.wait(heartbeat.LOOK_SECONDS):
            beat()

    beat()
    thread = threading.Thread(target=go_on, name="ulm-heartbeat", daemon=True)
    thread.start()
    return thread


def _welcome(url: str, database: str, example: str | None, settings: Settings) -> None:
    lines = [
        f"Ulm by mail listens on {url}",
        f"  Play in a browser:        {url}/",
        f"  API, to read and to try:  {url}/api/docs",
        '  A first game with curl:   README.md, "A first game by the API"',
    ]
    if example is not None:
        lines.append(f"  An example replay:        {url}/replays/{example}")
    if not settings.smtp_url:
        mails = str(spool.directory(settings))
        if spool_page.offered(settings):
            with suppress(OSError):  # the first mail will say why
                mails = url + spool_page.address(settings)
        lines.append(f"  Mails (none are sent):    {mails}")
    lines += [f"  Mail: {warning}." for warning in sender_warnings(settings)]
    lines += [f"  Database:                 {database}", "Stop it with Ctrl+C."]
    print("\n".join(lines), flush=True)
