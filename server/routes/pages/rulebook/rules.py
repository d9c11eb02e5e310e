"""How to play: the rules for people who never saw the game, with pictures of positions that were really played."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response, abort, redirect, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from server.board.pieces import piece_svg
from server.engine import rulesets
from server.engine.ulm1.tables import CHRONICLE, COLORS, DESCENDANTS, QUARTERS, TOWER
from server.language import gettext as _
from server.language import in_word
from server.routes.pages.rulebook import rules_pictures
from server.routes.pages.rulebook.chapters import CHAPTER_OF
from server.routes.pages.shared import rendering
from server.service.views import card_texts, game_words

blp = Blueprint("rules-pages", __name__)

RULES = rulesets.NEWEST
"""What is told: the rules of new games."""


class Row(NamedTuple):
    """A line of one of the page's lists: the piece, its name, what it does."""

    piece: str
    name: str
    text: str


class QuarterRow(NamedTuple):
    """A quarter: where a barge reaches it, how many seals it takes, what a seal there does."""

    piece: str
    name: str
    first: int
    last: int
    seals: int
    text: str


class CoatRow(NamedTuple):
    """A coat of arms; `quarter` and `later` are empty for one with a silver rim."""

    name: str
    vp: int
    quarter: str
    later: int


class CardRow(NamedTuple):
    """A card of the Chronicle with both of its uses."""

    piece: str
    name: str
    top: str
    table: str


@blp.get("/rules")
def rules() -> Response:
    """The rules of docs/rules.md, told."""
    language = game_words.board_language()
    drawn = {name: Markup(svg) for name, svg in rules_pictures.pictures(language).items()}  # noqa: S704 - drawn by us
    words, push = game_words.words(), rules_pictures.positions().push
    return rendering.page(
        "rulebook/rules",
        pictures=drawn,
        piece=_piece,
        words=words,
        slot=rules_pictures.SLOT,
        falls_at=push.falls_at,
        pushed=words.colors[push.color],
        falls=words.colors[push.falls],
        first_action=words.colors[push.activates[0]],
        second_action=words.colors[push.activates[1]],
        third_action=words.colors[push.activates[2]],
        actions=_actions(),
        quarters=_quarters(),
        coats=_coats(),
        descendants=DESCENDANTS,
        chronicle=_chronicle(),
        tower=TOWER,
        rules=RULES,
        in_word=in_word,
    )


@blp.get("/rules/id/<rule_id>")
def rule(rule_id: str) -> BaseResponse:
    """To where a rule is told, by its id in docs/rules.md."""
    chapter = CHAPTER_OF.get(rule_id.upper())
    if chapter is None:
        abort(404)
    return redirect(url_for("rules-pages.rules", _anchor=chapter), 303)


def _piece(kind: str, name: str, hidden: bool = False) -> Markup:
    return Markup(piece_svg(kind, name, language=game_words.board_language(), hidden=hidden))  # noqa: S704 - drawn by us


def _actions() -> list[Row]:
    """§5, in the order of the colours."""
    told = {
        "gray": (_("Money"), _("Take a coin.")),
        "white": (
            _("Clear away"),
            _(
                "Choose a side of the square and take all the tiles that lie outside of it, one "
                "to three. They are yours now: this is how you get tiles."
            ),
        ),
        "brown": (
            _("Card"),
            _(
                "Buy a card: give two tiles of your own and draw the top card. For two tiles of one "
                "colour you see two cards and keep the one that you like. Or play a card from your "
                "hand."
            ),
        ),
        "turquoise": (_("River"), _("Your barge sails one step down the Danube.")),
        "orange": (
            _("Seal"),
            _(
                "Pay %(number)s coins and place one of your seals in a quarter that your barge lies beside. "
                "You may use the privilege of that quarter at once.",
                number=in_word(RULES.seal_price),
            ),
        ),
    }
    return [Row(color, *told[color]) for color in COLORS]


def _quarters() -> list[QuarterRow]:
    """§7, and where they lie (D5)."""
    coats = _("Draw two coats of arms, keep one; the other goes under the stack.")
    told = {
        "leaning_house": coats,
        "oath_house": _(
            "Choose one of the Descendants who are left there. Your seal takes the place, and the "
            "Descendant helps you from now on."
        ),
        "town_hall": _("Draw a card. Then take a coin, or a tile from the docks."),
        "reichenauer_hof": _("You get 1 VP for each quarter in which you have a seal, this one included."),
        "goose_tower": _(
            "Take any card from the discard pile. Or look at the top %(number)s cards of the draw pile and "
            "keep one; the others are discarded.",
            number=in_word(RULES.goose_look),
        ),
        "tillage": _(
            "Take a tile from the docks and a coin. Then sail up to %(number)s steps.",
            number=in_word(RULES.tillage_steps),
        ),
        "garden": coats,
        "shipyard": _("Take a tile from the docks. You have one more card action this turn."),
    }
    names = game_words.words().quarters
    return [
        QuarterRow(
            QUARTERS[index], names[QUARTERS[index]], first, last, RULES.seal_spaces[index], told[QUARTERS[index]]
        )
        for first, last, index in (*RULES.north_bank, *RULES.south_bank)
    ]


def _coats() -> list[CoatRow]:
    """§8."""
    names = game_words.words().quarters
    return [
        CoatRow(name, vp, "" if quarter is None else names[QUARTERS[quarter]], later)
        for name, (vp, quarter, later) in RULES.coats.items()
    ]


def _chronicle() -> list[CardRow]:
    """B6."""
    cards = game_words.words().cards
    return [
        CardRow(name, cards[name], card_texts.top(RULES, name), card_texts.table(RULES, name)) for name in CHRONICLE
    ]
