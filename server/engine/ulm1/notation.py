"""Moves as text and back (record.md §3).

The moves of Ulm are few enough to be listed, so the list itself is the grammar: `ALL_MOVES` holds every text that is a
move in some position. A `Move` is the tuple of its words.
"""

from difflib import get_close_matches
from itertools import combinations_with_replacement

from server.engine.errors import InvalidMoveError
from server.engine.ulm1.tables import (
    CARDS,
    CATHEDRAL,
    CHRONICLE,
    COATS,
    COLORS,
    DESCENDANTS,
    JOUSTING_STEPS,
    QUARTERS,
    SIDES,
    SLOTS,
    SPARROW_MAX,
    TRADE,
)

Move = tuple[str, ...]

# How each verb is written, for messages.
USAGE = {
    "draw": "draw",
    "pick": "pick COLOR",
    "keep": "keep COLOR",
    "swap": "swap COLOR",
    "push": "push SLOT, or push SLOT COLOR",
    "money": "money",
    "clear": "clear SIDE",
    "buy": "buy COLOR COLOR (canonical order), buy COLOR, or buy coin",
    "play": "play CARD table, or play CARD top (Cathedral: a COLOR; city_wall: a SIDE; ulm_sparrow: 1 to 5)",
    "river": "river",
    "sail": "sail",
    "seal": "seal QUARTER",
    "exchange": "exchange COLOR COLOR (own tile, docks tile)",
    "salvage": "salvage",
    "levy": "levy COLOR COLOR (canonical order), or levy",
    "end": "end",
    "resign": "resign",
    "coat": "coat SLOT",
    "descendant": "descendant NAME",
    "coin": "coin",
    "dock": "dock COLOR",
    "pass": "pass",
    "choose": "choose CARD",
    "search": "search",
    "take": "take CARD",
    "barge": f"barge K (0 to {JOUSTING_STEPS})",
}


def _all_moves() -> dict[str, Move]:
    moves: list[Move] = [(verb,) for verb, usage in USAGE.items() if verb == usage or verb == "levy"]
    moves += [(verb, color) for verb in ("pick", "keep", "swap", "dock") for color in COLORS]
    moves += [("push", slot) for slot in SLOTS]
    moves += [("push", slot, color) for slot in SLOTS for color in COLORS]
    moves += [("clear", side) for side in SIDES]
    moves += [("buy", "coin")] + [("buy", color) for color in COLORS]
    moves += [(verb, a, b) for verb in ("buy", "levy") for a, b in combinations_with_replacement(COLORS, 2)]
    moves += [("play", card, "table") for card in CARDS]
    moves += [("play", card, "top", COLORS[color]) for card, pair in CATHEDRAL.items() for color in pair]
    moves += [("play", card, "top") for card in TRADE]
    for card in CHRONICLE:
        if card == "city_wall":
            moves += [("play", card, "top", side) for side in SIDES]
        elif card == "ulm_sparrow":
            moves += [("play", card, "top", str(number)) for number in range(1, SPARROW_MAX + 1)]
        else:
            moves.append(("play", card, "top"))
    moves += [("seal", quarter) for quarter in QUARTERS]
    moves += [("exchange", own, other) for own in COLORS for other in COLORS if own != other]
    moves += [("coat", slot) for slot in COATS]
    moves += [("descendant", name) for name in DESCENDANTS]
    moves += [(verb, card) for verb in ("choose", "take") for card in CARDS]
    moves += [("barge", str(steps)) for steps in range(JOUSTING_STEPS + 1)]
    return {" ".join(move): move for move in moves}


ALL_MOVES: dict[str, Move] = _all_moves()
_LONGEST = max(map(len, ALL_MOVES))
_BY_LOWER = {text.lower(): text for text in ALL_MOVES}  # for hints: no two moves differ by case alone


def parse_move(text: str) -> Move:
    """Return the move that `text` writes; inverse of `format_move`.

    Raises `InvalidMoveError`, with the usage of the verb, when no position has such a move.
    """
    try:
        return ALL_MOVES[text]
    except (KeyError, TypeError):
        pass
    if not isinstance(text, str):
        raise InvalidMoveError("a move is a text, such as 'push N2'")
    if len(text) > 2 * _LONGEST:
        raise InvalidMoveError(f"a move has at most {_LONGEST} characters, this text has {len(text)}")
    words = text.split()
    tidy = " ".join(words)
    near = [_BY_LOWER[tidy.lower()]] if tidy.lower() in _BY_LOWER else get_close_matches(tidy, ALL_MOVES, 1, 0.8)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    verb = words[0] if words else ""
    if verb in USAGE:
        raise InvalidMoveError(f"{text!r} is no move: write {USAGE[verb]}{hint}")
    raise InvalidMoveError(f"{text!r} is no move{hint or ': a move begins with one of ' + ', '.join(USAGE)}")


def format_move(move: Move) -> str:
    """Return the text of `move`; inverse of `parse_move`."""
    return " ".join(move)
