"""The rule of docs/rules.md that stands behind a word of the game: actions, quarters, Descendants, cards, Tower tiles,
coats of arms, moves. For whoever makes a word a link to its rule."""

from __future__ import annotations

from server.engine.ulm1.notation import Move
from server.engine.ulm1.tables import CATHEDRAL_KINDS, CHRONICLE, COATS, COLORS, DESCENDANTS, TOWER, TRADE_KINDS

ACTIONS: dict[str, str] = {color: f"A{number}" for number, color in enumerate(COLORS, 1)}
"""By the colour of the tile."""

QUARTERS: dict[str, str] = {
    "leaning_house": "Q1",
    "garden": "Q1",
    "oath_house": "Q2",
    "town_hall": "Q3",
    "reichenauer_hof": "Q4",
    "goose_tower": "Q5",
    "tillage": "Q6",
    "shipyard": "Q7",
}

_NAMES: dict[str, str] = {
    **ACTIONS,
    **QUARTERS,
    **{name: f"N{number}" for number, name in enumerate(DESCENDANTS, 1)},
    **{name: f"V{number}" for number, name in enumerate(TOWER, 1)},
    **dict.fromkeys(CATHEDRAL_KINDS, "B4"),
    **dict.fromkeys(TRADE_KINDS, "B5"),
    **dict.fromkeys(CHRONICLE, "B6"),
    **dict.fromkeys(COATS, "W1"),
}

_VERBS: dict[str, str] = {
    "draw": "T3",
    "pick": "V11",
    "keep": "N5",
    "swap": "L2",
    "push": "K2",
    "money": "A1",
    "clear": "A2",
    "buy": "A3",
    "play": "B2",
    "river": "A4",
    "sail": "A7",
    "seal": "A5",
    "exchange": "N6",
    "salvage": "V10",
    "end": "T3",
    "resign": "O3",
    "coat": "Q1",
    "descendant": "Q2",
    "coin": "Q3",
    "dock": "L3",
    "pass": "Q9",
    "choose": "A3",
    "search": "Q5",
    "take": "Q5",
    "barge": "D3",
}


def name(word: str) -> str | None:
    """The rule of a piece by its name in the notation (`gray`, `tillage`, `abbot`, `siege`, `free_seal`, a coat such as
    `N1`); None for what is none."""
    return _NAMES.get(word.partition("-")[0])


def move(played: Move) -> str | None:
    """The rule that tells most about a move: of a seal the quarter's privilege, of a card played the card; None for
    what is none. Of a card that was chosen in secret it is that of choosing."""
    verb, *rest = played or ("",)
    if verb == "levy":
        return "V8" if rest else "V9"
    if verb in ("seal", "play", "descendant") and rest and (named := name(rest[0])):
        return named
    return _VERBS.get(verb)
