"""Who plays: accounts, their tokens and sessions, and when they are away."""

from __future__ import annotations

from peewee import SQL, AutoField, BigIntegerField, CharField, ForeignKeyField, IntegerField, TextField

from server.storage.models.base import BaseModel, UTCField


class Player(BaseModel):
    """Somebody with an account."""

    id = CharField(primary_key=True, max_length=32)  # random
    name = TextField()
    email = TextField(null=True)
    email_given_at = UTCField(null=True)  # null: before that was noted
    email_confirmed_at = UTCField(null=True)  # no mail before that
    preferences = TextField(default="{}")  # JSON, what differs from the defaults
    created_at = UTCField()
    mail_stopped_at = UTCField(null=True)  # a mail to the address came back: none is sent until it is confirmed again
    mail_stopped_why = TextField(null=True)
    link_epoch = IntegerField(
        default=0
    )  # links and sessions of an earlier one are worthless (service/accounts/links.py)
    banned_at = UTCField(null=True)  # by the operator: nobody is let into the account, no mail goes to it
    stored_bytes = BigIntegerField(default=0)  # what the player has stored, about (service/accounts/byte_quota.py)


Player.add_index(
    Player.index(Player.mail_stopped_at, where=SQL("mail_stopped_at IS NOT NULL"), name="player_mail_stopped")
)
Player.add_index(Player.index(Player.banned_at, where=SQL("banned_at IS NOT NULL"), name="player_banned"))


class BotAccount(BaseModel):
    """Which accounts are those of programs, and whose."""

    player = ForeignKeyField(Player, primary_key=True, on_delete="CASCADE", backref="bot_accounts")
    owner = ForeignKeyField(Player, on_delete="CASCADE", backref="bots")
    handle = CharField(max_length=24, unique=True)  # by which it is seated, without the @
    who = CharField(max_length=10)  # may seat it
    rules = TextField()  # JSON: what it plays (service/accounts/bot_accounts.py)
    created_at = UTCField()


class Token(BaseModel):
    """A bearer token; only its hash is kept."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE", backref="tokens")
    hash = CharField(max_length=64, unique=True)  # SHA-256, hex
    name = TextField(default="")
    created_at = UTCField()
    last_used_at = UTCField(null=True)  # written at most hourly
    revoked_at = UTCField(null=True)
    scopes = CharField(max_length=60, default="read play account")  # what it may do, words with blanks between
    expires_at = UTCField(null=True)


class Session(BaseModel):
    """A browser that is signed in; only the hash of its token is kept."""

    hash = CharField(primary_key=True, max_length=64)  # of the token, hex
    player = ForeignKeyField(Player, on_delete="CASCADE", backref="sessions")
    device = CharField(max_length=80, default="")  # browser and system in two words
    began_at = UTCField()
    seen_at = UTCField()  # written at most hourly
    fresh_at = UTCField(null=True)  # when a link by mail has begun it; null: it began otherwise


class Vacation(BaseModel):
    """A time in which no deadline of the player runs."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE", backref="vacations")
    starts_at = UTCField()
    ends_at = UTCField()
    created_at = UTCField()
