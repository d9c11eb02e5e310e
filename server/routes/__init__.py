"""The HTTP surface (docs/api.md). `register(app)` puts it onto an application; importing does nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

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

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

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
    language.install(app)
    browser_session.install(app)
    pages.register(app)
    request_limits.install(app)


def surround(app: Flask) -> None:
    """Put around `app` what every request goes through: it has a language, is counted, and the audit log knows where
    it comes from."""
    language.surround(app, wanted_language)
    metrics = context.of(app).metrics
    inner: WSGIApplication = app.wsgi_app

    def noted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()

        def start(status: str, headers: list[tuple[str, str]], error: Any = None, /) -> Callable[[bytes], object]:
            endpoint = environ["werkzeug.request"].endpoint or "none"
            metrics.count(endpoint, environ["REQUEST_METHOD"], int(status[:3]), time.perf_counter() - began)
            return start_response(status, headers, error)

        audit_log.called_from(environ.get("REMOTE_ADDR"))
        try:
            return inner(environ, start)
        finally:
            audit_log.called_from(None)

    app.wsgi_app = noted  # type: ignore[method-assign]
