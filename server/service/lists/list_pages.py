"""Pages of lists of games: found by an index in the order of the list, so that a page costs the same however many
games there are.

Three things would cost as much as the whole list, and are not done: counting beyond `COUNTED`, skipping more than
`SKIPPED` (who goes on does so *after* the last game they have seen), and looking at everybody's games for those of one.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from server.language import gettext as _
from server.service.common import checks
from server.service.common.errors import bad_field
from server.storage import sql
from server.storage.database import Store

COUNTED = 1000
"""So far games are counted; of more it is said that there are more."""
SKIPPED = 2000
"""So many games lie at most before a page that is asked for by its number."""
PAGE_SIZE_MAX = 100

PUBLIC = "(g.private = ? AND g.unplayed = ?)"
"""The SQL condition under which everybody finds game `g` in lists and statistics. One that was resigned at once nobody
finds but who sat there: anybody makes hundreds of these in a minute."""
PUBLIC_VALUES = (False, False)
"""The parameters of `PUBLIC`."""


class Total(NamedTuple):
    """How many games a list has: just so many, or more."""

    number: int
    exact: bool


NONE = Total(0, True)
"""An empty list."""


class After(NamedTuple):
    """The game that a page follows: by what its list is ordered, and its id."""

    key: str
    game: str


@dataclass(frozen=True)
class Where:
    """Which games `g` a list has: SQL of ours, and what stands for its question marks.

    `member`: those of that player alone (with `won`, that they won); with `player`, of the public ones and this
    player's own; with neither, those that the conditions leave over.
    """

    conditions: list[str] = field(default_factory=list)
    values: list[object] = field(default_factory=list)
    member: str | None = None
    won: bool = False
    player: str | None = None

    def also(self, condition: str, *values: object) -> Where:
        """The same with one condition more."""
        return Where([*self.conditions, condition], [*self.values, *values], self.member, self.won, self.player)

    def statement(self, order: str, most: int) -> tuple[str, list[object]]:
        """FROM and WHERE, good for the first `most` games by `order`, and their values.

        Games of one player are found by their seats first, whatever the planner would begin with: it knows neither how
        few they are nor how far a list would have to be read to come upon them.
        """
        where = " AND ".join(self.conditions) or "TRUE"
        if self.member is not None:
            seats, of_whom = _SEATS + (" AND m.won = ?" if self.won else ""), [self.member, True][: 1 + self.won]
            return f"({seats} LIMIT {_ALL}) i CROSS JOIN game g WHERE g.id = i.id AND {where}", of_whom + self.values
        if self.player is None:
            return f"game g WHERE {where}", self.values
        public = f"SELECT g.id FROM game g WHERE {PUBLIC} AND {where} ORDER BY {order} LIMIT {most}"  # noqa: S608
        candidates = f"(SELECT p.id FROM ({public}) p UNION {_SEATS}) i CROSS JOIN game g"  # noqa: S608
        values = [*PUBLIC_VALUES, *self.values, self.player, *self.values]
        return f"{candidates} WHERE g.id = i.id AND {where}", values


_SEATS = "SELECT m.game_id AS id FROM seat m WHERE m.player_id = ?"
_ALL = 1_000_000
"""More seats than anybody has: a limit keeps a planner from mixing what is asked with what is around it."""


def page(
    store: Store, where: Where, order: str, number: int, size: int, after: After | None = None
) -> tuple[list[str], Total]:
    """The ids of one page of a list, in its order, and how many games the list has; inside a transaction.

    The page is the `number`-th of `size`, or the first `size` games `after` one: that needs an order by one column,
    descending, and then by id. Raises `Unprocessable`.
    """
    number = checks.whole("page", number, 1, 10**6)
    size = checks.whole("page_size", size, 1, PAGE_SIZE_MAX)
    skipped = (number - 1) * size
    source, values = where.statement(order, COUNTED + 1)
    # In the list's order: by another index the first of them might lie anywhere.
    first = f"SELECT 1 FROM {source} ORDER BY {order} LIMIT {COUNTED + 1}"  # noqa: S608
    counted = sql.row(store, f"SELECT COUNT(*) FROM ({first}) c", *values)  # noqa: S608
    found = counted[0] if counted else 0
    total = Total(min(found, COUNTED), found <= COUNTED)
    if after is not None:
        column = order.split()[0]
        where = where.also(f"{column} <= ? AND ({column} < ? OR g.id > ?)", after.key, after.key, after.game)
        skipped = 0
    elif skipped > SKIPPED:
        if total.exact:
            return [], total
        most = SKIPPED // size + 1
        raise bad_field("page", _("at most %(most)s; go on with after, as the Link of each page has it", most=most))
    source, values = where.statement(order, skipped + size)
    statement = f"SELECT g.id FROM {source} ORDER BY {order} LIMIT ? OFFSET ?"  # noqa: S608
    return [row[0] for row in sql.rows(store, statement, *values, size, skipped)], total


def marks(values: Sequence[object]) -> str:
    """The question marks of so many values behind IN."""
    return f"({', '.join('?' * len(values)) or 'NULL'})"


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
