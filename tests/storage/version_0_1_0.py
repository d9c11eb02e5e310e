"""Databases that version 0.1.0 made (`version_0_1_0.*.sql`): three people with tokens, a bot, a session, games that are
open, running, over, archived, imported and a sandbox, their mails."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests import postgres


def text(kind: str) -> str:
    """The statements that make it; `kind` is sqlite or postgresql."""
    return Path(__file__).with_suffix(f".{kind}.sql").read_text("utf-8")


def sqlite(path: Path) -> str:
    """Make it in a new file; its address."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(text("sqlite"))
    return f"sqlite:///{path}"


def postgresql(directory: Path, name: str) -> str:
    """Make it in a new database of the server in `directory`; its address."""
    import psycopg

    postgres.recreate_database(directory, name)
    with psycopg.connect(postgres.url(directory, name)) as connection:
        connection.execute(text("postgresql"))
    return postgres.url(directory, name)
