"""The rules of Ulm as data, each table with the id of its rule in docs/rules.md.

House values, which the sources do not give, carry the mark ``[H]`` here as they do there. Whoever owns the box can
correct them in a new ruleset; what ``ulm/1`` means never changes, because stored games depend on it. What a ruleset can
have otherwise is a field of `ruleset.Ruleset`, and is asked of one; here stands what ulm/1 says, and what all share.

Inside the engine a colour is an index into `COLORS`, a slot one into `SLOTS`, a quarter one into `QUARTERS`. Cards,
coats, Descendants and Tower tiles go by their names.

A tuple is declared by what it holds, not by how much: a compiled engine copies one of known length at each look.
"""

from typing import Final

ROUNDS: Final = 10  # T1
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
TILES_PER_COLOR: Final = 10  # C2 [H]
SEAT_COLORS: Final[tuple[str, ...]] = ("red", "green", "blue", "yellow")  # C1 [H]

# P3, P5: the grid's first tiles in the order of record.md §1, and what each player starts with.
FIRST_GRID: Final[tuple[int, ...]] = (GRAY, GRAY, WHITE, WHITE, BROWN, TURQUOISE, TURQUOISE, ORANGE, ORANGE)
FIRST_VP: Final = 5
FIRST_COINS: Final = 2
FIRST_SPARROWS: Final = 2
SEALS: Final = 12  # C5
CRESTS: Final = 3
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
LINES: Final[tuple[tuple[int, int], ...]] = (
    (0, 6),
    (1, 7),
    (2, 8),
    (3, 9),
    (4, 10),
    (5, 11),
)  # K4: the two slots of each of the six lines
# N4: the eight lines of three.
THREES: Final[tuple[tuple[int, int, int], ...]] = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip

# The Danube (D1). Space numbers are 1..22; index 0 of the tables below is unused.
LAST_SPACE: Final = 22
BRIDGE_AFTER: Final = 11
SPACE_VALUE: Final[tuple[int, ...]] = (0, *(space - 12 if space <= 11 else space - 11 for space in range(1, 23)))
COIN_SPACE: Final = 19  # D4
SPARROW_SPACE: Final = 20
DOCK_SPACE: Final = 21
CARD_SPACE: Final = 22

# The quarters (§7) with their seal spaces [S].
QUARTERS: Final[tuple[str, ...]] = (
    "leaning_house", "oath_house", "town_hall", "reichenauer_hof", "goose_tower", "tillage", "garden", "shipyard",
)  # fmt: skip
QUARTER_INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(QUARTERS)}
SEAL_SPACES: Final[tuple[int, ...]] = (4, 4, 4, 3, 3, 4, 4, 7)
# D5 [H]: first space, last space, quarter.
NORTH_BANK: Final[tuple[tuple[int, int, int], ...]] = ((1, 5, 0), (6, 11, 1), (12, 15, 2), (16, 19, 3), (20, 22, 4))
SOUTH_BANK: Final[tuple[tuple[int, int, int], ...]] = ((1, 6, 5), (7, 11, 6), (12, 22, 7))
LONG_REACH: Final = 3  # V12

SEAL_PRICE: Final = 2  # A5
CHRONICLE_SEAL_PRICE: Final = 1  # B9
LEVY_TILES: Final = 2  # V8
LEVY_COINS: Final = 2  # V9
LEVY_LOSS: Final = 5  # V8, V9
GUARD_VP: Final = 2  # N4

# Coats of arms (§8) [H]: VP at once, quarter (None for the silver-rimmed), VP for each later seal there.
COATS: Final[dict[str, tuple[int, int | None, int]]] = {
    "N1": (3, 0, 1), "N2": (4, None, 0), "N3": (3, 1, 1), "E1": (3, 2, 1), "E2": (4, None, 0), "E3": (3, 3, 2),
    "S1": (1, 7, 1), "S2": (4, None, 0), "S3": (3, 4, 2), "W1": (2, 5, 2), "W2": (4, None, 0), "W3": (2, 6, 2),
}  # fmt: skip

# Descendants, in the order of §9.
DESCENDANTS: Final[tuple[str, ...]] = (
    "abbot", "scholar", "mint_master", "city_guard", "builder", "merchant", "councilman", "barge_driver",
)  # fmt: skip
OATH_HOUSE_DESCENDANTS: Final = 4  # P2

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
CATHEDRAL_TOP_VP: Final = 6
CATHEDRAL_TABLE_VP: Final = 3
CATHEDRAL_SET_VP: Final = 9

# B5 [H]: the colour that each Trade card asks for, and what the kind's top gives: coins, VP, steps.
TRADE_KINDS: Final[dict[str, tuple[int, int, int]]] = {
    "fustian": (3, 2, 0),
    "works_of_art": (0, 5, 1),
    "commercial_goods": (0, 2, 3),
}
TRADE: Final[dict[str, tuple[str, int]]] = {
    f"{kind}-{color}": (kind, index) for kind in TRADE_KINDS for index, color in enumerate(COLORS)
}
TRADE_TABLE_VP: Final = 3
TRADE_SAME_VP: Final = 6
TRADE_DIFFERENT_VP: Final = 3

# B6, from top to bottom.
CHRONICLE: Final[tuple[str, ...]] = (
    "first_chronicle", "city_wall", "construction_freeze", "fisherman_jousting", "patrician", "reformation", "siege",
    "swabian_league", "ulm_sparrow",
)  # fmt: skip
FREEZE_COINS: Final = 3  # [H]
FREEZE_MAX: Final = 6  # [S]
JOUSTING_STEPS: Final = 3  # [H]
JOUSTING_VP: Final[tuple[int, ...]] = (6, 3)  # [S]: with no barge ahead, with exactly one
REFORMATION_LOOK: Final = 2  # [H]
SIEGE_TILES: Final = 2  # [H]
SPARROW_MAX: Final = 5  # [S]: both the coins of its top and the VP of its table value
TILLAGE_STEPS: Final = 2  # Q6
GOOSE_LOOK: Final = 3  # Q5

CARDS: Final[tuple[str, ...]] = (*CATHEDRAL, *TRADE, *CHRONICLE)
