"""What errors mean: the addresses that their `type` names."""

from typing import Any

from flask import Response, request
from flask.views import MethodView

from server.routes.api.response_schemas import many
from server.routes.http.answers import answer
from server.routes.http.blueprint import Blueprint
from server.routes.http.problem_details import raise_error
from server.routes.http.problem_types import PROBLEM_TYPES, members

blp = Blueprint("problems", __name__, url_prefix="/api/v1/problems", description="What errors mean")
_AN_HOUR = {"Cache-Control": "public, max-age=3600"}


@blp.route("")
class Problems(MethodView):
    """All kinds of errors."""

    @blp.etag
    @blp.no_query
    @blp.response(200, many("ProblemType"))
    def get(self) -> Response:
        """List the kinds of errors: what each means, and what to do."""
        return answer([_explained(kind) for kind in PROBLEM_TYPES], headers=_AN_HOUR)


@blp.route("/<kind:kind>")
class Problem(MethodView):
    """A kind of error."""

    @blp.etag
    @blp.no_query
    @blp.response(200, "ProblemType")
    @blp.fails(404)
    def get(self, kind: str) -> Response:
        """Read what the errors mean whose `type` is this address."""
        if kind not in PROBLEM_TYPES:
            raise_error(404, "Look at /api/v1/problems: there is no such kind of error.")
        return answer(_explained(kind), headers=_AN_HOUR)


def _explained(kind: str) -> dict[str, Any]:
    found = PROBLEM_TYPES[kind]
    return {"kind": kind, **members(found.status, kind, request.script_root), "code": found.status,
            "advice": found.advice}  # fmt: skip
