"""Tables of many games for programs that reckon with them: a row for each game, each seat and each ply, as Parquet.

The extra `data` writes them (pyarrow): piece by piece, so that a corpus of any size fits into memory, and with what
each column means inside the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime
from typing import IO, NamedTuple

from replays import stats
from replays.files import Item, ReplayError
from replays.stats import SOURCES, Row
from server.engine.errors import RecordError
from server.engine.events import any_reveals
from server.engine.game import GameStep
from server.engine.record import Record

TEXT, NUMBER, SHARE, FLAG, TIME, NAMES = "string", "int32", "double", "bool", "timestamp, UTC", "list of string"
COLUMNS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "games": {
        "id": (TEXT, "The game: joins the tables."),
        "name": (TEXT, "What it is called."),
        "ruleset": (TEXT, "The rules that it was played by."),
        "players": (NUMBER, "2 to 4."),
        "rotate_start": (FLAG, "Whether the start player changed every round (O2)."),
        "tower": (FLAG, "Whether it was the advanced game (O1)."),
        "plies": (NUMBER, "How many moves were made."),
        "round": (NUMBER, "The round in which it ended: 10, less where seats resigned."),
        "began": (TIME, "Its first move with a time."),
        "ended": (TIME, "Its last."),
        "commitment": (TEXT, "To the server's seed. Arenas play a deal from each seat: such games have it in common."),
        "origin": (TEXT, "Of an export: how the game came to the server; else null."),
        "source": (TEXT, "The file that its record was in, and the line."),
    },
    "seats": {
        "id": (TEXT, "The game."),
        "seat": (NUMBER, "From 0 on."),
        "player": (TEXT, "The name."),
        "account": (TEXT, "Of an export: the player's id, where it is public; else null."),
        "bot": (TEXT, "Which one, null for a person, or where the record does not say."),
        "level": (NUMBER, "Of an export: the bot's level; else null."),
        "turn_order": (NUMBER, "The place in the first round, from 0 on."),
        "turns": (NUMBER, "How many turns it ended."),
        "own_plies": (NUMBER, "How many moves it made."),
        "resigned": (FLAG, "Whether it did."),
        "total": (NUMBER, "Victory points in the end."),
        "rank": (NUMBER, "1 for who won."),
        "won": (SHARE, "1, shared among several winners; else 0."),
        "quarters": (NUMBER, "Quarters with a seal of its own: the tie-breaker."),
        "seals_placed": (NUMBER, "Seals in quarters."),
        "coat_seals": (NUMBER, "Seals on coats of arms."),
        "descendants": (NAMES, "Those that it had in the end."),
        "coats": (NAMES, "Its city coats of arms."),
        "table": (NAMES, "The cards on its table."),
        **{f"vp_{source}": (NUMBER, f"Part of `total`: {source.replace('_', ' ')}.") for source in SOURCES},
    },
    "plies": {
        "id": (TEXT, "The game."),
        "ply": (NUMBER, "From 1 on."),
        "round": (NUMBER, "1 to 10, before the move."),
        "turn": (NUMBER, "Of the game, from 1 on."),
        "seat": (NUMBER, "Who moved."),
        "verb": (TEXT, "The first word of the move."),
        "move": (TEXT, "The whole of it (record.md §3)."),
        "time": (TIME, "When; null where the record does not say."),
        "reveals": (FLAG, "Whether chance had a part in it: a tile or card drawn, coats shown."),
        "vp": (NUMBER, "Victory points of who moved, behind the move like all that follows."),
        "coins": (NUMBER, "Coins."),
        "sparrows": (NUMBER, "Sparrows."),
        "tiles": (NUMBER, "Tiles in its supply."),
        "seals": (NUMBER, "Seals left."),
        "crests": (NUMBER, "Crests left."),
        "barge": (NUMBER, "Space of its barge, 1 to 22."),
        "hand": (NUMBER, "Cards in hand."),
    },
}
"""By table and column: its type, and what it means. docs/replays.md has the same lines."""
_AT_ONCE = 20_000
"""Rows that are written together."""


class Tables(NamedTuple):
    """The rows of one game by table."""

    id: str
    source: str
    rows: dict[str, list[Row]]


def tables_of(item: Item) -> tuple[Tables | None, str | None]:
    """The rows of one text, or None and what is wrong with it; for `checking.in_parallel`."""
    return stats.of_record(item, lambda record: _tables(record, str(item.source)))


def _tables(record: Record, source: str) -> Tables:
    if record.result is None:
        raise RecordError(len(record.moves), "the game is not finished")
    identity = stats.text(record.id)
    if not identity:
        raise RecordError(0, "the record has no `id`, by which the tables are joined")
    plies = _Plies(identity)
    seats = stats.rows(record, plies.add)
    times = [row["time"] for row in plies.rows if row["time"] is not None]
    told = record.extra.get("replay")
    origin = told.get("origin") if isinstance(told, dict) else None
    game = {
        **seats[0], "id": identity, "name": stats.text(record.name), "began": min(times, default=None),
        "ended": max(times, default=None), "commitment": record.commitment, "origin": stats.text(origin),
        "source": stats.text(source),
    }  # fmt: skip
    whose = stats.whose(record)
    named: list[Row] = [{**row, **one, "id": identity} for row, one in zip(seats, whose, strict=True)]
    return Tables(identity, source, {"games": [game], "seats": named, "plies": plies.rows})


class _Plies:
    """Collects the row of each ply."""

    def __init__(self, game: str) -> None:
        self.rows: list[Row] = []
        self._game, self._turn = game, 1

    def add(self, step: GameStep) -> None:
        seat, before, after = step.entry.seat, step.before, step.state
        player = after.players[seat]
        self.rows.append({
            "id": self._game, "ply": step.ply, "round": before.round, "turn": self._turn, "seat": seat,
            "verb": step.move[0], "move": step.entry.text, "time": _time(step.entry.time),
            "reveals": any_reveals(step.events), "vp": player.vp, "coins": player.coins, "sparrows": player.sparrows,
            "tiles": sum(player.tiles), "seals": player.seals, "crests": player.crests, "barge": player.barge,
            "hand": len(player.hand),
        })  # fmt: skip
        self._turn += after.active != before.active or step.begins_round


def _time(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:  # as 30 February
        return None


def write(found: Iterable[Tables], files: Mapping[str, IO[bytes]]) -> Counter[str]:
    """Write the tables of many games, each to its file; return how many rows each has. Raises `ReplayError`
    without the extra."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        how = "pip install 'ulm-by-mail[data]' (docs/club.md)"
        raise ReplayError(f"tables need the extra `data`: {how}") from error
    types = {
        TEXT: pyarrow.string(), NUMBER: pyarrow.int32(), SHARE: pyarrow.float64(), FLAG: pyarrow.bool_(),
        TIME: pyarrow.timestamp("us", "UTC"), NAMES: pyarrow.list_(pyarrow.string()),
    }  # fmt: skip
    written = Counter[str]()
    waiting: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    with ExitStack() as stack:
        writers = {}
        for name, columns in COLUMNS.items():
            fields = [pyarrow.field(key, types[kind], metadata={"about": say}) for key, (kind, say) in columns.items()]
            writers[name] = stack.enter_context(
                parquet.ParquetWriter(files[name], pyarrow.schema(fields), compression="zstd")
            )

        def flush(least: int) -> None:
            for name, rows in waiting.items():
                if len(rows) >= least:
                    writers[name].write_table(pyarrow.Table.from_pylist(rows, writers[name].schema))
                    rows.clear()

        for one in found:
            for name, rows in one.rows.items():
                waiting[name] += rows
                written[name] += len(rows)
            flush(_AT_ONCE)
        flush(1)
    return written
