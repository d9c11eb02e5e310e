"""Statistics over all replays, and single replays as files for people."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from flask import Response, request
from flask.views import MethodView

from replays import report
from replays.replay import Replay
from server.routes.api.replay_requests import filters
from server.routes.api.schemas.replays import FilterSchema, GifQuerySchema, HtmlQuerySchema
from server.routes.http.answers import answer
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.caching import kept, known_to_caller
from server.routes.http.context import store
from server.service.archive import statistics
from server.service.views import exports

blp = Blueprint("exports", __name__, url_prefix="/api/v1/replays", description="Statistics, replays as files")
_BODY = {"type": "string"}


@blp.route("/statistics")
class Statistics(MethodView):
    """What all games add up to."""

    @blp.login_optional("read")
    @blp.etag
    @blp.arguments(FilterSchema, location="query")
    @blp.response(200, "Statistics")
    def get(self, query: dict[str, Any]) -> Response:
        """Read who wins from which seat, with which Descendant and coat, where points come from, how long games are."""
        return answer(statistics.totals(store(), **filters(query)))


@blp.route("/<id:game_id>/export.html")
class ExportHtml(MethodView):
    """A replay as a page."""

    @blp.login_optional("read")
    @blp.etag
    @blp.arguments(HtmlQuerySchema, location="query")
    @blp.response(200, _BODY, content_type="text/html")
    @blp.fails(404)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the whole game as one page that steps through it without a network."""
        player = current_player()
        replay = exports.require(store(), game_id, query["seat"], player)
        make = partial(exports.html, store(), game_id, **query, player=player)
        response = _made(make, "text/html", game_id, query, replay)
        # What the page says of itself; beyond it, it belongs to nobody.
        own = f"{report.policy()}; frame-ancestors 'none'; sandbox allow-scripts"
        response.headers["Content-Security-Policy"] = own
        return response


@blp.route("/<id:game_id>/export.gif")
class ExportGif(MethodView):
    """A replay as an animation."""

    @blp.login_optional("read")
    @blp.etag
    @blp.arguments(GifQuerySchema, location="query")
    @blp.response(200, {"type": "string", "format": "binary"}, content_type="image/gif")
    @blp.fails(404, 501)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read the game as an animated picture; 501 where the server was installed without what draws it."""
        player = current_player()
        replay = exports.require(store(), game_id, query["seat"], player)
        make = partial(exports.gif, store(), game_id, **query, player=player)
        return _made(make, "image/gif", game_id, query, replay)


def _made(
    make: Callable[[], bytes | Iterator[bytes]], mimetype: str, game_id: str, query: dict[str, Any], replay: Replay
) -> Response:
    """Return the answer with what `make` makes, or without it when the caller has that already."""
    name = f"2 {mimetype} {game_id} {sorted(query.items())} {exports.names(replay)}"
    tag = hashlib.sha256(name.encode()).hexdigest()[:32]
    unwanted = known_to_caller(tag) or request.method == "HEAD"
    response = Response(b"" if unwanted else make(), mimetype=mimetype)
    response.set_etag(tag)
    ending = mimetype.partition("/")[2]
    response.headers["Content-Disposition"] = f'inline; filename="{game_id}.{ending}"'
    return kept(response, forever=False)  # what a name is in changes when its account goes
