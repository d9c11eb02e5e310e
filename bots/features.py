"""What a seat's prospects are read from: some hundred plain numbers of a position.

A player is looked at as its owner sees it (`own`, with the hand) or as the others do. The numbers of a position serve
`value`, which knows what each is worth with so many turns to come.
"""

from __future__ import annotations

from functools import lru_cache

from server.engine.rulesets import Rules
from server.engine.ulm1.state import NOBODY, State
from server.engine.ulm1.tables import CATHEDRAL, CATHEDRAL_KINDS, CHRONICLE, COLORS, DESCENDANTS, QUARTERS, TOWER, TRADE
from server.engine.ulm1.tables import TRADE_KINDS

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
    "one",
    "coins",
    *(f"coins>={n}" for n in STEPS["coins"]),
    "sparrows",
    "some sparrow",
    "tiles",
    *(f"tiles>={n}" for n in STEPS["tiles"]),
    "pairs",
    "colours",
    *(f"own {color}" for color in COLORS),
    "seals",
    *(f"seals>={n}" for n in STEPS["seals"]),
    "crests",
    "some crest",
    "quarters",
    "barge",
    *(f"zone {first}" for first in ZONES),
    "barges ahead",
    *(f"reach {quarter}" for quarter in QUARTERS),
    *(f"space in {quarter}" for quarter in QUARTERS),
    "crest income",
    "crest income in reach",
    "coat seals",
    *DESCENDANTS,
    "hand",
    "hand>=2",
    "hand>=4",
    "hand of sets",
    "hand to complete",
    "hand tops",
    *(f"hand {card}" for card in CHRONICLE),
    "table nave",
    "table choir",
    "table steeple",
    "table fustian",
    "table works",
    "table goods",
    "cathedral begun 1",
    "cathedral begun 2",
    "trade begun 1",
    "trade begun 2",
    *(f"table {card}" for card in CHRONICLE),
    "played with siege",
    "outer",
    "best side",
    "open lines",
    *(f"grid {color}" for color in COLORS),
    "next to move",
    "advanced",
    *(f"next {tile}" for tile in TOWER),
    "next unknown",
)
"""What each number is."""
SIZE = len(NAMES)


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


def standing(state: State, seat: int) -> int:
    """Return the points of a seat if the game ended now."""
    player = state.players[seat]
    rules = state.rules
    points = player.vp + player.sparrows + rules.space_value[player.barge]
    table = player.table
    if table:
        points += sets_vp(rules, kinds_of(table))
        for card in table:
            if card in CHRONICLE_INDEX:
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
    rules = state.rules
    coins, tiles, seals, barge = player.coins, player.tiles, player.seals, player.barge
    gray, white, brown, turquoise, orange = tiles
    number = gray + white + brown + turquoise + orange
    x: list[float] = [1.0, float(coins)]
    for step in (1, 2, 3, 4, 6, 8):
        x.append(1.0 if coins >= step else 0.0)
    x.append(float(player.sparrows))
    x.append(1.0 if player.sparrows else 0.0)
    x.append(float(number))
    for step in (1, 2, 3, 4, 6):
        x.append(1.0 if number >= step else 0.0)
    x.append(float(gray // 2 + white // 2 + brown // 2 + turquoise // 2 + orange // 2))
    x.append(float((gray > 0) + (white > 0) + (brown > 0) + (turquoise > 0) + (orange > 0)))
    x += (float(gray), float(white), float(brown), float(turquoise), float(orange))
    x.append(float(seals))
    for step in (1, 2, 3, 5):
        x.append(1.0 if seals >= step else 0.0)
    x.append(float(player.crests))
    x.append(1.0 if player.crests else 0.0)
    quarters, spaces = state.quarters, rules.seal_spaces
    x.append(float(sum([1 for owners in quarters if seat in owners])))
    x.append(barge / 22.0)
    zones = [0.0] * 11
    zones[ZONE[barge]] = 1.0
    x += zones
    ahead = 0
    for other in state.players:
        if other.barge > barge:
            ahead += 1
    x.append(float(ahead))

    reach, free, income, near = [0.0] * 8, [0.0] * 8, 0, 0
    for quarter in range(8):
        left = spaces[quarter] - len(quarters[quarter])
        free[quarter] = float(left)
        if state.crests[quarter] == seat:
            income += left * rules.crest_vp[quarter]
    for quarter in rules.reach[barge]:
        if free[quarter]:
            reach[quarter] = 1.0
            if state.crests[quarter] == seat:
                near += rules.crest_vp[quarter]
    x += reach
    x += free
    x.append(float(income))
    x.append(float(near))
    x.append(float(state.coat_seals.count(seat)))
    taken = [0.0] * 8
    for name in player.descendants:
        taken[DESCENDANT_INDEX[name]] = 1.0
    x += taken

    table = player.table
    kinds = kinds_of(table)
    hand_size = len(player.hand)
    x.append(float(hand_size))
    x.append(1.0 if hand_size >= 2 else 0.0)
    x.append(1.0 if hand_size >= 4 else 0.0)
    held = [0.0] * 9
    if own and hand_size:
        hand = player.hand
        tops = 0
        of_sets = 0
        for card in hand:
            index = CHRONICLE_INDEX.get(card)
            if index is not None:
                held[index] = 1.0
                continue
            of_sets += 1
            if card in CATHEDRAL:
                first, second = rules.cathedral[card]
                tops += bool(tiles[first] or tiles[second])
            else:
                tops += tiles[TRADE[card][1]] > 0
        x.append(float(of_sets))
        both = tuple([a + b for a, b in zip(kinds, kinds_of(hand))])  # noqa: B905 - six and six
        x.append(float(sets_vp(rules, both) - sets_vp(rules, kinds)))
        x.append(float(tops))
    else:
        x += (0.0, 0.0, 0.0)
    x += held
    nave, choir, steeple, fustian, works, goods = kinds
    x += (float(nave), float(choir), float(steeple), float(fustian), float(works), float(goods))
    complete = min(nave, choir, steeple)
    begun = (nave > complete) + (choir > complete) + (steeple > complete)
    x.append(1.0 if begun == 1 else 0.0)
    x.append(1.0 if begun == 2 else 0.0)
    mixed = min(fustian, works, goods)
    begun = (fustian > mixed) + (works > mixed) + (goods > mixed)
    x.append(1.0 if begun == 1 else 0.0)
    x.append(1.0 if begun == 2 else 0.0)
    laid = [0.0] * 9
    for card in table:
        index = CHRONICLE_INDEX.get(card)
        if index is not None:
            laid[index] = 1.0
    x += laid
    x.append(float(player.played) if laid[6] else 0.0)

    outer = state.outer
    sides = [0, 0, 0, 0]
    for slot in range(12):
        if outer[slot] != NOBODY:
            sides[slot // 3] += 1
    x.append(float(sum(sides)))
    x.append(float(max(sides)))
    blocked = 0
    for slot in (0, 1, 2, 3, 4, 5):
        if outer[slot] != NOBODY or outer[slot + 6] != NOBODY:
            blocked += 1
    x.append(6.0 - blocked)
    grid = [0.0] * 5
    for color in state.grid:
        grid[color] += 1.0
    x += grid
    x += context(state, seat)
    return x


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
