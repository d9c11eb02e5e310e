"""What the application passes in: database, clock, settings. Nothing here knows where they come from."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

from flask import Flask, Request, current_app, request

from server.routes.http.counters import Counters, Slots, StreamSlots
from server.service.views.live_hub import Hub
from server.settings import Settings
from server.storage.database import Store

_KEY = "ulm-routes"


@dataclass(frozen=True)
class Context:
    """What belongs to the endpoints of one application; `open_streams` need no thread."""

    stream_slots: StreamSlots
    open_streams: StreamSlots
    hub: Hub
    counters: Counters
    work: Slots


def install(app: Flask) -> None:
    """Give the application its counters and waiting rooms."""
    chosen: Settings = app.extensions["ulm.settings"]
    room, streams = StreamSlots(chosen.threads // 2), StreamSlots(chosen.streams)
    app.extensions[_KEY] = Context(room, streams, Hub(app.extensions["ulm.store"]), Counters(chosen), Slots())


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


def session_idle() -> timedelta:
    """Return how long a session lasts here that nobody uses."""
    return timedelta(days=settings().session_days)


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
