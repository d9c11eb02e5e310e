"""The jobs, in one list. A job is a function `(context, now)`; what it changes, a module of the service changes."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from pathlib import Path

from server.notify import channels, spool
from server.notify.scheduler import Context, Job
from server.service.accounts import links, sessions
from server.service.archive import archiving, puzzles, rating, statistics
from server.service.common import audit_log
from server.service.contests import day, rounds
from server.service.erasure import deletion
from server.service.outbox import channel_queue, deliveries, pauses, received_mail
from server.service.play import reminders, timeouts
from server.service.seating import guests
from server.storage import backups, disk_space

log = logging.getLogger("ulm.jobs")

MAILS_KEPT = timedelta(days=60)
RECEIVED_KEPT = timedelta(days=30)
"""How long it is known what became of a mail that came in: a mail server tries for five days."""
GUESTS_KEPT = timedelta(days=30)
UNPLAYED_KEPT = timedelta(days=7)
"""How long a game that was resigned at once is there for those who sat in it."""
TOKENS_KEPT = timedelta(days=365)  # how long a token that nobody uses keeps an account that never played

ARCHIVED_AT_ONCE = 1000  # how many games one run of the job packs at most, some milliseconds each
COUNTED_AT_ONCE = 20_000  # how many games one run of the job counts at most


def deliver(context: Context, now: datetime) -> None:
    """Send what is due. Shared: several processes claim their parts of the outbox."""
    done = context.delivery.run(lambda: not context.keep())
    if done:
        log.info("mail", extra={"fields": dict(done)})


def news(context: Context, now: datetime) -> None:
    """Send news to webhooks and browsers where they arrived the last time. Shared, as `deliver` is."""
    _tell("news", **channels.deliver(context, proven=True))


def doubtful_news(context: Context, now: datetime) -> None:
    """Send news to those where nothing has arrived yet, or the last did not: who does not answer keeps only these."""
    _tell("news to doubtful channels", **channels.deliver(context, proven=False))


def clocks(context: Context, now: datetime) -> None:
    """Carry out deadlines that are past: turns are played or seats resigned, games that did not start given up."""
    _tell("clocks", games=timeouts.run_clocks(context.store, now, context.rng))


def play_tournaments(context: Context, now: datetime) -> None:
    """End the rounds of tournaments of which all games are over, and begin the next."""
    _tell("tournaments", rounds=rounds.run(context.store, now))


def remind(context: Context, now: datetime) -> None:
    """Write reminders of deadlines and of vacations that end."""
    _tell("reminders", notices=reminders.run_reminders(context.store, now))


def digest(context: Context, now: datetime) -> None:
    """Write the digests whose hour has come."""
    _tell("digests", notices=reminders.run_digests(context.store, now))


def clean_up(context: Context, now: datetime) -> None:
    """Forget what nobody asks for any more: sent mails, old files, guests who never played, games that
    were resigned at once, sessions that are over, links that are too old, old lines of the audit log, what mail came
    in."""
    mails = deliveries.clean_up(context.store, now - MAILS_KEPT)
    mails += channel_queue.clean_up(context.store, now - MAILS_KEPT)
    pauses.clean_up(context.store, now - MAILS_KEPT)
    old = now - timedelta(days=context.settings.mail_files_days)
    files = spool.clean_up(spool.directory(context.settings), old)
    games = deletion.unplayed_games(context.store, now - UNPLAYED_KEPT)
    idle = guests.clean_up(context.store, now - GUESTS_KEPT, now - TOKENS_KEPT, now)
    sessions.clean_up(context.store, now, timedelta(days=context.settings.session_days))
    ended = links.clean_up(context.store, now)
    lines = audit_log.clean_up(context.store, now - timedelta(days=context.settings.audit_days))
    received = received_mail.clean_up(context.store, now - RECEIVED_KEPT)
    _tell("cleaned up", mails=mails, files=files, games=games, guests=idle, links=ended, audit=lines, received=received)


def archive(context: Context, now: datetime) -> None:
    """Pack the logs of games that are long over, and give the disk what they took."""
    days = context.settings.archive_after_days
    if not days:
        return
    done = archiving.archive(context.store, now - timedelta(days=days), ARCHIVED_AT_ONCE, keep=context.keep)
    if done.games:
        given = disk_space.give_back(context.store, context.keep)
        log.info("archived", extra={"fields": {**done._asdict(), "given_back": given}})


def count(context: Context, now: datetime) -> None:
    """Count games that are over for the statistics."""
    _tell("counted", games=statistics.count(context.store, COUNTED_AT_ONCE, context.keep))


def rate(context: Context, now: datetime) -> None:
    """Count games that are over for the ratings, in their order."""
    _tell("rated", games=rating.rate(context.store, now, COUNTED_AT_ONCE, context.keep))


def choose_puzzles(context: Context, now: datetime) -> None:
    """Write down which puzzle is that of today, and of tomorrow."""
    _tell("puzzles", days=puzzles.choose_days(context.store, now))


def deal(context: Context, now: datetime) -> None:
    """Make the deal of the day where there is to be one, and reveal that of the day before."""
    _tell("deals", deals=day.look_after(context.store, now, deal=context.settings.deals))


def empty_log(context: Context, now: datetime) -> None:
    """Keep what was erased out of the database's own files. Where somebody reads at this moment, the next time does."""
    context.store.empty_log()


def back_up(context: Context, now: datetime) -> None:
    """Make the copy of the day, where a folder for copies is named, and remove those that are too old."""
    settings = context.settings
    if settings.backup_folder:
        made, removed = backups.daily(
            context.store, settings.database, Path(settings.backup_folder), settings.backups_kept, now, context.keep
        )
        if made is not None:
            log.info("backup", extra={"fields": {"file": made.name, "bytes": made.stat().st_size, "removed": removed}})


def _tell(what: str, **numbers: int) -> None:
    """Log what a job has done, where that was anything."""
    if any(numbers.values()):
        log.info(what, extra={"fields": numbers})


KINDS: dict[str, tuple[Job, ...]] = {
    "mail": (
        Job("delivery", 2, deliver, shared=True),
        Job("news", 2, news, shared=True),
        Job("doubtful news", 2, doubtful_news, shared=True),
    ),
    "clocks": (
        Job("clocks", 15, clocks),
        Job("tournaments", 5, play_tournaments, lease="clocks"),
        Job("reminders", 60, remind, lease="clocks"),
        Job("digests", 300, digest, lease="clocks"),
    ),
    "upkeep": (
        Job("clean-up", 3600, clean_up, lease="upkeep"),
        Job("statistics", 10, count, gentle=True, lease="upkeep"),
        Job("ratings", 10, rate, gentle=True, lease="upkeep"),
        Job("archive", 600, archive, gentle=True, lease="upkeep"),
        Job("puzzles", 600, choose_puzzles, lease="upkeep"),
        Job("deals", 15, deal, lease="upkeep"),
        Job("log", 600, empty_log, lease="upkeep"),
        Job("backup", 900, back_up, lease="upkeep"),
    ),
}
"""The jobs by the word for which a process may have them alone (`ulm worker --only`), which is
their lease, too."""
JOBS = tuple(job for jobs in KINDS.values() for job in jobs)
