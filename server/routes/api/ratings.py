"""Ratings: who plays a kind of game how well."""

from typing import Any

from flask import Response

from server.routes.api.response_schemas import many
from server.routes.api.schemas.players import RatingsQuerySchema
from server.routes.http.answers import answer
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.context import store
from server.service.lists import ratings

blp = Blueprint("ratings", __name__, url_prefix="/api/v1/ratings", description="How well people and bots play")


@blp.get("", many("RankedPlayer"), query=RatingsQuerySchema, **OPEN)
def get_ratings(query: dict[str, Any]) -> Response:
    """List who plays a kind of game best, people who wish a rating and bots of the house; at most 200.

    Behind them come those of whom too little is known yet. Who is `private` is left out.
    """
    return answer(ratings.ranking(store(), query["variant"], query["seats"]))
