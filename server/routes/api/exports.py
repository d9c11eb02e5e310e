"""Boards as pictures and text, replays as files for people, statistics over all replays."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from flask import Response, request

from replays import report
from server import engine
from server.board.svg import board_svg
from server.board.text import board_text
from server.routes.api.replays import filters, present
from server.routes.api.schemas.replays import (
    ExportQuerySchema,
    FilterSchema,
    GifQuerySchema,
    HtmlQuerySchema,
    ReplaySvgQuerySchema,
    ReplayTextQuerySchema,
    SvgQuerySchema,
    TextQuerySchema,
)
from server.routes.http.answers import LINES, answer, lines, text_of
from server.routes.http.bearer_auth import current_player
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.caching import kept, known_to_caller
from server.routes.http.callers import shared_network
from server.routes.http.context import store
from server.service.archive import replay_lists, replays, statistics
from server.service.lists import board_view
from server.service.views import exports

boards_blp = Blueprint("boards", __name__, url_prefix="/api/v1", description="The board as a picture and as text")
SVG, TEXT = "image/svg+xml", "text/plain"
# A picture that is opened by itself is a document: it may load nothing, run nothing, and stands in no frame.
_SVG_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_BODY = {"type": "string"}
Draw = Callable[..., str]


@boards_blp.get("/games/<id:game_id>/board.svg", _BODY, query=SvgQuerySchema, fails=(404,), content_type=SVG, **OPEN)
def get_game_board(query: dict[str, Any], game_id: str) -> Response:
    """Draw the board of a game as the caller may see it."""
    return _of_game(board_svg, _picture, query, game_id)


@boards_blp.get("/games/<id:game_id>/board.txt", _BODY, query=TextQuerySchema, fails=(404,), content_type=TEXT, **OPEN)
def get_game_board_text(query: dict[str, Any], game_id: str) -> Response:
    """Write the board of a game as the caller may see it."""
    return _of_game(board_text, _text, query, game_id)


@boards_blp.get(
    "/replays/<id:game_id>/board.svg", _BODY, query=ReplaySvgQuerySchema, fails=(404,), content_type=SVG, **OPEN
)
def get_replay_board(query: dict[str, Any], game_id: str) -> Response:
    """Draw the board at a ply, with everything open or as a seat saw it; what the ply changed is marked."""
    return _of_replay(replays.board_svg, _picture, query, game_id)


@boards_blp.get(
    "/replays/<id:game_id>/board.txt", _BODY, query=ReplayTextQuerySchema, fails=(404,), content_type=TEXT, **OPEN
)
def get_replay_board_text(query: dict[str, Any], game_id: str) -> Response:
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


blp = Blueprint("exports", __name__, url_prefix="/api/v1/replays", description="Statistics, replays as files")


@blp.get("/statistics", "Statistics", query=FilterSchema, **OPEN)
def get_statistics(query: dict[str, Any]) -> Response:
    """Read who wins from which seat, with which Descendant and coat, where points come from, how long games are."""
    return answer(statistics.totals(store(), current_player(), **filters(query)))


@blp.get("/<id:game_id>/export.html", _BODY, query=HtmlQuerySchema, fails=(404,), content_type="text/html", **OPEN)
def get_export_html(query: dict[str, Any], game_id: str) -> Response:
    """Read the whole game as one page that steps through it without a network."""
    player = current_player()
    replay = replays.replay_at(store(), game_id, 0, query["seat"], player)
    make = partial(exports.html, store(), game_id, **query, player=player, network=shared_network())
    response = _made(make, "text/html", game_id, query, replay)
    # What the page says of itself; beyond it, it belongs to nobody.
    own = f"{report.policy()}; frame-ancestors 'none'; sandbox allow-scripts"
    response.headers["Content-Security-Policy"] = own
    return response


@blp.get(
    "/export", text_of(LINES, "RecordLine"), query=ExportQuerySchema, content_type=LINES, scope="read", optional=True
)
def get_corpus(query: dict[str, Any]) -> Response:
    """Read the records of all these replays in one answer, one in a line, those that ended last first.

    A line is a `RecordLine`: the file of record.md §5, and under `replay` what the list says of it, with `after` to go
    on from where the answer was cut. It is packed with zstd or gzip where `Accept-Encoding` has that.
    """
    found = replay_lists.export(store(), current_player(), **filters(query))
    response = lines(found)
    response.headers["Cache-Control"] = "no-store"
    return response


@blp.get(
    "/<id:game_id>/export.gif",
    {"type": "string", "format": "binary"},
    query=GifQuerySchema,
    fails=(404, 501),
    content_type="image/gif",
    **OPEN,
)
def get_export_gif(query: dict[str, Any], game_id: str) -> Response:
    """Read the game as an animated picture; 501 where the server was installed without what draws it."""
    player = current_player()
    replay = replays.replay_at(store(), game_id, 0, query["seat"], player)
    make = partial(exports.gif, store(), game_id, **query, player=player, network=shared_network())
    return _made(make, "image/gif", game_id, query, replay)


def _made(
    make: Callable[[], Iterator[bytes]], mimetype: str, game_id: str, query: dict[str, Any], replay: engine.Game
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
