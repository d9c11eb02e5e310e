"""Pictures for the buttons of moves: what a move is about, beside the words that say it."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from server.board.listing import card_colors
from server.board.pieces import laid_in
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CARDS, COLORS
from server.language import gettext as _
from server.routes.pages.shared.icons import piece, tile
from server.service.explain import game_words
from server.service.explain.move_choices import Option
from server.service.views.drafts import Draft

_PIECES = {"coat": ("coat", 52), "choose": ("card", 56), "take": ("card", 56), "descendant": ("portrait", 56),
           "seal": ("quarter", 92)}  # fmt: skip
_TILES = {"money": ("gray",), "clear": ("white",), "river": ("turquoise",)}


def label(option: Option, rules: Rules) -> Markup:
    """What the button of a move says: a card by its name, its tiles as pictures beside it."""
    _verb, *rest = option.move.split()
    if not rest or rest[0] not in CARDS:
        return escape(option.label)
    words = game_words.words(rules)
    # Of two tiles the one that is given for it.
    colors = tuple(word for word in rest if word in COLORS) or card_colors(rules, rest[0])
    before, named, after = option.label.partition(game_words.card(rules, rest[0]))
    if not named or not colors:
        return escape(option.label)
    names = [words.action_names[color] for color in colors]
    either = " " + _("or") + " "
    if rest[-1] == "table":  # to lie there costs none
        asks = Markup('<span class="sr"> (%s)</span>') % either.join(names)
    else:
        asks = Markup(" ") + _asks(colors, names)
    return Markup("%s%s%s%s") % (before, words.card(rest[0]), asks, after)


def _asks(colors: Sequence[str], names: Sequence[str]) -> Markup:
    """Tiles of which one is given. The stroke between two stays with the first."""
    found = Markup("")
    for color, name in zip(colors, names, strict=True):
        last = color == colors[-1]
        stroke = Markup("") if last else Markup('<span aria-hidden="true">/</span>')
        found += Markup('<span class="asks">%s%s</span><span class="sr"> %s</span>') % (tile(color), stroke, name)
        found += Markup("") if last else Markup('<span class="sr"> %s</span>') % _("or")
    return found


def full_label(option: Option, rules: Rules) -> Markup:
    """The same where no heading says which kind of move it is."""
    verb, *rest = option.move.split()
    if verb == "seal":
        return escape(_("Seal in %(quarter)s", quarter=game_words.quarter(rest[0], rules)))
    if option.push:
        return escape(_("Push in at %(slot)s", slot=option.label))
    return label(option, rules)


def of_moves(draft: Draft) -> dict[str, Markup]:
    """The picture of each move that has one. Of the plays of one card the first has it."""
    found: dict[str, Markup] = {}
    cards: set[str] = set()
    rules = rulesets.rules_for(draft.view["ruleset"])
    for option in draft.options.values():
        verb, *rest = option.move.split()
        if verb in _PIECES:
            kind, width = _PIECES[verb]
            laid = laid_in(draft.view, rest[0]) if kind == "quarter" else None
            found[option.move] = piece(rules, kind, rest[0], width, laid=laid)
        elif verb == "play" and rest[0] not in cards:
            cards.add(rest[0])
            found[option.move] = piece(rules, "card", rest[0], 56)
        elif option.push is None and (colors := _TILES.get(verb) or tuple(word for word in rest if word in COLORS)):
            found[option.move] = Markup("").join(tile(color) for color in colors)
    return found
