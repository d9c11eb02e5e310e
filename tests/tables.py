"""The tables as models of peewee, for tests that look into them or change a row: what the migrations make."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

import peewee

from server.storage import migrate
from server.storage.database import Store
from server.storage.times import utc

_in_force: ContextVar[Store | None] = ContextVar("ulm_store", default=None)
"""The store whose block the running context stands in."""


def _noting(block: Any) -> Any:
    @contextmanager
    def noted(store: Store, *given: Any, **named: Any) -> Iterator[Any]:
        with block(store, *given, **named) as found:
            token = _in_force.set(store)
            try:
                yield found
            finally:
                _in_force.reset(token)

    return noted


for _name in ("connection", "read", "write"):
    setattr(Store, _name, _noting(getattr(Store, _name)))
_ask = Store.ask


def _asking(store: Store, question: Callable[[], Any]) -> Any:
    token = _in_force.set(store)
    try:
        return _ask(store, question)
    finally:
        _in_force.reset(token)


Store.ask = _asking  # type: ignore[method-assign, assignment]


class CurrentDatabase(peewee.DatabaseProxy):
    """The database of the store whose block the running context stands in. A query outside every block and question
    raises `RuntimeError`."""

    __slots__ = ("_Model", "_callbacks")  # peewee's __setattr__ looks into the class's own tuple

    def initialize(self, obj: Any) -> None:
        """Nothing to hold: the context decides anew at each use."""

    @property
    def obj(self) -> peewee.Database | None:
        store = _in_force.get()
        return None if store is None else store.database

    def __getattr__(self, name: str) -> Any:
        store = _in_force.get()
        if store is None:
            if name.startswith("__"):
                raise AttributeError(name)  # introspection, not a query
            raise RuntimeError("a query outside store.read() and store.write()")
        return getattr(store.database, name)


database = CurrentDatabase()


class Words(peewee.CharField):
    """Text; takes a `datetime` too, as it is stored."""

    def db_value(self, value: object) -> object:
        return utc(value) if isinstance(value, datetime) else value


_FIELDS = {
    "{serial}": peewee.AutoField,
    "{bigserial}": peewee.BigAutoField,
    "{boolean}": peewee.BooleanField,
    "{blob}": peewee.BlobField,
    "INTEGER": peewee.IntegerField,
    "BIGINT": peewee.BigIntegerField,
    "TEXT": peewee.TextField,
    "VARCHAR": Words,
}
_DEFAULTS = {"data": "{}", "state": "pending", "origin": "played"}
_COLUMN = re.compile(r"    (\w+) ([{}\w]+)(?:\(\d+\))?( NOT NULL)?( PRIMARY KEY)?(?: REFERENCES (\w+))?.*?( DEFAULT)?")
_LATER = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+) ([A-Z]+)")
_KEY = re.compile(r"    PRIMARY KEY \((.*)\)")


def _models() -> dict[str, Any]:
    made: dict[str, Any] = {}
    later = [
        found
        for file in sorted(migrate.DIRECTORY.glob("000[2-9]_*.py"))
        for found in _LATER.findall(file.read_text("utf-8"))
    ]
    script = re.sub(" *--.*", "", (migrate.DIRECTORY / "0001_tables.sql").read_text("utf-8"))
    for table, body in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\);", script, re.DOTALL):
        meta: dict[str, object] = {"database": database, "table_name": table, "primary_key": None}
        members: dict[str, object] = {}
        for line in body.strip("\n").splitlines():
            key = _KEY.match(line)
            if key is not None:
                meta["primary_key"] = peewee.CompositeKey(*key[1].split(", "))
                continue
            found = _COLUMN.fullmatch(line.rstrip(","))
            assert found is not None, line
            name, kind, needed, primary, parent, default = found.groups()
            options: dict[str, object] = {"null": needed is None and "serial" not in kind, "primary_key": bool(primary)}
            if parent is not None:
                members[name.removesuffix("_id")] = peewee.ForeignKeyField(
                    made[parent], column_name=name, backref="+", **options
                )
                continue
            if needed and not primary and not default:
                options["default"] = _DEFAULTS.get(name, "" if kind in ("TEXT", "VARCHAR") else 0)
            if "serial" in kind:
                options["primary_key"] = True
            members[name] = _FIELDS[kind](**options)
        members |= {column: _FIELDS[kind](null=True) for owner, column, kind in later if owner == table}
        name = table.title().replace("_", "")
        made[table] = type(name, (peewee.Model,), {**members, "Meta": type("Meta", (), meta)})
    return made


_made = _models()
MODELS = tuple(_made.values())
"""Every model, parents first."""
Analysis = _made["analysis"]
ArchivedLog = _made["archived_log"]
Audit = _made["audit"]
Game = _made["game"]
ImportedRecord = _made["imported_record"]
Invitation = _made["invitation"]
Lease = _made["lease"]
Mail = _made["mail"]
MailPause = _made["mail_pause"]
Message = _made["message"]
Move = _made["move"]
Player = _made["player"]
Reply = _made["reply"]
Seat = _made["seat"]
Session = _made["session"]
ShortLink = _made["short_link"]
Snapshot = _made["snapshot"]
Token = _made["token"]
UsedLink = _made["used_link"]
Vacation = _made["vacation"]
