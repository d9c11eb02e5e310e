"""Which rulesets the stored games were made under, and whether all of them are there."""

from __future__ import annotations

from typing import NamedTuple

from server.engine import rulesets
from server.storage import sql
from server.storage.database import Store


class Use(NamedTuple):
    """A ruleset: how many stored games and records stand under it, whether the engine knows it, whether it is an
    operator's own, and whether new games are played by it."""

    name: str
    games: int
    known: bool
    own: bool
    for_new_games: bool


def of_all(store: Store) -> list[Use]:
    """Every ruleset that there is or that a stored game asks for: known ones first, in their order."""
    with store.read():
        rows = sql.rows(store, "SELECT ruleset, COUNT(*) FROM game GROUP BY ruleset")
    games = {str(name): int(count) for name, count in rows}
    chosen = rulesets.for_new_games().name
    names = [*rulesets.ALL, *sorted(games.keys() - rulesets.ALL.keys())]
    return [Use(name, games.get(name, 0), name in rulesets.ALL, name in rulesets.OWN, name == chosen) for name in names]
