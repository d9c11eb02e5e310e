"""What the templates of a turn are given: the board, the three steps, the moves as buttons, hints, and how it ends."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from server import language
from server.engine import rulesets
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import COLORS
from server.language import gettext as _
from server.routes.http.context import store
from server.routes.pages.game import explanations, move_pictures
from server.routes.pages.game.access import GameAccess
from server.routes.pages.game.board_links import BUY, END, GIVE, is_asked, links_of
from server.routes.pages.shared import boards, visitor_preferences
from server.routes.pages.shared.rendering import render
from server.service.explain import game_words, history
from server.service.explain.move_choices import Option
from server.service.learning import first_turns
from server.service.lists import game_lists
from server.service.play import hints
from server.service.views import drafts
from server.service.views.drafts import Draft
from server.service.views.turn_page import TurnPage

FEW = 4
"""So many pairs of tiles for a card are asked for one tile after the other."""
_BEFORE_ACTIONS = ("draw", "keep", "push")


def values(access: GameAccess, shown: TurnPage, ask: str | None) -> dict[str, Any]:
    """The values for `pages/game/game.html` and the parts of the turn in it; `ask`: the words of the address."""
    draft, view = shown.draft, shown.view
    new = "" if draft is None else history.new_cards(draft.position, draft.seat, [*shown.turn, *draft.told])
    headline, lead = _headline(shown)
    done = draft.told[-1].sentences if draft is not None and draft.told else []
    return {
        "draft": draft,
        "view": view,
        "layout": boards.layout(),
        "boards": {} if view is None else boards_of(access, shown, view),
        "moves_html": None if draft is None else buttons(access, draft, ask, new=new),
        "steps": [] if draft is None else steps_of(access, draft),
        "step": _step(shown, ask),
        "ending": _ending(shown, ask),
        "no_undo": _no_undo(shown),
        "headline": headline,
        "last_round": _is_last_round(shown),
        "lead": lead,
        "hint": _first_hint(shown),
        "advice": _advice(access, shown),
        "problem": _problem(draft),
        # What a screen reader hears when the page has changed.
        "said": " ".join([*done, headline + ".", lead]),
    }


def boards_of(access: GameAccess, shown: TurnPage, view: View) -> dict[str, str]:
    """The pictures of a view on the page, by their layouts; in them the legal moves are links."""
    links = {} if shown.draft is None else links_of(access, shown.draft)
    return boards.boards(view, shown.reader, shown.names, boards.PANELS[boards.layout()], links)


def buttons(access: GameAccess, draft: Draft, ask: str | None, puzzle: bool = False, new: str = "") -> Markup:
    """The buttons of the legal moves, and what is not possible with its reason. Beside cards, Descendants and quarters
    there is what opens their windows; a `puzzle` has none, and what would be sent is its answer. `new` is said above
    what has to be chosen."""
    rules = rulesets.rules_for(draft.view["ruleset"])
    return render(
        "game/parts/choices",
        access=access,
        draft=draft,
        asked=None if ask is None else _asked(draft, ask),
        pictures=move_pictures.of_moves(draft),
        label_of=lambda option: move_pictures.label(option, rules),
        puzzle=puzzle,
        new=new,
        explain=lambda option: "" if puzzle else explanations.button_of_move(option, rules),
        rule_address=explanations.rule_address,
        first_tiles=_first_tiles,
    )


def _asked(draft: Draft, ask: str) -> dict[str, Any]:
    """What the address puts to the player: the options that begin with these words, or why there are none."""
    wanted = " ".join(ask.split())[:80]
    rules = rulesets.rules_for(draft.view["ruleset"])
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
    """The colours of tiles that can be given for a card, with the words of their buttons; [] of few buys."""
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


def steps_of(access: GameAccess, draft: Draft) -> list[dict[str, Any]]:
    """The drafted moves, each with the address of the draft before it."""
    return [
        {"move": told.move, "sentences": told.sentences, "back": access.draft(draft.ply, draft.moves[:index])}
        for index, told in enumerate(draft.told)
    ]


def _step(shown: TurnPage, ask: str | None) -> int | None:
    """Which of the three steps of the turn is under way (push, act, end); None when nobody is to move."""
    view = shown.view
    if view is None or shown.page["status"] != "running":
        return None
    if view["phase"] in _BEFORE_ACTIONS:
        return 0
    return 2 if shown.draft is not None and (ask == END or _is_done(shown.draft)) else 1


def _is_done(draft: Draft) -> bool:
    """Nothing is left but to end the turn."""
    return all(group.kind == END or not group.options for group in draft.groups)


def _ending(shown: TurnPage, ask: str | None) -> dict[str, Any] | None:
    """The button that ends the turn, which is on a player's page in every phase, or None when the game is over.

    `possible`: it can be ended; `sends`: at once, since nothing is lost by it, else the page asks; `primary`: nothing
    else is left to do; `why`: what comes before, when it is not possible.
    """
    draft, status = shown.draft, shown.page["status"]
    if status == "finished" or shown.reader is None:
        return None
    possible = draft is not None and END in draft.options and ask != END
    why = ""
    if draft is None:
        why = _("It is not your turn.")
    elif draft.view["pending"]:
        why = _("Answer first.")
    elif draft.view["phase"] in _BEFORE_ACTIONS:
        why = _("First draw a tile and push it in.")
    return {
        "possible": possible,
        "sends": possible and draft is not None and not draft.lost,
        "primary": possible and ask is None and draft is not None and _is_done(draft),
        "why": "" if possible else why,
    }


def _no_undo(shown: TurnPage) -> str:
    """Why a player can take nothing back now, where that is so; "" for others, and when the game is over."""
    if shown.reader is None or shown.page["status"] != "running":
        return ""
    if shown.draft is None:
        return _("It is not your turn.")
    if len(shown.turn) > 1 or (shown.turn and shown.turn[0].move != "draw"):
        return _("What was done last uncovered something, so it cannot be taken back.")
    return _("You have done nothing yet that could be taken back.")


def _is_last_round(shown: TurnPage) -> bool:
    """Whether the game runs and ends with this round."""
    view = shown.view
    if view is None or shown.page["status"] != "running":
        return False
    return bool(view["round"] == rulesets.rules_for(view["ruleset"]).rounds)


def _headline(shown: TurnPage) -> tuple[str, str]:
    """The first thing that the page says, and below it what is to be done first, or what there is to know."""
    page = shown.page
    if shown.draft is not None:
        return _("Your turn"), lead_of_draft(shown.draft)
    if page["status"] == "finished":
        winners = [shown.names[winner] for winner in (page["result"]["winners"] if page["result"] else [])]
        if len(winners) == 1:
            return _("The game is over"), _("%(name)s wins.", name=winners[0])
        return _("The game is over"), _("%(names)s share the victory.", names=language.listing(winners))
    if page["status"] == "abandoned":
        return _("The game was given up"), _("Nobody was left to play it.")
    if page["status"] == "open":
        # The room says the rest.
        return _("A rematch: waiting for players") if page["rematch_of"] else _("Waiting for players"), ""
    mover = "" if page["to_move"] is None else shown.names[page["to_move"]]
    if shown.reader is None and shown.seat is not None:
        then = _("It is %(name)s’s turn now.", name=mover)
        if page["to_move"] == shown.seat:
            then = _("It is your turn again. Use the link in the newest mail, or sign in.")
        return _("This turn is over"), then
    said = _("%(name)s is thinking …", name=mover) if page["thinking"] else _("It is %(name)s’s turn", name=mover)
    if shown.reader is None:
        return said, _("You are watching.")
    if page["thinking"]:
        return said, _("The moves will appear here in a moment, by themselves.")
    return said, _("This page tells you when it is yours.")


def lead_of_draft(draft: Draft) -> str:
    """What is to be done first."""
    if draft.view["pending"]:
        return _("Make this choice first.")
    return {
        "draw": _("Draw a tile to begin."),
        "keep": _("Keep one of your two tiles."),
        "push": _("Push your tile in: choose an open gate."),
    }.get(draft.view["phase"], _("Use your tiles in any order, then end your turn."))


def _first_hint(shown: TurnPage) -> str | None:
    """What to do now, for who is to move and has finished no game; None for others, and for who sent the line away."""
    if shown.draft is None or visitor_preferences.hints_are_off():
        return None
    said = first_turns.hint(shown.draft)
    player = shown.page["players"][shown.draft.seat]
    if said is None or player is None or player["player"] is None:
        return None
    return said if game_lists.is_beginner(store(), player["player"]) else None


def _advice(access: GameAccess, shown: TurnPage) -> dict[str, Any] | None:
    """The values for `advice.html`, with the next move of the hint; None where no hint can be asked for."""
    draft, page = shown.draft, shown.page
    if draft is None or access.by_link or not page["hints"] or page["thinking"] or page["seat"] is None:
        return None
    plan = hints.plan(store(), page["id"], page["seat"], page["view"])
    drafted = draft.moves
    option, story, points = None, "", None
    if plan and len(plan) > len(drafted) and plan[: len(drafted)] == drafted:
        option = draft.options.get(plan[len(drafted)])
        ahead = drafts.look_ahead(draft, plan[len(drafted) :], shown.names)
        story = " ".join(sentence for told in ahead.told for sentence in told.sentences)
        before, after = (standing[draft.seat]["total"] for standing in (draft.standing, ahead.standing))
        points = (before, after) if before != after else None
    return {
        "asked": plan is not None,
        "thinking": plan == [],
        "option": option,
        "label": None if option is None else move_pictures.full_label(option, shown.story.rules),
        "left": bool(plan) and option is None,
        "story": story,
        "points": points,
        "seen": sum(place is not None and place["bot"] is None for place in page["players"]) > 1,
    }
