"""The tables. The move log is the truth; `Snapshot` is a cache that may be deleted at any time.

Two conventions make SQLite and PostgreSQL alike:

- Times are text in UTC, `2026-11-21T09:30:00Z`: fixed width, so they sort by time, and answers show them as they are.
- Structured values are canonical JSON in text columns; the database never looks inside.
"""

from __future__ import annotations

from datetime import UTC, datetime

from peewee import (
    SQL,
    AutoField,
    BigAutoField,
    BigIntegerField,
    BlobField,
    BooleanField,
    CharField,
    CompositeKey,
    ForeignKeyField,
    IntegerField,
    Model,
    TextField,
)

from server.storage.database import database


def utc(moment: datetime) -> str:
    """An aware time as stored text, cut to seconds. A naive one is a mistake: ValueError."""
    if moment.tzinfo is None:
        raise ValueError("times are stored in UTC: a time zone is needed")
    return moment.astimezone(UTC).isoformat(timespec="seconds")[:19] + "Z"


def parse_utc(stored: str) -> datetime:
    """A stored time (`2026-11-21T09:30:00Z`) as an aware `datetime`."""
    return datetime.fromisoformat(stored)


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

    hash = CharField(primary_key=True, max_length=64)  # links.used_hash of the token
    player = ForeignKeyField(Player, on_delete="CASCADE", backref="sessions")
    device = CharField(max_length=80, default="")  # browser and system in two words
    began_at = UTCField()
    seen_at = UTCField()  # written at most hourly
    fresh_at = UTCField(null=True)  # when a link by mail has begun it; null: it began otherwise


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
    clock = TextField(null=True)  # JSON (service/table/clock.py); null: no deadlines
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
    listed = CharField(max_length=24, default="open")  # for lists, as the game says (service/table/listing_keys.py)
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
    """The log of a game that is long over, instead of its rows (storage/packed_log.py)."""

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
    doubts = IntegerField(default=0)  # tries not among those: refused, and another mail was taken afterwards
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


class MailRefusal(BaseModel):
    """A mail that was refused, while no other has been taken since: its own fault, or the mail server's."""

    mail = ForeignKeyField(Mail, primary_key=True, on_delete="CASCADE", backref="refusals")
    player = ForeignKeyField(Player, null=True, on_delete="CASCADE", backref="refusals")
    sent_to = CharField(max_length=32)
    counted = IntegerField()  # how many tries of its attempts that were
    stopped = IntegerField()  # 1: and it stopped the player's address
    since = UTCField()
    at = UTCField()  # the last time


class MailTally(BaseModel):
    """How many mails became what, since the beginning."""

    name = CharField(primary_key=True, max_length=12)
    total = BigIntegerField()


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


class SigningKey(BaseModel):
    """A key for signed links; the newest signs, older ones still verify."""

    id = AutoField()
    secret = CharField(max_length=64)  # hex
    created_at = UTCField()


class UsedLink(BaseModel):
    """A link that works once and was used."""

    hash = CharField(primary_key=True, max_length=64)  # SHA-256 of the token, hex
    expires_at = UTCField(index=True)


class ShortLink(BaseModel):
    """What the token of a link in a mail leads to."""

    token = CharField(primary_key=True, max_length=26)  # random (service/accounts/short_links.py)
    key = CharField(max_length=100, unique=True)  # what it is for, so that it is made once
    purpose = CharField(max_length=16)
    claims = TextField()  # JSON
    game = ForeignKeyField(Game, null=True, on_delete="CASCADE", backref="links")
    player = ForeignKeyField(Player, null=True, on_delete="CASCADE", backref="links")
    epoch = IntegerField()  # the player's link epoch when it was made; 0 where that is not asked for
    created_at = UTCField()  # the newest time for which it was made

    class Meta:
        indexes = ((("purpose", "created_at"), False),)


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
    """An error that some process has logged, of the newest some (service/operating/troubles.py)."""

    id = BigAutoField()
    at = UTCField()
    process = CharField(max_length=64)
    logger = CharField(max_length=60)
    message = CharField(max_length=200)
    cause = CharField(max_length=200)
    request = CharField(max_length=64, null=True)


class BlockedMailbox(BaseModel):
    """Where nobody wants mail from this server."""

    hash = CharField(primary_key=True, max_length=32)  # service/outbox/unsolicited.py
    created_at = UTCField()


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


class Vacation(BaseModel):
    """A time in which no deadline of the player runs."""

    id = AutoField()
    player = ForeignKeyField(Player, on_delete="CASCADE", backref="vacations")
    starts_at = UTCField()
    ends_at = UTCField()
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


#: Every model, parents first.
MODELS: tuple[type[BaseModel], ...] = (
    Player,
    BotAccount,
    Token,
    Session,
    Game,
    Seat,
    Move,
    ArchivedLog,
    Snapshot,
    Reply,
    ImportedRecord,
    Sandbox,
    Tally,
    Statistic,
    Mail,
    MailPause,
    MailRefusal,
    MailTally,
    BotTurn,
    Analysis,
    Puzzle,
    PuzzleDay,
    Hint,
    Lease,
    SigningKey,
    UsedLink,
    ShortLink,
    Audit,
    Trouble,
    BlockedMailbox,
    Invitation,
    Message,
    Vacation,
    ReceivedMail,
    ReceivedCount,
)
