"""Final scoring (rules.md §13) and the table values of the cards (§10)."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from server.engine.ulm1.quarters import quarters_of
from server.engine.ulm1.ruleset import Ruleset
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.tables import CATHEDRAL, CATHEDRAL_KINDS, TRADE, TRADE_KINDS


def final_scores(state: State) -> list[Score]:
    """Return the breakdown by seat in the shape of record.md §4, ranks included (E2 to E5, O3)."""
    rules = state.rules
    scores: list[Score] = []
    for seat, player in enumerate(state.players):
        barge = rules.space_value[player.barge]
        cathedral, trade = cathedral_vp(rules, player.table), trade_vp(rules, player.table)
        chronicle = {card: rule(state, seat) for card, rule in rules.chronicle_vp.items() if card in player.table}
        scores.append(
            {
                "vp": player.vp,
                "sparrows": player.sparrows,
                "barge": barge,
                "cathedral": cathedral,
                "trade": trade,
                "chronicle": chronicle,
                "total": player.vp + player.sparrows + barge + cathedral + trade + sum(chronicle.values()),
                "quarters": quarters_of(state, seat),
                "rank": 0,  # as soon as all totals are known
            }
        )
    keys = [
        (not player.resigned, score["total"], score["quarters"])
        for player, score in zip(state.players, scores, strict=True)
    ]
    for score, key in zip(scores, keys, strict=True):
        score["rank"] = 1 + sum(other > key for other in keys)
    return scores


def winners(scores: list[Score]) -> list[int]:
    """Return the seats of rank 1 (E5)."""
    return [seat for seat, score in enumerate(scores) if score["rank"] == 1]


@lru_cache(1000)  # half of a final scoring, which is asked of every move that a page offers
def cathedral_vp(rules: Ruleset[State], table: tuple[str, ...]) -> int:
    """Return the value of the Cathedral cards on a table (B4)."""
    kinds = Counter(card.split("-")[0] for card in table if card in CATHEDRAL)
    sets = min(kinds[kind] for kind in CATHEDRAL_KINDS)
    return kinds.total() * rules.cathedral_table_vp + sets * rules.cathedral_set_vp


@lru_cache(1000)
def trade_vp(rules: Ruleset[State], table: tuple[str, ...]) -> int:
    """Return the value of the Trade cards on a table, in the best division into sets (B5)."""
    kinds = Counter(TRADE[card][0] for card in table if card in TRADE)
    counts = [kinds[kind] for kind in TRADE_KINDS]
    best = max(
        different * rules.trade_different_vp + sum((count - different) // 3 for count in counts) * rules.trade_same_vp
        for different in range(min(counts) + 1)
    )
    return kinds.total() * rules.trade_table_vp + best


def _city_wall(state: State, seat: int) -> int:
    strictly_most = 0
    for seals in state.quarters:
        own = seals.count(seat)
        strictly_most += all(seals.count(other) < own for other in range(len(state.players)) if other != seat)
    return 2 * strictly_most


def _fisherman_jousting(state: State, seat: int) -> int:
    ahead = sum(player.barge > state.players[seat].barge for player in state.players)
    worth = state.rules.jousting_vp
    return worth[ahead] if ahead < len(worth) else 0


def _of(rule: Callable[[Player], int]) -> Callable[[State, int], int]:
    return lambda state, seat: rule(state.players[seat])


# B6: the table values of the Chronicle cards.
CHRONICLE_VP: Final[dict[str, Callable[[State, int], int]]] = {
    "first_chronicle": _of(lambda player: 2 * len(player.coats)),
    "city_wall": _city_wall,
    "construction_freeze": lambda state, seat: min(state.players[seat].coins, state.rules.freeze_max),
    "fisherman_jousting": _fisherman_jousting,
    "patrician": lambda state, seat: 4,
    "reformation": _of(lambda player: 2 * sum(card in CATHEDRAL for card in player.table)),
    "siege": _of(lambda player: player.played),
    "swabian_league": _of(lambda player: 2 * sum(count > 0 for count in player.tiles)),
    "ulm_sparrow": lambda state, seat: min(state.players[seat].sparrows, state.rules.sparrow_max),
}
