"""`/t/TOKEN`: the turn of one seat of one game, played with forms alone."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.board.svg import board_svg
from server.board.words import words_of
from server.engine.tables import COLORS, SLOTS
from server.service import checks, turn_page
from server.service.errors import Conflict, Forbidden, NotFound, ServiceError, Unprocessable
from server.service.turn_page import TurnPage

from ..context import now, store
from . import frame

blp = Blueprint("turn-pages", __name__)
_WORDS = words_of("en")
_REFUSALS = (Conflict, Forbidden, Unprocessable)


@blp.get("/t/<token>")
def turn(token: str) -> Response:
    """The turn, or what became of it."""
    return _page(token, turn_page.look(store(), token, now()))


@blp.get("/t/<token>/push/<slot>")
def push(token: str, slot: str) -> Response:
    """The turn with a push prepared: its player sees what it does, and confirms or chooses otherwise."""
    if slot not in SLOTS:
        raise NotFound("there is no such slot: choose a push on the page of your turn")
    return _page(token, turn_page.look(store(), token, now()), slot=slot)


@blp.post("/t/<token>")
def play(token: str) -> Response | Redirect:
    """Play one move."""
    return _act(token, lambda ply: turn_page.play(
        store(), token, ply, frame.text_field("move", 80), checks.text("key", frame.text_field("key"), 64, 8), now()
    ))


@blp.post("/t/<token>/undo")
def undo(token: str) -> Response | Redirect:
    """Take moves back."""
    return _act(token, lambda ply: turn_page.undo(store(), token, ply, now()))


@blp.post("/t/<token>/return")
def come_back(token: str) -> Response | Redirect:
    """End the autopilot of the seat."""
    frame.guard(token)
    turn_page.come_back(store(), token, now())
    return redirect(url_for("turn-pages.turn", token=token), 303)


@blp.get("/t/<token>/resign")
def resign(token: str) -> Response:
    """Ask whether it is meant."""
    shown = turn_page.look(store(), token, now())
    if not shown.live:
        return _page(token, shown)
    return frame.page("resign", token=token, page=shown, **_form(token))


def _act(token: str, act: Any) -> Response | Redirect:
    frame.guard(token)
    try:
        act(_ply())
    except _REFUSALS as refusal:
        # A link that is none raises here again, and becomes its own page.
        return _page(token, turn_page.look(store(), token, now()), refusal=refusal)
    return redirect(url_for("turn-pages.turn", token=token) + "#now", 303)


def _ply() -> int:
    text = frame.text_field("ply", 10)
    if not (text.isascii() and text.isdigit()):
        raise Unprocessable("ply: this form is not whole; open the page anew")
    return int(text)


def _form(token: str) -> dict[str, Any]:
    # The nonce begins the Idempotency-Keys of this page's forms: sent twice, each is played once.
    return {"form": frame.form_token(token), "nonce": secrets.token_hex(8)}


def _page(
    token: str, shown: TurnPage, slot: str | None = None, refusal: ServiceError | None = None
) -> Response:
    seat = shown.seat if shown.live else None
    boards = {
        theme: board_svg(shown.view, seat=seat, names=shown.names, layout="narrow", theme=theme, prefix=theme)
        for theme in ("light", "dark")
    }
    return frame.page(
        "turn",
        200 if refusal is None else refusal.status,
        token=token,
        page=shown,
        boards=boards,
        slot=slot,
        prepared=[] if slot is None else _prepared(shown, slot),
        refusal=None if refusal is None else frame.sentence(refusal.message),
        deadline=None if shown.deadline is None else frame.local_time(shown.deadline, shown.time_zone),
        me=_own(shown) if shown.live else None,
        board_words=_WORDS,
        to_move=None if shown.view["active"] is None else shown.names[shown.view["active"]],
        winners=[shown.names[winner] for winner in (shown.result or {}).get("winners", [])],
        **_form(token),
    )


def _prepared(shown: TurnPage, slot: str) -> list[Any]:
    return [
        option
        for group in shown.groups
        for option in group.options
        if option.push is not None and option.push.slot == slot
    ]


def _own(shown: TurnPage) -> dict[str, Any]:
    """What the player has, for a few lines of text beside the picture."""
    player, turn = shown.view["players"][shown.seat], shown.view["turn"]
    return {
        "vp": player["vp"],
        "coins": player["coins"],
        "sparrows": player["sparrows"],
        "seals": player["seals"],
        "tiles": [(color, player["tiles"][color]) for color in COLORS if player["tiles"][color]],
        "hand": [_WORDS.card(card) for card in player.get("hand", [])],
        "drawn": turn["tiles"],
        "activated": [(color, turn["activated"][color]) for color in COLORS if turn["activated"][color]],
    }
