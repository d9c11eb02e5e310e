"""Links in mails."""

from __future__ import annotations

from peewee import CharField, ForeignKeyField, IntegerField, TextField

from server.storage.models.accounts import Player
from server.storage.models.base import BaseModel, UTCField
from server.storage.models.games import Game


class UsedLink(BaseModel):
    """A link that works once and was used."""

    hash = CharField(primary_key=True, max_length=64)  # SHA-256 of the token, hex
    expires_at = UTCField(index=True)


class ShortLink(BaseModel):
    """What the token of a link in a mail leads to."""

    token = CharField(primary_key=True, max_length=26)  # random (service/accounts/links.py)
    key = CharField(max_length=100, unique=True)  # what it is for, so that it is made once
    purpose = CharField(max_length=16)
    claims = TextField()  # JSON
    game = ForeignKeyField(Game, null=True, on_delete="CASCADE", backref="links")
    player = ForeignKeyField(Player, null=True, on_delete="CASCADE", backref="links")
    epoch = IntegerField()  # the player's link epoch when it was made; 0 where that is not asked for
    created_at = UTCField()  # the newest time for which it was made

    class Meta:
        indexes = ((("purpose", "created_at"), False),)
