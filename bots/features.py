"""What a seat's prospects are read from: some hundred plain numbers of a position.

A player is looked at as its owner sees it (`own`, with the hand) or as the others do. The numbers of a position serve
`value`, which knows what each is worth with so many turns to come.
"""

from __future__ import annotations

from functools import lru_cache

from server.engine.rulesets import Rules
from server.engine.ulm1.state import NOBODY, State
from server.engine.ulm1.tables import (
    CATHEDRAL,
    CATHEDRAL_KINDS,
    CHRONICLE,
    COLORS,
    DESCENDANTS,
    QUARTERS,
    TOWER,
    TRADE,
    TRADE_KINDS,
)

KIND = {card: CATHEDRAL_KINDS.index(card.split("-")[0]) for card in CATHEDRAL}
KIND |= {card: 3 + list(TRADE_KINDS).index(TRADE[card][0]) for card in TRADE}
"""The kind of a Cathedral card (0 to 2) or a Trade card (3 to 5)."""
CHRONICLE_INDEX = {card: index for index, card in enumerate(CHRONICLE)}
DESCENDANT_INDEX = {name: index for index, name in enumerate(DESCENDANTS)}
TOWER_INDEX = {tile: index for index, tile in enumerate(TOWER)}
STEPS = {"coins": (1, 2, 3, 4, 6, 8), "tiles": (1, 2, 3, 4, 6), "seals": (1, 2, 3, 5)}
"""From how many on one more of a thing is worth something else."""
ZONES = (1, 3, 6, 7, 9, 12, 14, 16, 18, 20, 22)
"""First spaces of parts of the Danube that differ in what lies beside and ahead of them."""
ZONE = tuple(sum(space >= first for first in ZONES) - 1 for space in range(23))

NAMES: tuple[str, ...] = (
    "one", "coins", *(f"coins>={n}" for n in STEPS["coins"]), "sparrows", "some sparrow", "tiles",
    *(f"tiles>={n}" for n in STEPS["tiles"]), "pairs", "colours", *(f"own {color}" for color in COLORS), "seals",
    *(f"seals>={n}" for n in STEPS["seals"]), "crests", "some crest", "quarters", "barge",
    *(f"zone {first}" for first in ZONES), "barges ahead", *(f"reach {quarter}" for quarter in QUARTERS),
    *(f"space in {quarter}" for quarter in QUARTERS), "crest income", "crest income in reach", "coat seals",
    *DESCENDANTS, "hand", "hand>=2", "hand>=4", "hand of sets", "hand to complete", "hand tops",
    *(f"hand {card}" for card in CHRONICLE), "table nave", "table choir", "table steeple", "table fustian",
    "table works", "table goods", "cathedral begun 1", "cathedral begun 2", "trade begun 1", "trade begun 2",
    *(f"table {card}" for card in CHRONICLE), "played with siege", "outer", "best side", "open lines",
    *(f"grid {color}" for color in COLORS), "next to move", "advanced", *(f"next {tile}" for tile in TOWER),
    "next unknown",
)  # fmt: skip
"""What each number is."""
SIZE = len(NAMES)
UNSEEN = "?"
"""Stands for a card or coat that is not seen."""
BLOCKS = tuple(map(NAMES.index, ("one", "tiles", "seals", "quarters", "hand", "outer", "next to move")))
"""Where the numbers of `purse`, `supply`, `seals`, `town`, `cards`, `area` and `context` begin."""


@lru_cache(4000)
def sets_vp(rules: Rules, kinds: tuple[int, ...]) -> int:
    """Return what Cathedral and Trade cards are worth on a table, by how many there are of each kind (B4, B5)."""
    cathedral, trade = kinds[:3], kinds[3:]
    best = max(
        mixed * rules.trade_different_vp + sum((count - mixed) // 3 for count in trade) * rules.trade_same_vp
        for mixed in range(min(trade) + 1)
    )
    worth = sum(cathedral) * rules.cathedral_table_vp + min(cathedral) * rules.cathedral_set_vp
    return worth + sum(trade) * rules.trade_table_vp + best


@lru_cache(4000)
def kinds_of(cards: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many Cathedral and Trade cards there are of each kind."""
    kinds = [0] * 6
    for card in cards:
        kind = KIND.get(card)
        if kind is not None:
            kinds[kind] += 1
    return tuple(kinds)


@lru_cache(4000)
def laid(rules: Rules, table: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return what the sets on a table are worth, and the Chronicle cards on it."""
    return sets_vp(rules, kinds_of(table)), tuple([card for card in table if card in CHRONICLE_INDEX])


def standing(state: State, seat: int) -> int:
    """Return the points of a seat if the game ended now."""
    player = state.players[seat]
    rules = state.rules
    points = player.vp + player.sparrows + rules.space_value[player.barge]
    table = player.table
    if table:
        worth, chronicle = laid(rules, table)
        points += worth
        for card in chronicle:
            points += rules.chronicle_vp[card](state, seat)
    return points


def turns_left(state: State, seat: int) -> int:
    """Return how many turns a seat has after the one under way; one that has not drawn yet is still to come."""
    active = state.active
    if active is None:
        return 0
    rounds = state.rules.rounds - state.round
    if seat == active:
        return rounds + (state.phase == "draw")
    count = len(state.players)
    return rounds + ((seat - state.start) % count > (active - state.start) % count)


def features(state: State, seat: int, own: bool) -> list[float]:
    """Return the numbers of `NAMES` for a seat, its hand looked at only if it is one's own."""
    player = state.players[seat]
    hand = player.hand if own else (UNSEEN,) * len(player.hand)
    tiles = tuple(player.tiles)
    return [
        *purse(player.coins, player.sparrows),
        *supply(tiles),
        *seals(player.seals, player.crests),
        *town(state, seat),
        *cards(state.rules, hand, player.table, tiles, player.played),
        *area(state.grid, state.outer),
        *context(state, seat),
    ]


def purse(coins: int, sparrows: int) -> list[float]:
    """Return the numbers about coins and sparrows."""
    steps = [float(coins >= step) for step in STEPS["coins"]]
    return [1.0, float(coins), *steps, float(sparrows), float(sparrows > 0)]


def supply(tiles: tuple[int, ...]) -> list[float]:
    """Return the numbers about the tiles of a seat."""
    number = sum(tiles)
    steps = [float(number >= step) for step in STEPS["tiles"]]
    pairs, colors = sum(count // 2 for count in tiles), sum(count > 0 for count in tiles)
    return [float(number), *steps, float(pairs), float(colors), *map(float, tiles)]


def seals(left: int, crests: int) -> list[float]:
    """Return the numbers about seals and crests that are left."""
    return [float(left), *[float(left >= step) for step in STEPS["seals"]], float(crests), float(crests > 0)]


def town(state: State, seat: int) -> list[float]:
    """Return the numbers about barge, quarters, coats and Descendants of a seat."""
    rules, player, quarters = state.rules, state.players[seat], state.quarters
    barge = player.barge
    zones = [0.0] * len(ZONES)
    zones[ZONE[barge]] = 1.0
    ahead = sum(other.barge > barge for other in state.players)
    free = [float(spaces - len(owners)) for spaces, owners in zip(rules.seal_spaces, quarters, strict=True)]
    income = [rules.crest_vp[quarter] * (state.crests[quarter] == seat) for quarter in range(len(free))]
    reach = rules.reach[barge]
    taken = [0.0] * len(DESCENDANTS)
    for name in player.descendants:
        taken[DESCENDANT_INDEX[name]] = 1.0
    return [
        float(sum(seat in owners for owners in quarters)),
        barge / 22.0,
        *zones,
        float(ahead),
        *[float(quarter in reach and free[quarter] > 0) for quarter in range(len(free))],
        *free,
        float(sum(left * each for left, each in zip(free, income, strict=True))),
        float(sum(income[quarter] for quarter in reach if free[quarter])),
        float(state.coat_seals.count(seat)),
        *taken,
    ]


def cards(
    rules: Rules, hand: tuple[str, ...], table: tuple[str, ...], tiles: tuple[int, ...], played: int
) -> list[float]:
    """Return the numbers about the cards of a seat; of cards that are not seen only how many they are."""
    kinds, held = kinds_of(table), [0.0] * len(CHRONICLE)
    of_sets = tops = to_complete = 0
    if hand and hand[0] != UNSEEN:
        for card in hand:
            if card in CHRONICLE_INDEX:
                held[CHRONICLE_INDEX[card]] = 1.0
                continue
            of_sets += 1
            pays = rules.cathedral[card] if card in CATHEDRAL else (rules.tops[card].pays,)
            tops += any(color is None or tiles[color] for color in pays)
        both = tuple(map(sum, zip(kinds, kinds_of(hand), strict=True)))
        to_complete = sets_vp(rules, both) - sets_vp(rules, kinds)
    laid = [float(card in table) for card in CHRONICLE]
    cathedral, trade = (sum(count > min(some) for count in some) for some in (kinds[:3], kinds[3:]))
    return [
        float(len(hand)),
        float(len(hand) >= 2),
        float(len(hand) >= 4),
        float(of_sets),
        float(to_complete),
        float(tops),
        *held,
        *map(float, kinds),
        float(cathedral == 1),
        float(cathedral == 2),
        float(trade == 1),
        float(trade == 2),
        *laid,
        float(played if "siege" in table else 0),
    ]


def area(grid: tuple[int, ...], outer: tuple[int, ...]) -> list[float]:
    """Return the numbers about the Cathedral area."""
    lying = [slot for slot in range(12) if outer[slot] != NOBODY]
    sides = [sum(slot // 3 == side for slot in lying) for side in range(4)]
    blocked = len({slot % 6 for slot in lying})
    return [float(len(lying)), float(max(sides)), 6.0 - blocked, *[float(grid.count(color)) for color in range(5)]]


def context(state: State, seat: int) -> list[float]:
    """Return the numbers about when the seat moves next, and under which Tower tile."""
    active, count = state.active, len(state.players)
    following = active is not None and (active + 1) % count == seat if state.phase != "draw" else active == seat
    x = [1.0 if following else 0.0, 1.0 if state.advanced else 0.0]
    tiles = [0.0] * 13
    if state.advanced and active is not None:
        later = (seat - state.start) % count <= (active - state.start) % count
        if state.phase == "draw" and active == seat:
            later = False
        index = state.round - 1 + later
        if index <= state.round and index < len(state.tower):
            tiles[TOWER_INDEX[state.tower[index]]] = 1.0
        else:
            tiles[12] = 1.0
    return x + tiles
