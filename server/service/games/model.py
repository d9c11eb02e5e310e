"""One game as a transaction holds it: its row, its seats and where it stands."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, NamedTuple, TypedDict

from server.engine import record as records
from server.engine import rulesets, seeds
from server.engine.errors import UnknownRulesetError
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import JsonSchema, Options, Result, UtcTime
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END, RESIGN
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.cache_edition import edition
from server.service.common.errors import Conflict, Forbidden, NotFound
from server.service.common.ids import Entropy, random_id
from server.service.common.naming import Title
from server.service.common.preferences import WallTimes
from server.service.games.bots import AT_ONCE
from server.storage.times import utc

PLAYED = "played"  # The origin of games that are played here from the beginning
SANDBOX = "sandbox"  # The origin of games that somebody plays alone, from a position of another game on
ORIGINS = ("played", "imported", "example", SANDBOX)
Origin = Annotated[str, JsonSchema(enum=ORIGINS)]
OPEN_FOR = timedelta(weeks=4)
"""So long a game waits for its players where nobody said otherwise."""


Edition = Annotated[
    str, "Names what game and players are called now. Under `?v=` of it, boards and records may be kept for ever."
]


class ClockForm(TypedDict):
    """A clock as it is stored and shown."""

    turn_hours: Annotated[int, "Hours that a turn may take."]
    reserve_hours: Annotated[int, "Hours that each player may use beyond that, in the whole game."]
    night: Annotated[
        WallTimes | None,
        "When no time counts, by the clock on the wall where the player to move lives (preference `time_zone`).",
    ]
    weekends_off: Annotated[bool, "No time counts on Saturdays and Sundays, where the player to move lives."]
    due_time: Annotated[
        str | None,
        "A turn's time ends at this time of the day, where its player lives: the first time behind `turn_hours`. null: "
        "to the minute.",
    ]
    reminders: Annotated[list[float], "Fractions of the turn's time at which its player is reminded by mail."]
    on_timeout: Annotated[
        str,
        "When the time is over: a bot plays the rest of the turn (`steady`), or the seat resigns.",
        JsonSchema(enum=["steady", "resign"]),
    ]
    vacation_days: Annotated[int, "Days of each player's vacations in a calendar year (UTC) in which no time counts."]
    start_by: Annotated[
        UtcTime | None, "The game is abandoned when it has not started by then; null: four weeks after it was made."
    ]


class Proposal(TypedDict):
    """What somebody at the table proposes to the others, as it is stored (`games/proposals`)."""

    id: str
    kind: str  # of `games.proposals.KINDS`
    by: int
    seat: int | None  # whom it is about: of `end` who has not played for long, and so is not asked
    bot: str | None
    hours: int | None
    agreed: list[int]
    ends_at: str
    turn: str | None  # when the turn under way began
    ply: int  # that all saw then
    invitation: str | None  # all have agreed: with it somebody takes the seat over


@dataclass(slots=True)
class Seat:
    """One seat: a player, a bot, or still free."""

    number: int
    player: str | None
    bot: str | None
    name: str | None
    client_seed: str
    auto_draw: bool = False
    time_zone: str = "UTC"
    reserve_seconds: int | None = None  # None: the whole reserve of the clock
    timeouts: int = 0  # in a row
    autopilot: bool = False  # the server plays until the player comes back
    wants_pause: bool = False
    mail_stopped: bool = False  # mail to the player came back: none is sent
    row: int | None = None  # the key of the stored seat
    named_after: str | None = None  # in a sandbox: whose name the seat bears
    handle: str | None = None  # of a bot's account
    bot_of: str | None = None  # the name of its owner
    hints: int = 0  # so many were taken
    late_ply: int | None = None  # there the time of the turn under way was over: the stand-in plays the rest

    @property
    def free(self) -> bool:
        return self.name is None

    @property
    def called_bot(self) -> str | None:
        """By which name a bot is seated here, one of the house or one with an account; None for people."""
        return self.bot if self.handle is None else f"@{self.handle}"

    @property
    def is_person(self) -> bool:
        """Whether somebody sits here who is neither a bot of the house nor one with an account."""
        return self.name is not None and self.bot is None and self.handle is None


class Invited(NamedTuple):
    """Somebody who was invited to an open game: by name (`player`) or at an `address`."""

    player: str | None
    name: str | None  # of the player
    address: str  # "" by name
    inviter: str | None  # None: the account is gone
    created_at: str
    taken_by: str | None  # the player who took a seat by it
    accepted: bool
    declined: bool
    reached: bool  # by mail, as far as is known

    def is_to(self, player: Player) -> bool:
        """Whether it is to this player, by name or at the address that they have confirmed."""
        address = player.email if player.email_confirmed_at else None
        return self.player == player.id or (address is not None and self.address.lower() == address.lower())


@dataclass(slots=True)
class Entry:
    """A move that stands, or is about to be stored."""

    ply: int
    seat: int
    move: Move
    at: str | None
    automatic: bool = False
    row: int | None = None  # the key of the stored move

    def read(self, rules: Rules) -> Move:
        """The move: it was read by the rules when it came."""
        return self.move


class LoggedMove(NamedTuple):
    """A row of the log as it is stored."""

    id: int
    ply: int
    seat: int
    move: str
    played_at: str | None
    automatic: bool
    undone_at: str | None

    @classmethod
    def of(cls, row: Sequence[Any]) -> LoggedMove:
        """From the columns of the table, in their order. SQLite has numbers for what is true or not."""
        number, ply, seat, move, played_at, automatic, undone_at = row
        return cls(number, ply, seat, move, played_at, bool(automatic), undone_at)


@dataclass(slots=True)
class Game:
    """A game: made by `new`, or read by `loading`.

    `before` is the state without the newest `draw`, in which others may have resigned since, while that is hidden from
    all but the active seat; else None. Loaded for a reader, `state` is the newest that they may see, and nothing is
    left to be hidden. Loaded for a change it is the newest of all; `unread`: the one without a hidden `draw` is stored,
    unread.
    """

    id: str
    name: str
    status: str
    options: Options
    seat_count: int
    server_seed: str
    commitment: str
    origin: str
    created_at: str
    ruleset: str
    creator: str | None = None
    private: bool = False
    invitation: str | None = None
    ply: int = 0
    public_ply: int = 0
    to_move: int | None = None
    version: int = 0
    result: Result | None = None
    started_at: str | None = None
    finished_at: str | None = None
    clock: ClockForm | None = None
    turn_began_at: str | None = None
    deadline: str | None = None
    paused_at: str | None = None
    turn_notice: str | None = None  # key of the mail that tells of the turn, until the clock knows what became of it
    lost_since: str | None = None  # the notice could have gone out then, and did not
    lost_until: str | None = None
    granted_seconds: int | None = None  # of the turn's time were lost by that, and do not count
    turn_zone: str | None = None  # where the player of the turn lived when it began: its nights are there
    start_by: str | None = (
        None  # as the clock says or by `OPEN_FOR`, later by what stops of all clocks took of that time
    )
    mail_paused_since: str | None = None  # by the operator, and with it every clock
    hints: bool = False  # allowed among people
    held: bool = False  # the operator has paused it: no player ends that
    rematch_of: str | None = None  # the game that this is a rematch of
    rematch: str | None = None  # a rematch of this game, open or under way
    extra_seconds: int | None = None  # so much longer is the turn under way than the clock says
    proposal: Proposal | None = None  # the newest one, perhaps not good any more
    taken_back: int = 0  # so often the end of a turn was
    deal: str | None = None  # the deal that this game is played by, with others
    sealed: bool = False  # that deal is not revealed yet: nobody sees more than who sits there while it is played
    rated: str | None = None  # whether it counts for ratings (`games/rated`)
    rating_min: int | None = None  # who sits down by themselves has at least so many points
    rating_max: int | None = None  # and at most so many
    title: Title = field(default_factory=Title)
    seats: list[Seat] = field(default_factory=list)
    invited: list[Invited] = field(default_factory=list)  # as long as it is open
    state: State | None = None
    before: State | None = None
    unread: bool = False
    entries: list[Entry] = field(default_factory=list)  # to be stored
    by_job: bool = False  # a bot plays in this transaction, whose turn was due
    noted_due: bool = False  # a row says that a bot's turn is due
    stood_in: tuple[int, int] | None = None  # the seat whose late turn ended in this transaction, and its `late_ply`
    stored: Mapping[str, object] = field(default_factory=dict)  # `saving.columns`, of its row

    @classmethod
    def new(
        cls,
        title: Title,
        options: Options,
        seats: int,
        origin: str,
        now: datetime,
        rules: Rules = rulesets.NEWEST,
        *,
        creator: str | None = None,
        private: bool = False,
        server_seed: bytes | None = None,
        entropy: Entropy = secrets.token_bytes,
    ) -> Game:
        """An open game with nobody in it, to be stored by `saving.insert`; secrets and chance come from `entropy`."""
        server_seed = entropy(32) if server_seed is None else server_seed
        return cls(
            id=random_id(entropy, 12),
            name="",  # `insert` looks whom the title names
            title=title,
            status="open",
            ruleset=rules.name,
            options=options,
            seat_count=seats,
            server_seed=server_seed.hex(),
            commitment=seeds.commitment(server_seed),
            origin=origin,
            created_at=utc(now),
            creator=creator,
            private=private,
        )

    @property
    def rules(self) -> Rules:
        """The ruleset that the game is played by. Raises `NotFound` for one that this version does not know; a private
        game says no more than that, for who asks has not shown that they may see it."""
        try:
            return rulesets.rules_for(self.ruleset)
        except UnknownRulesetError:
            if self.private:
                raise no_such_game() from None
            raise NotFound(
                _(
                    "this game is played by the rules %(ruleset)s, which this server does not know: whoever runs it "
                    "has to install a version that does",
                    ruleset=self.ruleset,
                )
            ) from None

    def seat_of(self, player: Player | None) -> int | None:
        """Where the player sits, None when nowhere."""
        if player is not None:
            for seat in self.seats:
                if seat.player == player.id:
                    return self.eyes(seat.number)
        return None

    def eyes(self, seat: int) -> int:
        """Through whose eyes the player of `seat` looks: in a sandbox those of every seat to move, but for bots."""
        if self.origin != SANDBOX or self.to_move is None or self.seats[self.to_move].bot is not None:
            return seat
        return self.to_move

    @property
    def of_bots_alone(self) -> bool:
        """Whether nobody ever sat here but bots, who play where nobody has to wait for them."""
        return self.origin == PLAYED and all(seat.bot is not None for seat in self.seats)

    @property
    def told_whole(self) -> bool:
        """Whether everything is told of the game: it is over, and not sealed."""
        return self.status == "finished" and not self.sealed

    def require_unsealed(self) -> None:
        """Raises `NotFound` for a sealed game."""
        if self.sealed:
            raise NotFound(
                _("others still play the same deal: replay and record of this game open when the last of them is done")
            )

    @property
    def allows_hints(self) -> bool:
        """Whether who is to move may ask for a hint: always against bots alone, else where it was agreed upon; never
        while others play the same deal."""
        others = [seat for seat in self.seats if seat.free or seat.is_person]
        if self.sealed:
            return False
        return self.hints or self.origin == SANDBOX or (self.origin == PLAYED and len(others) == 1)

    def thinks(self, number: int) -> bool:
        """Whether a job asks who plays for that seat: a slow bot, or the stand-in for a player who does not come."""
        seat = self.seats[number]
        if seat.bot is None:
            return seat.autopilot or seat.late_ply is not None
        return seat.bot not in AT_ONCE or self.of_bots_alone

    @property
    def thinking(self) -> bool:
        """Whether the game waits for such a bot."""
        return self.status == "running" and self.to_move is not None and self.thinks(self.to_move)

    def require_seated(self, player: Player | None) -> int:
        """Where the player sits. Raises `NotFound` for who may not see the game, `Forbidden` without a seat."""
        self.require_visible(player)
        return self.require_seat(player)

    def require_seat(self, player: Player | None) -> int:
        """Where the player sits. Raises `Forbidden`."""
        seat = self.seat_of(player)
        if seat is None:
            raise no_seat()
        return seat

    def require_room(self) -> None:
        """Raises `Conflict` unless somebody could sit down now."""
        if self.status != "open" or not any(seat.free for seat in self.seats):
            raise Conflict(
                _("this game takes no more players: it has started, is full or was given up"), kind="not-open"
            )

    def author(self, number: int, player: str | None) -> str | None:
        """The name of `player`, who wrote from seat `number`; None when they have left, whoever sits there now."""
        seat = self.seats[number]
        return seat.name if still_there(seat.player, seat.bot, player) else None

    def require_running(self) -> State:
        """The newest state. Raises `Conflict` when the game is not running."""
        if self.status != "running" or self.state is None:
            hints = {
                "open": _("the game has not started: it starts when all seats are taken"),
                "finished": _("the game is over: no more moves are accepted"),
                "abandoned": _("the game was given up before it started")
                if self.started_at is None
                else _("the game was given up before its end: it has no result"),
            }
            raise Conflict(hints[self.status], kind="not-running")
        return self.state

    @property
    def position(self) -> State:
        """The newest state of a game that has started."""
        if self.state is None:
            raise RuntimeError(f"game {self.id} has no position: it has not started")
        return self.state

    def require_visible(self, player: Player | None, invitation: str | None = None) -> None:
        """Raises `NotFound` when this is a private game and the caller neither sits in it, nor holds its invitation."""
        if not self.private or self.seat_of(player) is not None:
            return
        if _same(invitation, self.invitation) or self.offers_seat(invitation):
            return
        raise no_such_game()

    @property
    def ended_by_agreement(self) -> bool:
        """Whether the game was given up because all who still played have agreed to."""
        found = self.proposal
        return found is not None and found["kind"] == "end" and found["ends_at"] == self.finished_at

    def offers_seat(self, invitation: str | None) -> bool:
        """Whether the players have agreed that who has this invitation takes a seat over while the game is played."""
        offered = None if self.proposal is None or self.status != "running" else self.proposal["invitation"]
        return _same(invitation, offered)

    @property
    def names(self) -> list[str]:
        """The names of the players by seat, "" for a free one."""
        return [seat.name or "" for seat in self.seats]

    @property
    def edition(self) -> str:
        """What must stand in the address of an answer with these names and turns in it, if that is to be kept."""
        return edition(self.name, [*self.names, *[str(self.taken_back)] * bool(self.taken_back)])

    @property
    def waits_for_notice(self) -> bool:
        """Whether the clock stands still because the notice of the turn under way could not be sent yet."""
        return self.lost_since is not None and self.lost_until is None

    @property
    def seed(self) -> bytes:
        """The seed of the game. Secret while it runs."""
        return seeds.game_seed(bytes.fromhex(self.server_seed), [seat.client_seed for seat in self.seats])

    def seen_by(self, seat: int | None) -> State:
        """The newest state that `seat` (None: a spectator) may see; only while or after the game is played."""
        if self.unread and seat != self.to_move:
            raise RuntimeError(f"game {self.id} was loaded to be changed: load it for the reader")
        return self.rules.visible_state(self.position, self.before, seat)

    def seen_ply(self, seat: int | None) -> int:
        """The ply that `seat` may see."""
        return self.ply if seat is not None and seat == self.to_move else self.public_ply

    def same_turn(self, before: int | None) -> bool:
        """Whether no turn has begun since the transaction did, when `before` was to move (None: the game begins)."""
        return before == self.to_move and all(entry.move != END for entry in self.entries)

    def start(self, now: datetime) -> None:
        """All seats are taken: lay out ply 0."""
        self.status, self.started_at = "running", utc(now)
        self.state = self.rules.new_game(self.seed, self.seat_count, self.options)
        self.to_move = self.state.active

    def take(self, seat: int, move: Move, state: State, at: str, automatic: bool = False) -> None:
        """Note `move`, which led to `state`, to be stored; first `read_hidden` for a resignation out of turn."""
        if self.unread and move == RESIGN and seat != self.to_move:
            raise RuntimeError(f"game {self.id}: what others see was not read")
        self.before, self.unread = self.rules.hidden_behind(self.before, self.position, seat, move, state), False
        self.state = state
        self.entries.append(Entry(state.ply, seat, move, at, automatic))
        self.to_move = state.active
        if state.active is None:
            self.status, self.finished_at = "finished", at
            self.result = records.result_of(state)

    def abandon(self, at: str) -> None:
        """Give the game up: nobody plays on. Where it stands stays to be seen."""
        self.status, self.finished_at = "abandoned", at


def still_there(seated: str | None, bot: str | None, player: str | None) -> bool:
    """Whether `player` (None: the account is gone) still sits where now `seated`, or a `bot` without account, does."""
    return seated == player and (bot is None or seated is not None)


def no_such_game() -> NotFound:
    """The one answer for games that are not there and games that are not for the caller's eyes."""
    return NotFound(
        _("there is no such game; a private one is shown to its players, and to anybody with its invitation")
    )


def no_seat() -> Forbidden:
    """The refusal for who does not sit at the table."""
    return Forbidden(_("you have no seat in this game: only its players may do this"), kind="no-seat")


def _same(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return False
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8"))
