"""What the application passes in: database, clock, settings. Nothing here knows where they come from."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

from flask import Flask, Request, current_app, request

from server.routes.http.metrics import Metrics
from server.routes.http.rate_counters import Counters
from server.routes.http.stream_slots import StreamSlots
from server.service.accounts.sessions import Lifetimes
from server.service.views.live_hub import Hub
from server.settings import Settings
from server.storage.database import Store

_KEY = "ulm-routes"


@dataclass(frozen=True)
class Context:
    """What belongs to the endpoints of one application."""

    stream_slots: StreamSlots
    open_streams: StreamSlots
    hub: Hub
    metrics: Metrics
    counters: Counters


def install(app: Flask) -> Context:
    """Give the application its own waiting rooms, metrics and counters for its limits, and return them.

    Streams and long polls for which the server needs no thread have places of their own. Of another server's threads
    half may wait: the other half goes on answering. Raises `SettingsError` when the store of the limits needs a driver
    that is not installed, or the processes' common counters have no directory.
    """
    chosen: Settings = app.extensions["ulm.settings"]
    metrics = Metrics()
    room = StreamSlots(chosen.threads // 2, chosen.wait_seconds, metrics.wait)
    streams = StreamSlots(chosen.streams, chosen.wait_seconds, metrics.wait)
    found = Context(room, streams, Hub(app.extensions["ulm.store"]), metrics, Counters(chosen))
    app.extensions[_KEY] = found
    return found


def of(app: Flask) -> Context:
    """Return the context of an application."""
    return cast("Context", app.extensions[_KEY])


def here() -> Context:
    """Return the context of the running application."""
    return cast("Context", current_app.extensions[_KEY])


def asked() -> Request:
    """Return the request that Flask's `request` stands for, for those who look at it several times: Flask's stand-in
    finds it anew with each look, and every request is looked at some sixty times."""
    found: Request = request._get_current_object()  # type: ignore[attr-defined]
    return found


def store() -> Store:
    """Return the application's database."""
    return cast("Store", current_app.extensions["ulm.store"])


def settings() -> Settings:
    """Return the application's settings."""
    return cast("Settings", current_app.extensions["ulm.settings"])


def lifetimes() -> Lifetimes:
    """Return how long sessions last here."""
    chosen = settings()
    return Lifetimes(timedelta(days=chosen.session_days), timedelta(days=3 * chosen.session_days))


def forget(keys: list[str]) -> None:
    """Take what is erased out of files as well; `keys` name the notices whose mails are to go."""
    current_app.extensions["ulm.forget"](store(), settings(), keys)


def clock() -> Callable[[], datetime]:
    """Return the clock that the application was given (`ulm.now`), to be read later, outside the request."""
    found: Callable[[], datetime] = current_app.extensions.get("ulm.now", _utc_now)
    return found


def now() -> datetime:
    """Return the present time, in UTC and aware, by that clock."""
    return clock()()


def _utc_now() -> datetime:
    return datetime.now(UTC)
