"""The application factory: the one module that sees every part."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask, abort, request
from werkzeug.middleware.proxy_fix import ProxyFix

from bots import offers
from server import language, routes
from server.notify import spool_page
from server.notify.spool import forget
from server.routes.http import compression, cross_origin
from server.routes.pages.shared.visitor_preferences import wanted_language
from server.service.accounts import stored_bytes
from server.service.common import own_rulesets, quotas
from server.service.outbox import stranger_mail
from server.settings import Settings
from server.storage import statements
from server.storage.database import Store, open_database
from server.storage.migrate import migrate

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class _Flask(Flask):
    """Flask without asynchronous views, of which it asks some twenty times a request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return `func`: none of ours is asynchronous."""
        return func


def create_app(settings: Settings, store: Store | None = None) -> Flask:
    """The WSGI application, with the `store` given or that of `settings`, brought up to date. Raises `StoreError` when
    it cannot be used, `SettingsError` for wrong values of an operator's own box."""
    own_rulesets.load(settings.rulesets)
    offers.load()
    statements.log_from(settings.slow_statement_ms)
    if store is None:
        store = open_database(settings.database, settings.threads)
        migrate(store)
        store.close_idle()  # a server that forks after loading must not share connections
    stranger_mail.allow(store, settings.stranger_mails_per_hour)
    stored_bytes.allow(store, settings.allowed(quotas.BYTES_PER_PLAYER))
    app = _Flask("server", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    app.config["MAX_FORM_MEMORY_SIZE"] = 64 * 1024  # a note, as forms write letters beyond ASCII, has 48 000
    app.extensions["ulm.settings"] = settings
    app.extensions["ulm.store"] = store
    app.extensions["ulm.forget"] = forget
    compression.install(app)  # first, so that it sees every answer last
    cross_origin.install(app, settings.cors_origins)
    app.before_request(_refuse)
    routes.register(app)
    spool_page.register(app)
    surround(app)
    return app


def surround(app: Flask) -> None:
    """Put around `app` what a request goes through before Flask knows it, and the answer after that: in place of what
    may be around it. What is here costs less than what Flask calls, which finds each time anew what request that is."""
    settings: Settings = app.extensions["ulm.settings"]
    app.__dict__.pop("wsgi_app", None)
    language.surround(app, wanted_language)
    routes.watch(app, settings.proxy_hops > 0, settings.public_url.startswith("https:"))
    prefix = urlsplit(settings.base_url).path.rstrip("/")
    if prefix:
        app.wsgi_app = _below(prefix, app.wsgi_app)  # type: ignore[assignment, method-assign]
    if hops := settings.proxy_hops:
        # No header says the prefix: many a proxy passes on the one that its caller has written.
        inner: WSGIApplication = app.wsgi_app
        app.wsgi_app = ProxyFix(inner, x_for=hops, x_proto=hops, x_host=hops, x_prefix=0)  # type: ignore[method-assign]


def _below(prefix: str, app: WSGIApplication) -> WSGIApplication:
    """`app` at a path of a site; whoever passes requests on has taken `prefix` away from them."""

    def below(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not environ.get("SCRIPT_NAME"):  # else the server that runs `wsgi:app` has been told
            environ["SCRIPT_NAME"] = prefix
        return app(environ, start_response)

    return below


def _refuse() -> None:
    """End a request that the server has found fault with; the answer is worded here, like all."""
    if (status := request.environ.get("ulm.refused")) is not None:
        abort(status)
