"""Collections of finished games."""

from typing import Any

from flask import Response, request

from replays import report
from server.routes.api.response_schemas import many
from server.routes.api.schemas.replays import CollectionPageQuerySchema, CollectionsQuerySchema, NewCollectionSchema
from server.routes.http.answers import PAGED, answer, created, nothing, paged
from server.routes.http.bearer_auth import asked, current_player, me_or_id
from server.routes.http.blueprint import OPEN, Blueprint
from server.routes.http.callers import shared_network
from server.routes.http.context import now, store
from server.service.archive import game_collections
from server.service.lists.list_pages import Total
from server.service.views import exports

blp = Blueprint("collections", __name__, url_prefix="/api/v1/collections", description="Collections of finished games")


@blp.get("", many("ListedCollection"), query=CollectionsQuerySchema, headers=PAGED, **OPEN)
def get_collections(query: dict[str, Any]) -> Response:
    """List the public collections, the last changed first; with `player` those of one author."""
    author, page, size = me_or_id(query["player"]), query["page"], query["page_size"]
    items, total = game_collections.listing(store(), current_player(), author, page, size)
    return paged(items, Total(total, True), query)


@blp.make("", "Collection", body=NewCollectionSchema, fails=(403, 404, 409))
def post_collections(data: dict[str, Any]) -> Response:
    """Put finished games together, with a text; for who has a confirmed address."""
    made = game_collections.create(store(), current_player(), **data, now=now(), asked=asked(data))
    return created(made, "collections.getOneCollection", collection_id=made["id"])


@blp.get("/<id:collection_id>", "Collection", fails=(404,), **OPEN)
def get_one_collection(collection_id: str) -> Response:
    """Read a collection, also one that is in no list; games that the caller may not see are left out."""
    return answer(game_collections.read(store(), collection_id, current_player()))


@blp.put(
    "/<id:collection_id>", "Collection", scope="play", body=NewCollectionSchema, reads=get_one_collection,
    fails=(403, 404),
)  # fmt: skip
def put_one_collection(data: dict[str, Any], collection_id: str) -> Response:
    """Write a collection anew, with all its entries."""
    return answer(game_collections.change(store(), current_player(), collection_id, **data, now=now()))


@blp.delete("/<id:collection_id>", None, 204, scope="play", fails=(403, 404))
def delete_one_collection(collection_id: str) -> Response:
    """Delete a collection; its games stay."""
    game_collections.delete(store(), current_player(), collection_id)
    return nothing()


@blp.get(
    "/<id:collection_id>/export.html", {"type": "string"}, query=CollectionPageQuerySchema, fails=(404,),
    content_type="text/html", scope="read", optional=True,
)  # fmt: skip
def get_collection_page(query: dict[str, Any], collection_id: str) -> Response:
    """Read the collection as one page that steps through its games without a network."""
    player = current_player()
    shown = game_collections.read(store(), collection_id, player)
    unwanted = request.method == "HEAD"
    made = b"" if unwanted else exports.collection(store(), shown, **query, player=player, network=shared_network())
    policy = f"{report.policy()}; frame-ancestors 'none'; sandbox allow-scripts"
    named = {"Content-Disposition": f'inline; filename="{collection_id}.html"', "Content-Security-Policy": policy}
    return Response(made, mimetype="text/html", headers=named)
