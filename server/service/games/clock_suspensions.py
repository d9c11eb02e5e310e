"""When clocks stand still beside the nights: on vacations, and while the operator has paused all mail."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from server.service.games.running_time import Interval
from server.service.outbox.pauses import BY_OPERATOR
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc


@dataclass(frozen=True, slots=True)
class Suspensions:
    """Times in which clocks stand still, as far as they are known at some moment: a pause that is not over yet ends
    with that moment, so that what is reckoned with it is never too late."""

    vacations: Mapping[str, Sequence[Interval]]  # by player
    mail_pauses: Sequence[Interval] = ()  # for everybody

    def paused_since(self, moment: datetime) -> bool:
        """Whether mail was paused at some time after `moment`."""
        return any(ends > moment for _, ends in self.mail_pauses)


DEADLINE = f"CASE WHEN EXISTS ({BY_OPERATOR}) THEN NULL ELSE g.deadline END"
"""The deadline of game `g` as people are told it: none while mail is paused."""

_PAUSES = """
    SELECT NULL, since, ended_at FROM mail_pause WHERE cause = 'operator' AND (ended_at IS NULL OR ended_at > ?)"""


def known(store: Store, players: Sequence[str], now: datetime) -> Suspensions:
    """The vacations of players by their ids and the pauses of all mail, from the year before `now` on: a turn may have
    begun then, and what counts of a vacation depends on the earlier ones of its year. One statement."""
    since = utc(datetime(now.year - 1, 1, 1, tzinfo=UTC))
    statement, values = _PAUSES, [since]
    if players:
        marks = ", ".join("?" * len(players))
        own = f"SELECT player_id, starts_at, ends_at FROM vacation WHERE player_id IN ({marks}) AND ends_at > ?"  # noqa: S608
        statement, values = f"{own} UNION ALL {_PAUSES}", [*players, since, since]
    vacations: defaultdict[str, list[Interval]] = defaultdict(list)
    pauses: list[Interval] = []
    for player, starts_at, ends_at in sql.rows(store, statement, *values):
        interval = (parse_utc(starts_at), now if ends_at is None else parse_utc(ends_at))
        if player is not None:
            vacations[player].append(interval)
        elif interval[0] < interval[1]:
            pauses.append(interval)
    return Suspensions(vacations, pauses)
