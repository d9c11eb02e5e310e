"""All tables and indexes of version 0.2.0. A database of version 0.1.0 has them already and keeps what is in it."""

from pathlib import Path
from typing import Any

_SQLITE = {
    "serial": "INTEGER NOT NULL PRIMARY KEY",
    "bigserial": "INTEGER NOT NULL PRIMARY KEY",
    "boolean": "INTEGER",
    "true": "1",
    "false": "0",
    "blob": "BLOB",
}
_POSTGRESQL = {
    "serial": "SERIAL NOT NULL PRIMARY KEY",
    "bigserial": "BIGSERIAL NOT NULL PRIMARY KEY",
    "boolean": "BOOLEAN",
    "true": "TRUE",
    "false": "FALSE",
    "blob": "BYTEA",
}


def up(migrator: Any, db: Any) -> None:
    """Create the tables; where version 0.1.0 made them, forget the names of its 29 migrations."""
    if db.execute_sql("SELECT 1 FROM schema_migration WHERE name = '0001_initial'").fetchone():
        db.execute_sql("DELETE FROM schema_migration")
        return
    words = _SQLITE if type(migrator).__name__.startswith("Sqlite") else _POSTGRESQL
    text = Path(__file__).with_suffix(".sql").read_text("utf-8").format(**words)
    for statement in text.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
