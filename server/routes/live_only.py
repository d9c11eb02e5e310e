"""What a process answers that is there for streams alone (`ulm serve --only streams`)."""

from __future__ import annotations

from flask import Flask, request

from server.routes.http.problem_details import raise_error

ENDPOINTS = frozenset(
    ("events.getEvents", "account-events.getAccountEvents", "live-pages.stream", "live-pages.stream_by_link",
     "games.getGame", "operations.getHealthz", "operations.getReadyz", "operations.getMetricsPage")
)  # fmt: skip
"""Streams of events, the game for which long polls wait, and what the operator asks for. deploy/nginx.conf and
deploy/Caddyfile have the addresses."""


def restrict(app: Flask) -> None:
    """Answer these alone, and 404 for all else."""

    @app.before_request
    def refuse() -> None:
        if request.endpoint is not None and request.endpoint not in ENDPOINTS:
            raise_error(404, "This process of the server answers streams of events and long polls alone.")
