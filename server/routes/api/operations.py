"""For those who run the server: is it up, is it ready, what does it count."""

from flask import Response
from flask.views import MethodView
from flask_smorest import abort

from server.metering import CONTENT_TYPE
from server.routes.http.answers import answer
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import here, now, store
from server.routes.http.localhost_only import from_this_machine
from server.service.admin import figures
from server.storage import readiness

blp = Blueprint("operations", __name__, description="Running the server")


@blp.route("/healthz")
class Healthz(MethodView):
    """The process."""

    @blp.response(200, "Health")
    def get(self) -> Response:
        """Tell that the process answers; looks at nothing else."""
        return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})


@blp.route("/readyz")
class Readyz(MethodView):
    """The process and its database."""

    @blp.response(200, "Health")
    def get(self) -> Response:
        """Tell that the database can be read and written to; 503 says what it lacks."""
        readiness.check(store())
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
        return Response(here().metrics.text(figures.readings(store(), now())), content_type=CONTENT_TYPE)
