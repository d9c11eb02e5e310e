"""What the templates of a turn are given: the board, the steps of the turn, the moves as buttons, its end."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import orjson
from markupsafe import Markup

from server.engine import rulesets
from server.engine.ulm1.tables import COLORS
from server.language import gettext as _
from server.routes.pages.game import advice, board_cache, explanations, first_hints, move_pictures
from server.routes.pages.game.asked_moves import BUY, END, GIVE, is_asked
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.game.turn_steps import ending, headline, is_last_round, lead, steps
from server.routes.pages.shared.html_cache import kept, render
from server.service.explain import game_words, history
from server.service.explain.move_choices import Option
from server.service.views import drafts
from server.service.views.drafts import Draft
from server.service.views.turn_page import TurnPage

FEW = 4
"""So many pairs of tiles for a card are asked for one tile after the other."""


def values(door: Door, shown: TurnPage, ask: str | None) -> dict[str, Any]:
    """The values for `pages/game/game.html` and the parts of the turn in it; `ask` are the words with which the moves
    begin that the page puts above all others."""
    draft, view = shown.draft, shown.view
    layout = board_cache.layout()
    return {
        "draft": draft,
        "view": view,
        "layout": layout,
        "boards": {} if view is None else board_cache.boards(door, shown, view, layout),
        "moves_html": None if draft is None else buttons(door, draft, ask, new=_new_cards(shown, draft)),
        "keys_html": _keys("keys"),
        "sprites": move_pictures.SPRITES,
        "steps": [] if draft is None else steps_of(door, draft),
        "steps_of_turn": steps(shown, ask),
        "ending": ending(shown, ask),
        "asking": ask is not None or (draft is not None and bool(draft.view["pending"])),
        "headline": headline(shown),
        "last_round": is_last_round(shown),
        "lead": lead(shown),
        "hint": first_hints.of(shown),
        "advice": advice.values(door, shown),
        "problem": _problem(draft),
        "said": _said(shown),
    }


def _new_cards(shown: TurnPage, draft: Draft) -> str:
    """What is said above a choice of the card that came with it."""
    if draft.position is None:
        return ""
    return history.new_cards(draft.position, draft.seat, [*shown.turn, *draft.told])


def buttons(door: Door, draft: Draft, ask: str | None, puzzle: bool = False, new: str = "") -> Markup:
    """The buttons of the legal moves, and what is not possible with its reason. Beside cards, Descendants and quarters
    there is what opens their windows; a `puzzle` has none, and what would be sent is its answer. `new` is said above
    what has to be chosen."""
    return _moves((*_made_of(door, draft, ask), puzzle, new), door, draft, ask, puzzle, new)


def _made_of(door: Door, draft: Draft, ask: str | None) -> tuple[Hashable, ...]:
    """What the buttons of the legal moves follow from: all that the player sees."""
    return door.here, draft.seat, draft.ply, draft.text, orjson.dumps(draft.view, option=orjson.OPT_SORT_KEYS), ask


@kept(200)  # 0.13 ms of a page loaded again by who is to move
def _moves(made_of: Hashable, door: Door, draft: Draft, ask: str | None, puzzle: bool, new: str) -> Markup:
    return render(
        "game/parts/choices",
        door=door,
        draft=draft,
        asked=None if ask is None else _asked(draft, ask),
        pictures=move_pictures.of_moves(draft),
        tile_picture=move_pictures.tile,
        label_of=lambda option: move_pictures.label(option, rulesets.of(draft.view["ruleset"])),
        puzzle=puzzle,
        new=new,
        explain=lambda option: (
            "" if puzzle else explanations.button_of_move(option, rulesets.of(draft.view["ruleset"]))
        ),
        rule_address=explanations.rule_address,
        first_tiles=_first_tiles,
    )


@kept(10)  # 0.09 ms a page
def _keys(made_of: str) -> Markup:
    """What the keys of `play.js` do."""
    return render("game/parts/keys", hotkeys=_hotkeys())


def _said(shown: TurnPage) -> str:
    """What a screen reader hears when the page has changed."""
    done = shown.draft.told[-1].sentences if shown.draft is not None and shown.draft.told else []
    return " ".join([*done, headline(shown) + ".", lead(shown)])


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


def _asked(draft: Draft, ask: str) -> dict[str, Any]:
    """What the address puts to the player: the options that begin with these words, or why there are none."""
    wanted = " ".join(ask.split())[:80]
    rules = rulesets.of(draft.view["ruleset"])
    options = [option for move, option in draft.options.items() if is_asked(rules, move, wanted)]
    phase = draft.view["phase"]
    why = _("That is not possible now.")
    if wanted.startswith("push"):
        if phase in ("draw", "keep"):
            why = _("First you draw your tile; then you can push it in, if that gate is open.")
        elif phase == "push":
            why = _("That line is blocked now: choose another gate.")
        else:
            why = _("You have already pushed this turn.")
    return {
        "options": options,
        "moves": {option.move for option in options},
        "why": why,
        "ending": wanted == END and bool(options),
        "buys": wanted == BUY,
        "title": _title(wanted, len(options)),
    }


def _title(wanted: str, number: int) -> str:
    """The question above what is asked."""
    if wanted.split()[:1] == [BUY] and number > 1:
        return _("Which two tiles do you give up?")
    if wanted.startswith(f"{GIVE} ") and number > 1:
        return _("What do you give that tile up for?")
    return _("Play this?") if number == 1 else _("Which of these?")


def _first_tiles(options: list[Option]) -> list[tuple[str, str]]:
    """The colours of which a tile can be given for a card, each with what its button says; [] where there are too few
    buys for two steps to be of use."""
    pairs = [parts[1:] for option in options if len(parts := option.move.split()) == 3]
    if len(pairs) < FEW:
        return []
    given = [color for color in COLORS if any(color in pair for pair in pairs)]
    return [(color, game_words.given(color)) for color in given]


def _problem(draft: Draft | None) -> str | None:
    """What is wrong with the draft of the address."""
    if draft is None or draft.problem is None:
        return None
    if draft.problem == drafts.MOVED_ON:
        return _("The game has moved on since these moves were put together. Here is how it stands now.")
    return _("Those moves cannot be drafted here. This is the current position.")


def steps_of(door: Door, draft: Draft) -> list[dict[str, Any]]:
    """The drafted moves, each with the address of the draft before it."""
    return [
        {"move": told.move, "sentences": told.sentences, "back": door.draft(draft.ply, draft.moves[:index])}
        for index, told in enumerate(draft.told)
    ]
