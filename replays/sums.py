"""What games add up to, as whole numbers by name: two such sums are added, and one is taken from another, exactly.

`stats.Corpus` counts games one after the other; sums are for who keeps what was counted, and adds to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from replays.stats import SOURCES, Corpus, Row, Share

Sums = Counter[str]

_PARTS = 12
"""Of a win that is shared among two, three or four, and of a fair share of it."""
_TAB = "\t"


def of_game(game: Iterable[Row]) -> Sums:
    """The sums of one game, by its `stats.rows`."""
    found: Sums = Counter()
    counted = Corpus()
    table = list(game)
    counted.add(table)
    if not table:
        return found
    found["games"], found["seats"] = counted.games, counted.seats
    found[f"plies{_TAB}{counted.plies}"] = 1
    found["own_plies"], found["turns"], found["resigned"] = counted.own_plies, counted.turns, counted.resigned
    for kind, number in counted.kinds.items():
        found[f"kind{_TAB}{kind}"] = number
    for source, number in counted.vp.items():
        found[f"vp{_TAB}{source}"] = number
    for group, shares in _shares(counted).items():
        for name, share in shares.items():
            key = f"{group}{_TAB}{name}{_TAB}"
            found[key + "count"], found[key + "total"] = share.count, share.total
            found[key + "won"], found[key + "fair"] = round(share.won * _PARTS), round(share.fair * _PARTS)
    return Counter({name: number for name, number in found.items() if number})


def add(total: Sums, more: Mapping[str, int], sign: int = 1) -> None:
    """Add the one to the other, or with -1 take it away; what comes to nothing is not kept."""
    before = total.get
    for name, number in more.items():
        after = before(name, 0) + sign * number
        if after:
            total[name] = after
        else:
            total.pop(name, None)


def corpus(total: Mapping[str, int]) -> Corpus:
    """The sums as a corpus, to be told."""
    found = Corpus(games=total.get("games", 0), seats=total.get("seats", 0))
    found.own_plies, found.turns = total.get("own_plies", 0), total.get("turns", 0)
    found.resigned = total.get("resigned", 0)
    groups = _shares(found)
    for name, number in total.items():
        group, _, rest = name.partition(_TAB)
        if group == "plies":
            plies = int(rest)
            found.plies += plies * number
            found.shortest = plies if found.shortest is None else min(plies, found.shortest)
            found.longest = plies if found.longest is None else max(plies, found.longest)
        elif group == "kind":
            found.kinds[rest] = number
        elif group == "vp" and rest in SOURCES:
            found.vp[rest] = number
        elif group in groups:
            owner, _, what = rest.rpartition(_TAB)
            value = number / _PARTS if what in ("won", "fair") else number
            setattr(groups[group][owner], what, value)
    return found


def _shares(of: Corpus) -> dict[str, dict[str, Share]]:
    return {"seat": of.by_seat, "order": of.by_order, "descendant": of.by_descendant, "coat": of.by_coat}
