"""What cards, Descendants, quarters, the river and supplies do: small windows that an "i" beside each opens."""

from __future__ import annotations

from typing import NamedTuple

from flask import url_for
from markupsafe import Markup

from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import CARDS, DESCENDANTS, QUARTERS
from server.language import gettext as _
from server.routes.pages.shared.icons import piece
from server.routes.pages.shared.rendering import render
from server.service.explain import card_facts, game_words
from server.service.explain.move_choices import Option
from server.service.views.drafts import Draft
from server.service.views.turn_page import TurnPage

DISCARDED = 6
"""So many of the newest cards on the discard pile are explained: whoever sees one played wonders what it did."""
_KINDS = {"card": CARDS, "descendant": DESCENDANTS, "quarter": QUARTERS}
_OF_VERBS = {"play": "card", "choose": "card", "take": "card", "descendant": "descendant", "seal": "quarter"}


RIVER, SUPPLY, STOCK = "danube", "own", "common"
"""The names of the only things of their kinds: the river, one's own supply and what lies beside the square."""


class Thing(NamedTuple):
    """A thing that is explained: `kind` is card, discard, descendant, quarter, river, supply or stock."""

    kind: str
    name: str

    @property
    def id(self) -> str:
        """The id of its window on the page."""
        return f"about-{self.kind}-{self.name}"


def rule_address(rule: str) -> str:
    """Where a rule stands, by its id."""
    return url_for("rules-pages.rule", rule_id=rule)


def of_draft(draft: Draft | None) -> set[Thing]:
    """What the buttons of the legal moves are about."""
    if draft is None:
        return set()
    return {thing for option in draft.options.values() if (thing := _of_move(option.move)) is not None}


def of_view(view: View, reader: int | None) -> set[Thing]:
    """What lies before the reader and beside the square, who waits at the Oath House, river and quarters."""
    found = {Thing("river", RIVER)}
    if view["active"] is not None:  # the log of a game that is over, which is whole, is heavy enough
        found |= {Thing("stock", STOCK), *([] if reader is None else [Thing("supply", SUPPLY)])}
        found |= {Thing("discard", name) for name in view["discard"][-DISCARDED:]}
    found |= {Thing("descendant", name) for name in view["descendants"]} | {Thing("quarter", name) for name in QUARTERS}
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


def windows(things: set[Thing], shown: TurnPage) -> Markup:
    """The windows about these, closed. `shown.view` must not be None."""
    told = [(thing, _told(thing, shown), _picture(thing, shown)) for thing in sorted(things)]
    return render("game/parts/about", windows=told, rule_address=rule_address)


class _Told(NamedTuple):
    """What a window says: each fact under its heading (which may be empty), and the rule."""

    name: str
    facts: tuple[tuple[str, str], ...]
    rule: str


def _picture(thing: Thing, shown: TurnPage) -> str:
    """Of what the page shows beside the window none: most are explained on the page."""
    if thing.kind == "descendant":
        return "" if _over(shown) else piece(shown.story.rules, "portrait", thing.name, 84)
    return piece(shown.story.rules, thing.kind, thing.name, 84) if thing.kind == "card" else ""


def _over(shown: TurnPage) -> bool:
    """Whether nobody chooses any more: the page of a result is the heaviest, and does without some of what helps."""
    return shown.view is None or shown.view["active"] is None


def _told(thing: Thing, shown: TurnPage) -> _Told:
    rules = shown.story.rules
    if thing.kind == "descendant":
        person = card_facts.of_descendant(rules, thing.name)
        helps = (_("A Descendant: for the rest of the game"), person.effect)
        return _Told(person.name, (helps,) if _over(shown) else (helps, ("", person.detail)), person.rule)
    if thing.kind == "quarter":
        words = game_words.words(rules)
        here = [(_("A seal here"), game_words.privilege(rules, thing.name))]
        if thing.name in game_words.COAT_QUARTERS:
            here.append((_("A coat of arms"), game_words.text("thing", "coat_of_arms")))
        if thing.name == "oath_house" and shown.view is not None:
            waiting = [card_facts.of_descendant(rules, name) for name in shown.view["descendants"]]
            here += [(person.name, person.effect) for person in waiting]
        here.append((_("The shield"), game_words.shield(rules, thing.name)))
        return _Told(words.quarters[thing.name], tuple(here), game_words.rule_of(thing.name))
    if thing.kind == "river":
        facts = (("", game_words.text("thing", "danube")), (_("Stopping there brings"), game_words.arrivals(rules)))
        return _Told(_name(thing, rules), facts, "D4")
    if thing.kind == "supply":
        return _Told(_name(thing, rules), game_words.supply(rules), "P5")
    if thing.kind == "stock":
        return _Told(_name(thing, rules), game_words.stock(rules), "L1")
    card = shown.facts_of(thing.name)
    halves: tuple[tuple[str, str], ...] = (
        ("", card.kind),
        (_("Top half, at once"), card.played),
        (_("Bottom half, at the end"), card.table),
    )
    # From the discard pile nobody lays a card.
    if thing.kind == "card" and card.counts and shown.view is not None and shown.reader is not None:
        lies = thing.name in shown.view["players"][shown.reader]["table"]
        halves = (*halves, (_("On your table") if lies else _("If you lay it now"), card.counts))
    return _Told(card.name, halves, card.rule)


def _name(thing: Thing, rules: Rules) -> str:
    if thing.kind in ("card", "discard"):
        return game_words.card(rules, thing.name)
    words = game_words.words(rules)
    only = {RIVER: _("The Danube"), SUPPLY: _("Your supply"), STOCK: _("Docks, bag and piles")}
    return only.get(thing.name) or (words.descendants if thing.kind == "descendant" else words.quarters)[thing.name]
