"""What cards and Descendants do, what they cost, and what a card is worth now, in the language in force."""

from __future__ import annotations

from functools import reduce
from itertools import groupby
from typing import NamedTuple

from server.board.listing import card_colors
from server.engine.rulesets import Rules
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import CATHEDRAL, CATHEDRAL_KINDS, COLOR_INDEX, TRADE, TRADE_KINDS
from server.language import gettext as _
from server.language import listing, ngettext, sentence
from server.service.explain import game_words

_LATER = (("tiles", "look", "steps_up_to"), ("actions", "seal", "orange_seal", "bag"))
"""Effects of cards that are settled by a choice once all else has happened, and then those that are used after that."""
_DONE = frozenset({"look", "side", "seal", "orange_seal", "bag", "sparrow_coins"})
"""Effects that are told as something to be done: the others, told as something to be had, make one list."""


def top(rules: Rules, card: str) -> str:
    """What the upper effect of a card brings, in the order in which it comes, without the tile that it costs."""
    if card in rules.cathedral:
        return _("%(vp)s VP", vp=rules.cathedral_top_vp)
    effects = sorted(rules.tops[card].effects, key=lambda effect: [effect[0] in kinds for kinds in _LATER[::-1]])
    if len(effects) == 1 and effects[0][0] in game_words.TEXTS["card_effect_alone"]:
        return game_words.number_of("card_effect_alone", *effects[0])
    parts = []
    for done, together in groupby(effects, key=lambda effect: effect[0] in _DONE):
        said = [_effect(rules, *effect) for effect in together]
        parts += said if done else [listing(said)]
    return reduce(lambda first, then: _("%(first)s, then %(then)s", first=first, then=then), parts)


def _effect(rules: Rules, kind: str, number: int) -> str:
    if kind in ("seal", "orange_seal"):
        number = rules.chronicle_seal_price
    if isinstance(game_words.TEXTS["card_effect"][kind], str):
        return game_words.text("card_effect", kind, num=number)
    return game_words.number_of("card_effect", kind, number)


def trade_groups(*rulesets: Rules) -> list[list[str]]:
    """The Trade cards by what their upper effects do: those of a kind together where in each of these rulesets all of
    them do the same, each for a tile of its own colour (B5), else one by one."""
    found = []
    for kind in TRADE_KINDS:
        cards = [card for card in TRADE if TRADE[card][0] == kind]
        alike = [
            rules.tops[card] == (TRADE[card][1], rules.tops[cards[0]].effects) for rules in rulesets for card in cards
        ]
        found += [cards] if all(alike) else [[card] for card in cards]
    return found


def table(rules: Rules, card: str) -> str:
    """What a card is worth in the end when it lies on the table."""
    if card in rules.cathedral:
        return _(
            "%(vp)s VP, and %(more)s more for each set of Nave, Choir and Steeple",
            vp=rules.cathedral_table_vp,
            more=rules.cathedral_set_vp,
        )
    if card in TRADE:
        words, mine = game_words.words(rules), TRADE[card][0]
        first, second = (words.card(kind) for kind in TRADE_KINDS if kind != mine)
        return _(
            "%(vp)s VP, +%(same)s with two other %(kind)s cards or +%(each)s with the cards %(first)s and %(second)s",
            vp=rules.trade_table_vp,
            same=rules.trade_same_vp,
            each=rules.trade_different_vp,
            kind=words.card(mine),
            first=first,
            second=second,
        )
    alone, shared = rules.jousting_vp
    return game_words.text("card_table", card, rules, first=alone, second=shared)


def price(rules: Rules, card: str) -> str:
    """The tile that the upper effect of a card costs; "" where it costs none."""
    words = game_words.words(rules)
    colors = [words.tile_kinds[color] for color in card_colors(rules, card)]
    if len(colors) == 2:
        return _("for one %(first)s or %(second)s tile", first=colors[0], second=colors[1])
    return _("for one %(action)s tile", action=colors[0]) if colors else ""


def offered(state: State, seat: int, card: str) -> str:
    """Both halves of a card on offer, a line each: what the upper one brings if paid, what the lower is worth."""
    below = _("Bottom, at the end: %(what)s.", what=_in_short(state.rules, card))
    return f"{_above(state, seat, card)}\n{below}"


def _in_short(rules: Rules, card: str) -> str:
    """What `table` says, where that is long."""
    if card in rules.cathedral:
        vp, more = rules.cathedral_table_vp, rules.cathedral_set_vp
        words = game_words.words(rules)
        first, second = (words.card(kind) for kind in CATHEDRAL_KINDS if kind != card.partition("-")[0])
        return _(
            "%(vp)s VP, +%(more)s with the cards %(first)s and %(second)s", vp=vp, more=more, first=first, second=second
        )
    return table(rules, card)


def _above(state: State, seat: int, card: str) -> str:
    names, colors = game_words.words(state.rules).tile_kinds, card_colors(state.rules, card)
    what, tiles = top(state.rules, card), state.players[seat].tiles
    mine = sum(tiles[COLOR_INDEX[color]] for color in colors)
    if len(colors) == 2:
        first, second = (names[color] for color in colors)
        if mine:
            return ngettext(
                "Top: %(what)s for one %(first)s or %(second)s tile. You have one.",
                "Top: %(what)s for one %(first)s or %(second)s tile. You have %(num)s.",
                mine,
                what=what,
                first=first,
                second=second,
            )
        return _(
            "Top: %(what)s for one %(first)s or %(second)s tile. You have none.", what=what, first=first, second=second
        )
    if colors and mine:
        return ngettext(
            "Top: %(what)s, for a %(action)s tile. You have one.",
            "Top: %(what)s, for a %(action)s tile. You have %(num)s.",
            mine,
            what=what,
            action=names[colors[0]],
        )
    if colors:
        return _("Top: %(what)s, for a %(action)s tile. You have none.", what=what, action=names[colors[0]])
    match [kind for kind, _number in state.rules.tops[card].effects]:
        case ["seal"] if not state.players[seat].coins and state.rules.chronicle_seal_price:
            return _("Top: %(what)s. You have no coins.", what=what)
        case ["sparrow_coins"] if not state.players[seat].sparrows:
            return _("Top: %(what)s. You have no sparrows.", what=what)
    return _("Top: %(what)s.", what=what)


class CardFacts(NamedTuple):
    """All there is to know about a card, in the language in force."""

    card: str
    name: str
    kind: str  # what the result calls cards of its kind by: a Cathedral, a Trade or a Chronicle card
    top: str  # its upper effect
    price: str  # what that costs; "" where it costs nothing
    table: str  # what it counts in the end when it lies on the table
    worth: int | None
    """How many VP the final score has by it as things stand, lying there or laid now; None without a seat."""
    why: str  # where these come from, or what is missing; may be empty
    rule: str  # the id of its rule in docs/rules.md

    @property
    def played(self) -> str:
        """Its upper effect with what that costs."""
        return ", ".join(text for text in (self.top, self.price) if text)

    @property
    def counts(self) -> str:
        """What it counts as things stand, and why; "" without a seat."""
        if self.worth is None:
            return ""
        worth = _("%(vp)s VP as things stand", vp=self.worth)
        return f"{worth} ({self.why})" if self.why else worth


class DescendantFacts(NamedTuple):
    """All there is to know about a Descendant, in the language in force."""

    descendant: str
    name: str
    effect: str  # what the Descendant does for the player whom they have joined, as a sentence
    detail: str  # when that counts and when not
    rule: str  # the id of the rule in docs/rules.md


def of_card(rules: Rules, card: str, state: State | None = None, seat: int | None = None) -> CardFacts:
    """What a card does, and what it counts for `seat` in `state`, of which only what is open is asked."""
    worth, why = None, ""
    if state is not None and seat is not None:
        lying = state.players[seat].table
        laid = state if card in lying else with_table(state, seat, (*lying, card))
        worth = worth_of(laid, seat, card)
        why = _why(laid, seat, card)
    return CardFacts(
        card,
        game_words.card(rules, card),
        game_words.text("card_kind", kind_of(card)),
        top(rules, card),
        price(rules, card),
        table(rules, card),
        worth,
        why,
        game_words.rule_of(card),
    )


def kind_of(card: str) -> str:
    """The kind of a card, as a final score calls it: `cathedral`, `trade` or `chronicle`."""
    return "cathedral" if card in CATHEDRAL else "trade" if card in TRADE else "chronicle"


def of_descendant(rules: Rules, name: str) -> DescendantFacts:
    """What a Descendant does."""
    words = game_words.words(rules)
    effect = words.descendant_effects[name]
    return DescendantFacts(
        name, words.descendants[name], sentence(effect), game_words.text("descendant", name), game_words.rule_of(name)
    )


def with_table(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """The position with these cards on the table of `seat`; a card that is laid now was played."""
    other = state.copy()
    mine = other.players[seat]
    mine.played += max(0, len(cards) - len(mine.table))
    mine.table = cards
    return other


def worth_of(state: State, seat: int, card: str) -> int:
    """What a card on the table of `seat` counts. What others count more because it was played (Siege) is theirs."""
    others = tuple(other for other in state.players[seat].table if other != card)
    return _total(state, seat) - _total(with_table(state, seat, others), seat)


def _total(state: State, seat: int) -> int:
    return state.rules.final_scores(state)[seat]["total"]


def _why(state: State, seat: int, card: str) -> str:
    """What the worth of a card on the table of `seat` comes from."""
    player = state.players[seat]
    if card in CATHEDRAL:
        return _set(state, [other.partition("-")[0] for other in player.table if other in CATHEDRAL], CATHEDRAL_KINDS)
    if card in TRADE:
        return _trade([TRADE[other][0] for other in player.table if other in TRADE], TRADE[card][0])
    numbers = {
        "first_chronicle": len(player.coats),
        "city_wall": state.rules.chronicle_vp["city_wall"](state, seat) // 2,
        "construction_freeze": player.coins,
        "fisherman_jousting": sum(other.barge > player.barge for other in state.players),
        "reformation": sum(other in CATHEDRAL for other in player.table),
        "siege": player.played,
        "swabian_league": sum(count > 0 for count in player.tiles),
        "ulm_sparrow": player.sparrows,
    }
    return game_words.number_of("worth_by", card, numbers[card]) if card in numbers else ""


def _set(state: State, kinds: list[str], all_kinds: tuple[str, ...]) -> str:
    words = game_words.words(state.rules)
    missing = [words.card(kind) for kind in all_kinds if kind not in kinds]
    if not missing:
        return _("with a complete set on your table")
    return _("a set still needs %(cards)s", cards=listing(missing))


def _trade(kinds: list[str], kind: str) -> str:
    words = game_words.words()
    same = kinds.count(kind)
    missing = [words.card(other) for other in TRADE_KINDS if other not in kinds]
    if same >= 3 or not missing:
        return _("with a set on your table")
    return _("%(number)s of this kind; a set of every kind still needs %(cards)s", number=same, cards=listing(missing))
