"""The HTTP surface (docs/api.md). `register(app)` puts it onto an application; importing does nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, request

from server import language, logs, request_ids
from server.metering import meters
from server.routes import pages, request_limits
from server.routes.api import (
    bots,
    channels,
    chat,
    clocks,
    comments,
    deals,
    docs,
    events,
    exports,
    games,
    moves,
    operations,
    people,
    players,
    proposals,
    puzzles,
    replays,
    tournaments,
)
from server.routes.error_handlers import Api
from server.routes.http import browser_session, context, converters, security_headers
from server.routes.http.problem_details import raise_error
from server.service.common import audit_log

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

BLUEPRINTS = (
    players.blp, people.blp, people.ratings_blp, bots.own_blp, games.blp, bots.blp, games.invitations_blp,
    chat.messages_blp, chat.notes_blp, chat.notices_blp, moves.blp, moves.hints_blp, events.blp, events.account_blp,
    clocks.blp, channels.blp, proposals.blp,
    replays.blp, comments.blp, puzzles.blp, deals.blp, tournaments.blp, exports.blp,
    exports.boards_blp, operations.blp, operations.index_blp, operations.problems_blp,
)  # fmt: skip
STREAMS_ALONE = frozenset(
    ("events.getEvents", "account-events.getAccountEvents", "live-pages.stream", "live-pages.stream_by_link",
     "games.getGame", "operations.getHealthz", "operations.getReadyz")
)  # fmt: skip
"""Addresses of streams, long polls and the operator (also in deploy/nginx.conf and deploy/Caddyfile)."""


def register(app: Flask) -> None:
    """Add all endpoints, the error shape and the API's description to `app` with its `ulm.settings` and `ulm.store`."""
    context.install(app)
    converters.install(app)
    api = Api(app, spec_kwargs=docs.spec_arguments())
    converters.document(api)
    docs.add_components(api)
    for blp in BLUEPRINTS:
        api.register_blueprint(blp)
    docs.register(app, api)
    language.install(app)
    browser_session.install(app)
    pages.register(app)
    request_limits.install(app)


def watch(app: Flask, believed: bool = False, https: bool = False) -> None:
    """Put around `app` what every request goes through: it is counted and logged, with an id that its answer names
    (`X-Request-Id`) beside the headers that keep browsers careful, and the audit log knows where it comes from.
    `believed`: the id that a proxy gives is taken; `https`: the public address begins with it."""
    inner: WSGIApplication = app.wsgi_app

    def watched(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        number = logs.request_id(environ, believed)
        began = time.perf_counter()

        def start(status: str, headers: list[tuple[str, str]], error: Any = None, /) -> Callable[[bytes], object]:
            request, method, code = environ["werkzeug.request"], environ["REQUEST_METHOD"], int(status[:3])
            seconds = time.perf_counter() - began
            meters().request(request.endpoint or "none", method, code, seconds)
            logs.log_request(number, method, request.url_rule.rule if request.url_rule else "-", code, seconds)
            careful = security_headers.missing(environ, headers, https)
            return start_response(status, [*headers, *careful, (logs.REQUEST_ID, number)], error)

        audit_log.called_from(environ.get("REMOTE_ADDR"))
        try:
            with request_ids.caused_by(number):
                return inner(environ, start)
        finally:
            audit_log.called_from(None)

    app.wsgi_app = watched  # type: ignore[method-assign]


def answer_streams_alone(app: Flask) -> None:
    """Let `app` answer `STREAMS_ALONE`, and 404 for all else (`ulm serve --only streams`)."""

    @app.before_request
    def refuse() -> None:
        if request.endpoint is not None and request.endpoint not in STREAMS_ALONE:
            raise_error(404, "This process of the server answers streams of events and long polls alone.")
