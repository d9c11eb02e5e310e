"""The clock of a game: how long a turn may take, and until when the present one has time.

It runs for the one seat that is to move, from the beginning of its turn, which all know: a deadline tells nobody
whether a tile was drawn. It stands still while the game is paused, on the player's vacation, at night where the player
lived when the turn began, while the operator has paused all mail or no server is there, and as long as the notice of
the turn ought to have gone out and has not. Whenever it is reckoned anew, it is by the same things.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from server.engine.canonical import Json
from server.language import gettext as _
from server.service.common import checks
from server.service.common.errors import bad_field
from server.service.common.preferences import WallTimes, is_wall_time, wall_times
from server.service.games import late_mail
from server.service.games.model import OPEN_FOR, ClockForm, Game, Seat
from server.service.games.running_time import Calendar, Interval, Night, capped, night_of
from server.service.games.saving import change_row, save_seat, turn_columns
from server.service.outbox import heartbeat
from server.service.outbox.pauses import BY_OPERATOR
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

log = logging.getLogger("ulm.clock")

HOURS_MAX = 1344  # Eight weeks, for a turn and for the reserve
REMINDERS_MAX = 5
VACATION_DAYS_MAX = 366
NIGHT_MAX = timedelta(hours=12)  # games of before have nights of up to 16
START_WITHIN = timedelta(days=366)
BOT_PLAYS = "steady"  # When the time is over, the server plays the turn; called so after the bot that did it first
ON_TIMEOUT = (BOT_PLAYS, "resign")
DEFAULTS: dict[str, Json] = {
    "reserve_hours": 0,
    "night": None,
    "weekends_off": False,
    "due_time": None,
    "reminders": [0.5, 0.9],
    "on_timeout": BOT_PLAYS,
    "vacation_days": 21,
    "start_by": None,
}


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a game as its JSON says it."""

    turn: timedelta
    reserve: timedelta
    night: Night | None
    weekends_off: bool
    due: time | None
    reminders: tuple[float, ...]
    on_timeout: str
    vacation_days: int


def check(value: object, now: datetime) -> ClockForm | None:
    """A wished clock, complete, as it is stored and shown; None for none. Raises `Unprocessable`."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise bad_field("clock", _("give an object, or null for a game without deadlines"))
    unknown = sorted(set(value) - set(DEFAULTS) - {"turn_hours"}, key=str)
    if unknown:
        raise bad_field("clock", _("the known fields are turn_hours, %(names)s", names=", ".join(DEFAULTS)))
    if "turn_hours" not in value:
        raise bad_field("clock.turn_hours", _("say how many hours a turn may take"))
    wished = {**DEFAULTS, **value}
    if wished["on_timeout"] not in ON_TIMEOUT:
        raise bad_field("clock.on_timeout", _("one of %(names)s", names=", ".join(ON_TIMEOUT)))
    night = _check_night(wished["night"])
    return {
        "turn_hours": checks.whole("clock.turn_hours", wished["turn_hours"], 1, HOURS_MAX),
        "reserve_hours": checks.whole("clock.reserve_hours", wished["reserve_hours"], 0, HOURS_MAX),
        "night": night,
        "weekends_off": checks.flag("clock.weekends_off", wished["weekends_off"]),
        "due_time": _check_due_time(wished["due_time"], night),
        "reminders": _check_reminders(wished["reminders"]),
        "on_timeout": wished["on_timeout"],
        "vacation_days": checks.whole("clock.vacation_days", wished["vacation_days"], 0, VACATION_DAYS_MAX),
        "start_by": _check_start_by(wished["start_by"], now),
    }


def read(stored: ClockForm) -> Clock:
    """The clock that `check` made, for reckoning."""
    night = stored["night"]
    return Clock(
        timedelta(hours=stored["turn_hours"]),
        timedelta(hours=stored["reserve_hours"]),
        None if night is None else night_of(night),
        stored["weekends_off"],
        None if stored["due_time"] is None else time.fromisoformat(stored["due_time"]),
        tuple(stored["reminders"]),
        stored["on_timeout"],
        stored["vacation_days"],
    )


def too_late_to_start(store: Store, game: Game, now: datetime) -> bool:
    """Whether an open game should have started by now; while all clocks stand still that date comes no nearer."""
    return game.status == "open" and start_by(store, game, now) <= now


def start_by(store: Store, game: Game, now: datetime) -> datetime:
    """By when an open game has to start: as its clock says or by `OPEN_FOR`, later by pauses of all mail. One
    statement."""
    wished = None if game.clock is None else game.clock["start_by"]
    created = parse_utc(game.created_at)
    last = run_for(store, created, OPEN_FOR if wished is None else parse_utc(wished) - created, now)
    # One from before games had a date got a later one.
    return last if game.start_by is None else max(last, parse_utc(game.start_by))


def run_for(store: Store, since: datetime, span: timedelta, now: datetime) -> datetime:
    """When `span` is over since then, later by what has stopped all clocks. One statement."""
    stops = suspensions(store, [], now)
    return Calendar(ZoneInfo("UTC"), None, (*stops.mail_pauses, *stops.outages)).advance(since, span)


def shown(stored: ClockForm | None, start_by: str | None) -> ClockForm | None:
    """A clock as people are told it, with the date to start by that holds, where it says one."""
    return stored if stored is None or stored["start_by"] is None else {**stored, "start_by": start_by}


def reserves(game: Game) -> list[int | None] | None:
    """Seconds of reserve that each seat has left, None for bots; None for a game without a clock."""
    if game.clock is None:
        return None
    clock = read(game.clock)
    return [None if seat.bot is not None else int(reserve_left(clock, seat).total_seconds()) for seat in game.seats]


def reserve_left(clock: Clock, seat: Seat) -> timedelta:
    """What the seat has left beside its time per turn."""
    return clock.reserve if seat.reserve_seconds is None else timedelta(seconds=seat.reserve_seconds)


def turn_goes_on(store: Store, game: Game, before: int | None, now: datetime, notice: str | None) -> None:
    """Set the deadline when another turn has begun: to be called between the moves of a transaction and `save`.
    `before` is the seat that was to move when the transaction began (None at the start); what it used beyond its turn
    is taken from its reserve. `notice` is the key of the mail that tells of the turn, for which its clock waits."""
    if game.status != "running" or game.to_move is None:
        game.turn_began_at = game.turn_zone = game.deadline = game.paused_at = None
        _forget_notice(game, None)
        return
    if game.clock is None:
        if not game.same_turn(before):
            game.turn_began_at = utc(now)
        return
    if game.same_turn(before):
        if _is_begun(game):
            refresh(store, game, now, begun=True)
        return
    clock = read(game.clock)
    stops = suspensions(store, [seat.player for seat in game.seats if seat.player is not None], now)
    if before is not None:
        _look_at_notice(store, game, clock, now, begun=True)
        _grant(game, clock, game.seats[before], stops)
        _charge(store, game, clock, game.seats[before], stops, now)
    begin_turn(game, game.seats[game.to_move], notice, now)
    set_deadline(game, clock, stops)


def begin_turn(game: Game, seat: Seat, notice: str | None, now: datetime) -> None:
    """Let the time of a turn begin, for which the mail of the key `notice` calls."""
    game.turn_began_at, game.turn_zone = utc(now), seat.time_zone
    _forget_notice(game, notice)


def refresh(store: Store, game: Game, now: datetime, begun: bool = False) -> bool:
    """Reckon the clock of the turn under way anew: by what has become of its notice, by vacations, and by what stopped
    all clocks; whether anything is different now. May be repeated; stores nothing. `begun`: the player has begun the
    turn, and so knows of it."""
    if game.clock is None or game.status != "running" or game.to_move is None or game.turn_began_at is None:
        return False
    known, clock, seat = turn_columns(game), read(game.clock), game.seats[game.to_move]
    was_lost = _look_at_notice(store, game, clock, now, begun)
    if was_lost or not begun:
        stops = suspensions(store, [] if seat.player is None else [seat.player], now)
        _grant(game, clock, seat, stops)
        set_deadline(game, clock, stops)
    return turn_columns(game) != known


def is_over(game: Game, now: datetime) -> bool:
    """Whether the deadline that is stored is past."""
    return game.deadline is not None and parse_utc(game.deadline) <= now


def set_deadline(game: Game, clock: Clock, stops: Suspensions) -> None:
    """Reckon the deadline anew; none while the game is paused, its notice waits, nobody is to move, or a bot is."""
    game.deadline = None
    if game.status != "running" or game.to_move is None or game.paused_at or game.waits_for_notice:
        return
    seat = game.seats[game.to_move]
    if seat.bot is not None or seat.late_ply is not None:
        return
    if game.turn_began_at:
        days = calendar(clock, zone(game, seat), seat.player, stops, lost_time(game))
        began = parse_utc(game.turn_began_at)
        turn = turn_length(clock, days, began, game.extra_seconds)
        game.deadline = utc(days.advance(began, turn + reserve_left(clock, seat)))


def turn_length(clock: Clock, days: Calendar, began: datetime, extra_seconds: int | None) -> timedelta:
    """How long the clock of a turn runs before the reserve is used, where it began then, with what it was given."""
    span = clock.turn + timedelta(seconds=extra_seconds or 0)
    return span if clock.due is None else days.elapsed(began, days.first_at(clock.due, days.advance(began, span)))


def lengthen(game: Game, clock: Clock, days: Calendar, more: timedelta = timedelta()) -> None:
    """Give the turn under way so much more time than it has; however it is reckoned later, it has no less."""
    if game.turn_began_at is not None:
        length = turn_length(clock, days, parse_utc(game.turn_began_at), game.extra_seconds)
        game.extra_seconds = int((length + more - clock.turn).total_seconds())


def lost_time(game: Game, until: datetime | None = None) -> list[Interval]:
    """The time of the turn in which its notice ought to have gone out and did not: to `until`, where it still waits."""
    end = until if game.lost_until is None else parse_utc(game.lost_until)
    if game.lost_since is None or end is None or end <= parse_utc(game.lost_since):
        return []
    return [(parse_utc(game.lost_since), end)]


def zone(game: Game, seat: Seat) -> str:
    """The time zone by which the turn under way is reckoned."""
    return game.turn_zone or seat.time_zone


def calendar(
    clock: Clock, zone: str, player: str | None, stops: Suspensions, lost: Sequence[Interval] = ()
) -> Calendar:
    """When the clock of a turn of `player` stands still, `lost` time of the turn included."""
    own = capped(stops.vacations.get(player, ()), clock.vacation_days) if player is not None else ()
    still = (*own, *stops.mail_pauses, *stops.outages, *lost)
    return Calendar(ZoneInfo(zone), clock.night, still, clock.weekends_off)


def used(game: Game, clock: Clock, seat: Seat, stops: Suspensions, now: datetime) -> timedelta:
    """How long the clock of the turn under way has run until `now`, or until the pause that holds."""
    if game.turn_began_at is None:
        return timedelta()
    until = now if game.paused_at is None else min(now, parse_utc(game.paused_at))
    days = calendar(clock, zone(game, seat), seat.player, stops, lost_time(game, until))
    return days.elapsed(parse_utc(game.turn_began_at), until)


def own_move(store: Store, seat: Seat) -> None:
    """The player of this seat has played: forget time-outs and end the autopilot. No statement when there are none."""
    if seat.timeouts or seat.autopilot:
        seat.timeouts, seat.autopilot = 0, False
        save_seat(store, seat)


def come_back(store: Store, game: Game, number: int) -> None:
    """End the autopilot of a seat, forget its time-outs, and let everybody see it. A statement or two, if needed."""
    seat = game.seats[number]
    if seat.timeouts or seat.autopilot:
        own_move(store, seat)
        change_row(store, game.id)


def forget_pause_wishes(store: Store, game: Game) -> None:
    """Drop the wishes for a pause of who has resigned; when the game is over all of them, and the pause too."""
    over = game.status != "running"
    for seat in game.seats:
        if seat.wants_pause and (over or game.position.players[seat.number].resigned):
            seat.wants_pause = False
            save_seat(store, seat)
    if over:
        game.paused_at = None


def lateness(game: Game, number: int) -> str:
    """For a player whose request came after the clock: what happened, as the beginning of a sentence; else empty."""
    seat = game.seats[number]
    if not seat.timeouts:
        return ""
    if game.state is not None and game.state.players[number].resigned:
        return _("your time ran out and, under this game’s clock rules, your seat was resigned: ")
    if seat.autopilot:
        return _("your time ran out %(number)s times in a row and the server played for you: ", number=seat.timeouts)
    return _("your time ran out and the server played your turn: ")


def nobody_left(game: Game) -> bool:
    """Whether no person is left in the running game but by the server's play; bots with accounts where none sat."""
    if game.status != "running" or game.clock is None:
        return False
    left = living(game)
    return all(seat.autopilot for seat in left) if left else game.entries[-1].automatic


def living(game: Game) -> list[Seat]:
    """The seats of people (where none ever sat: of bots with accounts) that have not resigned."""
    players = game.position.players
    people = any(seat.is_person for seat in game.seats)
    return [
        seat
        for seat in game.seats
        if (seat.is_person if people else seat.bot is None) and not players[seat.number].resigned
    ]


def _forget_notice(game: Game, following: str | None) -> None:
    """Another turn has begun, or none: forget what was lost and given, and wait for the notice of that key."""
    game.extra_seconds = None
    game.turn_notice, game.lost_since, game.lost_until, game.granted_seconds = following, None, None, None


def _is_begun(game: Game) -> bool:
    """Whether the player to move has just played what all may see: a deadline must not tell of a hidden draw."""
    own = any(entry.seat == game.to_move and not entry.automatic for entry in game.entries)
    return own and game.before is None and not game.unread


def _look_at_notice(store: Store, game: Game, clock: Clock, now: datetime, begun: bool) -> bool:
    """Note what became of the notice; whether it is known by now that time was lost, or is being lost."""
    if game.turn_notice is None or game.turn_began_at is None:
        return False
    if begun and game.lost_since is None and now - parse_utc(game.turn_began_at) <= late_mail.GRACE:
        game.turn_notice = None  # nothing can have been lost, and who plays at once need not wait for a look at it
        return False
    known = game.lost_since, game.lost_until
    found = late_mail.sendings(store, [game.turn_notice]).get(game.turn_notice)
    what = late_mail.lost(found, game.lost_since, clock.turn, now, begun)
    late_mail.note(game, what)
    if what.given_up and what.since is not None:
        waited = int((now - what.since).total_seconds())
        fields = {"game": game.id, "seat": game.to_move, "seconds": waited}
        log.warning("a clock waits no longer for the notice of its turn", extra={"fields": fields})
    return (game.lost_since, game.lost_until) != known


def _grant(game: Game, clock: Clock, seat: Seat, stops: Suspensions) -> None:
    """Count what was lost of the turn's time by its notice and while no server was there, as far as it is known."""
    late = lost_time(game)
    gone = [*late, *stops.outages]
    if not gone or game.turn_began_at is None or game.paused_at is not None:
        return
    began, end = parse_utc(game.turn_began_at), max(ends for _, ends in gone)
    known = replace(stops, outages=())
    without = calendar(clock, zone(game, seat), seat.player, known).elapsed(began, end)
    granted = without - calendar(clock, zone(game, seat), seat.player, known, gone).elapsed(began, end)
    seconds = int(granted.total_seconds())
    if seconds and seconds != game.granted_seconds:
        why = "the notice of a turn was late" if late else "no server was there"
        log.info("time granted: %s", why, extra={"fields": {"game": game.id, "seat": seat.number, "seconds": seconds}})
    if late or seconds:
        game.granted_seconds = seconds


def _charge(store: Store, game: Game, clock: Clock, seat: Seat, stops: Suspensions, now: datetime) -> None:
    left = reserve_left(clock, seat)
    if not left or seat.bot is not None:
        return
    if game.turn_began_at is None:
        return
    days = calendar(clock, zone(game, seat), seat.player, stops, lost_time(game, now))
    length = turn_length(clock, days, parse_utc(game.turn_began_at), game.extra_seconds)
    beyond = used(game, clock, seat, stops, now) - length
    if beyond > timedelta():
        seat.reserve_seconds = max(int((left - beyond).total_seconds()), 0)
        save_seat(store, seat)


def _check_night(value: object) -> WallTimes | None:
    form = wall_times("clock.night", value, _('give {"from": "22:00", "to": "07:00"}, or null for none'))
    if form is not None and night_of(form).length > NIGHT_MAX:
        raise bad_field(
            "clock.night", _("a night lasts from one minute to %(hours)s hours", hours=NIGHT_MAX // timedelta(hours=1))
        )
    return form


def _check_due_time(value: object, night: WallTimes | None) -> str | None:
    how = _('give a time of the day outside the night, such as "20:00", or null for none')
    if value is None:
        return None
    if not is_wall_time(value):
        raise bad_field("clock.due_time", how)
    since = timedelta() if night is None else night_of({"from": night["from"], "to": value}).length
    if night is not None and timedelta() < since < night_of(night).length:
        raise bad_field("clock.due_time", how)
    return value


def _check_reminders(value: object) -> list[float]:
    how = _("give at most %(number)s different fractions of the turn, from 0.01 to 0.99", number=REMINDERS_MAX)
    if not isinstance(value, list) or len(value) > REMINDERS_MAX:
        raise bad_field("clock.reminders", how)
    fractions = sorted(round(checks.number("clock.reminders", item, 0.01, 0.99), 3) for item in value)
    if len(set(fractions)) < len(fractions):
        raise bad_field("clock.reminders", how)
    return fractions


def _check_start_by(value: object, now: datetime) -> str | None:
    if value is None:
        return None
    moment = checks.moment("clock.start_by", value)
    if not now < moment <= now + START_WITHIN:
        raise bad_field("clock.start_by", _("give a time within the next %(days)s days", days=START_WITHIN.days))
    return utc(moment)


@dataclass(frozen=True, slots=True)
class Suspensions:
    """Times in which clocks stand still; a pause that is not over ends with the moment of asking."""

    vacations: Mapping[str, Sequence[Interval]]  # by player
    mail_pauses: Sequence[Interval] = ()  # for everybody
    outages: Sequence[Interval] = ()  # likewise: no server was there


DEADLINE = f"CASE WHEN EXISTS ({BY_OPERATOR}) THEN NULL ELSE g.deadline END"
"""The deadline of game `g` as people are told it: none while mail is paused."""

_PAUSES = f"""
    SELECT cause, NULL, since, ended_at FROM mail_pause
        WHERE cause <> 'fault' AND (ended_at IS NULL OR ended_at > ?)
    UNION ALL SELECT 'beat', NULL, at, NULL FROM ({heartbeat.AT}) AS last"""  # noqa: S608 - our own words
_VACATIONS = "SELECT 'own', player_id, starts_at, ends_at FROM vacation WHERE player_id"


def suspensions(store: Store, players: Sequence[str], now: datetime) -> Suspensions:
    """The vacations of players by their ids and what stops all clocks, from the year before `now` on: what counts of a
    vacation depends on the earlier ones of its year. One statement."""
    since = utc(datetime(now.year - 1, 1, 1, tzinfo=UTC))
    statement, values = _PAUSES, [since]
    if players:
        statement = f"{_VACATIONS} IN {sql.marks(players)} AND ends_at > ? UNION ALL {_PAUSES}"
        values = [*players, since, since]
    vacations: defaultdict[str, list[Interval]] = defaultdict(list)
    found: dict[str, list[Interval]] = {"operator": [], "off": []}
    for cause, player, starts_at, ends_at in sql.rows(store, statement, *values):
        interval = (parse_utc(starts_at), now if ends_at is None else parse_utc(ends_at))
        if player is not None:
            vacations[player].append(interval)
        elif cause == "beat":
            off = heartbeat.off(starts_at, now)
            found["off"] += [] if off is None else [off]
        elif interval[0] < interval[1]:
            found[cause].append(interval)
    return Suspensions(vacations, found["operator"], found["off"])
