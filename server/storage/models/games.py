"""Games, who sits at them and what they said, and the logs of their moves."""

from __future__ import annotations

from peewee import (
    SQL,
    AutoField,
    BigAutoField,
    BlobField,
    BooleanField,
    CharField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from server.storage.models.accounts import Player
from server.storage.models.base import BaseModel, UTCField


class Game(BaseModel):
    """A table: what it is played under, its secret, and where it stands."""

    id = CharField(primary_key=True, max_length=32)  # random, short enough for an address
    name = TextField()  # the words of who named it; empty where the server did (service/common/naming.py)
    title = CharField(max_length=16, null=True)  # which title the server gave
    title_player = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="titled")  # whom that names
    title_plies = TextField(null=True)  # of sandboxes: at which plies they left the game that is called so
    status = CharField(max_length=16, index=True)  # open, running, finished, abandoned
    ruleset = CharField(max_length=32)
    options = TextField()  # JSON
    seats = IntegerField()
    creator = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="created")
    private = BooleanField(default=False)
    invitation = CharField(max_length=64, null=True)  # lets somebody into a private game
    server_seed = CharField(max_length=64)  # hex; secret until the game is over
    commitment = CharField(max_length=64)
    ply = IntegerField(default=0)  # of the newest move that stands
    public_ply = IntegerField(default=0)  # the same for all but the active seat: a newest `draw` is not counted
    to_move = IntegerField(null=True)
    version = IntegerField(default=0)  # grows with every change; never shown, because it counts draws
    result = TextField(null=True)  # JSON {"scores", "winners"} when finished
    origin = CharField(max_length=16, default="played", index=True)  # played, imported, example, sandbox
    created_at = UTCField(index=True)
    started_at = UTCField(null=True)
    finished_at = UTCField(null=True, index=True)
    clock = TextField(null=True)  # JSON (service/games/clock.py); null: no deadlines
    turn_began_at = UTCField(null=True)
    deadline = UTCField(null=True, index=True)  # of the turn under way
    paused_at = UTCField(null=True)
    held = BooleanField(default=False)  # by the operator: no player ends the pause
    start_by = UTCField(null=True, index=True)  # an open game that has not started by then is abandoned
    turn_notice = CharField(
        max_length=200, null=True
    )  # key of the turn's mail, until the clock knows what became of it
    lost_since = UTCField(null=True)  # of the turn under way: its notice could have gone out then, and did not
    lost_until = UTCField(null=True)  # until then; null: it waits still
    granted_seconds = IntegerField(null=True)  # so much time of the turn was lost by that, and does not count
    hints = BooleanField(default=False)  # allowed among people
    unplayed = BooleanField(default=False)  # finished before as many turns were ended as there are seats
    tower = BooleanField(default=False)  # for lists, as `options` says
    rotate_start = BooleanField(default=False)  # likewise
    winner_total = IntegerField(null=True)  # for lists, as `result` says: the points of its first winner
    archived = IntegerField(default=0)  # 1: its log lies in `ArchivedLog`; 2: it was put back by hand, and stays


Game.add_index(Game.index(Game.finished_at, where=SQL("unplayed"), name="game_unplayed"))
Game.add_index(Game.index(Game.id, where=SQL("turn_notice IS NOT NULL"), name="game_turn_notice"))
Game.add_index(
    Game.index(Game.finished_at, Game.id, where=SQL("status = 'finished' AND archived <> 1"), name="game_to_archive")
)
# What stands first is asked for by value, so that the rest is the order of a list (service/lists).
_SHOWN = (Game.private, Game.unplayed)
Game.add_index(Game.index(*_SHOWN, Game.created_at.desc(), Game.id, name="game_newest"))
Game.add_index(Game.index(*_SHOWN, Game.status, Game.created_at.desc(), Game.id, name="game_newest_of_status"))
# With all that replays are chosen by, so that no game's row is read that does not fit.
_KIND = (Game.winner_total, Game.seats, Game.tower, Game.rotate_start, Game.origin)
Game.add_index(Game.index(*_SHOWN, Game.status, Game.finished_at.desc(), Game.id, *_KIND, name="game_last_over"))
Game.add_index(Game.index(*_SHOWN, Game.status, Game.started_at.desc(), Game.id, name="game_last_started"))
Game.add_index(Game.index(*_SHOWN, Game.status, Game.winner_total, Game.finished_at, name="game_best"))


class Seat(BaseModel):
    """Who sits where: a player, a bot, nobody yet, or (imported games) a name alone."""

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE", backref="places", index=False)
    seat = IntegerField()
    # The indexes of a player's games begin with it.
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="seats", index=False)
    bot = CharField(max_length=32, null=True)
    name = TextField(null=True)  # null: the seat is free
    name_kind = CharField(max_length=16, null=True)  # of a name that the server gave; null: words of somebody
    named_after = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="namesakes")  # in sandboxes
    client_seed = TextField(default="")
    mail = CharField(max_length=16, null=True)  # this game's notices; null: as the player's preferences say
    reserve_seconds = IntegerField(null=True)  # left of the clock's reserve
    timeouts = IntegerField(default=0)  # in a row
    autopilot = BooleanField(default=False)  # the server plays until the player comes back
    wants_pause = BooleanField(default=False)
    won = BooleanField(default=False)  # for lists, as the game's `result` says
    note = TextField(null=True)  # the player's own; nobody else reads it
    listed = CharField(max_length=24, default="open")  # for lists, as the game says (service/games/listing_keys.py)
    created_at = UTCField(null=True)  # likewise
    finished_at = UTCField(null=True)  # likewise

    class Meta:
        indexes = ((("game", "seat"), True), (("game", "player"), True))


# A player's games, in the order of a list.
_ONES = (Seat.player, Seat.listed)
Seat.add_index(Seat.index(*_ONES, Seat.created_at.desc(), Seat.game, name="seat_newest"))
Seat.add_index(Seat.index(*_ONES, Seat.finished_at.desc(), Seat.game, name="seat_last_over"))
Seat.add_index(Seat.index(*_ONES, Seat.finished_at.desc(), Seat.game, where=SQL("won"), name="seat_won"))


class Move(BaseModel):
    """The append-only log. Rows are never changed but for an undo, which marks them; those of a game that is long over
    move to `ArchivedLog`."""

    id = BigAutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE", backref="moves")
    ply = IntegerField()
    seat = IntegerField()
    move = TextField()
    played_at = UTCField(null=True)  # null: an imported record did not tell
    automatic = BooleanField(default=False)  # a `draw` that the server made for the player
    undone_at = UTCField(null=True)


# The last guard against a doubled move, and the index that the log is read by.
Move.add_index(
    Move.index(Move.game, Move.ply, unique=True, where=SQL("undone_at IS NULL"), name="move_game_id_ply_standing")
)


class ArchivedLog(BaseModel):
    """The log of a game that is long over, instead of its rows (service/games/stored_log.py)."""

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE", backref="archived_logs")
    version = IntegerField()
    moves = IntegerField()  # how many rows it stands for
    log = BlobField()


class Snapshot(BaseModel):
    """A disposable copy of the newest state, written in the transaction that writes the log."""

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE", backref="snapshots")
    ply = IntegerField()
    state = TextField()  # canonical JSON (record.md §4)
    before = TextField(null=True)  # the state before the newest move, when that is a `draw`


class ImportedRecord(BaseModel):
    """The record of an imported game as it was given, canonicalised, unknown keys included."""

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE", backref="imports")
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="imports")
    digest = CharField(max_length=64, unique=True)  # SHA-256 of the text: the same record is kept once
    text = TextField()


class Sandbox(BaseModel):
    """Where a sandbox begins: its ply 0, which its log goes on from. Never changed."""

    game = ForeignKeyField(Game, primary_key=True, on_delete="CASCADE", backref="sandboxes")
    position = TextField()  # canonical JSON (record.md §4)
    of_game = CharField(max_length=32)  # the game that it left; no reference, that may be gone
    of_ply = IntegerField()
    of_seat = IntegerField(null=True)  # whose knowledge it was made of; null: a finished game, all open


class Invitation(BaseModel):
    """Somebody who was invited to a game by mail."""

    id = AutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE", backref="invitations", index=False)
    inviter = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="invited")
    address = TextField()
    created_at = UTCField()
    accepted_at = UTCField(null=True)
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="invitations")

    class Meta:
        indexes = ((("game", "address"), True),)


class Message(BaseModel):
    """What a player wrote to the others of a game."""

    id = BigAutoField()
    game = ForeignKeyField(Game, on_delete="CASCADE", backref="messages")
    seat = IntegerField()
    player = ForeignKeyField(Player, null=True, on_delete="SET NULL", backref="messages")
    text = TextField()
    created_at = UTCField()
