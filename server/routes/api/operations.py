"""For those who run the server: is it up; and what errors mean."""

from importlib.metadata import version
from typing import Any

from flask import Response, request, url_for

from server.engine import rulesets
from server.routes.api.response_schemas import many
from server.routes.http.answers import answer
from server.routes.http.blueprint import Blueprint
from server.routes.http.context import store
from server.routes.http.problem_details import ADDRESS, PROBLEM_TYPES, raise_error
from server.storage import readiness

blp = Blueprint("operations", __name__, description="Running the server")


@blp.get("/healthz", "Health", any_query=True)
def get_healthz() -> Response:
    """Tell that the process answers; looks at nothing else."""
    return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})


@blp.get("/readyz", "Health", any_query=True)
def get_readyz() -> Response:
    """Tell that the database can be read and written to; 503 says what it lacks."""
    readiness.check(store())
    return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})


index_blp = Blueprint("index", __name__, url_prefix="/api/v1", description="Where everything is")
_LISTS = {"games": "games.getGames", "replays": "replays.getReplays", "bots": "bots.getKnownBots",
          "puzzles": "puzzles.getPuzzles", "problems": "problems.getProblems"}  # fmt: skip


@index_blp.get("", "Index", etag=True)
def get_index() -> Response:
    """Read which version and rulesets there are, and where the description and the lists begin."""
    links = {"description": "api-docs.openapi", "docs": "api-docs.page", **_LISTS}
    return answer(
        {
            "version": version("ulm-by-mail"),
            "rulesets": list(rulesets.ALL),
            "new_games": rulesets.for_new_games().name,
            "links": {name: url_for(endpoint) for name, endpoint in links.items()},
        }
    )


problems_blp = Blueprint("problems", __name__, url_prefix="/api/v1/problems", description="What errors mean")
_AN_HOUR = {"Cache-Control": "public, max-age=3600"}


@problems_blp.get("", many("ProblemType"), etag=True)
def get_problems() -> Response:
    """List the kinds of errors: what each means, and what to do."""
    return answer([_explained(kind) for kind in PROBLEM_TYPES], headers=_AN_HOUR)


@problems_blp.get("/<kind:kind>", "ProblemType", etag=True, fails=(404,))
def get_problem(kind: str) -> Response:
    """Read what the errors mean whose `type` is this address."""
    if kind not in PROBLEM_TYPES:
        raise_error(404, "Look at /api/v1/problems: there is no such kind of error.")
    return answer(_explained(kind), headers=_AN_HOUR)


def _explained(kind: str) -> dict[str, Any]:
    found = PROBLEM_TYPES[kind]
    return {
        "kind": kind,
        "type": f"{request.script_root}{ADDRESS}{kind}",
        "title": found["title"],
        "code": found["status"],
        "advice": found["advice"],
    }
