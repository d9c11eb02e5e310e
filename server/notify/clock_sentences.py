"""What mails say of time: how long it lasts, what happens then, what has happened; and whom no mail reaches."""

from __future__ import annotations

from server.language import date_and_time, listing
from server.language import gettext as _
from server.notify import times
from server.notify.game_sections import Seen
from server.service.games import clock as clocks
from server.service.outbox.deliveries import QueuedMail
from server.service.play import timeouts
from server.storage.times import parse_utc


def deadline(seen: Seen) -> list[str]:
    """Until when there is time for the turn, and why it is longer than usual."""
    if seen.game.paused_at is not None:
        return [_("The game is paused: clocks stand still.")]
    if seen.game.waits_for_notice and "deadline" in seen.task.queued.data:
        return [_("This mail could not be sent any sooner: the rest of your time runs on from now.")]
    if seen.game.clock is not None and seen.game.waits_for_notice:
        clock = clocks.read(seen.game.clock)
        time = times.span(clock.turn + clocks.reserve_left(clock, seen.game.seats[seen.seat]))
        return [_("This mail could not be sent any sooner: your time of %(time)s begins now.", time=time)]
    if seen.game.deadline is None:
        return []
    granted = seen.game.granted_seconds
    late = [_("Any of it that was lost because the mail about this turn was late does not count.")] if granted else []
    return [
        _("Your time ends on %(time)s.", time=times.local(parse_utc(seen.game.deadline), seen.task.person.zone)),
        *late,
    ]


def deadline_in_short(seen: Seen) -> str:
    """The same in a few words, for lists of mails."""
    game = seen.game
    if game.paused_at is not None or game.waits_for_notice or game.deadline is None:
        return " ".join(deadline(seen)[:1])
    return _("Until %(time)s.", time=date_and_time(parse_utc(game.deadline), seen.task.person.zone))


def left_at(queued: QueuedMail) -> str:
    """How long there was when a reminder was due."""
    return times.span(parse_utc(queued.data["deadline"]) - queued.due)


def unreached(seen: Seen) -> list[str]:
    """A word about those at the table whom no mail reaches."""
    names = [seen.names[seat.number] for seat in seen.game.seats if seat.mail_stopped and seat.number != seen.seat]
    if not names:
        return []
    return [_("Mail does not reach %(names)s: tell them some other way when it is their turn.", names=listing(names))]


def at_its_end(seen: Seen) -> str:
    """What happens when the time of the turn is over."""
    if seen.game.clock is not None and seen.game.clock.get("on_timeout") == "resign":
        return _("When it ends, your seat is resigned.")
    if is_last_warning(seen):
        return _("When it ends, the server plays the turn for you, and your later turns at once, until you come back.")
    return _("When it ends, the server plays the turn for you.")


def is_last_warning(seen: Seen) -> bool:
    """Whether the server takes over when the time of one more turn runs out."""
    return seen.game.seats[seen.seat].timeouts == timeouts.AUTOPILOT_AFTER - 1


def own_end(seen: Seen) -> list[str]:
    """What the server did for a player whose game is over: the mail about the end is the only one that says it."""
    own = next((one for one in reversed(seen.story.moves) if one.seat == seen.seat), None)
    if own is None or not own.automatic:
        return []
    if own.move == "resign":
        return [_("Your time ran out, and under this game’s clock rules that resigned your seat.")]
    if own.timed_out:
        return [_("Your time for your last turn ran out: the server played it for you.")]
    return [_("The server played your last turns, because your time had run out twice in a row.")]
