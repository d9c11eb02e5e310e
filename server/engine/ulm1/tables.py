"""The rules of Ulm as data, each table with the id of its rule in docs/rules.md.

House values, which the sources do not give, carry the mark ``[H]`` here as they do there. Whoever owns the box can
correct them in a new ruleset; what ``ulm/1`` means never changes, because stored games depend on it. What a ruleset can
have otherwise is a field of `ruleset.Ruleset`, and is asked of one; here stands what all share.

Inside the engine a colour is an index into `COLORS`, a slot one into `SLOTS`, a quarter one into `QUARTERS`. Cards,
coats, Descendants and Tower tiles go by their names.

A tuple is declared by what it holds, not by how much: a compiled engine copies one of known length at each look.
"""

from typing import Final

MIN_PLAYERS: Final = 2  # C1
MAX_PLAYERS: Final = 4

# Colours, in the canonical order of rules.md.
COLORS: Final[tuple[str, ...]] = ("gray", "white", "brown", "turquoise", "orange")
GRAY: Final = 0
WHITE: Final = 1
BROWN: Final = 2
TURQUOISE: Final = 3
ORANGE: Final = 4
COLOR_INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(COLORS)}

# P3: the grid's first tiles in the order of record.md §1.
FIRST_GRID: Final[tuple[int, ...]] = (GRAY, GRAY, WHITE, WHITE, BROWN, TURQUOISE, TURQUOISE, ORANGE, ORANGE)
DOCK_SPACES: Final = 5  # P4

# K1: the outer slots, in the order of §8; a slot's line is listed from the slot inwards.
SIDES: Final[tuple[str, ...]] = ("N", "E", "S", "W")
SLOTS: Final[tuple[str, ...]] = ("N1", "N2", "N3", "E1", "E2", "E3", "S1", "S2", "S3", "W1", "W2", "W3")
SLOT_INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(SLOTS)}
SIDE_SLOTS: Final[dict[str, tuple[int, int, int]]] = {"N": (0, 1, 2), "E": (3, 4, 5), "S": (6, 7, 8), "W": (9, 10, 11)}
OPPOSITE: Final[tuple[int, ...]] = (6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5)  # K2
# Cells are row * 3 + column. A tile pushed in at slot s enters PUSH_CELLS[s][0] and shifts towards the last cell.
PUSH_CELLS: Final[tuple[tuple[int, int, int], ...]] = (
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (2, 1, 0), (5, 4, 3), (8, 7, 6),
    (6, 3, 0), (7, 4, 1), (8, 5, 2),
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
)  # fmt: skip
# K4: the two slots of each of the six lines.
LINES: Final[tuple[tuple[int, int], ...]] = ((0, 6), (1, 7), (2, 8), (3, 9), (4, 10), (5, 11))
# N4: the eight lines of three.
THREES: Final[tuple[tuple[int, int, int], ...]] = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip

# The Danube (D1): spaces are 1 to 22.
LAST_SPACE: Final = 22
BRIDGE_AFTER: Final = 11

# The quarters (§7).
QUARTERS: Final[tuple[str, ...]] = (
    "leaning_house", "oath_house", "town_hall", "reichenauer_hof", "goose_tower", "tillage", "garden", "shipyard",
)  # fmt: skip
QUARTER_INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(QUARTERS)}
LEVY_TILES: Final = 2  # V8

# Coats of arms (§8) [H]: VP at once, quarter (None for the silver-rimmed), VP for each later seal there.
COATS: Final[dict[str, tuple[int, int | None, int]]] = {
    "N1": (3, 0, 1), "N2": (4, None, 0), "N3": (3, 1, 1), "E1": (3, 2, 1), "E2": (4, None, 0), "E3": (3, 3, 2),
    "S1": (1, 7, 1), "S2": (4, None, 0), "S3": (3, 4, 2), "W1": (2, 5, 2), "W2": (4, None, 0), "W3": (2, 6, 2),
}  # fmt: skip

# Descendants, in the order of §9.
DESCENDANTS: Final[tuple[str, ...]] = (
    "abbot", "scholar", "mint_master", "city_guard", "builder", "merchant", "councilman", "barge_driver",
)  # fmt: skip

# Tower tiles, in the order of §11.
TOWER: Final[tuple[str, ...]] = (
    "extra_river", "extra_money", "card_for_coin", "card_for_tile", "free_seal", "cheap_seal", "dear_seal", "tile_levy",
    "coin_levy", "keep_pushed", "pick_tile", "long_reach",
)  # fmt: skip
LEVIES: Final[tuple[str, ...]] = ("tile_levy", "coin_levy")  # V8, V9

# Cards, in the order of §10.
# B4 [H]: the two colours of each Cathedral card, either of which pays for its top.
CATHEDRAL: Final[dict[str, tuple[int, int]]] = {
    "nave-1": (GRAY, WHITE), "nave-2": (BROWN, TURQUOISE), "nave-3": (GRAY, ORANGE), "choir-1": (WHITE, BROWN),
    "choir-2": (TURQUOISE, ORANGE), "choir-3": (GRAY, BROWN), "steeple-1": (WHITE, TURQUOISE),
    "steeple-2": (BROWN, ORANGE), "steeple-3": (GRAY, TURQUOISE),
}  # fmt: skip
CATHEDRAL_KINDS: Final[tuple[str, ...]] = ("nave", "choir", "steeple")

# B5 [H]: the kind and the colour of each Trade card.
TRADE_KINDS: Final[tuple[str, ...]] = ("fustian", "works_of_art", "commercial_goods")
TRADE: Final[dict[str, tuple[str, int]]] = {
    f"{kind}-{color}": (kind, index) for kind in TRADE_KINDS for index, color in enumerate(COLORS)
}

# B6, from top to bottom.
CHRONICLE: Final[tuple[str, ...]] = (
    "first_chronicle", "city_wall", "construction_freeze", "fisherman_jousting", "patrician", "reformation", "siege",
    "swabian_league", "ulm_sparrow",
)  # fmt: skip

CARDS: Final[tuple[str, ...]] = (*CATHEDRAL, *TRADE, *CHRONICLE)
