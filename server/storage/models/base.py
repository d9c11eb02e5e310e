"""What every table has."""

from __future__ import annotations

from datetime import datetime

from peewee import CharField, Model

from server.storage.database import database
from server.storage.times import utc


class UTCField(CharField):
    """A time as text in UTC; takes an aware `datetime` or such text, gives the text."""

    def __init__(self, **options: object) -> None:
        super().__init__(max_length=20, **options)

    def db_value(self, value: object) -> object:
        return utc(value) if isinstance(value, datetime) else value


class BaseModel(Model):
    class Meta:
        database = database  # the one of the store in force
        legacy_table_names = False
