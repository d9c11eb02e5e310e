"""Legal moves for people: grouped by kind, with a label each, and what an end of the turn gives away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from server.board.listing import card_colors
from server.engine.events import any_reveals
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.ruleset import Pushed
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLORS, OPPOSITE, QUARTERS, SLOTS
from server.language import gettext as _
from server.language import in_word, listing, ngettext
from server.service.explain import card_facts, effects, game_words, why_not
from server.service.explain.effects import Effect
from server.service.explain.why_not import Impossible

Label = Callable[[State, int, Move], tuple[str, str]]  # Makes label and detail of a legal move of a seat

# Verb → group. What is not here answers a pending choice.
_GROUPS = {
    "draw": "draw", "pick": "draw", "keep": "draw", "push": "push", "swap": "swap",
    "money": "actions", "clear": "actions", "river": "actions", "sail": "actions", "salvage": "actions",
    "seal": "seals", "buy": "buy", "play": "play", "exchange": "other", "levy": "other", "end": "end",
}  # fmt: skip
_TELL_MORE = ("choose", "take", "swap")
"""Verbs whose details tell what their effects do not: both halves of a card, where a tile comes from."""
_KINDS = tuple(game_words.TEXTS["group"])  # Kinds of groups, in the order of a turn


class Option(NamedTuple):
    """One legal move: its text, its label and detail; of a push what it does. Made by `groups` it has what it brings
    about (`effects.of_move`) and whether it reveals something (record.md §3)."""

    move: str
    label: str
    detail: str = ""
    push: Pushed | None = None
    effects: tuple[Effect, ...] = ()
    reveals: bool = False

    @property
    def final(self) -> str:
        """Why it cannot be taken back once it is played; "" where it can."""
        if not self.reveals:
            return ""
        if self.move.startswith("dock "):
            return _("cannot be taken back: the docks are refilled")
        return _("cannot be taken back: it uncovers something")

    @property
    def besides(self) -> str:
        """The detail where it tells more than the effects do, else "": what stands beside them."""
        verb, *rest = self.move.split()
        more = verb in _TELL_MORE or (verb == "play" and rest[1] == "table")
        return self.detail if more or not self.effects else ""

    @property
    def told(self) -> tuple[Effect, ...]:
        """The effects that stand beside the move: not what the whole list says once (`Group.unused`)."""
        return tuple(one for one in self.effects if not one.color)

    @property
    def line(self) -> list[tuple[str, bool]]:
        """Of a push the colours of the tiles that it activates, each with whether it is of no use."""
        left = {one.color: one.number for one in self.effects if one.color}
        found = []
        for color in reversed(() if self.push is None else self.push.line):
            found.append((color, left.get(color, 0) > 0))
            left[color] = left.get(color, 0) - 1
        return found[::-1]


class Unused(NamedTuple):
    """Why tiles of a colour cannot be used, or not at once, after a push at any of these gates; `never`: not at all."""

    color: str
    never: bool
    why: str
    slots: list[str]


@dataclass(frozen=True, slots=True)
class Group:
    """Legal moves of one kind."""

    kind: str
    title: str
    options: list[Option]
    impossible: list[Impossible] = field(default_factory=list)
    """What belongs to this step and is not possible now, with the reason."""

    @property
    def unused(self) -> list[Unused]:
        """Which tiles are of no use after which pushes, each reason once; what is of no use at all first."""
        found: dict[str, Unused] = {}
        for option in self.options:
            for one in option.effects if option.push is not None else ():
                if one.color:
                    known = found.setdefault(one.text, Unused(one.color, one.number > 0, one.text, []))
                    if option.push is not None and option.push.slot not in known.slots:
                        known.slots.append(option.push.slot)
        return sorted(found.values(), key=lambda one: not one.never)


def groups(state: State, seat: int, names: Sequence[str] | None = None) -> list[Group]:
    """The legal moves of `seat` in groups, in the order of a turn; [] when it is not to move. A group without options
    says why. `names` are those of the seats, in the effects of moves (None: the seats go by their colours)."""
    found = dict(_sorted(state, seat))
    if not found:
        return []
    names = game_words.words(state.rules).seats if names is None else names
    mask = state.rules.masked(state, seat)
    scores = mask.rules.final_scores(mask)
    refused = why_not.impossible(mask, seat, [move for moves in found.values() for move in moves])
    return [
        Group(
            kind,
            _title(state, kind),
            [_with_effects(mask, scores, seat, move, names) for move in found.get(kind, ())],
            refused.get(kind, []),
        )
        for kind in _KINDS
        if kind in found or kind in refused
    ]


def _with_effects(mask: State, scores: list[Score], seat: int, move: Move, names: Sequence[str]) -> Option:
    after, events = why_not.try_move(mask, move)
    told = effects.of_tried(mask, scores, seat, move, after, events, names)
    return option(mask, seat, move)._replace(effects=told, reveals=any_reveals(events))


def numbered(state: State, seat: int) -> list[str]:
    """The legal moves of `seat` in the order of `groups`: the first is number 1 in mails, and in answers to them."""
    return [format_move(move) for _kind, moves in _sorted(state, seat) for move in moves]


def _sorted(state: State, seat: int) -> list[tuple[str, list[Move]]]:
    found: dict[str, list[Move]] = {}
    for move in state.rules.legal_moves(state, seat):
        found.setdefault("choice" if state.pending else _GROUPS[move[0]], []).append(move)
    return [(kind, found[kind]) for kind in _KINDS if kind in found]


def _title(state: State, kind: str) -> str:
    if kind == "choice":
        return game_words.text("choice", state.pending[-1][0])
    if kind == "push" and state.phase == "push" and state.turn.tiles:
        tile = _kind(state.turn.tiles[0])
        if state.turn.swapped:
            return _("Push your %(action)s tile in", action=tile)
        return _("Push in the %(action)s tile you drew", action=tile)
    return game_words.text("group", kind)


def _kind(tile: int | str) -> str:
    """What a tile is called beside the word "tile"."""
    return game_words.words().tile_kinds[COLORS[tile] if isinstance(tile, int) else tile]


def option(state: State, seat: int, move: Move) -> Option:
    """A legal move with its label."""
    label, detail = _LABELS.get(move[0], _short)(state, seat, move)
    return Option(format_move(move), label, detail, state.rules.pushed(state, move) if move[0] == "push" else None)


def actions(rules: Rules, colors: tuple[str, ...] | list[str]) -> str:
    """What activated tiles let their player do, as a list in words: `Coin, Coin, Seal`."""
    names = game_words.words(rules).action_names
    return ", ".join(names[color] for color in colors)


def lost_by_ending(state: State, seat: int) -> list[str]:
    """What `seat`, which is to move, gives away by ending the turn now, a line each."""
    last = state.round == state.rules.rounds
    return [_lost(state.rules, *loss, last=last) for loss in state.rules.lost_by_ending(state, seat)]


def _lost(rules: Rules, kind: str, number: int, tile: str, last: bool) -> str:
    if kind == "seal_at_1" and rules.chronicle_seal_price != 1:
        kind = "seal_priced"
    if kind in game_words.TEXTS["lost"]:
        action = game_words.words(rules).tile_kinds[tile] if kind == "tile" else ""
        return game_words.number_of("lost", kind, number, action=action)
    if kind == "levy":
        return _("%(vp)s VP, because this round’s levy is not paid", vp=number)
    if last:  # B2
        return _("playing a card without a Card action (cards left in your hand count for nothing)")
    return _("playing a card without a Card action (cards stay in your hand)")


def _short(state: State, seat: int, move: Move) -> tuple[str, str]:
    rules, words = state.rules, game_words.words(state.rules)
    match move[0]:
        case "money":
            return ngettext("Take a coin", "Take %(num)s coins", rules.money_coins(state, seat)), _with_tile(
                rules, "gray"
            )
        case "clear":
            return game_words.text("clear", move[1]), _outside(state, move[1])
        case "seal":
            return words.quarters[move[1]], words.privileges[move[1]]
        case "exchange":
            given, taken = (game_words.words().action_names[color] for color in move[1:])
            return _("Merchant: give %(given)s, take %(taken)s", given=given, taken=taken), _("at the docks")
        case "descendant":
            return words.descendants[move[1]], words.descendant_effects[move[1]]
        case "choose":
            return game_words.card(rules, move[1]), card_facts.offered(state, seat, move[1])
        case "take":
            label = _("%(card)s from the discard pile", card=game_words.card(rules, move[1]))
            return label, card_facts.offered(state, seat, move[1])
        case "barge":
            return ngettext("1 step", "%(num)s steps", int(move[1])) if int(move[1]) else _("Stay here"), ""
    return _plain(state, move)


def _plain(state: State, move: Move) -> tuple[str, str]:
    detail = ""
    match move[0]:
        case "river":
            detail = _with_tile(state.rules, "turquoise")
        case "sail":
            detail = ngettext(
                "a bonus step of this turn", "one of %(num)s bonus steps of this turn", state.turn.step_credits
            )
        case "swap":
            detail = _("at the docks")
        case "search":
            detail = _("see %(number)s cards and keep one", number=in_word(state.rules.goose_look))
        case "salvage":
            slot = SLOTS[OPPOSITE[state.turn.slot]]
            return _("Take the tile at %(slot)s", slot=slot), _("the one that you pushed out")
    action = _kind(move[1]) if move[0] in ("pick", "keep", "swap", "dock") else ""
    return game_words.text("move", move[0], action=action), detail


def _with_tile(rules: Rules, color: str) -> str:
    """By which tile an action is done."""
    return _("with a %(action)s tile", action=game_words.words(rules).tile_kinds[color])


def _push(state: State, seat: int, move: Move) -> tuple[str, str]:
    what = state.rules.pushed(state, move)
    if len(move) == 3:
        label = _("%(slot)s with your %(action)s tile", slot=what.slot, action=_kind(what.color))
    else:
        label = what.slot
    return label, actions(state.rules, what.line)


def _outside(state: State, side: str) -> str:
    slots = [slot for slot in range(12) if SLOTS[slot][0] == side and state.outer[slot] >= 0]
    lying = Counter(COLORS[state.outer[slot]] for slot in slots)
    return _("take %(tiles)s", tiles=listing([game_words.action_tiles(*one) for one in lying.items()]))


def _buy(state: State, seat: int, move: Move) -> tuple[str, str]:
    if move[1] == "coin":
        return _("Take a card for a coin"), ""
    if len(move) == 2:
        return _("Take a card for your %(action)s tile", action=_kind(move[1])), ""
    if move[1] == move[2]:
        return _("Take a card for 2 %(action)s tiles", action=_kind(move[1])), _("see two cards and keep one")
    return _("Take a card for %(first)s and %(second)s", first=_kind(move[1]), second=_kind(move[2])), ""


def _play(state: State, seat: int, move: Move) -> tuple[str, str]:
    card = game_words.card(state.rules, move[1])
    if move[2] == "table":
        # The points of this one alone depend on nothing: they are its effect.
        worth = "" if move[1] == "patrician" else card_facts.table(state.rules, move[1])
        return _("Lay %(card)s on the table", card=card), worth
    if len(move) > 3 and move[3] in game_words.TEXTS["clear_by_card"]:
        return game_words.text("clear_by_card", move[3], card=card), _outside(state, move[3])
    label, what = _("Play the top half of %(card)s", card=card), card_facts.top(state.rules, move[1])
    if move[-1].isdigit():
        what = ngettext("with %(num)s sparrow", "with %(num)s sparrows", int(move[3]))
    given = move[3:] if move[-1] in COLORS else card_colors(state.rules, move[1])
    return label, _("%(what)s, for your %(action)s tile", what=what, action=_kind(given[0])) if given else what


def _levy(state: State, seat: int, move: Move) -> tuple[str, str]:
    what = (
        listing([game_words.action_tiles(*one) for one in Counter(move[1:]).items()])
        if len(move) > 1
        else _("%(number)s coins", number=in_word(state.rules.levy_coins))
    )
    return _("Pay the levy: %(what)s", what=what), _("or lose %(vp)s VP", vp=state.rules.levy_loss)


def _coat(state: State, seat: int, move: Move) -> tuple[str, str]:
    vp, quarter, later = state.rules.coats[move[1]]
    label = _("Coat of arms %(name)s", name=move[1])
    if quarter is None:
        return label, _("%(vp)s VP, silver", vp=vp)
    name = game_words.quarter(QUARTERS[quarter])
    return label, _("%(vp)s VP, then %(later)s VP for each seal in %(quarter)s", vp=vp, later=later, quarter=name)


_LABELS: dict[str, Label] = {"push": _push, "buy": _buy, "play": _play, "levy": _levy, "coat": _coat}
