"""`/collections`, `/collections/ID`: finished games that somebody has put together, with a text."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import current, sentence
from server.routes.http import browser_session
from server.routes.http.callers import shared_network
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.replay import attached
from server.routes.pages.shared import forms, page_addresses, rendering, squares, visitor_preferences
from server.routes.pages.shared.newcomers import REFUSALS, secret
from server.service.archive import game_collections
from server.service.archive.game_collections import Collection, Entry
from server.service.common.checks import NAME_MAX
from server.service.common.errors import NotFound, ServiceError
from server.service.views import exports

blp = Blueprint("collection-pages", __name__)
_SIZE = 20


@blp.get("/collections")
def listing() -> Response:
    """All of the visitor's own collections, and the public ones."""
    player, page = browser_session.visitor(), forms.whole(request.args.get("page", "")) or 1
    found, total = game_collections.listing(store(), player, page, _SIZE)
    return rendering.page(
        "replay/collections",
        own=[] if player is None else game_collections.of_author(store(), player),
        no_collection=game_collections.why_no_new(player),
        sign_in=url_for("account-pages.sign_in", next=page_addresses.address_here()),
        found=found,
        pages=page_addresses.pages(url_for("collection-pages.listing"), {}, total, page, _SIZE),
    )


@blp.get("/collections/<id:collection_id>")
def one(collection_id: str) -> Response:
    """The text of a collection and its games; its author changes it here."""
    return _one(collection_id)


def _one(collection_id: str, refusal: ServiceError | None = None, typed: Collection | None = None) -> Response:
    """The page; its form has what was `typed` and refused."""
    player = browser_session.visitor()
    shown, games = game_collections.read(store(), collection_id, player)
    own = player is not None and player.id == shown["player"]
    return rendering.page(
        "replay/collection",
        200 if refusal is None else status_of(refusal),
        shown=shown,
        own=own,
        typed=typed or shown,
        games=games,
        for_all=games if player is None else game_collections.read(store(), collection_id, None)[1],
        pictures=squares.of_replays(list(games)),
        signs=squares.SIGNS,
        address=page_addresses.public_address(url_for("collection-pages.one", collection_id=collection_id)),
        form=forms.form_token(secret()),
        limits={"title": NAME_MAX, "text": game_collections.TEXT_MAX, "remark": game_collections.REMARK_MAX},
        changing=own and ("change" in request.args or typed is not None),
        refusal=None if refusal is None else sentence(refusal.message),
    )


@blp.get("/collections/<id:collection_id>/export.html")
def export(collection_id: str) -> Response:
    """The collection as one page that needs no network."""
    theme = "dark" if visitor_preferences.theme() == "dark" else "light"
    made = exports.collection(store(), collection_id, theme, current(), shared_network())
    return attached(made, "text/html", f"{collection_id}.html")


@blp.post("/collections")
def add() -> Response | Redirect:
    """Put a game into a collection, or into a new one, which is then to be called something."""
    forms.guard(secret())
    player = browser_session.visitor()
    number, ply = forms.text_field("collection", 32), forms.whole(forms.text_field("ply", 8))
    game = forms.text_field("game", 32)
    if player is None:
        return page_addresses.to_sign_in(url_for("replay-pages.watch", game_id=game, ply=ply, _anchor="take"))
    found = game_collections.add(store(), player, number, game, ply, now(), forms.once(player))
    return redirect(url_for("collection-pages.one", collection_id=found, change=None if number else ""), 303)


@blp.post("/collections/<id:collection_id>")
def change(collection_id: str) -> Response | Redirect:
    """Write it anew; the buttons of a game put it before the one above, or take it out. Or delete it."""
    forms.guard(secret())
    player = browser_session.visitor()
    if player is None:
        return page_addresses.to_sign_in()
    rows = zip(*(request.form.getlist(name) for name in ("game", "ply", "remark")), strict=False)
    entries = [Entry(game=game, ply=forms.whole(ply), remark=remark) for game, ply, remark in rows]
    pressed, _space, place = forms.text_field("act", 9).partition(" ")
    if pressed == "delete":
        game_collections.delete(store(), player, collection_id)
        return redirect(url_for("collection-pages.listing"), 303)
    number = forms.whole(place) or 0
    if pressed and number < len(entries):
        moved = entries.pop(number)
        if pressed == "up":
            entries.insert(number - 1, moved)
    typed: Collection = {
        **game_collections.read(store(), collection_id, player)[0],
        "title": forms.text_field("title", 400),
        "text": forms.text_field("text", 4 * game_collections.TEXT_MAX),
        "public": "public" in request.form,
        "entries": entries,
    }
    try:
        game_collections.change(store(), player, collection_id, typed, now())
    except (*REFUSALS, NotFound) as refusal:
        return forms.refused(_one(collection_id, refusal, typed), refusal)
    here = url_for("collection-pages.one", collection_id=collection_id)
    return redirect(f"{here}?change#game-{number}" if pressed else here, 303)
