"""The HTTP surface (docs/api.md). `register(app)` puts it onto an application; importing does nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

from server import language
from server.routes import pages, request_limits
from server.routes.api import (
    bots,
    chat,
    clocks,
    docs,
    events,
    exports,
    games,
    moves,
    operations,
    players,
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

BLUEPRINTS = (
    players.blp, bots.own_blp, games.blp, bots.blp, games.invitations_blp, chat.messages_blp, chat.notes_blp,
    chat.notices_blp, moves.blp, moves.hints_blp, events.blp, events.account_blp, clocks.blp, replays.blp, puzzles.blp,
    exports.blp, exports.boards_blp, operations.blp, operations.problems_blp,
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
    for blp in BLUEPRINTS:
        api.register_blueprint(blp)
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
