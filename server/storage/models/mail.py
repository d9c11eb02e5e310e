"""Mail that goes out and comes in."""

from __future__ import annotations

from peewee import SQL, BigAutoField, BigIntegerField, CharField, CompositeKey, ForeignKeyField, IntegerField, TextField

from server.storage.models.accounts import Player
from server.storage.models.base import BaseModel, UTCField
from server.storage.models.games import Game


class Mail(BaseModel):
    """The outbox: one row for each mail, written in the transaction that causes it."""

    id = BigAutoField()
    key = CharField(max_length=200, unique=True)  # what the mail is about, so that it is written once
    kind = CharField(max_length=32)
    game = ForeignKeyField(Game, null=True, on_delete="CASCADE", backref="mails")
    ply = IntegerField(null=True)
    player = ForeignKeyField(Player, null=True, on_delete="CASCADE", backref="mails")
    address = TextField(null=True)  # where there is no player yet, or not the player's present address
    data = TextField(default="{}")  # JSON
    state = CharField(max_length=12, default="pending")  # pending, sending, sent, skipped, dead
    due_at = UTCField()
    attempts = IntegerField(default=0)
    lease_owner = CharField(max_length=64, null=True)
    lease_until = UTCField(null=True)
    created_at = UTCField()
    done_at = UTCField(null=True)
    message_id = CharField(max_length=200, null=True)
    error = TextField(null=True)
    fault = CharField(max_length=6, null=True)  # of the last try, where it failed: ours, theirs
    tried_at = UTCField(null=True)  # when a try failed the last time
    bounce_token = CharField(max_length=26, null=True)  # random: finds the mail when it comes back
    sent_to = CharField(max_length=32, null=True)  # of a mail that was handed over: its address as a hash
    request = CharField(max_length=64, null=True)  # the id of that which caused it

    class Meta:
        indexes = ((("state", "due_at"), False),)


Mail.add_index(Mail.index(Mail.bounce_token, unique=True, name="mail_bounce_token"))
Mail.add_index(Mail.index(Mail.state, Mail.done_at, name="mail_state_done_at"))


class MailPause(BaseModel):
    """A time in which no mail is sent, by the operator's word or because none can be."""

    id = BigAutoField()
    cause = CharField(max_length=8)  # operator, fault
    why = TextField()
    since = UTCField()
    ended_at = UTCField(null=True)
    retry_at = UTCField(null=True)  # of a fault: when one mail tries whether it is over
    failures = IntegerField(default=0)
    alarmed_at = UTCField(null=True)
    heeded_at = UTCField(null=True)  # of an operator's that is over: when every clock went on from where it stood


MailPause.add_index(
    MailPause.index(MailPause.cause, unique=True, where=SQL("ended_at IS NULL"), name="mail_pause_open")
)


class MailTally(BaseModel):
    """How many mails became what, since the beginning."""

    name = CharField(primary_key=True, max_length=12)
    total = BigIntegerField()


class BlockedMailbox(BaseModel):
    """Where nobody wants mail from this server."""

    hash = CharField(primary_key=True, max_length=32)  # service/outbox/stranger_mail.py
    created_at = UTCField()


class ReceivedMail(BaseModel):
    """A mail that came to an address of ours and was worth a look (service/outbox/received_mail.py)."""

    id = BigAutoField()
    key = CharField(max_length=32, unique=True)  # hash of the address and the Message-ID: the same mail is done once
    at = UTCField(index=True)
    door = CharField(max_length=8)  # play, talk, bounce, check
    address = CharField(max_length=32)  # hash of its token
    player = CharField(max_length=32, null=True)  # hash of the id of whose token it is
    outcome = CharField(max_length=8)  # done, again, dropped; of checks awaited, done
    why = CharField(max_length=60, default="")
    size = IntegerField(default=0)
    tries = IntegerField(default=0)  # that failed by a mistake of ours

    class Meta:
        indexes = ((("address", "at"), False), (("player", "at"), False))


class ReceivedCount(BaseModel):
    """How many mails came in on a day, by what became of them."""

    day = CharField(max_length=10)
    what = CharField(max_length=70)
    number = IntegerField()

    class Meta:
        primary_key = CompositeKey("day", "what")
