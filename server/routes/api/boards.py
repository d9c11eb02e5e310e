"""The board as a picture and as text, of games and of replays."""

from collections.abc import Callable
from typing import Any

from flask import Response
from flask.views import MethodView

from server.board.svg import board_svg
from server.board.text import board_text
from server.routes.api.replay_requests import present
from server.routes.api.schemas.replays import (
    ReplaySvgQuerySchema,
    ReplayTextQuerySchema,
    SvgQuerySchema,
    TextQuerySchema,
)
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import Blueprint
from server.routes.http.caching import kept
from server.routes.http.context import store
from server.service.archive import replays
from server.service.lists import board_view

blp = Blueprint("boards", __name__, url_prefix="/api/v1", description="The board as a picture and as text")
SVG, TEXT = "image/svg+xml", "text/plain"
# A picture that is opened by itself is a document: it may load nothing, run nothing, and stands in no frame.
_SVG_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_BODY = {"type": "string"}
Draw = Callable[..., str]


@blp.route("/games/<id:game_id>/board.svg")
class GameBoard(MethodView):
    """A game as a picture."""

    @blp.login_optional("read")
    @blp.etag
    @blp.arguments(SvgQuerySchema, location="query")
    @blp.response(200, _BODY, content_type=SVG)
    @blp.fails(404)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Draw the board of a game as the caller may see it."""
        return _of_game(board_svg, _picture, query, game_id)


@blp.route("/games/<id:game_id>/board.txt")
class GameText(MethodView):
    """A game as text."""

    @blp.login_optional("read")
    @blp.etag
    @blp.arguments(TextQuerySchema, location="query")
    @blp.response(200, _BODY, content_type=TEXT)
    @blp.fails(404)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Write the board of a game as the caller may see it."""
        return _of_game(board_text, _text, query, game_id)


@blp.route("/replays/<id:game_id>/board.svg")
class ReplayBoard(MethodView):
    """A replay as a picture."""

    @blp.login_optional("read")
    @blp.etag
    @blp.arguments(ReplaySvgQuerySchema, location="query")
    @blp.response(200, _BODY, content_type=SVG)
    @blp.fails(404)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Draw the board at a ply, with everything open or as a seat saw it; what the ply changed is marked."""
        return _of_replay(replays.board_svg, _picture, query, game_id)


@blp.route("/replays/<id:game_id>/board.txt")
class ReplayText(MethodView):
    """A replay as text."""

    @blp.login_optional("read")
    @blp.etag
    @blp.arguments(ReplayTextQuerySchema, location="query")
    @blp.response(200, _BODY, content_type=TEXT)
    @blp.fails(404)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Write the board at a ply, with everything open or as a seat saw it."""
        return _of_replay(replays.board_text, _text, query, game_id)


def _picture(svg: str) -> Response:
    return Response(svg, mimetype=SVG, headers={"Content-Security-Policy": _SVG_POLICY})


def _text(text: str) -> Response:
    return Response(text + "\n", mimetype=TEXT)


def _of_game(draw: Draw, answer: Callable[[str], Response], query: dict[str, Any], game_id: str) -> Response:
    ply, known = query.pop("ply"), query.pop("v")
    seen = board_view.of_game(store(), game_id, current_player(), ply)
    response = answer(draw(seen.view, seat=seen.seat, names=seen.names, **query))
    return kept(response, forever=True) if seen.fixed and known == seen.edition else response


def _of_replay(draw: Draw, answer: Callable[[str], Response], query: dict[str, Any], game_id: str) -> Response:
    forever = present(query, game_id)
    ply, seat, _edition = query.pop("ply"), query.pop("seat"), query.pop("v")
    return kept(answer(draw(store(), game_id, ply, seat, current_player(), **query)), forever)
