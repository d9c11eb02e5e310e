"""What is found out about games that are over: tallies and their sums, analyses, puzzles."""

from __future__ import annotations

from peewee import BooleanField, CharField, CompositeKey, ForeignKeyField, IntegerField, TextField

from server.storage.models.base import BaseModel, UTCField
from server.storage.models.games import Game


class Tally(BaseModel):
    """What statistics count of a finished game, and how far that is (service/archive/tallies.py)."""

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE", backref="tallies")
    version = IntegerField(index=True)
    rows = TextField()  # JSON, one object for each seat


class Statistic(BaseModel):
    """What the tallies of one kind of games, of one period, add up to."""

    version = IntegerField()
    span = CharField(max_length=5)
    period = CharField(max_length=10)
    origin = CharField(max_length=16)
    seats = IntegerField()
    tower = BooleanField()
    rotate_start = BooleanField()
    sums = TextField()  # JSON, whole numbers by name (replays/sums.py)

    class Meta:
        primary_key = CompositeKey("version", "span", "period", "origin", "seats", "tower", "rotate_start")


class Analysis(BaseModel):
    """What luck and what skill made of a finished game, or that somebody wishes to know."""

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE", backref="analyses")
    wanted_at = UTCField(null=True, index=True)  # null: nothing is to be done
    done = IntegerField(default=0)  # plies, of the analysis under way
    failures = IntegerField(default=0)
    version = CharField(max_length=40, null=True)  # by which method and weights `data` was found
    data = TextField(null=True)  # JSON (replays/analysis/results.py)
    request = CharField(max_length=64, null=True)  # the id of that which caused it
    lease_owner = CharField(max_length=64, null=True)
    lease_until = UTCField(null=True)


class Puzzle(BaseModel):
    """A position of a finished game in which one turn beats all others."""

    id = CharField(primary_key=True, max_length=32)  # follows from game and ply
    game = ForeignKeyField(Game, on_delete="CASCADE", backref="puzzles", index=False)
    ply = IntegerField()
    data = TextField()  # JSON (replays/analysis/puzzles.py)
    found_at = UTCField()

    class Meta:
        indexes = ((("game", "ply"), True),)


class PuzzleDay(BaseModel):
    """Which puzzle is that of a day."""

    day = CharField(primary_key=True, max_length=10)  # 2026-11-23, in UTC
    puzzle = ForeignKeyField(Puzzle, on_delete="CASCADE", backref="days")
