"""What cards, Descendants and quarters do: small windows that an "i" beside each of them opens, without a script."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import current_app, url_for
from markupsafe import Markup

from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import CARDS, DESCENDANTS, QUARTERS
from server.language import gettext as _
from server.routes.pages.game import move_pictures
from server.routes.pages.shared.html_cache import kept, render
from server.service.views import card_texts, game_words
from server.service.views.drafts import Draft
from server.service.views.move_choices import Option

_KINDS = {"card": CARDS, "descendant": DESCENDANTS, "quarter": QUARTERS}
_OF_VERBS = {"play": "card", "choose": "card", "take": "card", "descendant": "descendant", "seal": "quarter"}
_RULES = {"card": "B2", "descendant": "N1", "quarter": "D5"}


class Thing(NamedTuple):
    """A thing that is explained: `kind` is card, descendant or quarter."""

    kind: str
    name: str

    @property
    def id(self) -> str:
        """The id of its window on the page."""
        return f"about-{self.kind}-{self.name}"


def rule_address(rule: str) -> str:
    """Where a rule stands, by its id; "" while there is no such page."""
    return url_for("rules-pages.rule", rule_id=rule) if "rules-pages.rule" in current_app.view_functions else ""


def of_draft(draft: Draft) -> set[Thing]:
    """What the buttons of the legal moves are about."""
    return {thing for option in draft.options.values() if (thing := _of_move(option.move)) is not None}


def of_view(view: View, reader: int | None) -> set[Thing]:
    """What lies before the reader, and who waits beside the Oath House."""
    found = {Thing("descendant", name) for name in view["descendants"]}
    for seat, player in enumerate(view["players"]):
        found |= {Thing("descendant", name) for name in player["descendants"]}
        if seat == reader:
            found |= {Thing("card", name) for name in (*player["table"], *player.get("hand", ()))}
    return found


def _of_move(move: str) -> Thing | None:
    verb, *rest = move.split()
    kind = _OF_VERBS.get(verb)
    return Thing(kind, rest[0]) if kind is not None and rest and rest[0] in _KINDS[kind] else None


def button(thing: Thing, rules: Rules) -> Markup:
    """What opens the window about a thing."""
    return render("game/parts/about_button", id=thing.id, name=_name(thing, rules))


def button_of_move(option: Option, rules: Rules) -> Markup:
    """The same for what a move is about; "" where there is nothing to explain."""
    thing = _of_move(option.move)
    return Markup("") if thing is None else button(thing, rules)


def windows(things: set[Thing], view: View) -> Markup:
    """The windows about these, closed."""
    rules = rulesets.of(view["ruleset"])
    return Markup("").join([_window((thing, view["ruleset"]), thing, rules) for thing in sorted(things)])


@kept(200)
def _window(made_of: Any, thing: Thing, rules: Rules) -> Markup:
    return render(
        "game/parts/about",
        thing=thing,
        name=_name(thing, rules),
        picture=move_pictures.piece(rules, thing.kind, thing.name, 84, game_words.board_language()),
        facts=_facts(thing, rules),
        rule=rule_address(_RULES[thing.kind]),
    )


def _name(thing: Thing, rules: Rules) -> str:
    words = game_words.words(rules)
    if thing.kind == "card":
        return game_words.card(rules, thing.name)
    return (words.descendants if thing.kind == "descendant" else words.quarters)[thing.name]


def _facts(thing: Thing, rules: Rules) -> list[tuple[str, str]]:
    """What there is to say, each under its heading (which may be empty)."""
    words = game_words.words(rules)
    if thing.kind == "descendant":
        return [("", words.descendant_effects[thing.name])]
    if thing.kind == "quarter":
        return [(_("A seal here"), words.privileges[thing.name])]
    played = [card_texts.top(rules, thing.name), card_texts.price(rules, thing.name)]
    return [
        (_("Played for its upper effect"), ", ".join(text for text in played if text)),
        (_("On the table, at the end"), card_texts.table(rules, thing.name)),
    ]
