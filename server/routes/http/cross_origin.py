"""Programs on pages of other sites (CORS): the API for the origins that the operator names, and no cookies."""

from flask import Flask, Response, request
from flask_cors import CORS

_BASE = "/api/v1/"
_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
_SENT = [
    "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Prefer",
    "X-Request-Id",
]  # fmt: skip
_READ = [
    "Content-Disposition", "Deprecation", "ETag", "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After",
    "Sunset", "WWW-Authenticate", "X-Pagination", "X-Request-Id",
]  # fmt: skip
_SECONDS = 7200  # as long as any browser keeps the answer to a preflight


def install(app: Flask, origins: str) -> None:
    """Let scripts of `origins` (parted by commas, "*" for all, "" for none) read the API's answers."""
    if not origins:
        return
    CORS(
        app,
        resources={rf"{_BASE}.*": {}},
        origins=origins.split(","),
        methods=_METHODS,
        allow_headers=_SENT,
        expose_headers=_READ,
        max_age=_SECONDS,
        supports_credentials=False,
        always_send=False,
        vary_header=False,
    )

    @app.after_request
    def vary(response: Response) -> Response:
        # Always, not only where the request came from elsewhere: a cache must not give the one answer for the other.
        if request.path.startswith(_BASE):
            response.vary.add("Origin")
        return response
