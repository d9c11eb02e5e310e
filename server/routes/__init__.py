"""The HTTP surface (docs/api.md). `register(app)` puts it onto an application; importing does nothing."""

import time

from flask import Flask, Response, g, request

from server import language
from server.routes import pages, request_limits
from server.routes.api import (
    account_events,
    boards,
    bots,
    clocks,
    docs,
    events,
    exports,
    games,
    hints,
    invitations,
    messages,
    moves,
    notes,
    notices,
    operations,
    own_bots,
    players,
    problems,
    puzzles,
    replays,
)
from server.routes.error_handlers import Api
from server.routes.http import browser_session, context, converters
from server.routes.http.answers import OrjsonProvider
from server.routes.pages.shared.visitor_preferences import wanted_language
from server.service.common import audit_log

MODULES = (
    players, own_bots, games, bots, invitations, messages, notes, notices, moves, hints, events, account_events, clocks,
    replays, puzzles, exports, boards, operations, problems,
)  # fmt: skip


def register(app: Flask) -> None:
    """Add all endpoints, the error shape and the API's own description to `app`.

    Expects `app.extensions["ulm.settings"]` and `["ulm.store"]`; a clock may stand in `["ulm.now"]`.
    """
    app.json = OrjsonProvider(app)
    context.install(app)
    converters.install(app)
    api = Api(app, spec_kwargs=docs.spec_arguments())
    converters.document(api)
    docs.add_components(api)
    for module in MODULES:
        api.register_blueprint(module.blp)
    docs.register(app, api)
    language.install(app, wanted_language)
    browser_session.install(app)
    pages.register(app)
    _count_requests(app)
    request_limits.install(app)
    _tell_whence(app)


def _count_requests(app: Flask) -> None:
    @app.before_request
    def begin() -> None:
        g.counted_from = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        spent = time.perf_counter() - g.get("counted_from", time.perf_counter())
        context.here().metrics.count(request.endpoint or "none", request.method, response.status_code, spent)
        return response


def _tell_whence(app: Flask) -> None:
    @app.before_request
    def begin() -> None:
        audit_log.called_from(request.remote_addr)

    @app.teardown_request
    def end(error: BaseException | None) -> None:
        audit_log.called_from(None)
