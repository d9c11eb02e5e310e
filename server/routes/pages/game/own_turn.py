"""What the template of a turn is given: the board, the moves as buttons, what is left to do."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import orjson
from markupsafe import Markup

from server import language
from server.language import gettext as _
from server.routes.pages.game import board_cache, move_pictures
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared.html_cache import kept, render
from server.service.views import drafts, game_words
from server.service.views.drafts import Draft
from server.service.views.turn_page import TurnPage


def values(door: Door, shown: TurnPage, ask: str | None) -> dict[str, Any]:
    """The values for `pages/game/game.html` and `pages/game/parts/turn.html`; `ask` are the words with which the moves
    begin that the page puts above all others."""
    draft, view = shown.draft, shown.view
    layout = board_cache.layout()
    lead = _waiting(shown) if draft is None else _lead(draft)
    board = None if view is None else board_cache.board(door, shown, view, layout)
    return {
        "draft": draft,
        "view": view,
        "words": game_words.words(),
        "layout": layout,
        "board": board,
        "moves_html": None if draft is None else _moves(_made_of(door, draft, ask), door, draft, ask),
        "keys_html": _keys("keys"),
        "sprites": move_pictures.SPRITES,
        "tile_picture": move_pictures.tile,
        "steps": [] if draft is None else _steps(door, draft),
        "headline": _headline(shown),
        "lead": lead,
        "problem": _problem(draft),
        "said": _said(shown, lead),
    }


def _made_of(door: Door, draft: Draft, ask: str | None) -> Hashable:
    """What the buttons of the legal moves follow from: all that the player sees."""
    return door.here, draft.seat, draft.ply, draft.text, orjson.dumps(draft.view, option=orjson.OPT_SORT_KEYS), ask


@kept(200)  # 0.13 ms of a page loaded again by who is to move
def _moves(made_of: Hashable, door: Door, draft: Draft, ask: str | None) -> Markup:
    """The buttons of the legal moves."""
    return render(
        "game/parts/moves",
        door=door,
        draft=draft,
        asked=None if ask is None else _asked(draft, ask),
        pictures=move_pictures.of_moves(draft, game_words.board_language()),
        tile_picture=move_pictures.tile,
    )


@kept(10)  # 0.09 ms a page
def _keys(made_of: str) -> Markup:
    """What the keys of `play.js` do."""
    return render("game/parts/keys", hotkeys=_hotkeys())


def _said(shown: TurnPage, lead: str) -> str:
    """What a screen reader hears when the page has changed."""
    done = shown.draft.told[-1].sentences if shown.draft is not None and shown.draft.told else []
    return " ".join([*done, _headline(shown) + ".", lead])


def _hotkeys() -> list[tuple[str, str]]:
    """What the keys of `play.js` do."""
    return [
        ("B", _("to the board, and back to the moves")),
        ("← ↑ → ↓", _("on the board: to the next part that can be played")),
        ("1 … 9", _("the first nine moves of the list")),
        ("U", _("undo the last move")),
        ("S", _("send the moves")),
        ("E", _("to the end of the turn")),
        ("?", _("this list")),
    ]


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
    return _("It is %(name)s’s turn", name=_to_move(shown))


def _to_move(shown: TurnPage) -> str:
    seat = shown.page["to_move"]
    return "" if seat is None else shown.names[seat]


def _waiting(shown: TurnPage) -> str:
    """What there is to know for somebody who is not to move."""
    page = shown.page
    if page["status"] == "finished":
        winners = [shown.names[winner] for winner in (page["result"]["winners"] if page["result"] else [])]
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
        return _("It is %(name)s’s turn now.", name=_to_move(shown))
    if shown.reader is None:
        return _("You are looking on.")
    return _("This page tells you when it is yours; a mail comes too, if you have asked for mail.")


def _asked(draft: Draft, ask: str) -> dict[str, Any]:
    """What the address puts to the player: the options that begin with these words, or why there are none."""
    wanted = " ".join(ask.split())[:80]
    options = [option for move, option in draft.options.items() if f"{move} ".startswith(f"{wanted} ") and wanted]
    phase = draft.view["phase"]
    why = _("That is not possible now.")
    if wanted.startswith("push"):
        if phase in ("draw", "keep"):
            why = _("First you draw your tile; then you can push it in, if that gate is open.")
        elif phase == "push":
            why = _("That line is blocked now: choose another gate.")
        else:
            why = _("You have pushed already this turn.")
    return {"options": options, "moves": {option.move for option in options}, "why": why}


def _problem(draft: Draft | None) -> str | None:
    """What is wrong with the draft of the address."""
    if draft is None or draft.problem is None:
        return None
    if draft.problem == drafts.MOVED_ON:
        return _("The game has moved on since these moves were put together. Here is how it stands now.")
    return _("Those moves cannot be drafted here. This is the present position.")


def _steps(door: Door, draft: Draft) -> list[dict[str, Any]]:
    """The drafted moves, each with the address of the draft before it."""
    return [
        {"move": told.move, "sentences": told.sentences, "back": door.draft(draft.ply, draft.moves[:index])}
        for index, told in enumerate(draft.told)
    ]


def _lead(draft: Draft) -> str:
    """What is to be done first."""
    if draft.view["pending"]:
        return _("Answer first: choose one of these.")
    return {
        "draw": _("Draw a tile to begin."),
        "keep": _("Keep one of your two tiles."),
        "push": _("Push your tile in: choose an open gate."),
    }.get(draft.view["phase"], _("Use your tiles in any order, then end your turn."))
