"""The house values: each place of docs/rules.md that bears the mark [H], what the sources do say there, and what is
played here instead, read from the rulesets in force."""

from __future__ import annotations

from typing import Any, NamedTuple

from server.board.listing import card_colors
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CHRONICLE, QUARTERS, SEAT_COLORS, TRADE, TRADE_KINDS
from server.language import gettext as _
from server.language import listing
from server.service.explain import card_facts, game_words

COATS = "8"
"""What the table of docs/rules.md, section 8, goes by here: it stands under no rule."""

_FROM_THE_BOX = frozenset({"D5", COATS, "B4", "B5", "B6"})
"""What an operator can set (docs/own-values.md)."""
_DASH = "\u2060–\u2060"  # lines do not break at it
_CERTAIN_TOPS = frozenset({"first_chronicle", "patrician", "ulm_sparrow"})


class Line(NamedTuple):
    """A value by its name: what it is in each ruleset, in their order."""

    name: str
    values: tuple[str, ...]


class House(NamedTuple):
    """A house value: its rule, what it is about, what the sources say, what is played here, and the values."""

    rule: str
    title: str
    certain: str
    here: str
    lines: tuple[Line, ...] = ()

    @property
    def own(self) -> bool:
        """Whether an operator who owns the box can set it."""
        return self.rule in _FROM_THE_BOX


def values() -> dict[str, Any]:
    """What the page shows: the entries and the rulesets, those that new games are played by last."""
    chosen = rulesets.for_new_games()
    shown = [rules for rules in rulesets.ALL.values() if rules is not chosen] + [chosen]
    return {"entries": entries(shown), "rulesets": [rules.name for rules in shown], "chosen": chosen.name}


def entries(shown: list[Rules]) -> list[House]:
    """Every house value in the order of docs/rules.md, in the language in force."""
    chosen = shown[-1]
    seats = game_words.words(chosen).seats
    return [
        House(
            "C1",
            _("Colours of the players"),
            _("Two to four play, clockwise."),
            _("By seat: %(colours)s.", colours=listing([seats[seat] for seat in range(len(SEAT_COLORS))])),
        ),
        House(
            "C2",
            _("Tiles of each colour"),
            _("There are 50 action tiles in five colours."),
            _("There is the same number of each colour."),
            (Line(_("Tiles of each colour"), tuple(str(rules.tiles_per_color) for rules in shown)),),
        ),
        House(
            "A7",
            _("When a bonus action can be used"),
            _("Some Descendants, cards, quarters and Tower tiles give an extra action."),
            _(
                "It can be used at any later moment of the same turn, in any order with the others, and is lost at its "
                "end."
            ),
        ),
        House(
            "D5",
            _("Which quarters lie beside which spaces"),
            _("A barge reaches the quarter north and the quarter south of its space."),
            _("The spaces of each quarter, from the first to the last:"),
            _banks(shown),
        ),
        House(
            COATS,
            _("Which coat of arms belongs to which gate"),
            _(
                "Eight coats have a golden rim, with 1 VP once, 2 VP twice and 3 VP five times, and 1 or 2 VP for each "
                "later seal; four have a silver rim, with 4 VP."
            ),
            _("Each coat belongs to a gate; those with a golden rim name a quarter too:"),
            _coats(shown),
        ),
        House(
            "W4",
            _("A coat of arms without a seal left"),
            _("One more seal goes beside the gate of the coat."),
            _("With no seal left, the coat is taken all the same, and no seal is placed."),
        ),
        House(
            "B1",
            _("How many cards a hand holds"),
            _("Hand cards are secret; how many there are is public."),
            _("There is no limit."),
        ),
        House(
            "B4",
            _("The colours of the Cathedral cards"),
            _("Each card shows two colours; a tile of one of them brings its points."),
            _("The colours of each card:"),
            tuple(
                Line(
                    f"{game_words.words(chosen).card(card)} {card[-1]}",
                    tuple(_colours(rules, card) for rules in shown),
                )
                for card in chosen.cathedral
            ),
        ),
        House(
            "B5",
            _("What Trade cards bring"),
            _("There are five each of three kinds. What they are worth on the table is certain."),
            _("There is one card of each kind for each colour. For a tile of that colour the top half brings:"),
            _trade(shown),
        ),
        House(
            "B6",
            _("Top halves of the Chronicle"),
            _(
                "There are nine cards. What their bottom halves are worth is certain, and so are the top halves "
                "of %(cards)s.",
                cards=listing([game_words.words(chosen).cards[name] for name in CHRONICLE if name in _CERTAIN_TOPS]),
            ),
            _("The top halves of the others:"),
            tuple(
                Line(game_words.words(chosen).cards[name], tuple(card_facts.top(rules, name) for rules in shown))
                for name in CHRONICLE
                if name not in _CERTAIN_TOPS
            ),
        ),
        House(
            "B7",
            _("When a top half can be chosen"),
            _("A top half may cost a tile."),
            _("It can be chosen only if the tile is there and something would change."),
        ),
        House(
            "L4",
            _("An empty bag"),
            _("Tiles are drawn from the bag, and the docks are filled from it."),
            _(
                "A place in the docks stays empty until tiles come into the bag. Whoever has to draw from an "
                "empty bag first puts the tiles around the square into it; if there are still none, they push "
                "one of their own."
            ),
        ),
        House(
            "E6",
            _("Points below zero"),
            _("Points can be lost."),
            _("They can fall below zero."),
        ),
        House(
            "O3",
            _("Resigning"),
            _("The rules in the box do not mention it."),
            _(
                "A player may resign at any time. What they own stays and goes on counting; their turns are passed "
                "over, and they end behind everybody who plays on."
            ),
        ),
    ]  # fmt: skip


RULES = frozenset({"C1", "C2", "A7", "D5", "W4", "B1", "B4", "B5", "B6", "B7", "L4", "E6", "O3"})
"""The rules that bear the mark [H]."""


def _banks(shown: list[Rules]) -> tuple[Line, ...]:
    """D5."""
    spans = [
        {QUARTERS[index]: _DASH.join((str(first), str(last))) for first, last, index in bank}
        for bank in ((*rules.north_bank, *rules.south_bank) for rules in shown)
    ]
    names = game_words.words(shown[-1]).quarters
    return tuple(Line(names[quarter], tuple(span[quarter] for span in spans)) for quarter in QUARTERS)


def _coats(shown: list[Rules]) -> tuple[Line, ...]:
    """§8."""
    return tuple(Line(slot, tuple(_coat(rules, slot) for rules in shown)) for slot in shown[-1].coats)


def _coat(rules: Rules, slot: str) -> str:
    vp, quarter, later = rules.coats[slot]
    if quarter is None:
        return _("silver, %(vp)s VP", vp=vp)
    place = game_words.words(rules).quarters[QUARTERS[quarter]]
    return _("gold, %(vp)s VP, %(quarter)s, %(later)s VP for each later seal", vp=vp, quarter=place, later=later)


def _colours(rules: Rules, card: str) -> str:
    return " / ".join(game_words.words(rules).colors[color] for color in card_colors(rules, card))


def _trade(shown: list[Rules]) -> tuple[Line, ...]:
    """B5."""
    first = {kind: next(card for card in TRADE if TRADE[card][0] == kind) for kind in TRADE_KINDS}
    return tuple(
        Line(
            game_words.words(shown[-1]).card(card),
            tuple(card_facts.top(rules, card) or game_words.coins(0) for rules in shown),
        )
        for card in first.values()
    )
