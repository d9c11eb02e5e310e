"""For those who run the server: is it up, is it ready, what does it count."""

import ipaddress
from urllib.parse import urlsplit

from flask import Response, request
from flask.views import MethodView
from flask_smorest import abort

from server.routes.api.metrics import CONTENT_TYPE
from server.routes.api.schemas.operations import HealthSchema
from server.routes.http.answers import answer
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import here, store

blp = Blueprint("operations", __name__, description="Running the server")
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")


@blp.route("/healthz")
class Healthz(MethodView):
    """The process."""

    @blp.response(200, HealthSchema)
    def get(self) -> Response:
        """Tell that the process answers; looks at nothing else."""
        return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})


@blp.route("/readyz")
class Readyz(MethodView):
    """The process and its database."""

    @blp.response(200, HealthSchema)
    def get(self) -> Response:
        """Tell that the database answers too."""
        store().ping()
        return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})


@blp.route("/metrics")
class MetricsPage(MethodView):
    """Counters."""

    @blp.response(200, {"type": "string"}, content_type="text/plain")
    @blp.fails(403)
    def get(self) -> Response:
        """Read the server's counters (Prometheus); from the same machine only.

        They would tell a player when somebody else has moved, which the game hides at times.
        """
        if not from_this_machine():
            abort(403, message="Read the counters on the server's own machine, past the reverse proxy.")
        return Response(here().metrics.text(), content_type=CONTENT_TYPE)


def from_this_machine() -> bool:
    """Return whether the request comes from this machine, asks for it, and came through no proxy.

    A proxy on this machine that adds no header of its own mostly passes on the public name that its callers ask for.
    """
    name = urlsplit(f"//{request.host}").hostname or ""
    addresses = (request.remote_addr or "", "127.0.0.1" if name == "localhost" else name)
    return all(map(_is_loopback, addresses)) and not any(name in request.headers for name in _FORWARDED)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
