"""What the template of a turn is given: the board, the moves as buttons, what is left to do."""

from __future__ import annotations

from typing import Any

from server import language
from server.board.svg import board_svg
from server.board.words import words_of
from server.engine.tables import COLORS
from server.language import gettext as _
from server.service import drafts
from server.service.drafts import Draft
from server.service.turn_page import TurnPage

from .door import Door


def values(door: Door, shown: TurnPage, ask: str | None) -> dict[str, Any]:
    """The values for `pages/game.html` and `pages/game/turn.html`."""
    draft, view = shown.draft, shown.view
    words = words_of(language.current()) if language.current() in ("en", "de") else words_of("en")
    to_move = shown.page["to_move"]
    return {
        "draft": draft,
        "view": view,
        "words": words,
        "boards": None if view is None else _boards(shown, view),
        "asked": None if draft is None else _asked(draft, ask),
        "steps": [] if draft is None else _steps(door, draft),
        "me": None if view is None or shown.reader is None else _own(view, shown.reader, words),
        "to_move": None if to_move is None else shown.names[to_move],
        "winners": [shown.names[winner] for winner in (shown.page["result"] or {}).get("winners", [])],
        "lead": None if draft is None else _lead(draft),
        "headline": _headline(shown),
        "lead_waiting": None if draft is not None else _waiting(shown),
    }


def _headline(shown: TurnPage) -> str:
    """The first thing that the page says."""
    page = shown.page
    if shown.live:
        return _("Your turn")
    if page["status"] == "finished":
        return _("The game is over")
    if page["status"] == "abandoned":
        return _("The game was given up")
    if page["status"] == "open":
        return _("Waiting for players")
    if shown.reader is None and shown.seat is not None:
        return _("This turn is over")
    return _("It is %(name)s’s turn", name=shown.names[page["to_move"]])


def _waiting(shown: TurnPage) -> str:
    """What there is to know for somebody who is not to move."""
    page = shown.page
    if page["status"] == "finished":
        winners = [shown.names[winner] for winner in (page["result"] or {}).get("winners", [])]
        if len(winners) == 1:
            return _("%(name)s wins.", name=winners[0])
        return _("%(names)s share the victory.", names=language.listing(winners))
    if page["status"] == "abandoned":
        return _("Nobody was left to play it.")
    if page["status"] == "open":
        return _("The game starts when every seat is taken.")
    if shown.reader is None and shown.seat is not None:
        if page["to_move"] == shown.seat:
            return _("It is your turn again. Use the link of the newest mail, or sign in.")
        return _("It is %(name)s’s turn now.", name=shown.names[page["to_move"]])
    if shown.reader is None:
        return _("You are looking on.")
    return _("This page tells you when it is yours; a mail comes too, if you have asked for mail.")


def _boards(shown: TurnPage, view: dict[str, Any]) -> dict[str, str]:
    return {
        theme: board_svg(view, seat=shown.reader, names=shown.names, layout="narrow", theme=theme, prefix=theme)
        for theme in ("light", "dark")
    }


def _asked(draft: Draft, ask: str | None) -> dict[str, Any] | None:
    """What the address puts to the player: an option, or that it is not to be had (option None)."""
    if ask is None:
        return None
    phase = draft.view["phase"]
    if phase in ("draw", "keep"):
        why = _("First you draw your tile; then you can push it in, if that gate is open.")
    elif phase == "push":
        why = _("That line is blocked now: choose another gate.")
    else:
        why = _("You have pushed already this turn.")
    return {"option": draft.options.get(ask), "why": why}


def _steps(door: Door, draft: Draft) -> list[dict[str, Any]]:
    """The drafted moves, each with the address of the draft before it."""
    return [
        {"move": told.move, "sentences": told.sentences, "back": door.draft(draft.ply, draft.moves[:index])}
        for index, told in enumerate(draft.told)
    ]


def _lead(draft: Draft) -> str:
    """What is to be done first."""
    if draft.problem == drafts.MOVED_ON:
        return _("The game has moved on since these moves were put together. Here is how it stands now.")
    if draft.view["pending"]:
        return _("Answer first: choose one of these.")
    return {
        "draw": _("Draw a tile to begin."),
        "keep": _("Keep one of your two tiles."),
        "push": _("Push your tile in: choose an open gate."),
    }.get(draft.view["phase"], _("Use your tiles in any order, then end your turn."))


def _own(view: dict[str, Any], seat: int, words: Any) -> dict[str, Any]:
    """What the reader has, for a few lines of text beside the picture."""
    player, turn = view["players"][seat], view["turn"]
    own = view["active"] == seat
    return {
        "vp": player["vp"],
        "coins": player["coins"],
        "sparrows": player["sparrows"],
        "seals": player["seals"],
        "tiles": [(color, player["tiles"][color]) for color in COLORS if player["tiles"][color]],
        "hand": [words.card(card) for card in player.get("hand", [])],
        "drawn": turn["tiles"] if own else [],
        "activated": [(color, turn["activated"][color]) for color in COLORS if turn["activated"][color]] if own else [],
    }
