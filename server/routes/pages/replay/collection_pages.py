"""`/collections`, `/collections/ID`: finished games that somebody has put together, with a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, cast

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
from server.service.accounts.players import Player
from server.service.archive import game_collections, replay_lists
from server.service.archive.game_collections import Collection, Entry
from server.service.common.checks import NAME_MAX
from server.service.common.errors import Forbidden, NotFound, ServiceError, TooLarge
from server.service.common.naming import spoken
from server.service.views import exports

blp = Blueprint("collection-pages", __name__)
_SIZE = 20


@blp.get("/collections")
def listing() -> Response:
    """Public collections, and all of the visitor's own."""
    return _listing()


def _listing(status: int = 200, refusal: ServiceError | None = None) -> Response:
    player, page = browser_session.visitor(), forms.whole(request.args.get("page", "")) or 1
    found, total = game_collections.listing(store(), player, None, page, _SIZE)
    return rendering.page(
        "replay/collections",
        status,
        own=[] if player is None else game_collections.listing(store(), player, player.id, 1, 100)[0],
        found=found,
        pages=page_addresses.pages(url_for("collection-pages.listing"), {}, total, page, _SIZE),
        form=forms.form_token(secret()),
        longest=NAME_MAX,
        refusal=None if refusal is None else sentence(refusal.message),
    )


@blp.get("/collections/<id:collection_id>")
def one(collection_id: str) -> Response:
    """The text of a collection and its games; its author changes it here."""
    return _one(collection_id)


def _one(
    collection_id: str, status: int = 200, refusal: ServiceError | None = None, typed: Mapping[str, Any] | None = None
) -> Response:
    """The page; its form has what was `typed` and refused."""
    player = browser_session.visitor()
    shown = game_collections.read(store(), collection_id, player)
    names = {one["game"]: one["replay"] and spoken(one["replay"]["name"] or "") for one in shown["entries"]}
    return rendering.page(
        "replay/collection",
        status,
        shown=shown,
        own=player is not None and player.id == shown["player"],
        typed=typed or shown,
        names=names,
        paragraphs=shown["text"].split("\n\n"),
        pictures=squares.of_replays([entry["game"] for entry in shown["entries"] if entry["replay"] is not None]),
        signs=squares.SIGNS,
        address=page_addresses.public_address(url_for("collection-pages.one", collection_id=collection_id)),
        form=forms.form_token(secret()),
        limits={"title": NAME_MAX, "text": game_collections.TEXT_MAX, "remark": game_collections.REMARK_MAX},
        refusal=None if refusal is None else sentence(refusal.message),
    )


@blp.get("/collections/<id:collection_id>/export.html")
def export(collection_id: str) -> Response:
    """The collection as one page that needs no network."""
    player = browser_session.visitor()
    shown = game_collections.read(store(), collection_id, player)
    theme = "dark" if visitor_preferences.theme() == "dark" else "light"
    made = exports.collection(store(), shown, theme, current(), player, shared_network())
    return attached(made, "text/html", f"{collection_id}.html")


@blp.post("/collections")
def make() -> Response | Redirect:
    """A new collection, by its title; or with a game, after which it is called, if that does not go into another."""
    title, game, chosen = (forms.text_field(name, 400) for name in ("title", "game", "collection"))
    entry: Entry = {"game": game, "ply": forms.whole(forms.text_field("ply", 8)), "remark": ""}

    def do(player: Player) -> str:
        if chosen:
            known = game_collections.read(store(), chosen, player)
            return _changed(player, known, [*known["entries"], entry])
        called = title or spoken(replay_lists.summary(store(), game, player)["name"] or "") or "Ulm"
        entries = [entry] if game else []
        return game_collections.create(store(), player, called, "", False, entries, now(), forms.once(player))["id"]

    return _act(do, _listing)


def _changed(player: Player, known: Collection, entries: Sequence[Any]) -> str:
    """Write a collection anew with these entries; its id."""
    kept: list[Entry] = [{"game": one["game"], "ply": one["ply"], "remark": one["remark"]} for one in entries]
    texts = known["title"], known["text"], known["public"]
    return game_collections.change(store(), player, known["id"], *texts, kept, now())["id"]


@blp.post("/collections/<id:collection_id>")
def change(collection_id: str) -> Response | Redirect:
    """Write it anew; a game without a place is taken out."""
    rows = zip(*(request.form.getlist(name) for name in ("place", "game", "ply", "remark")), strict=False)
    entries = [{"place": forms.whole(place), "game": game, "ply": forms.whole(ply), "remark": remark}
               for place, game, ply, remark in rows]  # fmt: skip
    typed = {
        "title": forms.text_field("title", 400),
        "text": forms.text_field("text", 4 * game_collections.TEXT_MAX),
        "public": bool(forms.text_field("public", 5)),
        "entries": entries,
    }

    def do(player: Player) -> str:
        known = game_collections.read(store(), collection_id, player)
        kept = sorted((one for one in entries if one["place"]), key=itemgetter("place"))
        return _changed(player, cast("Collection", {**known, **typed}), kept)

    return _act(do, lambda status, refusal: _one(collection_id, status, refusal, typed))


@blp.post("/collections/<id:collection_id>/delete")
def delete(collection_id: str) -> Response | Redirect:
    """It goes; its games stay."""
    return _act(
        lambda player: game_collections.delete(store(), player, collection_id),
        lambda status, refusal: _one(collection_id, status, refusal),
    )


def _act(do: Callable[[Player], str | None], again: Callable[[int, ServiceError], Response]) -> Response | Redirect:
    """Do it, and lead to the collection whose id that gives; or say on the page that is shown `again` why not."""
    forms.guard(secret())
    player = browser_session.visitor()
    if player is None:
        return page_addresses.to_sign_in()
    try:
        number = do(player)
    except (*REFUSALS, Forbidden, NotFound, TooLarge) as refusal:
        return forms.refused(again(status_of(refusal), refusal), refusal)
    if number is None:
        return redirect(url_for("collection-pages.listing"), 303)
    return redirect(url_for("collection-pages.one", collection_id=number), 303)
