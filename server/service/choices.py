"""Legal moves for people: grouped by kind, with a label each, and what a push and an end of the turn bring.

The moves are those of `game.legal_moves`, no more and no fewer; page and mail list the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from server.board.words import words_of
from server.engine import game
from server.engine.notation import Move, format_move
from server.engine.sentences import listing
from server.engine.state import State
from server.engine.tables import COATS, COLOR_INDEX, COLORS, OPPOSITE, PUSH_CELLS, QUARTERS, SLOT_INDEX, SLOTS

WORDS = words_of("en")
Label = Callable[[State, int, Move], tuple[str, str]]
"""Makes label and detail of a legal move of a seat."""

_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}
# Verb → group. What is not here answers a pending choice.
_GROUPS = {
    "draw": "draw", "pick": "draw", "keep": "draw", "swap": "draw", "push": "push",
    "money": "actions", "clear": "actions", "river": "actions", "sail": "actions", "salvage": "actions",
    "seal": "seals", "buy": "buy", "play": "play", "exchange": "other", "levy": "other", "end": "end",
}  # fmt: skip
_TITLES = {
    "choice": "Answer first",
    "draw": "Your tile",
    "push": "Push it in",
    "actions": "Actions",
    "seals": "Place a seal",
    "buy": "Get a card",
    "play": "Play a card",
    "other": "More",
    "end": "End your turn",
}
_PENDING = {
    "coat": "Keep one of the coats of arms",
    "choose": "Keep one of the cards",
    "barge": "How far do you sail?",
    "descendant": "Who joins you?",
    "town_hall": "Town Hall: a coin or a tile?",
    "goose_tower": "Goose Tower: which card?",
    "tillage": "Tillage: which tile from the docks?",
    "shipyard": "Shipyard: which tile from the docks?",
    "dock": "Which tile from the docks?",
    "abbot": "Abbot: a tile from the docks?",
}


@dataclass(frozen=True, slots=True)
class Push:
    """What a push does: the tile that goes in, the three it activates (from the slot inwards), what falls out where."""

    slot: str
    color: str
    activates: tuple[str, str, str]
    falls: str
    falls_at: str


@dataclass(frozen=True, slots=True)
class Option:
    """One legal move: its text, and what it means. `detail` may be empty; `push` is there for pushes alone."""

    move: str
    label: str
    detail: str = ""
    push: Push | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Legal moves of one kind."""

    kind: str
    title: str
    options: list[Option]


def groups(state: State, seat: int) -> list[Group]:
    """The legal moves of `seat` in groups, in the order of a turn; [] when it is not to move."""
    found: dict[str, list[Option]] = {}
    for move in game.legal_moves(state, seat):
        kind = "choice" if state.pending else _GROUPS[move[0]]
        found.setdefault(kind, []).append(option(state, seat, move))
    titles = dict(_TITLES)
    if state.pending:
        titles["choice"] = _PENDING[state.pending[-1][0]]
    elif state.phase == "push" and state.turn.tiles:
        titles["push"] = f"Push in the {COLORS[state.turn.tiles[0]]} tile"
    return [Group(kind, titles[kind], found[kind]) for kind in titles if kind in found]


def option(state: State, seat: int, move: Move) -> Option:
    """A legal move with its label."""
    label, detail = _LABELS.get(move[0], _plain)(state, seat, move)
    return Option(format_move(move), label, detail, push(state, move) if move[0] == "push" else None)


def push(state: State, move: Move) -> Push:
    """What a legal push does."""
    slot = SLOT_INDEX[move[1]]
    color = COLOR_INDEX[move[2]] if len(move) == 3 else state.turn.tiles[0]
    first, second, third = (state.grid[cell] for cell in PUSH_CELLS[slot])
    activates = (COLORS[color], COLORS[first], COLORS[second])
    return Push(SLOTS[slot], COLORS[color], activates, COLORS[third], SLOTS[OPPOSITE[slot]])


def actions(colors: tuple[str, ...] | list[str]) -> str:
    """What activated tiles let their player do, as a list in words."""
    return ", ".join(f"{color} ({WORDS.actions[color]})" for color in colors)


def lost_by_ending(state: State, seat: int) -> list[str]:
    """What `seat`, which is to move, gives away by ending the turn now, a line each."""
    turn, player, lost = state.turn, state.players[seat], []
    for index, count in enumerate(turn.activated):
        if count:
            tiles = f"an unused {COLORS[index]} tile" if count == 1 else f"{count} unused {COLORS[index]} tiles"
            lost.append(f"{tiles}: {WORDS.actions[COLORS[index]]}")
    for count, what in (
        (turn.card_credits, "a card action"),
        (turn.seal_credits, "a seal without a tile"),
        (turn.seal_at_1_credits, "a seal for one coin"),
        (turn.step_credits, "a step on the Danube"),
    ):
        if count:
            lost.append(what if count == 1 else f"{what}, {count} times")
    if state.tower_tile in ("tile_levy", "coin_levy") and not turn.levy_paid:
        lost.append("5 VP, because the levy of this round is not paid")
    if turn.free_play and player.hand:
        lost.append("the free play of a card")
    return lost


def _plain(state: State, seat: int, move: Move) -> tuple[str, str]:
    texts = {
        "draw": ("Draw from the bag", "what you draw cannot be taken back"),
        "river": ("Sail", "a step on the Danube, for a turquoise tile"),
        "sail": ("Sail a step", "of those to your credit"),
        "salvage": (f"Take the tile at {SLOTS[OPPOSITE[state.turn.slot]]}", "the one that you pushed out"),
        "coin": ("A coin", ""),
        "search": ("Search the draw pile", "see three cards and keep one"),
        "pass": ("Nothing", ""),
        "end": ("End the turn", ""),
    }
    return texts.get(move[0], (" ".join(move), ""))


def _tile(form: str) -> Label:
    return lambda state, seat, move: (form.format(move[1]), "")


def _push(state: State, seat: int, move: Move) -> tuple[str, str]:
    what = push(state, move)
    own = f" a {what.color} tile of yours" if len(move) == 3 else ""
    return f"{what.slot}{own}", actions(what.activates)


def _money(state: State, seat: int, move: Move) -> tuple[str, str]:
    coins = 1 + ("mint_master" in state.players[seat].descendants) + (state.tower_tile == "extra_money")
    return ("Take a coin" if coins == 1 else f"Take {coins} coins"), "for a gray tile"


def _clear(state: State, seat: int, move: Move) -> tuple[str, str]:
    slots = [slot for slot in range(12) if SLOTS[slot][0] == move[1] and state.outer[slot] >= 0]
    return f"Clear the {_SIDES[move[1]]} side", "take " + listing([COLORS[state.outer[slot]] for slot in slots])


def _buy(state: State, seat: int, move: Move) -> tuple[str, str]:
    if move[1] == "coin":
        return "A card for a coin", ""
    if len(move) == 2:
        return f"A card for a {move[1]} tile", ""
    detail = "see two cards and keep one" if move[1] == move[2] else ""
    return f"A card for {move[1]} and {move[2]}", detail


def _play(state: State, seat: int, move: Move) -> tuple[str, str]:
    card = WORDS.card(move[1])
    if move[2] == "table":
        return f"{card}: onto the table", "for points at the end"
    if len(move) == 3:
        return f"{card}: its upper effect", ""
    if move[3] in COLORS:
        return f"{card}: its upper effect", f"for a {move[3]} tile"
    if move[3] in _SIDES:
        return f"{card}: clear the {_SIDES[move[3]]} side", ""
    return f"{card}: its upper effect", f"with {move[3]} sparrow" + ("" if move[3] == "1" else "s")


def _seal(state: State, seat: int, move: Move) -> tuple[str, str]:
    return WORDS.quarters[move[1]], WORDS.privileges[move[1]]


def _exchange(state: State, seat: int, move: Move) -> tuple[str, str]:
    return f"Merchant: {move[1]} for {move[2]}", "at the docks"


def _levy(state: State, seat: int, move: Move) -> tuple[str, str]:
    what = listing(list(move[1:])) if len(move) > 1 else "two coins"
    return f"Pay the levy: {what}", "else 5 VP are lost"


def _coat(state: State, seat: int, move: Move) -> tuple[str, str]:
    vp, quarter, later = COATS[move[1]]
    if quarter is None:
        return f"Coat {move[1]}", f"{vp} VP, silver"
    return f"Coat {move[1]}", f"{vp} VP, then {later} VP for each seal in {WORDS.quarters[QUARTERS[quarter]]}"


def _descendant(state: State, seat: int, move: Move) -> tuple[str, str]:
    return WORDS.descendants[move[1]], WORDS.descendant_effects[move[1]]


def _card(form: str) -> Label:
    return lambda state, seat, move: (form.format(WORDS.card(move[1])), "")


def _barge(state: State, seat: int, move: Move) -> tuple[str, str]:
    return {"0": "Stay here", "1": "1 step"}.get(move[1], f"{move[1]} steps"), ""


_LABELS: dict[str, Label] = {
    "pick": _tile("Take a {} tile from the bag"),
    "keep": _tile("Keep the {} tile"),
    "swap": _tile("Change it for the {} one at the docks, for a sparrow"),
    "dock": _tile("The {} tile"),
    "push": _push,
    "money": _money,
    "clear": _clear,
    "buy": _buy,
    "play": _play,
    "seal": _seal,
    "exchange": _exchange,
    "levy": _levy,
    "coat": _coat,
    "descendant": _descendant,
    "choose": _card("{}"),
    "take": _card("{} from the discard pile"),
    "barge": _barge,
}
