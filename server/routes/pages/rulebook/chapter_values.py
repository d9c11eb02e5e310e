"""What the chapters of the rules say in lists: actions, quarters, coats, Descendants, cards, Tower tiles, as a ruleset
has them."""

from __future__ import annotations

from typing import Any, NamedTuple

from markupsafe import Markup

from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CHRONICLE, COLORS, DESCENDANTS, QUARTERS, TOWER, TRADE, TRADE_KINDS
from server.language import gettext as _
from server.language import in_word
from server.routes.pages.rulebook import house_values, rules_pictures, worked_turn
from server.routes.pages.rulebook.chapters import titles
from server.routes.pages.shared.icons import piece
from server.service.explain import card_facts, game_words, things


class Row(NamedTuple):
    """A line of one of the lists: the piece, its name, what it does (where its picture does not say it), its rule."""

    piece: str
    name: str
    text: str
    rule: str


class QuarterRow(NamedTuple):
    """A quarter: where a barge reaches it, how many seals it takes, what a seal there does."""

    piece: str
    name: str
    first: int
    last: int
    seals: int
    text: str
    rules: tuple[str, ...]


class CoatRow(NamedTuple):
    """A coat of arms; `quarter` and `later` are empty for one with a silver rim."""

    name: str
    vp: int
    quarter: str
    later: int


class TradeRow(NamedTuple):
    """A kind of Trade cards and what their upper effect brings."""

    name: str
    top: str


class CardRow(NamedTuple):
    """A card of the Chronicle with both of its uses."""

    piece: str
    name: str
    top: str
    table: str


def values(rules: Rules, step: int | None = 0) -> dict[str, Any]:
    """What the templates of the chapters use, in the language in force.

    `step` of the worked turn is shown; None: all of them, without pictures.
    """
    language = game_words.board_language()
    words, push = game_words.words(rules), rules_pictures.positions(rules).push
    drawn = rules_pictures.pictures(language, rules)
    steps = worked_turn.steps(rules)
    return {
        "pictures": {name: Markup(svg) for name, svg in drawn.items()},  # noqa: S704 - drawn by us
        "piece": _draws_pieces(rules),
        "titles": titles(),
        "house": house_values.RULES,
        "words": words,
        "slot": rules_pictures.SLOT,
        "falls_at": push.falls_at,
        "pushed": words.tile_kinds[push.color],
        "falls": words.tile_kinds[push.falls],
        "first_action": words.action_names[push.activates[0]],
        "second_action": words.action_names[push.activates[1]],
        "third_action": words.action_names[push.activates[2]],
        "actions": _actions(rules),
        "quarters": _quarters(rules),
        "coats": _coats(rules),
        "descendants": _named(DESCENDANTS, words.descendants, words.descendant_effects),
        "tower": _named(TOWER, words.tower, words.tower_effects),
        "trade": _trade(rules),
        "chronicle": _chronicle(rules),
        "rules": rules,
        "in_word": in_word,
        "steps": steps,
        "step": None if step is None else steps[step],
        "step_pictures": () if step is None else [Markup(svg) for svg in rules_pictures.of_step(language, rules, step)],  # noqa: S704
    }


def _draws_pieces(rules: Rules) -> Any:
    """What draws a piece for the templates: `piece(kind, name, hidden=False)`."""

    def draw(kind: str, name: str, hidden: bool = False) -> Markup:
        return piece(rules, kind, name, hidden=hidden)

    return draw


def _named(names: tuple[str, ...], called: Any, effects: Any) -> list[Row]:
    """§9, §11: pieces on which their effect is written."""
    return [Row(name, called[name], effects[name], things.rule_of(name) or "") for name in names]


def _trade(rules: Rules) -> list[TradeRow]:
    """B5."""
    words = game_words.words(rules)
    first = {kind: next(card for card in TRADE if TRADE[card][0] == kind) for kind in TRADE_KINDS}
    return [TradeRow(words.card(card), card_facts.top(rules, card)) for card in first.values()]


def _actions(rules: Rules) -> list[Row]:
    """§5, in the order of the colours."""
    names = game_words.words(rules).action_names
    told = {
        "gray": _("Take a coin."),
        "white": _(
            "Choose a side of the square and take all the tiles that lie outside of it, one "
            "to three. They are yours now: this is how you get tiles."
        ),
        "brown": _(
            "Buy a card: give two tiles of your own and draw the top card. For two tiles of one colour you see "
            "two cards and keep the one you like. Or play a card from your hand."
        ),
        "turquoise": _("Your barge sails one step down the Danube."),
        "orange": _(
            "Pay %(number)s coins and place one of your seals in a quarter that your barge lies beside. "
            "You may use the privilege of that quarter at once.",
            number=in_word(rules.seal_price),
        ),
    }
    return [Row(color, names[color], told[color], things.ACTIONS[color]) for color in COLORS]


def _quarters(rules: Rules) -> list[QuarterRow]:
    """§7, and where they lie (D5)."""
    names = game_words.words(rules).quarters
    rows, seen = [], set[str]()
    for first, last, index in (*rules.north_bank, *rules.south_bank):
        name = QUARTERS[index]
        own = () if things.QUARTERS[name] in seen else (things.QUARTERS[name],)  # Q1 is of two quarters
        seen |= {*own}
        told_here = (*own, "Q8") if name == "shipyard" else own
        text = things.privilege(rules, name)
        rows.append(QuarterRow(name, names[name], first, last, rules.seal_spaces[index], text, told_here))
    return rows


def _coats(rules: Rules) -> list[CoatRow]:
    """§8."""
    names = game_words.words(rules).quarters
    return [
        CoatRow(name, vp, "" if quarter is None else names[QUARTERS[quarter]], later)
        for name, (vp, quarter, later) in rules.coats.items()
    ]


def _chronicle(rules: Rules) -> list[CardRow]:
    """B6."""
    cards = game_words.words(rules).cards
    return [
        CardRow(name, cards[name], card_facts.top(rules, name), card_facts.table(rules, name)) for name in CHRONICLE
    ]
