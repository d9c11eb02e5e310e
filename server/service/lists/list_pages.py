"""Pages of lists, by an index: never counting beyond `COUNTED`, skipping more than `SKIPPED`, or reading all games."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple

from server.engine.ulm1.shapes import JsonSchema
from server.language import gettext as _
from server.service.common import checks
from server.service.common.errors import bad_field
from server.service.games import listing_keys
from server.service.games.listing_keys import KINDS
from server.storage import sql
from server.storage.database import Store

COUNTED = 1000  # So far games are counted; of more it is said that there are more
SKIPPED = 2000  # So many games lie at most before a page that is asked for by its number
PAGE_SIZE_MAX = 100

PUBLIC = "(g.private = ? AND g.unplayed = ?)"
"""The SQL condition under which everybody finds game `g`; one resigned at once only who sat there finds."""
PUBLIC_VALUES = (False, False)  # The parameters of `PUBLIC`


class Total(NamedTuple):
    """How many games a list has: just so many, or more."""

    number: int
    exact: bool


NONE = Total(0, True)  # An empty list


class After(NamedTuple):
    """The game that a page follows: by what its list is ordered, and its id."""

    key: str
    game: str


STATUSES = ("open", "running", "finished", "abandoned")
Status = Annotated[str, JsonSchema(enum=STATUSES)]
NEWEST = "g.created_at DESC, g.id"
LAST_OVER = "g.finished_at DESC, g.id"
_OF_SEATS = {NEWEST: "created_at", LAST_OVER: "finished_at"}  # Orders that seats are indexed in too, by what


@dataclass(frozen=True)
class Where:
    """Which games `g` a list has: SQL of ours, and what stands for its question marks. `member`: those of that player
    alone (`won`: that they won); with `player`, the public ones and this player's own; with neither, what the
    conditions leave over. `statuses` and `kinds` are known of a seat without its game; `scored` are conditions on the
    winner's points."""

    conditions: list[str] = field(default_factory=list)
    values: list[object] = field(default_factory=list)
    member: str | None = None
    won: bool = False
    player: str | None = None
    statuses: tuple[str, ...] = STATUSES
    kinds: tuple[str, ...] = KINDS
    scored: list[str] = field(default_factory=list)
    scores: list[object] = field(default_factory=list)

    def also(self, condition: str, *values: object) -> Where:
        """The same with one condition more."""
        return replace(self, conditions=[*self.conditions, condition], values=[*self.values, *values])

    def also_scored(self, condition: str, score: int) -> Where:
        """The same with one condition more on the winner's points."""
        return replace(self, scored=[*self.scored, condition], scores=[*self.scores, score])

    def public(self) -> Where:
        """Of these the games that everybody finds, as conditions on their rows."""
        rows = [PUBLIC, *(f"g.origin <> '{kind}'" for kind in KINDS if kind not in self.kinds)]
        if len(self.statuses) == 1:
            rows.append(f"g.status = '{self.statuses[0]}'")
        elif self.statuses != STATUSES:
            rows.append(f"g.status IN ({_quoted(self.statuses)})")
        values = [*PUBLIC_VALUES, *self.values]
        return replace(self, conditions=[*rows, *self.conditions], values=values, member=None, player=None)

    def following(self, column: str, game: str, after: After | None) -> Where:
        """Of these the games after one in an order by this column, descending, and by their ids; None: all."""
        if after is None:
            return self
        return self.also(f"{column} <= ? AND ({column} < ? OR {game} > ?)", after.key, after.key, after.game)


class _Query(NamedTuple):
    """A SELECT of ids, the order of its list and the values of both; LIMIT may follow."""

    ids: str
    values: list[object]


def _query(store: Store, where: Where, order: str, most: int, after: After | None, few: bool) -> _Query:
    """The ids of a list, good for its first `most`. `few`: there are hardly any games of such points. A part with a
    LIMIT of its own is not mixed with what is around it by a planner, which knows neither how few a player's games are
    nor how far a list must be read."""
    whose = where.member or where.player
    if whose is None:
        return _by_rows(store, where, order, after, few)
    if where.member is not None and order not in _OF_SEATS:
        return _by_seats_first(where, order)
    parts = [_by_seats(where, whose, listed, _OF_SEATS[order], most, after) for listed in _listed(where)]
    if where.member is None:
        shown = _by_rows(store, where.public(), order, after, few)
        parts.append(_Query(f"{shown.ids} LIMIT {most}", shown.values))
    # One's own public games are found twice.
    joined = " UNION ALL " if where.member is not None else " UNION "
    selects = joined.join(f"SELECT id, at FROM ({part.ids}) p{number}" for number, part in enumerate(parts))  # noqa: S608
    values = [value for part in parts for value in part.values]
    return _Query(f"SELECT u.id FROM ({selects}) u ORDER BY u.at DESC, u.id", values)  # noqa: S608


def _by_rows(store: Store, where: Where, order: str, after: After | None, few: bool) -> _Query:
    """By the rows of games, in the index of the order; where there are few of such points, by the index of these."""
    column = order.split()[0]
    where = where.following(column, "g.id", after)
    wanted = " AND ".join([*where.conditions, *where.scored])
    values = [*where.values, *where.scores]
    by = ""
    if where.scored and store.is_sqlite:
        # Which of the two is right depends on how many there are, which it does not know.
        by = f" INDEXED BY {_BY_SCORE if few else _BY_END}"
    source = f"SELECT g.id, {column if _OF_SEATS.get(order) else 1} AS at FROM game g{by} WHERE {wanted}"  # noqa: S608
    if where.scored and few:
        return _Query(f"SELECT f.id, f.at FROM ({source} LIMIT {FEW}) f ORDER BY f.at DESC, f.id", values)  # noqa: S608
    return _Query(f"{source} ORDER BY {order}", values)


_BY_SCORE, _BY_END = "game_best", "game_last_over"


def _by_seats(where: Where, player: str, listed: str, column: str, most: int, after: After | None) -> _Query:
    """The first `most` of a player's games so listed, by an index of seats alone where no condition asks rows."""
    wanted = Where([f"m.player_id = ? AND m.listed = ?{' AND m.won' if where.won else ''}"], [player, listed])
    wanted = wanted.following(f"m.{column}", "m.game_id", after)
    source, of_rows = "seat m", [*where.conditions, *where.scored]
    if of_rows:
        source += " CROSS JOIN game g"
        wanted = wanted.also(" AND ".join(["g.id = m.game_id", *of_rows]), *where.values, *where.scores)
    return _Query(
        f"SELECT m.game_id AS id, m.{column} AS at FROM {source} WHERE {' AND '.join(wanted.conditions)}"  # noqa: S608
        f" ORDER BY m.{column} DESC, m.game_id LIMIT {most}",
        wanted.values,
    )


def _by_seats_first(where: Where, order: str) -> _Query:
    """All of a player's games that are so listed, in an order that no seat knows."""
    seats = f"SELECT m.game_id AS id FROM seat m WHERE m.player_id = ? AND m.listed IN ({_quoted(_listed(where))})"  # noqa: S608
    wanted = " AND ".join(["g.id = i.id", *where.conditions])
    return _Query(
        f"SELECT g.id FROM ({seats} LIMIT {_ALL}) i CROSS JOIN game g WHERE {wanted} ORDER BY {order}",  # noqa: S608
        [where.member, *where.values],
    )


def _listed(where: Where) -> list[str]:
    """What seats in such games say."""
    return [listing_keys.of_kind(kind, status) for kind in where.kinds for status in where.statuses]


def _quoted(words: Sequence[str]) -> str:
    """Words of ours as a list in SQL."""
    return ", ".join(f"'{word}'" for word in words)


_ALL = 1_000_000
"""More seats than anybody has: a limit keeps a planner from mixing what is asked with what is around it."""
FEW = 2000
"""So many games of some points are put in order one by one; of more, the list is read until enough of them came."""


def _are_few(store: Store, where: Where) -> bool:
    """Whether hardly any public games have such points."""
    if not where.scored or where.member is not None:
        return False
    by = f" INDEXED BY {_BY_SCORE}" if store.is_sqlite else ""
    wanted = " AND ".join([PUBLIC, "g.status = 'finished'", *where.scored])
    some = f"SELECT 1 FROM game g{by} WHERE {wanted} LIMIT {FEW + 1}"  # noqa: S608
    found = sql.value(store, f"SELECT COUNT(*) FROM ({some}) c", *PUBLIC_VALUES, *where.scores)  # noqa: S608
    return (found or 0) <= FEW


def page(
    store: Store, where: Where, order: str, number: int, size: int, after: After | None = None
) -> tuple[list[str], Total]:
    """The ids of one page of a list, in its order, and how many games the list has; inside a transaction. The page is
    the `number`-th of `size`, or the first `size` games `after` one, in an order by one column, descending, and then by
    id. Raises `Unprocessable`."""
    number = checks.whole("page", number, 1, 10**6)
    size = checks.whole("page_size", size, 1, PAGE_SIZE_MAX)
    skipped = (number - 1) * size
    few = _are_few(store, where)
    # In the list's order: by another index the first of them might lie anywhere.
    first = _query(store, where, order, COUNTED + 1, None, few)
    found = sql.value(store, f"SELECT COUNT(*) FROM ({first.ids} LIMIT {COUNTED + 1}) c", *first.values)  # noqa: S608
    total = Total(min(found or 0, COUNTED), (found or 0) <= COUNTED)
    if after is not None:
        skipped = 0
    elif skipped > SKIPPED:
        if total.exact:
            return [], total
        most = SKIPPED // size + 1
        raise bad_field("page", _("at most %(most)s; go on with after, as the Link of each page has it", most=most))
    shown = _query(store, where, order, skipped + size, after, few)
    return [row[0] for row in sql.rows(store, f"{shown.ids} LIMIT ? OFFSET ?", *shown.values, size, skipped)], total


def after_text(key: str, game: str) -> str:
    """What stands in an address for the page after a game."""
    return base64.urlsafe_b64encode(f"{key} {game}".encode()).decode().rstrip("=")


def read_after(text: str | None) -> After | None:
    """The game that an address names (None: none). Raises `Unprocessable`."""
    if text is None:
        return None
    try:
        words = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii").split(" ")
    except (binascii.Error, ValueError):
        words = []
    if len(words) != 2 or not all(words):
        raise bad_field("after", _("give it as the Link of a page has it"))
    return After(*words)
