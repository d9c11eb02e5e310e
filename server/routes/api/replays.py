"""Replays: finished and imported games, readable at every ply."""

from typing import Any
from urllib.parse import urlencode

from flask import Response, request, url_for

from server.routes.api.response_schemas import many
from server.routes.api.schemas.replays import (
    BranchSchema,
    EditionQuerySchema,
    ReplaysQuerySchema,
    StateQuerySchema,
    StatesQuerySchema,
)
from server.routes.http.answers import LINES, MADE, PAGED, answer, created, lines, paged, text_of
from server.routes.http.bearer_auth import asked, current_player, me_or_id
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.caching import kept
from server.routes.http.context import now, settings, store
from server.routes.http.problem_details import raise_error
from server.routes.http.request_parsing import load_body
from server.service.archive import analyses, kept_records, replay_lists, replays, sandboxes
from server.service.common import quotas

_ANY_RECORD = {"anyOf": [{"$ref": "#/components/schemas/Record"}, {"$ref": "#/components/schemas/Sandbox"}]}
_NOT_YET = {202: ("AnalysisUnderWay", "Not there yet: how far it is")}
_ASKED = {202: ("AnalysisUnderWay", "It will be made")}

blp = Blueprint("replays", __name__, url_prefix="/api/v1/replays", description="Finished and imported games")


def present(query: dict[str, Any], game_id: str) -> bool:
    """Return whether the query names the present edition of a replay; to be asked before the answer is made, so that
    what bears an edition's name is never older than it."""
    given = query["v"]
    return given is not None and given == replay_lists.present_edition(store(), game_id, current_player())


def filters(query: dict[str, Any]) -> dict[str, Any]:
    """Return what a query says, with the names that the service has; 401 for a `me` of nobody."""
    chosen = {**query, "member": me_or_id(query["player"]), "winner": me_or_id(query["winner"])}
    del chosen["player"]
    return chosen


def required_record() -> dict[str, Any]:
    """Return the object in the request's body, to be judged by the reader of records; 422 when there is none.

    Its texts are not looked at: the reader names the ply of what it refuses.
    """
    data = load_body(request, settings().max_body, strict=False)
    if not isinstance(data, dict) or not request.get_data(cache=True):
        message = "Send a record: a JSON object as in record.md §5."
        raise_error(422, message, {"ply": 0, "message": message}, kind="invalid-record")
    return data


@blp.get("", many("Replay"), query=ReplaysQuerySchema, headers=PAGED, **OPEN)
def get_replays(query: dict[str, Any]) -> Response:
    """List finished and imported games, newest first."""
    items, total = replay_lists.listing(store(), current_player(), **filters(query))
    return paged(items, total, query, "finished_at")


@blp.post("", "Replay", 201, scope="play", any_query=True, document_body="Record", fails=(409,), headers=MADE)
def post_replays() -> Response:
    """Check a record of record.md §5 and keep it; 422 names the ply that fails."""
    record = required_record()
    most = settings().allowed(quotas.RECORDS_PER_PLAYER)
    replay = kept_records.keep(store(), current_player(), record, now(), most=most)
    return created(replay, "replays.getReplay", game_id=replay["id"])


@blp.post("/verify", "Verdict", any_query=True, document_body="Record")
def post_verify() -> Response:
    """Check a record of record.md §5; nothing is kept."""
    return answer(kept_records.verify(required_record()))


@blp.get("/<id:game_id>", "Replay", fails=(404, 409), **OPEN)
def get_replay(game_id: str) -> Response:
    """Read who played and how it ended."""
    return answer(replay_lists.summary(store(), game_id, current_player()))


@blp.get(
    "/<id:game_id>/record",
    _ANY_RECORD,
    query=EditionQuerySchema,
    fails=(404, 409),
    headers={"Content-Disposition": "CONTENT_DISPOSITION"},
    **OPEN,
)
def get_record(query: dict[str, Any], game_id: str) -> Response:
    """Read the whole record (record.md §5), seed and digests among it."""
    forever = present(query, game_id)
    record = replays.record(store(), game_id, current_player())
    name = {"Content-Disposition": f'inline; filename="{game_id}.ulm.json"'}
    return kept(answer(record, headers=name), forever)


@blp.get("/<id:game_id>/states/<ply:ply>", "ReplayState", query=StateQuerySchema, fails=(404, 409), **OPEN)
def get_state(query: dict[str, Any], game_id: str, ply: int) -> Response:
    """Read the position at a ply: whole, or as a seat saw it."""
    forever = present(query, game_id)
    return kept(answer(replays.state(store(), game_id, ply, query["seat"], current_player())), forever)


@blp.get(
    "/<id:game_id>/states",
    text_of(LINES, "ReplayState"),
    query=StatesQuerySchema,
    fails=(404,),
    content_type=LINES,
    **OPEN,
)
def get_state_stream(query: dict[str, Any], game_id: str) -> Response:
    """Read the positions of many plies, one JSON object in a line; whole, or as a seat saw them.

    One answer holds up to 1000; the header Link names the address of the next ones.
    """
    forever, first, seat = present(query, game_id), query["first"], query["seat"]
    last, end, found = replays.states(store(), game_id, first, query["last"], seat, current_player())
    response = lines(found, f"{game_id} {first} {last} {seat}")
    if last < end and query["last"] is None:
        here = url_for("replays.getStateStream", game_id=game_id)
        more = {"from": last + 1, "seat": seat, "v": query["v"]}
        query_string = urlencode({name: value for name, value in more.items() if value is not None})
        response.headers["Link"] = f'<{here}?{query_string}>; rel="next"'
    return kept(response, forever)


@blp.make("/<id:game_id>/branches", "Game", body=BranchSchema, fails=(403, 404, 409))
def post_branches(data: dict[str, Any], game_id: str) -> Response:
    """Make a sandbox that goes on from a ply: a private game in which the caller moves for all seats.

    Everything that is still to come is dealt anew. Of a game that is not over (which has no other replay) only the
    knowledge of the caller's own seat goes in; all that it does not know is dealt at random.
    """
    most = settings().allowed(quotas.GAMES_PER_PLAYER)
    page = sandboxes.branch(
        store(), current_player(), game_id, **data, now=now(), most=most, asked=asked(data, game_id=game_id)
    )
    return created(page, "games.getGame", game_id=page["id"])


@blp.get("/<id:game_id>/timeline", "Timeline", query=EditionQuerySchema, fails=(404, 409), **OPEN)
def get_timeline(query: dict[str, Any], game_id: str) -> Response:
    """Read for each ply who did what, the points of all, and what changed."""
    forever = present(query, game_id)
    return kept(answer(replays.timeline(store(), game_id, current_player())), forever)


@blp.get("/<id:game_id>/analysis", "Analysis", fails=(404, 409), also=_NOT_YET, **OPEN)
def get_analysis(game_id: str) -> Response:
    """Read the analysis of a finished game; 202 while it is being made, 404 where nobody asked for one."""
    return _analysed(analyses.required(store(), game_id, current_player()))


@blp.post("/<id:game_id>/analysis", "Analysis", scope="play", any_query=True, fails=(404, 409), also=_ASKED)
def post_analysis(game_id: str) -> Response:
    """Ask for the analysis of a finished game; 200 when it is there already.

    Games that people played are analysed unasked. One that was made by an older method is made anew.
    """
    return _analysed(analyses.ask(store(), game_id, current_player(), now()))


def _analysed(found: analyses.KeptAnalysis | analyses.AnalysisUnderWay) -> Response:
    return answer(found, 202 if "status" in found else 200)
