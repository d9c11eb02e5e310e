"""What requests about replays say: filters, the edition that the caller has, a record."""

from typing import Any

from flask import request

from server.routes.http.bearer_auth import current_player, me_or_id
from server.routes.http.context import settings, store
from server.routes.http.problem_details import raise_error
from server.routes.http.request_parsing import load_body
from server.service.archive import replay_lists


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
