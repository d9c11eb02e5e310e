"""All tables and indexes of version 0.2.0. A database of version 0.1.0 has them already and keeps what is in it."""

import json
import logging
import re
import zlib
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

log = logging.getLogger("ulm.storage")

_WORDS = ("serial", "bigserial", "boolean", "true", "false", "blob")
_NUMBER = "INTEGER NOT NULL PRIMARY KEY"
_SQLITE = dict(zip(_WORDS, (_NUMBER, _NUMBER, "INTEGER", "1", "0", "BLOB"), strict=True))
_SERIALS = ("SERIAL NOT NULL PRIMARY KEY", "BIGSERIAL NOT NULL PRIMARY KEY")
_POSTGRESQL = dict(zip(_WORDS, (*_SERIALS, "BOOLEAN", "TRUE", "FALSE", "BYTEA"), strict=True))


def up(migrator: Any, db: Any) -> None:
    """Create the tables; where version 0.1.0 made them, forget its migrations, pack the archived logs anew, and
    drop what it noted of mails that were refused and the kept refusals that cannot be told any more."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    if db.execute_sql("SELECT 1 FROM schema_migration WHERE name = '0001_initial'").fetchone():
        db.execute_sql("DELETE FROM schema_migration")
        _pack_anew(db, "?" if sqlite else "%s")
        db.execute_sql("DROP TABLE signing_key")  # sessions and forms are no longer signed with a key of the server
        db.execute_sql("DROP TABLE mail_refusal")
        db.execute_sql("ALTER TABLE mail DROP COLUMN doubts")
        db.execute_sql("ALTER TABLE mail ADD COLUMN refused_at VARCHAR(20)")
        # Of illegal moves a refusal was kept without its words. A repeat of the request is looked at anew.
        db.execute_sql("DELETE FROM reply WHERE substr(told, 1, 7) = '{\"row\":'")
        return
    text = re.sub(r" *--.*", "", Path(__file__).with_suffix(".sql").read_text("utf-8"))
    for statement in text.format(**(_SQLITE if sqlite else _POSTGRESQL)).split(";\n"):
        if statement.strip():
            db.execute_sql(statement)


def _pack_anew(db: Any, mark: str) -> None:
    """Archived logs are lists of rows and were lists of columns. One that cannot be read stays: `ulm verify` tells."""
    ((number,),) = db.execute_sql("SELECT count(*) FROM archived_log").fetchall()
    log.info("packing the archived logs of version 0.1.0 anew", extra={"fields": {"games": number}})
    last = ""
    while True:
        found = db.execute_sql(
            f"SELECT game_id, log FROM archived_log WHERE game_id > {mark} ORDER BY game_id LIMIT 500",  # noqa: S608
            (last,),
        ).fetchall()
        if not found:
            return
        for last, packed in found:
            try:
                rows = list(_rows(*json.loads(zlib.decompress(bytes(packed)))))
            except (zlib.error, ValueError, TypeError):
                continue
            text = json.dumps(rows, separators=(",", ":"), ensure_ascii=False).encode()
            update = f"UPDATE archived_log SET version = 2, log = {mark} WHERE game_id = {mark}"  # noqa: S608
            db.execute_sql(update, (zlib.compress(text, 9), last))


def _rows(
    ids: list[int], plies: list[int], seats: list[int], moves: list[str], times: list[Any], automatic: list[int],
    undone: list[Any],
) -> Iterator[tuple[Any, ...]]:  # fmt: skip
    """Numbers were steps from the one before, a time 0 where it was the one before."""
    same = lambda before, time: before if time == 0 else time  # noqa: E731
    columns = (accumulate(ids), accumulate(plies), seats, moves, accumulate(times, same), map(bool, automatic))
    return zip(*columns, accumulate(undone, same), strict=True)
