"""`/replays`, `/replays/ID`, `/embed/ID`: finished games, to be watched, checked, taken along and played on from."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.language import gettext as _
from server.language import sentence
from server.routes.api.schemas.replays import GifQuerySchema, HtmlQuerySchema, ReplaysQuerySchema, StatesQuerySchema
from server.routes.http import browser_session
from server.routes.http.answers import answer, lines
from server.routes.http.caching import FOREVER
from server.routes.http.callers import shared_network
from server.routes.http.context import now, settings, store
from server.routes.http.problem_details import status_of
from server.routes.pages.replay import attached, viewer_values
from server.routes.pages.shared import forms, game_wording, page_addresses, rendering, squares
from server.routes.pages.shared.newcomers import REFUSALS, new_player, secret, signed_in
from server.service.accounts.players import Player
from server.service.archive import analyses, comments, game_collections, puzzles, replay_lists, replays, sandboxes
from server.service.common import quotas
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError, TooLarge, Unprocessable
from server.service.games.bots import CHOSEN_FIRST, names
from server.service.lists.list_pages import NONE, Total
from server.service.views import exports, replay_viewer

blp = Blueprint("replay-pages", __name__)
ANALYSIS = "analysis"
_ONLY_PAGES = ("player", "winner")


@blp.get("/replays")
def listing() -> Response:
    """Finished games that the visitor may see, with filters."""
    given = {name: value for name, value in request.args.items() if value.strip()}
    errors: dict[str, Any] = {}
    query: dict[str, Any] = {}
    try:
        query = ReplaysQuerySchema().load(given)
        items, total = _found(query)
    except ma.ValidationError as wrong:
        errors, items, total = dict(wrong.normalized_messages()), [], NONE
    except Unprocessable as wrong:
        errors, items, total = dict(wrong.errors or {"": [wrong.message]}), [], NONE
    return rendering.page(
        "replay/replays",
        422 if errors else 200,
        games=items,
        pictures=squares.of_replays([one["id"] for one in items]),
        signs=squares.SIGNS,
        given=given,
        filtered=any(name not in ("page", "page_size") for name in given),
        errors=errors,
        total=total,
        pages=page_addresses.pages(
            url_for("replay-pages.listing"), given, total.number, query.get("page", 1), query.get("page_size", 20)
        ),
    )


def _found(query: dict[str, Any]) -> tuple[list[replay_lists.ReplaySummary], Total]:
    visitor = browser_session.visitor()
    own = None if visitor is None else visitor.id
    if own is None and "me" in (query["player"], query["winner"]):
        return [], NONE  # a stranger has played nothing
    named = {name: own if query[name] == "me" else query[name] for name in _ONLY_PAGES}
    filters = {name: value for name, value in query.items() if name not in _ONLY_PAGES}
    return replay_lists.listing(store(), visitor, member=named["player"], winner=named["winner"], **filters)


@blp.get("/replays/<id:game_id>")
def watch(game_id: str) -> Response:
    """The replay at a ply, as a seat saw it or with nothing withheld."""
    tab = ANALYSIS if request.args.get("tab") == ANALYSIS else None
    return viewer_page(game_id, browser_session.visitor(), _number("ply"), _number("seat"), tab=tab)


@blp.get("/embed/<id:game_id>")
def embed(game_id: str) -> Response:
    """The same for the frame of another site, whose visitors are strangers: public games, and nothing to press."""
    return viewer_page(game_id, None, _number("ply"), _number("seat"), framed=True)


def viewer_page(
    game_id: str,
    player: Player | None,
    ply: int | None,
    seat: int | None,
    status: int = 200,
    framed: bool = False,
    refusal: ServiceError | None = None,
    tab: str | None = None,
    written: str | None = None,
) -> Response:
    """The page of a replay; a refusal concerns its comments where something was `written`."""
    watched = replay_viewer.watch(store(), game_id, ply, seat, player)
    here = url_for("replay-pages.watch", game_id=game_id, ply=ply, seat=seat, tab=tab)
    shown = replay_viewer.analysis_of(store(), game_id, player) if tab else None
    return rendering.page(
        "replay/embed" if framed else "replay/replay",
        status,
        framed=framed,
        **viewer_values.viewer(watched, game_id, embedded=framed),
        **viewer_values.picture(watched, game_id, ply, analyses.moments(store(), [game_id]).get(game_id)),
        analysis=None if shown is None else viewer_values.analysis(watched, shown),
        # Without a place in the page: a browser that is led to a place of the page that it shows does not ask for it.
        # And the same each time: another address would be one more page to go back through.
        look_again=here,
        puzzles=[] if shown is None else puzzles.of_game(store(), game_id),
        form="" if framed else forms.form_token(secret()),
        levels=[] if framed else game_wording.levels(),
        collections=[] if framed or player is None else game_collections.of_author(store(), player),
        no_collection=game_collections.why_no_new(player),
        sign_in=url_for("account-pages.sign_in", next=here),
        refusal=None if refusal is None else sentence(refusal.message),
        written=written,
        **({} if framed else viewer_values.comments(watched, comments.listing(store(), game_id, player), player)),
    )


@blp.get("/replays/<id:game_id>/frames")
def frames(game_id: str) -> Response:
    """Boards of many plies for the viewer's script, packed; `v` says which release and which names it has seen."""
    player = browser_session.visitor()
    number, seat = _number("chunk") or 0, _number("seat")
    layout, words = request.args.get("layout", "narrow"), request.args.get("language", language.DEFAULT)
    packed, version = replay_viewer.chunk(store(), game_id, number, seat, layout, words, player)
    response = Response(packed, mimetype="application/json", headers={"Content-Encoding": "gzip"})
    if request.args.get("v") == version:
        # What a finished game was never changes; for somebody who is signed in, it may be a private game's.
        response.headers["Cache-Control"] = f"{'public' if player is None else 'private'}, {FOREVER}"
        response.headers["Vary"] = "Cookie"
    return response


@blp.get("/replays/<id:game_id>/record")
def record(game_id: str) -> Response:
    """The file of record.md §5."""
    kind = "inline" if "inline" in request.args else "attachment"
    found = replays.record(store(), game_id, browser_session.visitor())
    return answer(found, headers={"Content-Disposition": f'{kind}; filename="{game_id}.ulm.json"'})


@blp.get("/replays/<id:game_id>/states")
def states(game_id: str) -> Response:
    """Whole positions, one JSON object in a line, for the check in the browser."""
    query = _query(StatesQuerySchema)
    first, seat = query["first"], query["seat"]
    last, _end, found = replays.states(store(), game_id, first, query["last"], seat, browser_session.visitor())
    return lines(found, f"{game_id} {first} {last} {seat}")


@blp.get("/replays/<id:game_id>/picture.png")
def preview(game_id: str) -> Response:
    """The board of a ply (else of the one that decided, or the last), for the card that a program shows of a link."""
    player = browser_session.visitor()
    replay = replays.replay_at(store(), game_id, 0, None, player)
    ply = _number("ply")
    if ply is None:
        decided = analyses.moments(store(), [game_id]).get(game_id)
        ply = replay.plies if decided is None else decided["ply"]
    made = exports.png(store(), game_id, ply, language.current(), player, shared_network())
    # For an hour: what a name is in it may go with its account.
    return Response(made, mimetype="image/png", headers={"Cache-Control": "private, max-age=3600"})


@blp.get("/replays/<id:game_id>/export.html")
def export_html(game_id: str) -> Response:
    """The whole game as one page that needs no network."""
    query, player = _query(HtmlQuerySchema), browser_session.visitor()
    if request.method == "HEAD":
        replays.replay_at(store(), game_id, 0, query["seat"], player)
        return attached(b"", "text/html", f"{game_id}.html")
    made = exports.html(store(), game_id, **query, player=player, network=shared_network())
    return attached(made, "text/html", f"{game_id}.html")


@blp.get("/replays/<id:game_id>/export.gif")
def export_gif(game_id: str) -> Response:
    """The game as an animated picture."""
    query, player = _query(GifQuerySchema), browser_session.visitor()
    made = exports.gif(store(), game_id, **query, player=player, network=shared_network())
    return attached(made, "image/gif", f"{game_id}.gif")


@blp.post("/replays/<id:game_id>/analyse")
def analyse(game_id: str) -> Response | Redirect:
    """Wish for an analysis."""
    forms.guard(secret())
    player = browser_session.visitor()
    ply, seat = _field("ply"), _field("seat")
    try:
        analyses.ask(store(), game_id, player, now())
    except Conflict as refusal:
        return viewer_page(game_id, player, ply, seat, status_of(refusal), refusal=refusal, tab=ANALYSIS)
    there = url_for("replay-pages.watch", game_id=game_id, ply=ply, seat=seat, tab=ANALYSIS, _anchor="tabs")
    return redirect(there, 303)


@blp.post("/replays/<id:game_id>/comments")
def comment(game_id: str) -> Response | Redirect:
    """Write about the move on the board, take a comment away, or let others write: as the button says."""
    forms.guard(secret())
    player, text = browser_session.visitor(), forms.text_field("text")
    ply, seat = _field("ply") or 0, _field("seat")
    tab = ANALYSIS if forms.text_field("tab", 10) == ANALYSIS else None
    there = url_for("replay-pages.watch", game_id=game_id, ply=ply, seat=seat, tab=tab, _anchor="comments")
    if player is None:
        return page_addresses.to_sign_in(there)
    try:
        if "remove" in request.form:
            comments.remove(store(), game_id, player, forms.text_field("remove", 20))
        elif "others" in request.form:
            comments.allow(store(), game_id, player, bool(forms.text_field("others", 5)))
        else:
            comments.post(store(), game_id, player, ply, text, now())
    except (*REFUSALS, Forbidden, NotFound, TooLarge) as refusal:
        again = viewer_page(game_id, player, ply, seat, status_of(refusal), refusal=refusal, tab=tab, written=text)
        return forms.refused(again, refusal)
    return redirect(there, 303)


@blp.post("/replays/<id:game_id>/continue")
def go_on(game_id: str) -> Response | Redirect:
    """Make a sandbox that goes on from a ply; a stranger becomes a guest with it."""
    forms.guard(secret(), beginning=True)
    player = browser_session.visitor()
    ply, seat = _field("ply"), _field("seat")
    played = _field("play")
    try:
        game = replay_lists.summary(store(), game_id, player)
        if player is None:
            sandboxes.require_position(store(), game_id, ply or 0, seat)
            player = new_player(None)
        bot = forms.text_field("bot", 32)
        bot = bot if bot in names() else CHOSEN_FIRST
        bots = None if played is None else [None if place == played else bot for place in range(game["seats"])]
        most = settings().allowed(quotas.GAMES_PER_PLAYER)
        page = sandboxes.branch(
            store(), player, game_id, ply or 0, seat, bots, None, now(), most=most, asked=forms.once(player)
        )
    except (Forbidden, *REFUSALS) as refusal:
        page_again = viewer_page(game_id, player, ply, seat, status_of(refusal), refusal=refusal)
        return signed_in(forms.refused(page_again, refusal))
    return signed_in(redirect(url_for("game-pages.game", game_id=page["id"]), 303))


def _number(name: str) -> int | None:
    """A number of the query, None without one. Raises `NotFound` for what is none."""
    return _whole(request.args.get(name, ""))


def _field(name: str) -> int | None:
    return _whole(forms.text_field(name, 20))


def _whole(text: str) -> int | None:
    number = forms.whole(text)
    if text and number is None:
        raise NotFound(_("There is nothing at this address. Moves and seats are plain numbers."))
    return number


def _query(schema: type[ma.Schema]) -> dict[str, Any]:
    try:
        return dict(schema().load(request.args.to_dict()))
    except ma.ValidationError:
        raise NotFound(_("There is nothing at this address. Moves and seats are plain numbers.")) from None
