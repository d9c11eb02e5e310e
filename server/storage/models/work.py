"""What processes do and keep for each other: leases, turns of bots, hints, answers to requests that are sent
again, and what was noted of the operator's and of errors."""

from __future__ import annotations

from peewee import SQL, AutoField, BigAutoField, CharField, ForeignKeyField, IntegerField, TextField

from server.storage.models.accounts import Player
from server.storage.models.base import BaseModel, UTCField
from server.storage.models.games import Game


class Reply(BaseModel):
    """What the first answer to a request with an Idempotency-Key can be made of again (`common/idempotency`)."""

    id = AutoField()
    name = CharField(max_length=20, unique=True)  # hash of whose key it is, what for, and which
    request = CharField(max_length=12)  # hash of what was asked
    player = ForeignKeyField(Player, null=True, on_delete="CASCADE", backref="replies")
    game = ForeignKeyField(Game, null=True, on_delete="CASCADE", backref="replies", index=False)
    status = IntegerField()
    told = TextField()  # JSON
    created_at = UTCField()

    class Meta:
        indexes = ((("game", "player"), False),)


class BotTurn(BaseModel):
    """A turn of a bot that is due, and is played by a job."""

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE", backref="bot_turns")
    seat = IntegerField()
    secret = CharField(max_length=64)  # hex; what the bot's chance follows from
    alone = IntegerField()  # 1: nobody waits for it, it is a game of bots
    due_at = UTCField()
    failures = IntegerField(default=0)  # in a row
    lease_owner = CharField(max_length=64, null=True)
    lease_until = UTCField(null=True)  # without an owner: it is not tried again before
    late_ply = IntegerField(null=True)  # there its player's time was over: the rest of the turn is played for them
    request = CharField(max_length=64, null=True)  # the id of that which caused it


class Hint(BaseModel):
    """A hint that somebody asked for."""

    id = CharField(primary_key=True, max_length=32)
    game = ForeignKeyField(Game, on_delete="CASCADE", backref="hints_taken", index=False)
    seat = IntegerField()
    about = CharField(max_length=64)  # a hash of what the seat saw
    secret = CharField(max_length=64)  # hex; what the bot's chance follows from
    moves = TextField(null=True)  # with commas between; null: it is thought about
    asked_at = UTCField()
    lease_until = UTCField(null=True)

    class Meta:
        indexes = ((("game", "seat", "about"), True),)


Hint.add_index(Hint.index(Hint.asked_at, where=SQL("moves IS NULL"), name="hint_waiting"))


class Lease(BaseModel):
    """Which process does a job that only one may do."""

    name = CharField(primary_key=True, max_length=64)
    owner = CharField(max_length=64)
    until = UTCField()


class Audit(BaseModel):
    """A line of the audit log. It outlives its account, and so refers to none."""

    id = BigAutoField()
    at = UTCField(index=True)
    what = CharField(max_length=40)
    player_id = CharField(max_length=32, null=True)
    network = CharField(max_length=50, null=True)  # of the caller, cut to /24 or /48
    details = TextField(default="{}")  # JSON; nothing that would have to be erased

    class Meta:
        indexes = ((("player_id", "id"), False),)


class Trouble(BaseModel):
    """An error that some process has logged, of the newest some (service/admin/recent_errors.py)."""

    id = BigAutoField()
    at = UTCField()
    process = CharField(max_length=64)
    logger = CharField(max_length=60)
    message = CharField(max_length=200)
    cause = CharField(max_length=200)
    request = CharField(max_length=64, null=True)
