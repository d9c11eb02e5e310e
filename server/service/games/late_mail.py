"""Whether the notice of a turn went out in time. Where it did not, the time of the turn does not run meanwhile.

The notice is the mail by which its player first hears of the turn: that of the turn itself, or for those who want no
other the first reminder, or the digest. A clock waits for those alone whom mail reaches, and always with an end. Mail
that nobody gets is waited for the longest: one letter's own fault shows when mail to others is taken before it fails
once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from server.service.common import preferences
from server.service.games.model import Game
from server.service.games.running_time import quiet_until
from server.service.outbox import stranger_mail
from server.service.outbox.addressees import is_reached
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

GRACE = timedelta(minutes=5)  # So late a notice may be: mail is not faster in the best of times
ALONE = timedelta(days=3)
"""So long, and a turn at least, a clock waits for a letter that fails by itself on this side, or that its reader's side
seems to refuse, where mail to others was taken since then."""
LONGEST = timedelta(days=14)  # Longer no clock waits, whatever keeps the notice


class Sending(NamedTuple):
    """How far a notice has come."""

    ready: datetime  # from when on it could have gone out
    gone: datetime | None  # when it went out, or was given up; None while it waits
    wanted: bool  # its reader wants this mail, and can be reached
    theirs: bool  # it seems to wait for the mail server of its reader, or to be refused for what it says
    tried: bool  # tries were counted against it
    died: datetime | None  # when it became a dead letter
    others: datetime | None  # when mail to somebody else was last taken: before its last try, of a dead letter till now
    paused: bool  # no mail goes out now, by a fault


_WANTED: Mapping[str, Sequence[str]] = {
    "reminder": ("at_once", "reminders"),
    # It is about no game alone: whoever has muted all others may want it for one.
    "digest": preferences.MAIL_MODES,
}
"""Who wants a mail, by its kind; those of the turn itself are for who wants mail at once."""

_MAILS = """
    SELECT m."key", m.kind, m.state, m.fault, m.created_at, m.due_at, m.done_at, m.attempts,
        m.message_id IS NOT NULL AS taken,
        CASE WHEN m.fault IS NOT NULL AND m.state <> 'sent' THEN (
            SELECT o.done_at FROM mail o
            WHERE o.state = 'sent' AND o.done_at <= CASE WHEN m.state = 'dead' THEN '9999' ELSE m.tried_at END
                AND (o.player_id IS NULL OR o.player_id <> m.player_id)
            ORDER BY o.done_at DESC LIMIT 1) END AS others,
        p.email, p.email_confirmed_at, p.mail_stopped_at, p.preferences, s.mail AS seat_mail
    FROM mail m JOIN player p ON p.id = m.player_id
    LEFT JOIN seat s ON s.game_id = m.game_id AND s.player_id = m.player_id
    WHERE m."key" IN {marks}"""
_PAUSED = "SELECT 1 FROM mail_pause WHERE cause = 'fault' AND ended_at IS NULL"


def sendings(store: Store, keys: Sequence[str]) -> dict[str, Sending]:
    """How far the notices of these keys have come, in the running transaction; without those that were never written.
    One statement, and two more where some wait."""
    if not keys:
        return {}
    rows = sql.dicts(store, _MAILS.format(marks=sql.marks(keys)), *keys)
    mailboxes = {row["key"]: stranger_mail.claim(row["email"]) for row in rows if _waits(row) and _is_wanted(row)}
    blocked = stranger_mail.blocked(store, list(mailboxes.values()))
    paused = bool(mailboxes) and sql.row(store, _PAUSED) is not None
    found = {}
    for row in rows:
        done = None if row["done_at"] is None else parse_utc(row["done_at"])
        wishes, created = preferences.read(row["preferences"]), parse_utc(row["created_at"])
        wanted_from = quiet_until(wishes["quiet_hours"], wishes["time_zone"], created) or created
        found[row["key"]] = Sending(
            ready=max(parse_utc(row["due_at"]), wanted_from),
            gone=None if _waits(row) else done,
            wanted=_is_wanted(row) and mailboxes.get(row["key"]) not in blocked,
            theirs=row["fault"] == "theirs",
            tried=row["fault"] is not None and row["attempts"] > 0,
            died=done if _waits(row) else None,
            others=None if row["others"] is None else parse_utc(row["others"]),
            paused=paused,
        )
    return found


def _waits(row: sql.ByName) -> bool:
    """Whether a mail may still go out: a dead letter too, unless a mail server took it, whatever came of it later."""
    return row["state"] in ("pending", "sending") or (row["state"] == "dead" and not row["taken"])


def _is_wanted(row: sql.ByName) -> bool:
    reached = row["email"] is not None and is_reached(row["email_confirmed_at"], row["mail_stopped_at"])
    mode = row["seat_mail"] or preferences.read(row["preferences"])["mail"]
    return reached and mode in _WANTED.get(row["kind"], ("at_once",))


class Lost(NamedTuple):
    """What was lost of a turn's time by its notice."""

    settled: bool  # nothing more can be lost by it
    since: datetime | None = None  # None: nothing is lost, so far at least
    until: datetime | None = None  # None: it is being lost
    given_up: bool = False  # it is settled because the wait was long enough


def lost(found: Sending | None, since: str | None, turn: timedelta, now: datetime, begun: bool = False) -> Lost:
    """What is lost of a turn's time by its notice (None: none was written), of which is known `since` when some is.
    `turn` is how long a turn may take; `begun`: the player has begun it, and so knows of it."""
    if found is None or not found.wanted:
        # Nothing goes there. What was lost before that was so stays lost.
        return Lost(True) if since is None else Lost(True, parse_utc(since), now)
    began, gone = found.ready if since is None else parse_utc(since), found.gone
    given_up = gone is None and not begun and _long_enough(found, began, turn, now)
    if gone is None and (begun or given_up):
        gone = now
    if since is None and (gone or now) - began <= GRACE:
        return Lost(gone is not None)
    return Lost(gone is not None, began, None if gone is None else max(gone, began), given_up)


def _long_enough(found: Sending, began: datetime, turn: timedelta, now: datetime) -> bool:
    """Whether a clock that waits since `began` waits no longer, from now on: nobody's time is over already."""
    alone = max(turn, ALONE)
    its_own: datetime | None = None
    """From when on mail to others shows that it is this letter's own fault."""
    if found.theirs:
        its_own = found.died or began + turn
    elif found.died is not None or found.tried:
        its_own = max(found.died or began, began + alone)
    if its_own is not None and found.others is not None and found.others >= its_own:
        return True
    told = found.others is not None and found.others > began
    return now - began > (alone if found.theirs and told and not found.paused else LONGEST)


def await_later_mail(store: Store, game_id: str, key: str) -> None:
    """Let the clock of the turn under way wait for a later mail, by which its player first hears of the turn, in the
    running transaction; not where it waits for one already, or did."""
    sql.execute(store, _AWAIT, key, game_id)


_AWAIT = """
    UPDATE game SET turn_notice = ? WHERE id = ? AND status = 'running' AND deadline IS NOT NULL
        AND turn_notice IS NULL AND lost_since IS NULL"""


def note(game: Game, what: Lost) -> None:
    """Note in `game` what is lost of the turn under way. Once or many times, it comes to the same."""
    if what.settled:
        game.turn_notice = None
    if what.since is not None:
        game.lost_since, game.lost_until = utc(what.since), None if what.until is None else utc(what.until)
